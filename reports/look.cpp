#include "reports/look.h"

#include <array>

#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

struct Glyph {
    std::string_view utf8;
    std::string_view ascii;
    Tone tone;
};

// In the order of Mark. Every one is one column wide in every terminal we know, which rules out
// emoji.
constexpr std::array<Glyph, mark_count> glyphs = {{{" ", " ", Tone::plain},
                                                   {"✂", "!", Tone::bad},
                                                   {"↻", "^", Tone::plain},
                                                   {"‖", "=", Tone::bad},
                                                   {"▸", ">", Tone::plain},
                                                   {"✗", "x", Tone::bad},
                                                   {"╪", "#", Tone::bad},
                                                   {"✚", "+", Tone::good},
                                                   {"⇉", "%", Tone::strong},
                                                   {"●", "o", Tone::good},
                                                   {"○", ".", Tone::faint},
                                                   {"⌫", "<", Tone::bad},
                                                   {"†", "d", Tone::strong},
                                                   {"⚑", "*", Tone::bad}}};

const Glyph& entry(Mark mark) {
    const auto index = static_cast<std::size_t>(mark);
    sim::ensure(index < glyphs.size(), "every mark has a glyph");
    return glyphs[index];
}

std::string_view escape_code(Tone tone) {
    switch (tone) {
    case Tone::plain: return "";
    case Tone::faint: return "\x1b[2m";
    case Tone::strong: return "\x1b[1m";
    case Tone::good: return "\x1b[32m";
    case Tone::bad: return "\x1b[31m";
    case Tone::uncertain: return "\x1b[33m";
    }
    return "";
}

}  // namespace

std::string painted(Tone tone, std::string_view text, const Look& look) {
    const std::string_view code = escape_code(tone);
    if (look.colour == Colour::off || code.empty() || text.empty()) return std::string(text);
    std::string result(code);
    result.append(text).append("\x1b[0m");
    return result;
}

std::string_view glyph(Mark mark, Charset charset) {
    return charset == Charset::utf8 ? entry(mark).utf8 : entry(mark).ascii;
}

Tone tone_of(Mark mark) { return entry(mark).tone; }

std::string_view ellipsis(Charset charset) { return charset == Charset::utf8 ? "…" : "..."; }

std::string_view arrow(Charset charset) { return charset == Charset::utf8 ? "→" : "->"; }

}  // namespace redeliver::reports
