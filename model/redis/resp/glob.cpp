#include "model/redis/resp/settings.h"

namespace redeliver::model::redis::resp {
namespace {

char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

struct ClassMatch {
    bool matches;
    /// How much of the pattern it took.
    std::size_t length;
};

/// `pattern` begins behind the bracket.
ClassMatch match_class(std::string_view pattern, char c) {
    std::size_t at = 0;
    const bool negated = pattern.starts_with('^');
    if (negated) ++at;
    bool found = false;
    for (; at < pattern.size() && pattern[at] != ']'; ++at) {
        if (pattern[at] == '\\' && at + 1 < pattern.size()) {
            found |= pattern[++at] == c;
        } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
            char low = lower_letter(pattern[at]);
            char high = lower_letter(pattern[at + 2]);
            if (low > high) std::swap(low, high);
            found |= lower_letter(c) >= low && lower_letter(c) <= high;
            at += 2;
        } else {
            found |= lower_letter(pattern[at]) == lower_letter(c);
        }
    }
    return {found != negated, std::min(at + 1, pattern.size())};
}

}  // namespace

/// Remembers the last star only: an earlier one need never match more than it did.
bool matches_glob(std::string_view pattern, std::string_view text) {
    constexpr auto none = std::string_view::npos;
    std::size_t at = 0;
    std::size_t star = none;
    std::size_t resume = 0;
    std::size_t i = 0;
    while (i < text.size()) {
        bool matches = false;
        std::size_t length = 1;
        if (at < pattern.size()) {
            char wanted = pattern[at];
            if (wanted == '*') {
                star = at++;
                resume = i;
                continue;
            }
            if (wanted == '[') {
                const ClassMatch found = match_class(pattern.substr(at + 1), text[i]);
                matches = found.matches;
                length = found.length + 1;
            } else {
                if (wanted == '\\' && at + 1 < pattern.size()) {
                    wanted = pattern[at + 1];
                    length = 2;
                }
                matches = pattern[at] == '?' || lower_letter(wanted) == lower_letter(text[i]);
            }
        }
        if (matches) {
            at += length;
            ++i;
        } else if (star != none) {
            at = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == none;
}

}  // namespace redeliver::model::redis::resp
