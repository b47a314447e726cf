#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/redis/resp/request.h"

namespace redeliver::model::redis::resp {

/// What XREAD and XREADGROUP say before and about their streams, but for the ids.
struct ReadOptions {
    enum class Command : std::uint8_t { xread, xreadgroup };
    std::int64_t count = 0;
    std::optional<Milliseconds> block = {};
    Xreadgroup::Acknowledgement acknowledgement = Xreadgroup::Acknowledgement::owed;
    /// Where the name of the group is, before that of the consumer; XREADGROUP needs it.
    std::optional<std::size_t> group = {};
    /// How many streams there are; all keys come before all ids.
    std::size_t first_key = 0;
    std::size_t streams = 0;
};

ReadOptions read_options(const Request& request, ReadOptions::Command command);

}  // namespace redeliver::model::redis::resp
