#include "cli/serve_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/numbers.h"

namespace redeliver::cli {
namespace {

using model::redis::Configuration;

constexpr Bounds port_bounds{.least = 0, .most = std::numeric_limits<std::uint16_t>::max()};
constexpr Bounds clients_bounds{.least = 1, .most = 1'000'000};
constexpr Bounds bytes_bounds{.least = 1024, .most = std::uint64_t{1} << 40};

Configuration::Version version(const std::string& text) {
    using Version = Configuration::Version;
    if (text == "6.2") return Version::v6_2;
    if (text == "7.0") return Version::v7_0;
    if (text == "7.2") return Version::v7_2;
    if (text == "7.4") return Version::v7_4;
    throw UsageError(
        fmt::format("--redis-version: found '{}', allowed is one of 6.2, 7.0, 7.2, 7.4", text));
}

}  // namespace

ServeArguments::ServeArguments(CLI::App& command) {
    command.add_option("--port", port_, "TCP port; 0 picks a free one (default 6379)")
        ->type_name("N");
    command.add_option("--address", address_, "IP address to listen on (default 127.0.0.1)")
        ->type_name("IP");
    command.add_flag("--allow-remote", remote_, "for an address that other machines can reach");
    command.add_option("--redis-version", version_, "6.2, 7.0, 7.2 or 7.4 (default 7.0)")
        ->type_name("VERSION");
    command.add_option("--max-clients", clients_, "connections at a time (default 10000)")
        ->type_name("N");
    command
        .add_option("--max-output", output_,
                    "unread bytes after which a client is cut off (default 67108864)")
        ->type_name("BYTES");
    command
        .add_option("--max-request", request_,
                    "bytes of one request at most (default 1073741824, of a word 536870912)")
        ->type_name("BYTES");
    command.add_flag("--enable-debug-command", debug_, "obey DEBUG");
    command.footer(std::string(help::after_serve));
}

ServeOptions ServeArguments::options() const {
    ServeOptions options;
    auto& settings = options.settings;
    if (port_)
        options.port = static_cast<std::uint16_t>(parse_number("--port", *port_, port_bounds));
    if (address_) options.address = *address_;
    if (remote_) options.remote = ServeOptions::Remote::allowed;
    if (version_) settings.server.version = version(*version_);
    if (clients_) settings.max_clients = parse_number("--max-clients", *clients_, clients_bounds);
    if (output_) settings.max_output = parse_number("--max-output", *output_, bytes_bounds);
    if (request_) {
        settings.limits.buffered_bytes = parse_number("--max-request", *request_, bytes_bounds);
        settings.limits.word_bytes =
            std::min(settings.limits.word_bytes, settings.limits.buffered_bytes);
    }
    if (debug_) settings.debug_command = model::redis::resp::Settings::DebugCommand::allowed;
    return options;
}

}  // namespace redeliver::cli
