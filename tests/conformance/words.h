#pragma once

#include <string>
#include <string_view>

#include "model/redis/resp/request_reader.h"

namespace redeliver::conformance {

using model::redis::resp::Words;

/// Appends the request as a RESP array of bulk strings.
void append_request(const Words& words, std::string& out);

/// One word as redis-cli reads it back: bare where that is safe, else quoted with escapes.
std::string quoted(std::string_view word);

/// Compares as the server compares the names of commands and options.
bool equals_ignoring_case(std::string_view one, std::string_view other);
std::string upper_case(std::string_view text);

}  // namespace redeliver::conformance
