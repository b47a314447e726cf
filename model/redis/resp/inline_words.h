#pragma once

#include <optional>
#include <string_view>

#include "model/redis/resp/request_reader.h"

namespace redeliver::model::redis::resp {

/// The words of an inline request: between blanks, or in double quotes with escapes, or in single
/// quotes. Nothing when a quote stays open, or something follows a closing one.
/// Source: sdssplitargs in redis/src/sds.c.
std::optional<Words> split_inline(std::string_view line);

}  // namespace redeliver::model::redis::resp
