// Sorted sets as a delay queue uses them, in the replies of redis-server 7.0.15.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "model/redis/arguments.h"
#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Version = Configuration::Version;

constexpr double infinity = std::numeric_limits<double>::infinity();

ScoreBound above(double score) { return {.score = score, .edge = ScoreBound::Edge::exclusive}; }
Zrange by_score(double min, double max) {
    return {.key = "z", .range = ScoreRange{.min = {min}, .max = {max}}};
}

struct SortedSetTest : testing::Test {
    SortedSetTest() : broker({.record = Configuration::Record::propagated}) {}
    std::vector<std::string> names(const Zrange& command) {
        std::vector<std::string> all;
        for (const Members::Row& row : broker.get<Members>(command).rows) all.push_back(row.member);
        return all;
    }
    std::int64_t add(double score, const std::string& member) {
        return broker.get<std::int64_t>(Zadd{.key = "z", .members = {{score, member}}});
    }
    std::optional<std::string> score_of(const std::string& member) {
        const Reply reply = broker.ask(Zscore{"z", member});
        if (reply == Reply(Nil{})) return std::nullopt;
        return std::get<ScoreReply>(reply).text;
    }
    Broker broker;
};

TEST_F(SortedSetTest, ListsByScoreAndByBytesWhereScoresAreEqual) {
    add(2, "b");
    add(1, "late");
    add(2, "B");
    EXPECT_THAT(names({.key = "z"}), ElementsAre("late", "B", "b"));
    EXPECT_THAT(names({.key = "z", .order = Zrange::Order::descending}),
                ElementsAre("b", "B", "late"));
    EXPECT_EQ(broker.ask(Zcard{"z"}), Reply(std::int64_t{3}));
}

TEST_F(SortedSetTest, CountsWhatWasAddedAndWithChAlsoWhatMoved) {
    EXPECT_EQ(add(1, "a"), 1);
    EXPECT_EQ(add(2, "a"), 0);
    const Zadd changed{
        .key = "z", .members = {{3, "a"}, {1, "b"}, {3, "a"}}, .answer = Zadd::Answer::changed};
    EXPECT_EQ(broker.ask(changed), Reply(std::int64_t{2}));
    EXPECT_EQ(score_of("a"), "3");
}

TEST_F(SortedSetTest, NxNeverMovesAndXxNeverAdds) {
    add(1, "a");
    broker.ask(
        Zadd{.key = "z", .members = {{9, "a"}, {2, "b"}}, .condition = Zadd::Condition::if_absent});
    EXPECT_EQ(score_of("a"), "1");
    EXPECT_EQ(score_of("b"), "2");
    broker.ask(Zadd{
        .key = "z", .members = {{9, "a"}, {3, "c"}}, .condition = Zadd::Condition::if_present});
    EXPECT_EQ(score_of("a"), "9");
    EXPECT_EQ(score_of("c"), std::nullopt);
}

TEST_F(SortedSetTest, XxOnAMissingKeyMakesNone) {
    EXPECT_EQ(broker.ask(Zadd{
                  .key = "z", .members = {{1, "a"}}, .condition = Zadd::Condition::if_present}),
              Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Zadd{.key = "z",
                              .members = {{1, "a"}},
                              .condition = Zadd::Condition::if_present,
                              .mode = Zadd::Mode::increment}),
              Reply(Nil{}));
    EXPECT_EQ(broker.ask(Type{"z"}), Reply(Status{"none"}));
}

TEST_F(SortedSetTest, GtAndLtMoveOneWayOnlyAndStillAdd) {
    add(5, "a");
    const auto zadd = [&](double score, const std::string& member, Zadd::Moves moves) {
        broker.ask(Zadd{.key = "z", .members = {{score, member}}, .moves = moves});
        return score_of(member);
    };
    EXPECT_EQ(zadd(4, "a", Zadd::Moves::upwards), "5");
    EXPECT_EQ(zadd(6, "a", Zadd::Moves::upwards), "6");
    EXPECT_EQ(zadd(7, "a", Zadd::Moves::downwards), "6");
    EXPECT_EQ(zadd(3, "a", Zadd::Moves::downwards), "3");
    EXPECT_EQ(zadd(1, "new", Zadd::Moves::upwards), "1");
}

TEST_F(SortedSetTest, IncrAnswersTheNewScoreOrNilWhenPrevented) {
    const auto increase = [&](double by, Zadd::Moves moves = Zadd::Moves::anywhere) {
        return broker.ask(Zadd{
            .key = "z", .members = {{by, "a"}}, .moves = moves, .mode = Zadd::Mode::increment});
    };
    EXPECT_EQ(increase(1.5), Reply(ScoreReply{1.5, "1.5"}));
    EXPECT_EQ(increase(0), Reply(ScoreReply{1.5, "1.5"}));
    EXPECT_EQ(increase(0, Zadd::Moves::upwards), Reply(Nil{}));
    EXPECT_EQ(increase(-3, Zadd::Moves::upwards), Reply(Nil{}));
    EXPECT_EQ(increase(infinity), Reply(ScoreReply{infinity, "inf"}));
    const Reply refused = increase(-infinity);
    EXPECT_EQ(text(std::get<Refused>(refused)), "ERR resulting score is not a number (NaN)");
    EXPECT_EQ(score_of("a"), "inf") << "unharmed";
}

TEST_F(SortedSetTest, TakesWhatIsDueInAnIntervalOfScores) {
    for (const int due : {10, 20, 30, 40}) add(due, std::to_string(due));
    EXPECT_THAT(names(by_score(-infinity, 20)), ElementsAre("10", "20"));
    EXPECT_THAT(names({.key = "z", .range = ScoreRange{.min = above(10), .max = above(40)}}),
                ElementsAre("20", "30"));
    EXPECT_THAT(names({.key = "z", .range = ScoreRange{.min = above(20), .max = {20}}}), IsEmpty());
    EXPECT_THAT(names(by_score(30, 20)), IsEmpty());
    EXPECT_EQ(broker.ask(Zcount{"z", above(10), {40}}), Reply(std::int64_t{3}));
}

TEST_F(SortedSetTest, LimitSkipsAndStops) {
    for (const int due : {10, 20, 30, 40}) add(due, std::to_string(due));
    const auto limited = [&](std::int64_t offset, std::int64_t count, Zrange::Order order) {
        return names(
            {.key = "z",
             .range = ScoreRange{.min = {10}, .max = {30}, .offset = offset, .count = count},
             .order = order});
    };
    EXPECT_THAT(limited(1, 1, Zrange::Order::ascending), ElementsAre("20"));
    EXPECT_THAT(limited(1, -1, Zrange::Order::descending), ElementsAre("20", "10"));
    EXPECT_THAT(limited(0, 0, Zrange::Order::ascending), IsEmpty());
    EXPECT_THAT(limited(3, 5, Zrange::Order::ascending), IsEmpty());
    EXPECT_THAT(limited(-1, 5, Zrange::Order::ascending), IsEmpty());
}

TEST_F(SortedSetTest, RanksCountFromTheEndWhereNegative) {
    for (const int due : {10, 20, 30}) add(due, std::to_string(due));
    const auto ranks = [&](std::int64_t first, std::int64_t last) {
        return names({.key = "z", .range = RankRange{first, last}});
    };
    EXPECT_THAT(ranks(-2, -1), ElementsAre("20", "30"));
    EXPECT_THAT(ranks(-9, 0), ElementsAre("10"));
    EXPECT_THAT(ranks(1, 99), ElementsAre("20", "30"));
    EXPECT_THAT(ranks(3, 9), IsEmpty());
    EXPECT_THAT(ranks(0, -4), IsEmpty());
}

TEST_F(SortedSetTest, ScoresComeWithTheMembersWhereAskedFor) {
    add(1.5, "a");
    const auto reply =
        broker.get<Members>(Zrange{.key = "z", .answer = Zrange::Answer::with_scores});
    EXPECT_EQ(reply,
              (Members{.rows = {{"a", ScoreReply{1.5, "1.5"}}}, .form = Members::Form::pairs}));
}

TEST_F(SortedSetTest, ZpopminTakesTheLeastAndTheKeyGoesWithTheLast) {
    for (const int due : {10, 20, 30}) add(due, std::to_string(due));
    EXPECT_EQ(broker.get<Members>(Zpopmin{"z"}),
              (Members{.rows = {{"10", ScoreReply{10, "10"}}}, .form = Members::Form::flat_pairs}));
    EXPECT_THAT(broker.get<Members>(Zpopmin{"z", 0}).rows, IsEmpty());
    EXPECT_EQ(broker.get<Members>(Zpopmin{"z", 5}),
              (Members{.rows = {{"20", ScoreReply{20, "20"}}, {"30", ScoreReply{30, "30"}}},
                       .form = Members::Form::pairs}));
    EXPECT_EQ(broker.ask(Exists{{"z"}}), Reply(std::int64_t{0}));
    EXPECT_THAT(broker.get<Members>(Zpopmin{"z"}).rows, IsEmpty());
}

TEST_F(SortedSetTest, RemovesByMemberAndByScore) {
    for (const int due : {10, 20, 30}) add(due, std::to_string(due));
    EXPECT_EQ(broker.ask(Zrem{"z", {"20", "none", "20"}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Zremrangebyscore{"z", {0}, above(10)}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Zremrangebyscore{"z", {0}, {99}}), Reply(std::int64_t{2}));
    EXPECT_EQ(broker.ask(Exists{{"z"}}), Reply(std::int64_t{0}));
}

TEST_F(SortedSetTest, OtherTypesAreRefusedAndMissingKeysAreEmpty) {
    broker.ask(Push{.key = "l", .elements = {"x"}});
    for (const Command& command : std::vector<Command>{
             Zadd{.key = "l", .members = {{1, "a"}}}, Zrem{"l", {"a"}}, Zcard{"l"},
             Zscore{"l", "a"}, Zcount{"l", {}, {}}, Zrange{.key = "l"}, Zpopmin{"l"},
             Zremrangebyscore{"l", {}, {}}, Sadd{"l", {"a"}}, Xlen{"l"}, Get{"l"}})
        EXPECT_EQ(broker.ask(command), Reply(Refused{Refusal::wrong_type}))
            << arguments(command)[0];
    EXPECT_EQ(broker.ask(Zcard{"none"}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Zcount{"none", {}, {}}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Zscore{"none", "a"}), Reply(Nil{}));
}

TEST_F(SortedSetTest, EveryTypeHasItsName) {
    broker.ask(Set{.key = "string", .value = "v"});
    broker.ask(Sadd{"set", {"b", "a", "b"}});
    broker.ask(Push{.key = "list", .elements = {"a", "b"}});
    broker.create_group();
    add(1, "a");
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"string", "string"}, {"set", "set"}, {"list", "list"},
        {"s", "stream"},      {"z", "zset"},  {"none", "none"}};
    for (const auto& [key, type] : expected)
        EXPECT_EQ(broker.ask(Type{key}), Reply(Status{type})) << key;
}

TEST_F(SortedSetTest, ScoresAreSpelledAsEachVersionSpellsThem) {
    const auto spelled = [](double score) {
        return std::pair(to_text(score, Version::v7_0), to_text(score, Version::v7_2));
    };
    using Both = std::pair<std::string, std::string>;
    EXPECT_EQ(spelled(0.1), (Both{"0.10000000000000001", "0.1"}));
    EXPECT_EQ(spelled(1700000000000), (Both{"1700000000000", "1700000000000"}));
    EXPECT_EQ(spelled(1e17), (Both{"1e+17", "100000000000000000"}));
    EXPECT_EQ(spelled(1.5e30), (Both{"1.4999999999999999e+30", "1.5e+30"}));
    EXPECT_EQ(spelled(-2.25), (Both{"-2.25", "-2.25"}));
    EXPECT_EQ(spelled(1e-7), (Both{"9.9999999999999995e-08", "1e-7"}));
    EXPECT_EQ(spelled(-infinity), (Both{"-inf", "-inf"}));
    EXPECT_EQ(spelled(-0.0), (Both{"-0", "-0"}));
}

TEST_F(SortedSetTest, WritesBreakWatchesAndReadsDoNot) {
    add(1, "a");
    const auto breaks = [&](const Command& command) {
        broker.ask(Broker::alice, Watch{{"z"}});
        broker.ask(command);
        broker.ask(Broker::alice, Multi{});
        return broker.ask(Broker::alice, Exec{}) == Reply(NilArray{});
    };
    EXPECT_FALSE(breaks(Zadd{.key = "z", .members = {{1, "a"}}})) << "nothing moved";
    EXPECT_TRUE(breaks(Zadd{.key = "z", .members = {{2, "a"}}}));
    EXPECT_FALSE(breaks(Zrem{"z", {"none"}}));
    EXPECT_FALSE(breaks(Zrange{.key = "z"}));
    EXPECT_TRUE(breaks(Zpopmin{"z"}));
    EXPECT_TRUE(breaks(Sadd{"z", {"a"}}));
}

TEST_F(SortedSetTest, SurviveARestartAndAreForgottenWithAFailover) {
    add(1, "a");
    broker.ask(Push{.key = "l", .elements = {"x", "y"}});
    broker.ask(Sadd{"t", {"m"}});
    const Snapshot before = broker.server.snapshot(broker.now);
    broker.server.restart_after_process_loss(broker.now, broker.out);
    EXPECT_EQ(broker.server.snapshot(broker.now), before);
    EXPECT_EQ(before.lists.at("l").strings, (std::vector<std::string>{"y", "x"}));

    add(2, "a");
    broker.out.clear();
    broker.server.fail_over(std::uint64_t{1}, broker.now, broker.out);
    EXPECT_EQ(score_of("a"), "1");
}

TEST_F(SortedSetTest, TellTheirStatesApartInTheDigest) {
    add(1, "a");
    const auto before = broker.server.digest();
    add(2, "a");
    EXPECT_NE(broker.server.digest(), before);
}

TEST_F(SortedSetTest, ReadAsAClientWouldSendThem) {
    const auto words = [](const Command& command) { return arguments(command); };
    EXPECT_THAT(words(Zadd{.key = "z",
                           .members = {{0.5, "a"}},
                           .condition = Zadd::Condition::if_present,
                           .moves = Zadd::Moves::upwards,
                           .answer = Zadd::Answer::changed,
                           .mode = Zadd::Mode::increment}),
                ElementsAre("ZADD", "z", "XX", "GT", "CH", "INCR", "0.5", "a"));
    EXPECT_THAT(
        words(Zrange{.key = "z",
                     .range = ScoreRange{.min = above(1), .max = {infinity}, .count = 5},
                     .order = Zrange::Order::descending,
                     .answer = Zrange::Answer::with_scores}),
        ElementsAre("ZRANGE", "z", "inf", "(1", "BYSCORE", "REV", "LIMIT", "0", "5", "WITHSCORES"));
}

}  // namespace
}  // namespace redeliver::model::redis
