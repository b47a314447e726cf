#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

/// Alice holds 1 and 2, Bob holds 3 since two seconds less.
struct PendingTest : testing::Test {
    PendingTest() {
        broker.create_group();
        broker.add_up_to(3);
        broker.read("alice", 2);
        broker.pass(2s);
        broker.read("bob");
        broker.pass(1s);
    }
    Ids64 ids(XpendingRange command) {
        command.key = "s";
        command.group = "g";
        return ids_of(broker.get<PendingRows>(command).rows);
    }
    Broker broker;
};

TEST_F(PendingTest, SummaryCountsByOwnerAndLeavesOutThoseWithNothing) {
    broker.ask(XgroupCreateconsumer{"s", "g", "carol"});
    EXPECT_EQ(broker.ask(XpendingSummary{"s", "g"}),
              Reply(PendingSummary{.count = 3,
                                   .least = {1, 0},
                                   .greatest = {3, 0},
                                   .consumers = {{"alice", 2}, {"bob", 1}}}));
}

TEST_F(PendingTest, SummaryOfNothing) {
    broker.ask(Xack{"s", "g", {{1, 0}, {2, 0}, {3, 0}}});
    EXPECT_EQ(broker.ask(XpendingSummary{"s", "g"}), Reply(PendingSummary{}));
}

TEST_F(PendingTest, ListsOwnerIdleTimeAndCount) {
    const auto rows = broker.pending();
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0], (PendingRow{{1, 0}, "alice", 3s, 1}));
    EXPECT_EQ(rows[2], (PendingRow{{3, 0}, "bob", 1s, 1}));
}

TEST_F(PendingTest, ANegativeThresholdLeavesOutWhatIsIdleForEvenLess) {
    broker.now -= 1h;
    EXPECT_EQ(ids({.count = 10, .min_idle_time = -1ms}), Ids64{});
    EXPECT_EQ(ids({.count = 10}), (Ids64{1, 2, 3}));
}

TEST_F(PendingTest, LimitsMatchesAfterAllFilters) {
    EXPECT_EQ(ids({.count = 1, .consumer = "bob"}), (Ids64{3}));
    EXPECT_EQ(ids({.count = 10, .min_idle_time = 3s}), (Ids64{1, 2}));
    EXPECT_EQ(ids({.count = 0}), Ids64{});
    EXPECT_EQ(ids({.count = -1}), Ids64{});
    EXPECT_EQ(ids({.consumer = "nobody"}), Ids64{});
}

TEST_F(PendingTest, TakesBoundsOfBothKinds) {
    EXPECT_EQ(ids({.start = {{2, 0}}}), (Ids64{2, 3}));
    EXPECT_EQ(ids({.start = {{1, 0}, Bound::Edge::exclusive}, .end = {{2, 0}}}), (Ids64{2}));
}

TEST_F(PendingTest, StillListsWhatWasDeletedOrTrimmed) {
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Xtrim{"s", {.keep = MaxLen{0}}});
    EXPECT_EQ(ids({}), (Ids64{1, 2, 3}));
}

TEST_F(PendingTest, ShowsNoNegativeIdleTimeAfterTheClockSteppedBack) {
    broker.now -= 1h;
    EXPECT_EQ(broker.pending()[0].idle_time, 0ms);
}

TEST_F(PendingTest, NeedsTheGroup) {
    EXPECT_EQ(broker.ask(XpendingSummary{"s", "nosuch"}),
              Reply(no_group_for_pending("s", "nosuch")));
    EXPECT_EQ(broker.ask(XpendingSummary{"none", "g"}), Reply(no_group_for_pending("none", "g")));
    EXPECT_EQ(broker.ask(XpendingRange{.key = "none", .group = "g"}),
              Reply(no_group_for_pending("none", "g")));
}

TEST_F(PendingTest, DetailsShowRowsByGroupAndByConsumer) {
    const auto details = broker.get<StreamDetails>(XinfoStreamFull{"s", 1});
    ASSERT_EQ(details.groups.size(), 1u);
    const auto& group = details.groups[0];
    EXPECT_EQ(details.entries.size(), 1u);
    EXPECT_EQ(group.info.pending, 3u);
    EXPECT_EQ(group.rows.size(), 1u);
    ASSERT_EQ(group.consumers.size(), 2u);
    EXPECT_EQ(group.consumers[0].pending, 2u);
    EXPECT_EQ(group.consumers[0].rows.size(), 1u);
    EXPECT_EQ(broker.get<StreamDetails>(XinfoStreamFull{"s", 0}).entries.size(), 3u);
    EXPECT_EQ(broker.get<StreamDetails>(XinfoStreamFull{"s", -1}).groups[0].rows.size(), 3u);
}

TEST_F(PendingTest, InfoNeedsTheKey) {
    const Reply refused = Refused{Refusal::no_such_key};
    EXPECT_EQ(broker.ask(XinfoStream{"none"}), refused);
    EXPECT_EQ(broker.ask(XinfoStreamFull{"none"}), refused);
    EXPECT_EQ(broker.ask(XinfoGroups{"none"}), refused);
    EXPECT_EQ(broker.ask(XinfoConsumers{"none", "g"}), refused);
    EXPECT_EQ(refusal(broker.ask(XinfoConsumers{"s", "nosuch"})), Refusal::no_group);
}

TEST_F(PendingTest, InfoShowsTheEndsOfTheStream) {
    const auto info = broker.get<StreamInfo>(XinfoStream{"s"});
    ASSERT_TRUE(info.first_entry && info.last_entry);
    EXPECT_EQ(info.first_entry->id, (EntryId{1, 0}));
    EXPECT_EQ(info.last_entry->id, (EntryId{3, 0}));
    EXPECT_EQ(info.length, 3u);
    EXPECT_EQ(info.groups, 1u);
}

}  // namespace
}  // namespace redeliver::model::redis
