#include "reports/text_width.h"

#include <algorithm>
#include <array>
#include <utility>

namespace redeliver::reports {

namespace {

struct Block {
    char32_t first;
    char32_t last;
    std::size_t width;
};

constexpr std::array<Block, 17> blocks = {{{0x0300, 0x036F, 0},
                                           {0x1100, 0x115F, 2},
                                           {0x1AB0, 0x1AFF, 0},
                                           {0x200B, 0x200F, 0},
                                           {0x20D0, 0x20FF, 0},
                                           {0x2E80, 0x303E, 2},
                                           {0x3041, 0xA4CF, 2},
                                           {0xA960, 0xA97F, 2},
                                           {0xAC00, 0xD7A3, 2},
                                           {0xF900, 0xFAFF, 2},
                                           {0xFE00, 0xFE0F, 0},
                                           {0xFE20, 0xFE2F, 0},
                                           {0xFE30, 0xFE6F, 2},
                                           {0xFF00, 0xFF60, 2},
                                           {0xFFE0, 0xFFE6, 2},
                                           {0x1F300, 0x1FAFF, 2},
                                           {0x20000, 0x3FFFD, 2}}};

std::size_t width_of(char32_t point) {
    if (point < blocks.front().first) return 1;
    for (const Block& block : blocks)
        if (point >= block.first && point <= block.last) return block.width;
    return 1;
}

std::size_t bytes_of_sequence(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xE0) return 2;
    return lead < 0xF0 ? 3 : 4;
}

struct Glimpse {
    std::size_t bytes;
    std::size_t width;
};

// The first character of a text that is not empty.
Glimpse first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t bytes = std::min(bytes_of_sequence(lead), text.size());
    if (bytes == 1) return {1, 1};
    char32_t point = lead & (0xFFu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i)
        point = (point << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    return {bytes, width_of(point)};
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const Glimpse next = first_of(text);
        width += next.width;
        text.remove_prefix(next.bytes);
    }
    return width;
}

std::string padded(std::string_view text, std::size_t width) {
    const std::size_t taken = display_width(text);
    std::string result(text);
    if (taken < width) result.append(width - taken, ' ');
    return result;
}

std::string right_aligned(std::string_view text, std::size_t width) {
    const std::size_t taken = display_width(text);
    std::string result(taken < width ? width - taken : 0, ' ');
    return result.append(text);
}

std::string fitted(std::string_view text, std::size_t width, Charset charset) {
    if (width == unlimited_width || display_width(text) <= width) return std::string(text);
    const std::string_view end = ellipsis(charset);
    if (width < display_width(end)) return std::string(width, '.');
    const std::size_t room = width - display_width(end);
    std::string result;
    std::size_t taken = 0;
    while (!text.empty()) {
        const Glimpse next = first_of(text);
        if (taken + next.width > room) break;
        taken += next.width;
        result.append(text.substr(0, next.bytes));
        text.remove_prefix(next.bytes);
    }
    return result.append(end);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
            lines.push_back(std::exchange(line, {}));
        if (!line.empty()) line += ' ';
        line += word;
    }
    if (!line.empty() || lines.empty()) lines.push_back(line);
    return lines;
}

}  // namespace redeliver::reports
