#include "tests/conformance/words.h"

#include <algorithm>

#include <fmt/format.h>

namespace redeliver::conformance {
namespace {

char upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_plain(char c) {
    constexpr std::string_view others = "-_.:()+=@,/*~$>";
    return (c >= '0' && c <= '9') || (upper_case(c) >= 'A' && upper_case(c) <= 'Z') ||
           others.find(c) != std::string_view::npos;
}

}  // namespace

void append_request(const Words& words, std::string& out) {
    fmt::format_to(std::back_inserter(out), "*{}\r\n", words.size());
    for (const std::string& word : words) {
        fmt::format_to(std::back_inserter(out), "${}\r\n", word.size());
        out += word;
        out += "\r\n";
    }
}

std::string quoted(std::string_view word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
    std::string text = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\')
            text += {'\\', c};
        else if (c >= ' ' && c <= '~')
            text += c;
        else
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return text + '"';
}

bool equals_ignoring_case(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](char a, char b) { return upper_case(a) == upper_case(b); });
}

std::string upper_case(std::string_view text) {
    std::string upper(text);
    for (char& c : upper) c = upper_case(c);
    return upper;
}

}  // namespace redeliver::conformance
