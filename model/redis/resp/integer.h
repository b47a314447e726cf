#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace redeliver::model::redis::resp {

/// A signed 64 bit integer in the one way the server writes it: no blank, no plus, no leading zero,
/// no minus before zero. Source: string2ll in redis/src/util.c.
std::optional<std::int64_t> read_integer(std::string_view text);

}  // namespace redeliver::model::redis::resp
