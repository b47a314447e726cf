#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace redeliver::conformance {

/// How many bytes the first reply in `bytes` takes, RESP2 or RESP3; nothing while it is cut short.
/// Knows where a reply ends and nothing else, so that it cannot excuse a difference.
/// Throws std::runtime_error for bytes that begin no reply.
std::optional<std::size_t> reply_length(std::string_view bytes);

/// The lines of a reply with blanks between them: for people.
std::string readable(std::string_view bytes);

}  // namespace redeliver::conformance
