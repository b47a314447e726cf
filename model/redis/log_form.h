#pragma once

#include <cstdint>

namespace redeliver::model::redis {

/// How a rewritten append-only file begins: `aof-use-rdb-preamble` yes or no.
enum class LogForm : std::uint8_t {
    /// As the data itself, which keeps everything.
    snapshot,
    /// As commands. What they cannot say is lost at the next load: rows of entries that have left
    /// their stream, and when consumers were seen.
    commands
};

}  // namespace redeliver::model::redis
