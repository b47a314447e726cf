#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

/// Alice holds entries 1 to 3.
struct ClaimTest : testing::Test {
    ClaimTest() {
        broker.create_group();
        broker.add_up_to(3);
        broker.read("alice");
    }
    Xautoclaim autoclaim(Milliseconds min_idle_time = 0ms, std::int64_t count = 100) {
        return {.key = "s",
                .group = "g",
                .consumer = "bob",
                .min_idle_time = min_idle_time,
                .count = count};
    }
    Xclaim claim(Ids ids, Milliseconds min_idle_time = 0ms) {
        return {.key = "s",
                .group = "g",
                .consumer = "bob",
                .min_idle_time = min_idle_time,
                .ids = std::move(ids)};
    }
    PendingRow row(std::uint64_t ms) {
        for (const PendingRow& row : broker.pending())
            if (row.id.ms == ms) return row;
        sim::fail_harness("the entry is pending", std::source_location::current());
    }
    Broker broker;
};

using AutoclaimTest = ClaimTest;

TEST_F(AutoclaimTest, MovesIdleEntriesAndCountsADelivery) {
    broker.pass(30s);
    const auto reply = broker.get<Autoclaimed>(autoclaim(30s));
    EXPECT_EQ(ids_of(reply.claimed), (Ids64{1, 2, 3}));
    EXPECT_EQ(reply.cursor, min_entry_id);
    EXPECT_EQ(row(1).consumer, "bob");
    EXPECT_EQ(row(1).delivery_count, 2u);
    EXPECT_EQ(row(1).idle_time, 0ms);
}

TEST_F(AutoclaimTest, LeavesEntriesIdleForLessWithTheirOwner) {
    broker.pass(30s - 1ms);
    EXPECT_THAT(broker.get<Autoclaimed>(autoclaim(30s)).claimed, IsEmpty());
    EXPECT_EQ(row(1).consumer, "alice");
}

TEST_F(AutoclaimTest, ACursorContinuesAtTheNextEntryInclusively) {
    auto command = autoclaim(0ms, 2);
    const auto first = broker.get<Autoclaimed>(command);
    EXPECT_EQ(ids_of(first.claimed), (Ids64{1, 2}));
    EXPECT_EQ(first.cursor, (EntryId{3, 0}));
    command.start = {first.cursor};
    const auto second = broker.get<Autoclaimed>(command);
    EXPECT_EQ(ids_of(second.claimed), (Ids64{3}));
    EXPECT_EQ(second.cursor, min_entry_id);
}

TEST_F(AutoclaimTest, VisitsTenRowsForEachOneAskedForSoAnEmptyReplyIsNoEnd) {
    for (std::uint64_t ms = 4; ms <= 12; ++ms) broker.add(ms);
    broker.read("alice");
    broker.pass(10s);
    Ids first_eleven;
    for (std::uint64_t ms = 1; ms <= 11; ++ms) first_eleven.push_back({ms, 0});
    broker.ask(claim(first_eleven));

    const auto reply = broker.get<Autoclaimed>(autoclaim(10s, 1));

    EXPECT_THAT(reply.claimed, IsEmpty());
    EXPECT_EQ(reply.cursor, (EntryId{11, 0})) << "ten rows were visited";
}

TEST_F(AutoclaimTest, DropsDeletedEntriesWhateverTheirIdleTimeAndCountsThem) {
    broker.ask(Xdel{"s", {{1, 0}}});
    const auto reply = broker.get<Autoclaimed>(autoclaim(1h, 1));
    EXPECT_EQ(reply.deleted, (std::vector<EntryId>{{1, 0}}));
    EXPECT_EQ(reply.cursor, (EntryId{2, 0}));
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{2, 3}));
    EXPECT_EQ(events_of<PendingDropped>(broker.out).size(), 0u) << "XPENDING tells nothing";
}

TEST_F(AutoclaimTest, ClaimsFromOneself) {
    auto command = autoclaim();
    command.consumer = "alice";
    EXPECT_EQ(broker.get<Autoclaimed>(command).claimed.size(), 3u);
    EXPECT_EQ(row(1).delivery_count, 2u);
}

TEST_F(AutoclaimTest, JustidDoesNotCountAsADelivery) {
    auto command = autoclaim();
    command.reply = ClaimReply::ids_only;
    const auto reply = broker.get<Autoclaimed>(command);
    EXPECT_TRUE(reply.claimed[0].body.is_absent());
    EXPECT_EQ(row(1).delivery_count, 1u);
    EXPECT_EQ(row(1).consumer, "bob");
}

TEST_F(AutoclaimTest, CreatesTheConsumerOnlyWhenItClaims) {
    broker.ask(autoclaim(1h));
    EXPECT_EQ(broker.group().consumers, 1u);
    broker.ask(autoclaim());
    EXPECT_EQ(broker.group().consumers, 2u);
}

TEST_F(AutoclaimTest, TellsFromWhomToWhomAndHowLongItHadBeenIdle) {
    broker.pass(4s);
    broker.ask(Broker::bob, autoclaim());
    const auto claimed = events_of<EntryClaimed>(broker.out);
    ASSERT_EQ(claimed.size(), 3u);
    EXPECT_EQ(broker.server.text(claimed[0].from), "alice");
    EXPECT_EQ(broker.server.text(claimed[0].to), "bob");
    EXPECT_EQ(claimed[0].by, Broker::bob);
    EXPECT_EQ(claimed[0].idle_time, 4s);
    EXPECT_EQ(claimed[0].delivery_count, 2u);
}

TEST_F(AutoclaimTest, AClockThatStepsBackMakesEntriesYoung) {
    broker.pass(40s);
    broker.now -= 20s;
    EXPECT_THAT(broker.get<Autoclaimed>(autoclaim(30s)).claimed, IsEmpty());
}

TEST_F(AutoclaimTest, RefusesACountBelowOneAndAMissingGroup) {
    EXPECT_EQ(broker.ask(autoclaim(0ms, 0)), Reply(Refused{Refusal::count_not_positive}));
    auto command = autoclaim();
    command.group = "nosuch";
    const Reply reply = broker.ask(command);
    EXPECT_EQ(refusal(reply), Refusal::no_group);
    EXPECT_EQ(text(std::get<Refused>(reply)), "NOGROUP No such key 's' or consumer group 'nosuch'");
}

TEST_F(ClaimTest, RepliesInTheOrderAskedAndClaimsARepeatedIdTwice) {
    const auto reply = broker.get<Entries>(claim({{3, 0}, {1, 0}, {3, 0}, {9, 0}}));
    EXPECT_EQ(ids_of(reply.entries), (Ids64{3, 1, 3}));
    EXPECT_EQ(row(3).delivery_count, 3u);
}

TEST_F(ClaimTest, EqualityWithTheThresholdClaims) {
    broker.pass(5s);
    EXPECT_THAT(broker.get<Entries>(claim({{1, 0}}, 5001ms)).entries, IsEmpty());
    EXPECT_EQ(broker.get<Entries>(claim({{1, 0}}, 5s)).entries.size(), 1u);
}

TEST_F(ClaimTest, RemovesTheRowOfADeletedEntryWhateverItsIdleTime) {
    broker.ask(Xdel{"s", {{2, 0}}});
    EXPECT_THAT(broker.get<Entries>(claim({{2, 0}}, 1h)).entries, IsEmpty());
    const auto dropped = events_of<PendingDropped>(broker.out);
    ASSERT_EQ(dropped.size(), 1u);
    EXPECT_EQ(dropped[0].cause, PendingDropped::Cause::entry_gone);
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1, 3}));
}

TEST_F(ClaimTest, ForceMakesARowWithACountOfTwoAndDoesNotMoveThePosition) {
    broker.add(4, 44);
    auto command = claim({{4, 0}});
    command.if_not_pending = Xclaim::IfNotPending::create;
    broker.ask(command);
    EXPECT_EQ(events_of<EntryClaimed>(broker.out)[0].entry.label, 44u);
    EXPECT_EQ(row(4).delivery_count, 2u);
    broker.ask(Xack{"s", "g", {{4, 0}}});
    EXPECT_EQ(ids_of(broker.read("carol")), (Ids64{4})) << "delivered though acknowledged";
}

TEST_F(ClaimTest, SkipsWhatIsNotPendingWithoutForce) {
    broker.add(4);
    EXPECT_THAT(broker.get<Entries>(claim({{4, 0}})).entries, IsEmpty());
}

TEST_F(ClaimTest, SetsCountAndTimeAsTold) {
    broker.pass(10s);
    auto command = claim({{1, 0}});
    command.delivered = Milliseconds{3s};
    command.delivery_count = 7;
    broker.ask(command);
    EXPECT_EQ(row(1).idle_time, 3s);
    EXPECT_EQ(row(1).delivery_count, 7u);
    command.delivered = WallMillis{};
    broker.ask(command);
    EXPECT_EQ(row(1).idle_time, to_millis(broker.now).time_since_epoch());
}

TEST_F(ClaimTest, TakesABogusTimeForNow) {
    broker.pass(10s);
    auto command = claim({{1, 0}});
    command.delivered = to_millis(broker.now) + 1h;
    broker.ask(command);
    EXPECT_EQ(row(1).idle_time, 0ms);
    command.delivered = Milliseconds{-5s};
    broker.ask(command);
    EXPECT_EQ(row(1).idle_time, 0ms);
}

TEST_F(ClaimTest, LastidRaisesThePositionOnly) {
    auto command = claim({});
    command.last_delivered_id = EntryId{2, 0};
    broker.ask(command);
    EXPECT_EQ(broker.group().last_delivered_id, (EntryId{3, 0}));
    command.last_delivered_id = EntryId{8, 0};
    broker.ask(command);
    EXPECT_EQ(broker.group().last_delivered_id, (EntryId{8, 0}));
}

TEST_F(ClaimTest, JustidListsIds) {
    auto command = claim({{1, 0}});
    command.reply = ClaimReply::ids_only;
    EXPECT_EQ(broker.ask(command), Reply(IdList{{{1, 0}}}));
}

TEST_F(ClaimTest, ALabelSurvivesTheTrimmingOfItsEntryAndAChangeOfOwner) {
    broker.add(4, 44);
    broker.read("alice");
    broker.ask(claim({{4, 0}}));
    broker.ask(Xtrim{"s", {.keep = MaxLen{0}}});
    broker.ask(Xack{"s", "g", {{4, 0}}});
    EXPECT_EQ(events_of<EntryAcknowledged>(broker.out)[0].entry.label, 44u);
}

}  // namespace
}  // namespace redeliver::model::redis
