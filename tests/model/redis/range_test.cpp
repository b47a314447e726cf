#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using Ids64 = std::vector<std::uint64_t>;
constexpr auto exclusive = Bound::Edge::exclusive;

struct RangeTest : testing::Test {
    RangeTest() { broker.add_up_to(5); }
    Ids64 ids(const Xrange& command) { return ids_of(broker.get<Entries>(command).entries); }
    Broker broker;
};

TEST_F(RangeTest, IncludesBothEnds) {
    EXPECT_EQ(ids({.key = "s", .start = {{2, 0}}, .end = {{4, 0}}}), (Ids64{2, 3, 4}));
    EXPECT_EQ(ids({.key = "s"}), (Ids64{1, 2, 3, 4, 5}));
    EXPECT_EQ(ids({.key = "s", .start = {{4, 0}}, .end = {{2, 0}}}), Ids64{});
}

TEST_F(RangeTest, ExcludesAnEndOnRequest) {
    EXPECT_EQ(ids({.key = "s", .start = {{2, 0}, exclusive}, .end = {{4, 0}, exclusive}}),
              (Ids64{3}));
}

TEST_F(RangeTest, HasNothingBeyondTheEndsToExclude) {
    EXPECT_EQ(broker.ask(Xrange{.key = "s", .start = {max_entry_id, exclusive}}),
              Reply(Refused{Refusal::invalid_start}));
    EXPECT_EQ(broker.ask(Xrange{.key = "s", .end = {min_entry_id, exclusive}}),
              Reply(Refused{Refusal::invalid_end}));
}

TEST_F(RangeTest, GoesBackwardsFromTheEnd) {
    const auto newest_first = Xrange::Order::newest_first;
    EXPECT_EQ(ids({.key = "s", .count = 2, .order = newest_first}), (Ids64{5, 4}));
    EXPECT_EQ(ids({.key = "s", .start = {{2, 0}}, .end = {{3, 5}}, .order = newest_first}),
              (Ids64{3, 2}));
    EXPECT_EQ(ids({.key = "s", .end = {{0, 5}}, .order = newest_first}), Ids64{});
}

TEST_F(RangeTest, CrossesNodes) {
    Broker small({.stream_node_max_entries = 2});
    small.add_up_to(5);
    small.ask(Xdel{"s", {{3, 0}, {4, 0}}});
    EXPECT_EQ(ids_of(small.get<Entries>(Xrange{.key = "s"}).entries), (Ids64{1, 2, 5}));
    EXPECT_EQ(
        ids_of(
            small.get<Entries>(Xrange{.key = "s", .order = Xrange::Order::newest_first}).entries),
        (Ids64{5, 2, 1}));
}

TEST_F(RangeTest, CountOfZeroIsNullOnAnExistingKeyAndEmptyOnAMissingOne) {
    EXPECT_EQ(broker.ask(Xrange{.key = "s", .count = 0}), Reply(NilArray{}));
    EXPECT_EQ(broker.ask(Xrange{.key = "s", .count = -3}), Reply(NilArray{}));
    EXPECT_EQ(broker.ask(Xrange{.key = "none", .count = 0}), Reply(Entries{}));
}

TEST_F(RangeTest, XreadGivesWhatIsAboveAPosition) {
    EXPECT_EQ(ids_of(broker.ask(Xread{.streams = {{"s", EntryId{3, 0}}}})), (Ids64{4, 5}));
    EXPECT_EQ(ids_of(broker.ask(Xread{.streams = {{"s", EntryId{0, 0}}}, .count = 1})), (Ids64{1}));
    EXPECT_EQ(broker.ask(Xread{.streams = {{"s", std::nullopt}}}), Reply(NilArray{}));
    EXPECT_EQ(broker.ask(Xread{.streams = {{"none", EntryId{0, 0}}}}), Reply(NilArray{}));
}

TEST_F(RangeTest, XreadTakesAKeyTwiceAndFailsAsAWholeOnAWrongType) {
    const auto twice = std::get<ReadReply>(
        broker.ask(Xread{.streams = {{"s", EntryId{4, 0}}, {"s", EntryId{3, 0}}}}));
    ASSERT_EQ(twice.streams.size(), 2u);
    EXPECT_EQ(ids_of(twice.streams[1].entries), (Ids64{4, 5}));
    broker.ask(Set{.key = "text", .value = "x"});
    EXPECT_EQ(broker.ask(Xread{.streams = {{"s", EntryId{0, 0}}, {"text", EntryId{0, 0}}}}),
              Reply(Refused{Refusal::wrong_type}));
}

}  // namespace
}  // namespace redeliver::model::redis
