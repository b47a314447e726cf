// Sorted sets; LPUSH, RPUSH and SADD.

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "model/redis/resp/command_table.h"

namespace redeliver::model::redis::resp {
namespace {

constexpr std::string_view not_an_interval = "ERR min or max is not a float";

/// A whole word as strtod() has it: decimal or hexadecimal, `inf` and `infinity` in any case.
std::optional<Score> read_score(const std::string& word) {
    char* end = nullptr;
    const Score score = std::strtod(word.c_str(), &end);
    if (*end != '\0' || std::isnan(score)) return std::nullopt;
    return score;
}

/// As members are given theirs: no blank before it, no null byte within, and nothing that a double
/// cannot hold. Source: string2d in redis/src/util.c.
Score member_score(const Request& request, std::size_t at) {
    const std::string& word = request.word(at);
    const bool is_blank = word.empty() || std::isspace(static_cast<unsigned char>(word.front()));
    const bool is_cut = word.find('\0') != std::string::npos;
    errno = 0;
    const auto score = read_score(word);
    const bool is_out_of_range = errno == ERANGE && score && (std::isinf(*score) || *score == 0);
    if (!score || is_blank || is_cut || is_out_of_range)
        request.refuse("ERR value is not a valid float");
    return *score;
}

/// Source: zslParseRange in redis/src/t_zset.c, which takes an empty word for 0.
ScoreBound bound(const Request& request, std::size_t at) {
    const std::string& word = request.word(at);
    const bool excludes = word.starts_with('(');
    const auto score = read_score(excludes ? word.substr(1) : word);
    if (!score) request.refuse(not_an_interval);
    return {.score = *score,
            .edge = excludes ? ScoreBound::Edge::exclusive : ScoreBound::Edge::inclusive};
}

/// The options of ZADD, before its pairs. Source: zaddGenericCommand in redis/src/t_zset.c.
struct ZaddOptions {
    enum Option : std::size_t { nx, xx, gt, lt, ch, incr, how_many };
    std::array<std::uint8_t, how_many> given{};

    bool has(Option option) const { return given[option] != 0; }
    bool take(const Request& request, std::size_t at) {
        constexpr std::array<std::string_view, how_many> names = {"NX", "XX", "GT",
                                                                  "LT", "CH", "INCR"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!request.is(at, names[i])) continue;
            given[i] = 1;
            return true;
        }
        return false;
    }
    void check(const Request& request, std::size_t pairs) const {
        if (has(nx) && has(xx))
            request.refuse("ERR XX and NX options at the same time are not compatible");
        if ((has(gt) && has(nx)) || (has(lt) && has(nx)) || (has(gt) && has(lt)))
            request.refuse("ERR GT, LT, and/or NX options at the same time are not compatible");
        if (has(incr) && pairs > 1)
            request.refuse("ERR INCR option supports a single increment-element pair");
    }
    void apply(Zadd& zadd) const {
        if (has(nx)) zadd.condition = Zadd::Condition::if_absent;
        if (has(xx)) zadd.condition = Zadd::Condition::if_present;
        if (has(gt)) zadd.moves = Zadd::Moves::upwards;
        if (has(lt)) zadd.moves = Zadd::Moves::downwards;
        if (has(ch)) zadd.answer = Zadd::Answer::changed;
        if (has(incr)) zadd.mode = Zadd::Mode::increment;
    }
};

Command read_zadd(Request& request) {
    ZaddOptions options;
    std::size_t first = 2;
    while (first < request.size() && options.take(request, first)) ++first;
    const std::size_t words = request.size() - first;
    if (words == 0 || words % 2 != 0) request.refuse(syntax_error);
    options.check(request, words / 2);
    Zadd zadd{.key = request.word(1)};
    options.apply(zadd);
    for (std::size_t at = first; at < request.size(); at += 2)
        zadd.members.emplace_back(member_score(request, at), request.word(at + 1));
    return zadd;
}

Command read_zrem(Request& request) {
    return Zrem{.key = request.word(1), .members = request.words_from(2)};
}
Command read_zcard(Request& request) { return Zcard{request.word(1)}; }
Command read_zscore(Request& request) { return Zscore{request.word(1), request.word(2)}; }

template <typename OfInterval>
Command read_interval(Request& request) {
    const ScoreBound min = bound(request, 2);
    return OfInterval{.key = request.word(1), .min = min, .max = bound(request, 3)};
}

/// Which of the commands that became ZRANGE. BYLEX is the one option that is not modelled.
enum class Family : std::uint8_t { range, by_score, reverse_by_score };

struct RangeOptions {
    bool by_score = false;
    bool reverse = false;
    std::int64_t offset = 0;
    std::int64_t count = -1;
    Zrange::Answer answer = Zrange::Answer::members;
};

RangeOptions read_range_options(const Request& request, Family family) {
    RangeOptions options{.by_score = family != Family::range,
                         .reverse = family == Family::reverse_by_score};
    for (std::size_t at = 4; at < request.size(); ++at) {
        if (request.is(at, "WITHSCORES")) {
            options.answer = Zrange::Answer::with_scores;
        } else if (request.is(at, "LIMIT") && request.more(at) >= 2) {
            options.offset = request.integer(++at);
            options.count = request.integer(++at);
        } else if (family == Family::range && !options.reverse && request.is(at, "REV")) {
            options.reverse = true;
        } else if (family == Family::range && !options.by_score && request.is(at, "BYSCORE")) {
            options.by_score = true;
        } else {
            request.refuse(syntax_error);
        }
    }
    if (options.count != -1 && !options.by_score)
        request.refuse(
            "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or "
            "BYLEX");
    return options;
}

/// Source: zrangeGenericCommand in redis/src/t_zset.c.
template <Family family>
Command read_zrange(Request& request) {
    const RangeOptions options = read_range_options(request, family);
    Zrange zrange{.key = request.word(1),
                  .order = options.reverse ? Zrange::Order::descending : Zrange::Order::ascending,
                  .answer = options.answer};
    if (!options.by_score) {
        const std::int64_t first = request.integer(2);
        zrange.range = RankRange{.first = first, .last = request.integer(3)};
        return zrange;
    }
    const ScoreBound min = bound(request, options.reverse ? 3 : 2);
    zrange.range = ScoreRange{.min = min,
                              .max = bound(request, options.reverse ? 2 : 3),
                              .offset = options.offset,
                              .count = options.count};
    return zrange;
}

Command read_zpopmin(Request& request) {
    if (request.size() > 3) request.refuse(syntax_error);
    Zpopmin zpopmin{.key = request.word(1)};
    if (request.size() == 2) return zpopmin;
    const std::int64_t count = request.integer(2, "ERR value is out of range, must be positive");
    if (count < 0) request.refuse("ERR value is out of range, must be positive");
    zpopmin.count = static_cast<std::uint64_t>(count);
    return zpopmin;
}

template <Push::End end>
Command read_push(Request& request) {
    return Push{.key = request.word(1), .elements = request.words_from(2), .end = end};
}
Command read_sadd(Request& request) {
    return Sadd{.key = request.word(1), .members = request.words_from(2)};
}

}  // namespace

std::span<const CommandEntry> sorted_set_commands() {
    static constexpr CommandEntry commands[] = {
        {"lpush", -3, Access::grows, read_push<Push::End::head>},
        {"rpush", -3, Access::grows, read_push<Push::End::tail>},
        {"sadd", -3, Access::grows, read_sadd},
        {"zadd", -4, Access::grows, read_zadd},
        {"zcard", 2, Access::reads, read_zcard},
        {"zcount", 4, Access::reads, read_interval<Zcount>},
        {"zpopmin", -2, Access::writes, read_zpopmin},
        {"zrange", -4, Access::reads, read_zrange<Family::range>},
        {"zrangebyscore", -4, Access::reads, read_zrange<Family::by_score>},
        {"zrem", -3, Access::writes, read_zrem},
        {"zremrangebyscore", 4, Access::writes, read_interval<Zremrangebyscore>},
        {"zrevrangebyscore", -4, Access::reads, read_zrange<Family::reverse_by_score>},
        {"zscore", 3, Access::reads, read_zscore},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
