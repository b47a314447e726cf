#include <array>

#include "tests/conformance/phrases.h"

namespace redeliver::conformance {
namespace {

/// Nothing here is a number that could make two reads block until the same instant.
constexpr std::array nonsense = {"abc",
                                 "",
                                 "-1",
                                 "0",
                                 "0-0",
                                 "1-1-1",
                                 "-",
                                 "+",
                                 "*",
                                 "$",
                                 ">",
                                 "(",
                                 "(1",
                                 "(0-0",
                                 "(18446744073709551615-18446744073709551615",
                                 "1.5",
                                 "0x10",
                                 "18446744073709551616",
                                 "9223372036854775808",
                                 "9223372036854775807",
                                 "MAXLEN",
                                 "MINID",
                                 "LIMIT",
                                 "~",
                                 "=",
                                 "COUNT",
                                 "STREAMS",
                                 "GROUP",
                                 "NOACK",
                                 "JUSTID",
                                 "FORCE",
                                 "IDLE",
                                 "HELP",
                                 "nosuch"};

}  // namespace

Words Phrases::blunder() {
    const std::string on = key();
    const std::string last = "18446744073709551615-18446744073709551615";
    const std::string entry = id();
    return draw_.one_of<Words>({
        {"XADD", on, "MAXLEN", "1", "MINID", "1", "*", "f", "v"},
        {"XADD", on, "LIMIT", "5", "*", "f", "v"},
        {"XADD", on, "MAXLEN", "~", "-1", "*", "f", "v"},
        {"XADD", on, "*", "f", "v", "f"},
        {"XTRIM", on, "MINID", "1", "MAXLEN", "1"},
        {"XTRIM", on, "MAXLEN", "~", "1", "LIMIT", "-1"},
        {"XRANGE", on, "(" + last, "+"},
        {"XRANGE", on, "-", "(0-0"},
        {"XREVRANGE", on, "(0-0", "-"},
        {"XPENDING", on, group(), "(" + last, "+", "10"},
        {"XPENDING", on, group(), "-", "(0-0", "10"},
        {"XPENDING", on, group(), "IDLE", "x", "-", "+", "10"},
        {"XPENDING", on, group(), "IDLE", "1"},
        {"XAUTOCLAIM", on, group(), "a", "0", "(" + last},
        {"XAUTOCLAIM", on, group(), "a", "0", "0", "COUNT", "0"},
        {"XREAD", "GROUP", "g", "a", "STREAMS", on, "0"},
        {"XREAD", "NOACK", "STREAMS", on, "0"},
        {"XREAD", "STREAMS", on, ">"},
        {"XREAD", "STREAMS", on, on, "0"},
        {"XREADGROUP", "COUNT", "1", "NOACK", "STREAMS", on, ">"},
        {"XREADGROUP", "GROUP", "g", "a", "STREAMS", on, "$"},
        {"XREADGROUP", "GROUP", "g", "a", "STREAMS", on, on, ">"},
        {"XCLAIM", on, group(), "a", "0", entry, "RETRYCOUNT", "-1"},
        {"XCLAIM", on, group(), "a", "0", entry, "RETRYCOUNT", "x"},
        {"XCLAIM", on, group(), "a", "0", entry, "IDLE", "x"},
        {"XCLAIM", on, group(), "a", "0", entry, "TIME", "x"},
        {"XCLAIM", on, group(), "a", "0", "FORCE", entry},
        {"XSETID", on, last, "ENTRIESADDED", "0"},
        {"XSETID", on, entry, "MAXDELETEDID", last},
        {"XGROUP", "CREATE", on, "g", "0", "ENTRIESREAD", "-2"},
        {"XGROUP", "SETID", on, group(), "0", "ENTRIESREAD", "x"},
        {"XGROUP", "HELP"},
        {"XINFO", "HELP"},
        {"XINFO", "STREAM", on, "FULL", "COUNT"},
        {"SET", "str", "1", "NX", "XX"},
        {"SET", "str", "1", "PX", "1", "EX", "1"},
        {"SET", "str", "1", "KEEPTTL", "PX", "10"},
        {"EXPIRE", "str", "10", "NX", "XX"},
        {"EXPIRE", "str", "10", "GT", "LT"},
    });
}

Words garble(Draw& draw, Words words) {
    const auto at = static_cast<std::ptrdiff_t>(draw.below(words.size()));
    const auto where = words.begin() + at;
    const auto behind = words.begin() + (at == 0 ? 1 : at);
    switch (draw.below(6)) {
    case 0:
        if (words.size() > 1) words.pop_back();
        break;
    case 1:
        if (at > 0) words.erase(where);
        break;
    case 2: words.insert(behind, Words::value_type(*where)); break;
    case 3: words.insert(behind, draw.one_of(nonsense)); break;
    case 4: words.push_back(draw.one_of(nonsense)); break;
    default: *where = draw.one_of(nonsense); break;
    }
    return words;
}

}  // namespace redeliver::conformance
