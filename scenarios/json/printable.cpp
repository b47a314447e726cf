#include "scenarios/json/printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace redeliver::scenarios {

namespace {

/// One character of UTF-8, or one byte that begins none.
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool is_valid = false;
};

/// Refuses what UTF-8 forbids: overlong forms, surrogates, codes above 10FFFF.
Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {.code = lead, .bytes = 1, .is_valid = true};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (std::size_t next = 1; next < bytes; ++next) {
        const auto byte = static_cast<unsigned char>(text[next]);
        if ((byte & 0xc0) != 0x80) return {};
        code = (code << 6) | (byte & 0x3fu);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < smallest[bytes] || is_surrogate || code > 0x10ffff) return {};
    return {.code = code, .bytes = bytes, .is_valid = true};
}

struct CodeRange {
    std::uint32_t first;
    std::uint32_t last;
};

/// Controls, and what shows nothing but changes how the rest looks: zero-width characters, marks of
/// direction, separators of lines, variation selectors, tags, private use.
constexpr CodeRange invisible[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad}, {0x061c, 0x061c}, {0x115f, 0x1160},
    {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
    {0xe000, 0xf8ff},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff},
    {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff}};

bool is_invisible(std::uint32_t code) {
    for (const auto& [first, last] : invisible)
        if (code >= first && code <= last) return true;
    return false;
}

std::string shown(std::string_view text, const Character& character) {
    if (!character.is_valid) return fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    if (!is_invisible(character.code)) return std::string(text.substr(0, character.bytes));
    switch (character.code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
    }
    if (character.code < 0x80) return fmt::format("\\x{:02x}", character.code);
    return fmt::format("\\u{{{:04x}}}", character.code);
}

}  // namespace

std::string printable(std::string_view text) { return printable(text, std::string_view::npos); }

std::string printable(std::string_view text, std::size_t most) {
    std::string out;
    while (!text.empty()) {
        const Character character = first_of(text);
        const std::string part = shown(text, character);
        if (part.size() > most || out.size() > most - part.size()) return out + "…";
        out += part;
        text.remove_prefix(character.bytes);
    }
    return out;
}

}  // namespace redeliver::scenarios
