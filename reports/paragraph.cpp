#include "reports/paragraph.h"

#include <algorithm>

#include "reports/text_width.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

constexpr std::size_t narrowest = 20;

}  // namespace

std::string paragraph(std::string_view label, std::string_view plain_label, std::size_t indent,
                      std::string_view text, const Look& look) {
    const std::size_t width = std::min(look.width, readable_width);
    const std::size_t room = width - std::min(width, indent);
    const auto lines = wrapped(scenarios::printable(text), std::max(room, narrowest));
    std::string result(label);
    result.append(indent - std::min(indent, display_width(plain_label)), ' ');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) result.append(indent, ' ');
        result.append(lines[i]).append("\n");
    }
    return result;
}

}  // namespace redeliver::reports
