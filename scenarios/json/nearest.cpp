#include "scenarios/json/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace redeliver::scenarios::json {

namespace {

constexpr std::size_t longest_list = 40;
constexpr std::size_t longest_word = 100;

}  // namespace

namespace {

/// Distances from `one` to every beginning of `other`, the empty one first.
std::vector<std::size_t> distances(std::string_view one, std::string_view other) {
    // Rows of the usual table: before the last letter, without the last letter, with it.
    std::vector<std::size_t> older;
    std::vector<std::size_t> old(other.size() + 1);
    std::iota(old.begin(), old.end(), std::size_t{0});
    for (std::size_t row = 1; row <= one.size(); ++row) {
        std::vector<std::size_t> now(other.size() + 1, row);
        for (std::size_t column = 1; column <= other.size(); ++column) {
            const bool is_same = one[row - 1] == other[column - 1];
            now[column] = std::min(
                {old[column] + 1, now[column - 1] + 1, old[column - 1] + (is_same ? 0u : 1u)});
            const bool is_swapped = row > 1 && column > 1 && one[row - 1] == other[column - 2] &&
                                    one[row - 2] == other[column - 1];
            if (is_swapped) now[column] = std::min(now[column], older[column - 2] + 1);
        }
        older = std::exchange(old, std::move(now));
    }
    return old;
}

/// To have stopped in the middle of a word counts as one mistake.
std::size_t unlikeness(std::string_view word, std::string_view valid) {
    const auto all = distances(word, valid);
    return std::min(all.back(), *std::ranges::min_element(all) + 1);
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
    return distances(one, other).back();
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> valid) {
    if (word.empty() || word.size() > longest_word) return {};
    std::string_view best;
    std::size_t shortest = std::max(word.size(), std::size_t{2}) / 2 + 1;
    for (const std::string_view each : valid) {
        const std::size_t distance = unlikeness(word, each);
        if (distance >= shortest) continue;
        shortest = distance;
        best = each;
    }
    return best;
}

std::string advice(std::string_view word, std::span<const std::string_view> valid) {
    std::string text;
    if (const auto close = nearest(word, valid); !close.empty())
        text += fmt::format("; nearest is '{}'", close);
    if (valid.empty()) return text + "; none is allowed here";
    const auto shown = valid.first(std::min(valid.size(), longest_list));
    text += fmt::format("; allowed {} '{}'", valid.size() == 1 ? "is" : "are",
                        fmt::join(shown, "', '"));
    if (shown.size() < valid.size())
        text += fmt::format(" and {} more", valid.size() - shown.size());
    return text;
}

}  // namespace redeliver::scenarios::json
