#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// How text may look where it is read: a value, so that the same report can be made for a terminal,
/// a pipe and a test.
namespace redeliver::reports {

enum class Colour : std::uint8_t { off, on };

/// What the reader's terminal can show: all of Unicode, or nothing beyond ASCII.
enum class Charset : std::uint8_t { ascii, utf8 };

inline constexpr std::size_t unlimited_width = std::numeric_limits<std::size_t>::max();

struct Look {
    Colour colour = Colour::off;
    Charset charset = Charset::utf8;
    /// Columns of the terminal; unlimited when there is none.
    std::size_t width = unlimited_width;
};

/// What a piece of text means. Colour only repeats what a word or a mark already says.
enum class Tone : std::uint8_t {
    plain,
    faint,     ///< can be skipped
    strong,    ///< read this first
    good,      ///< as it should be
    bad,       ///< wrong, or a fault
    uncertain  ///< shown neither right nor wrong
};

/// The text in the colour of its tone; unchanged where there is no colour.
std::string painted(Tone tone, std::string_view text, const Look& look);

/// What catches the eye at the edge of a line.
enum class Mark : std::uint8_t {
    none,
    crash,
    restart,
    pause,
    resume,
    lost,       ///< a message, or the knowledge of its answer
    partition,  ///< of the network; also a reset and a slow node
    heal,
    claim,      ///< a pending entry changed its owner
    stored,     ///< an effect that lasts
    absorbed,   ///< an effect that was there already
    forgot,     ///< a server lost what it had answered for
    set_aside,  ///< a dead letter
    broken      ///< a promise broke here
};
inline constexpr std::size_t mark_count = static_cast<std::size_t>(Mark::broken) + 1;

/// One character, of one column.
std::string_view glyph(Mark mark, Charset charset);
Tone tone_of(Mark mark);

/// `…` or `...`, to say that something was left out.
std::string_view ellipsis(Charset charset);
/// `→` or `->`.
std::string_view arrow(Charset charset);

}  // namespace redeliver::reports
