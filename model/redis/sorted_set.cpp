#include "model/redis/sorted_set.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

/// The shortest digits, laid out as the server's own fpconv_dtoa() does.
std::string shortest(Score score) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), score,
                                   std::chars_format::scientific)
                         .ptr;
    const std::string_view all(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    const std::size_t mark = all.find('e');
    int exponent = 0;
    const char* const first = all.data() + mark + (all[mark + 1] == '+' ? 2 : 1);
    std::from_chars(first, end, exponent);

    std::string digits;
    for (const char letter : all.substr(0, mark))
        if (letter >= '0' && letter <= '9') digits += letter;
    const std::string sign = score < 0 ? "-" : "";
    const auto count = static_cast<int>(digits.size());
    const int behind_last = exponent - count + 1;

    if (behind_last >= 0 && std::abs(exponent) < count + 7)
        return sign + digits + std::string(static_cast<std::size_t>(behind_last), '0');
    if (behind_last < 0 && (behind_last > -7 || std::abs(exponent) < 4)) {
        const int before_point = count + behind_last;
        if (before_point <= 0)
            return sign + "0." + std::string(static_cast<std::size_t>(-before_point), '0') + digits;
        return sign + digits.substr(0, static_cast<std::size_t>(before_point)) + "." +
               digits.substr(static_cast<std::size_t>(before_point));
    }
    const std::string fraction = count > 1 ? "." + digits.substr(1) : "";
    return fmt::format("{}{}{}e{}{}", sign, digits[0], fraction, exponent < 0 ? '-' : '+',
                       std::abs(exponent));
}

/// Whether the server would print it as an integer (double2ll).
bool is_plain_integer(Score score) {
    constexpr Score half = 4611686018427387904.0;  // LLONG_MAX / 2, as a double.
    return score >= -half && score <= half &&
           static_cast<Score>(static_cast<std::int64_t>(score)) == score;
}

}  // namespace

std::string to_text(Score score, Configuration::Version version) {
    if (std::isinf(score)) return score > 0 ? "inf" : "-inf";
    if (version < Configuration::Version::v7_2) return fmt::format("{:.17g}", score);
    if (score == 0) return std::signbit(score) ? "-0" : "0";
    if (is_plain_integer(score)) return std::to_string(static_cast<std::int64_t>(score));
    return shortest(score);
}

std::optional<Score> SortedSet::score_of(std::string_view member) const {
    const auto found = scores_.find(member);
    if (found == scores_.end()) return std::nullopt;
    return found->second;
}

void SortedSet::put(std::string_view member, Score score) {
    sim::ensure(!std::isnan(score), "a score is a number");
    erase(member);
    // The server keeps the scores of small sets as integers where it can, which have no -0.
    if (score == 0) score = 0;
    scores_.emplace(member, score);
    members_.emplace(score, member);
    payload_bytes_ += member.size() + sizeof(Score);
    sim::ensure(members_.size() == scores_.size(), "every member has one score");
}

bool SortedSet::erase(std::string_view member) {
    const auto found = scores_.find(member);
    if (found == scores_.end()) return false;
    members_.erase({found->second, found->first});
    payload_bytes_ -= member.size() + sizeof(Score);
    scores_.erase(found);
    return true;
}

std::pair<SortedSet::Members::const_iterator, SortedSet::Members::const_iterator>
SortedSet::between(ScoreBound min, ScoreBound max) const {
    const auto exclusive = ScoreBound::Edge::exclusive;
    const bool is_empty =
        min.score > max.score ||
        (min.score == max.score && (min.edge == exclusive || max.edge == exclusive));
    if (is_empty) return {members_.end(), members_.end()};
    auto first = members_.lower_bound({min.score, std::string()});
    while (min.edge == exclusive && first != members_.end() && first->first == min.score) ++first;
    auto last = first;
    const auto is_within = [&max](Score score) {
        return max.edge == exclusive ? score < max.score : score <= max.score;
    };
    while (last != members_.end() && is_within(last->first)) ++last;
    return {first, last};
}

}  // namespace redeliver::model::redis
