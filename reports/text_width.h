#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/look.h"

/// How many columns of a terminal a text takes, so that columns align whatever script a name is in.
/// Texts are valid UTF-8 without control characters, as `printable` leaves them.
namespace redeliver::reports {

/// Columns: 2 for the wide characters of East Asia and emoji, 0 for combining marks, else 1.
/// Source: Unicode 15 EastAsianWidth.txt, by its large blocks.
std::size_t display_width(std::string_view text);

/// The text followed by blanks up to a width; unchanged when it is longer.
std::string padded(std::string_view text, std::size_t width);
/// The text preceded by blanks.
std::string right_aligned(std::string_view text, std::size_t width);

/// As much of the text as fits, ending in an ellipsis when something was cut.
std::string fitted(std::string_view text, std::size_t width, Charset charset);

/// The words of a text in lines of at most `width` columns. A longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace redeliver::reports
