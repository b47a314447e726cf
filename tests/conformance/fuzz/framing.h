#pragma once

#include <string_view>

namespace redeliver::conformance {

/// Marks, in what one client read, where a connection ended and the next began.
inline constexpr char end_of_connection = '\0';

/// Whether the bytes are whole RESP2 or RESP3 replies, one behind the other.
bool is_resp(std::string_view bytes);

}  // namespace redeliver::conformance
