#pragma once

#include <string>
#include <string_view>

#include "reports/look.h"

namespace redeliver::reports {

/// Where no terminal says how wide it is, lines stay short enough to read.
inline constexpr std::size_t readable_width = 100;

/// A text in lines that all begin in column `indent`, with a label before the first. `label` may be
/// painted, `plain_label` is what its reader sees; the text is made printable.
std::string paragraph(std::string_view label, std::string_view plain_label, std::size_t indent,
                      std::string_view text, const Look& look);

}  // namespace redeliver::reports
