#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/redis/sorted_set.h"

/// The commands on sorted sets that a delay queue needs, and what puts a list or a set on a key.
/// A sorted set that has lost its last member is gone, unlike a stream.
namespace redeliver::model::redis {

/// ZADD. Replies with the number of members added (CH: or moved); with INCR, the new ScoreReply, or
/// Nil where an option prevented it.
struct Zadd {
    enum class Condition : std::uint8_t { always, if_absent, if_present };
    /// GT and LT move a member only that way; new members are added all the same.
    enum class Moves : std::uint8_t { anywhere, upwards, downwards };
    enum class Answer : std::uint8_t { added, changed };
    /// INCR adds to the score instead, and takes one member only.
    enum class Mode : std::uint8_t { put, increment };
    std::string key{};
    std::vector<SortedSet::Member> members{};
    Condition condition = Condition::always;
    Moves moves = Moves::anywhere;
    Answer answer = Answer::added;
    Mode mode = Mode::put;
};

/// ZREM. Replies with the number removed.
struct Zrem {
    std::string key{};
    std::vector<std::string> members{};
};

/// ZCARD. Replies with an integer.
struct Zcard {
    std::string key{};
};

/// ZSCORE. Replies ScoreReply or Nil.
struct Zscore {
    std::string key{};
    std::string member{};
};

/// ZCOUNT. Replies with an integer.
struct Zcount {
    std::string key{};
    ScoreBound min{};
    ScoreBound max{};
};

/// Ranks, counted from 0, from the end where negative; both are included.
struct RankRange {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

/// BYSCORE. LIMIT skips `offset`, a negative one skips everything; a negative count is no limit.
struct ScoreRange {
    ScoreBound min{};
    ScoreBound max{};
    std::int64_t offset = 0;
    std::int64_t count = -1;
};

/// ZRANGE by rank or BYSCORE, and the older ZRANGEBYSCORE and ZREVRANGEBYSCORE. Replies Members.
struct Zrange {
    enum class Order : std::uint8_t { ascending, descending };
    enum class Answer : std::uint8_t { members, with_scores };
    std::string key{};
    std::variant<RankRange, ScoreRange> range{};
    Order order = Order::ascending;
    Answer answer = Answer::members;
};

/// ZPOPMIN. Replies Members, of one or of up to `count`.
struct Zpopmin {
    std::string key{};
    std::optional<std::uint64_t> count = {};
};

/// ZREMRANGEBYSCORE. Replies with the number removed.
struct Zremrangebyscore {
    std::string key{};
    ScoreBound min{};
    ScoreBound max{};
};

/// LPUSH and RPUSH. Replies with the length.
struct Push {
    enum class End : std::uint8_t { head, tail };
    std::string key{};
    std::vector<std::string> elements{};
    End end = End::head;
};

/// SADD. Replies with the number added.
struct Sadd {
    std::string key{};
    std::vector<std::string> members{};
};

}  // namespace redeliver::model::redis
