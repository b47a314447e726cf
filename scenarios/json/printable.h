#pragma once

#include <string>
#include <string_view>

namespace redeliver::scenarios {

/// A stranger's bytes as one line that does nothing to a terminal and cannot pass for something
/// else. What is valid UTF-8 and visible stays as it is; control characters (also the 8-bit ones),
/// line ends, marks that turn the direction of writing and invisible characters become escapes such
/// as `\n`, `\x1b` or `\u{202e}`; bytes that are no UTF-8 become `\xff`. A backslash stays.
std::string printable(std::string_view text);

/// The same, cut to about `most` bytes with `…` at the end.
std::string printable(std::string_view text, std::size_t most);

}  // namespace redeliver::scenarios
