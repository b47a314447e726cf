#include "cli/serve.h"

#include <fmt/format.h>

#include "bridge/redis_server.h"
#include "cli/errors.h"
#include "model/redis/resp/version.h"

namespace redeliver::cli {
namespace {

void refuse_what_is_not_meant(const ServeOptions& options, Output& err) {
    switch (bridge::reach_of(options.address)) {
    case bridge::Reach::no_address:
        throw UsageError(
            fmt::format("--address: found '{}', allowed is an IP address", options.address));
    case bridge::Reach::this_machine: return;
    case bridge::Reach::network: break;
    }
    if (options.remote == ServeOptions::Remote::refused)
        throw UsageError(
            fmt::format("--address: other machines can reach {}, and the server asks nobody for a "
                        "password; if that is meant, say --allow-remote",
                        options.address));
    err.print(
        fmt::format("redeliver serve: warning: whoever can reach {} can read and change "
                    "everything; there is no password\n",
                    options.address));
    err.flush();
}

/// As one types it behind a client's -h and -p.
std::string place(const std::string& address, std::uint16_t port) {
    const bool is_v6 = address.find(':') != std::string::npos;
    return is_v6 ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

bridge::RedisServer::Options bridge_options(const ServeOptions& options) {
    return {.address = options.address, .port = options.port, .settings = options.settings};
}

}  // namespace

ExitCode serve(const ServeOptions& options, Output& out, Output& err) try {
    refuse_what_is_not_meant(options, err);
    bridge::RedisServer server(bridge_options(options));
    server.stop_on_signals();
    out.print(fmt::format("redeliver serve: redis {} on {}\n",
                          model::redis::resp::release(options.settings.server.version),
                          place(options.address, server.port())));
    out.flush();
    server.run();
    return ExitCode::as_expected;
} catch (const bridge::CannotListen& error) {
    throw UsageError(error.what());
}

}  // namespace redeliver::cli
