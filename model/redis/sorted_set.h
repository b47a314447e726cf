#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/redis/configuration.h"

namespace redeliver::model::redis {

/// What orders the members of a sorted set. A double, as in the real server; it is only stored,
/// added and compared, which every machine does alike. Never NaN.
using Score = double;

/// The score as replies show it: 17 significant digits up to 7.0 ("%.17g"), the shortest that
/// reads back as the same number from 7.2 on. Infinities are `inf` and `-inf`.
/// Source: addReplyDouble in redis/src/networking.c; d2string in redis/src/util.c (7.2.5).
std::string to_text(Score score, Configuration::Version version);

/// One end of an interval of scores; `(` makes it exclusive.
struct ScoreBound {
    enum class Edge : std::uint8_t { inclusive, exclusive };
    Score score = 0;
    Edge edge = Edge::inclusive;
};

/// Distinct members, in order of their scores, and of their bytes where scores are equal.
class SortedSet {
public:
    using Member = std::pair<Score, std::string>;
    using Members = std::set<Member>;

    std::size_t size() const { return scores_.size(); }
    bool empty() const { return scores_.empty(); }
    const Members& members() const { return members_; }
    std::uint64_t payload_bytes() const { return payload_bytes_; }

    std::optional<Score> score_of(std::string_view member) const;

    /// Adds the member, or moves it.
    void put(std::string_view member, Score score);
    /// False when there was none.
    bool erase(std::string_view member);

    /// The members between two scores: from the first at or above `min` up to the first beyond
    /// `max`. Equal iterators where there is none.
    std::pair<Members::const_iterator, Members::const_iterator> between(ScoreBound min,
                                                                        ScoreBound max) const;

    friend bool operator==(const SortedSet& one, const SortedSet& other) {
        return one.members_ == other.members_;
    }

private:
    std::map<std::string, Score, std::less<>> scores_;
    Members members_;
    std::uint64_t payload_bytes_ = 0;
};

}  // namespace redeliver::model::redis
