#pragma once

#include <cstdint>
#include <string>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "model/redis/resp/settings.h"

namespace redeliver::cli {

struct ServeOptions {
    /// Whether an address that other machines can reach is meant.
    enum class Remote : std::uint8_t { refused, allowed };

    std::string address = "127.0.0.1";
    /// 0 picks a free one.
    std::uint16_t port = 6379;
    Remote remote = Remote::refused;
    model::redis::resp::Settings settings = {};
};

/// `redeliver serve`: the broker model on a socket, until a signal or SHUTDOWN ends it. Says on
/// `out` where it listens once it does.
ExitCode serve(const ServeOptions& options, Output& out, Output& err);

}  // namespace redeliver::cli
