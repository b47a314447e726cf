#pragma once

#include <string>
#include <string_view>

#include "scenarios/json/value.h"

/// JSON pointers (RFC 6901): `/system/worker/claim`, `/faults/pinned/0`.
namespace redeliver::scenarios::json {

/// One step of a pointer, its slash included.
std::string pointer_token(std::string_view key);
std::string pointer_token(std::size_t index);

/// What a pointer leads to; nullptr when it leads nowhere.
const Value* resolve(const Value& root, std::string_view pointer);

}  // namespace redeliver::scenarios::json
