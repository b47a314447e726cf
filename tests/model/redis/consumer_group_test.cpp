#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

struct ConsumerGroupTest : testing::Test {
    ConsumerGroupTest() { broker.create_group(); }
    Broker broker;
};

TEST_F(ConsumerGroupTest, HandsEachEntryToOneConsumer) {
    broker.add_up_to(3);
    EXPECT_EQ(ids_of(broker.read("alice", 2)), (Ids64{1, 2}));
    EXPECT_EQ(ids_of(broker.read("bob", 2)), (Ids64{3}));
    EXPECT_EQ(broker.read("carol"), Reply(NilArray{}));
}

TEST_F(ConsumerGroupTest, GivesEveryGroupAllEntries) {
    broker.create_group("h");
    broker.add_up_to(2);
    Xreadgroup other = Broker::read_new("alice");
    other.group = "h";
    EXPECT_EQ(ids_of(broker.read("alice")), (Ids64{1, 2}));
    EXPECT_EQ(ids_of(broker.ask(other)), (Ids64{1, 2}));
}

TEST_F(ConsumerGroupTest, KeepsWhatWasDeliveredPendingUntilItIsAcknowledged) {
    broker.add_up_to(2);
    broker.read("alice");
    EXPECT_EQ(broker.ask(Xack{"s", "g", {{1, 0}}}), Reply(std::int64_t{1}));
    const auto rows = broker.pending();
    ASSERT_EQ(ids_of(rows), (Ids64{2}));
    EXPECT_EQ(rows[0].consumer, "alice");
    EXPECT_EQ(rows[0].delivery_count, 1u);
}

TEST_F(ConsumerGroupTest, CountsAcknowledgementsOfRowsThatExistOnce) {
    broker.add_up_to(2);
    broker.read("alice");
    const EntryId one{1, 0};
    const EntryId unknown{77, 0};
    EXPECT_EQ(broker.ask(Xack{"s", "g", {one, one, unknown}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Xack{"s", "nosuch", {one}}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Xack{"nosuch", "g", {one}}), Reply(std::int64_t{0}));
}

TEST_F(ConsumerGroupTest, LetsAnyoneAcknowledgeAnEntryOfAnyOwner) {
    broker.add_up_to(1);
    broker.ask(Broker::alice, Broker::read_new("alice"));
    broker.ask(Broker::bob, Xautoclaim{.key = "s", .group = "g", .consumer = "bob"});

    broker.ask(Broker::alice, Xack{"s", "g", {{1, 0}}});

    const auto acknowledged = events_of<EntryAcknowledged>(broker.out);
    ASSERT_EQ(acknowledged.size(), 1u);
    EXPECT_EQ(broker.server.text(acknowledged[0].owner), "bob");
    EXPECT_EQ(acknowledged[0].by, Broker::alice);
    EXPECT_THAT(broker.pending(), IsEmpty());
}

TEST_F(ConsumerGroupTest, HistoryCountsADeliveryAndStartsTheIdleTimeAnew) {
    broker.add_up_to(1);
    broker.read("alice");
    broker.pass(10s);
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice"))), (Ids64{1}));
    EXPECT_EQ(broker.pending()[0].delivery_count, 2u);
    EXPECT_EQ(broker.pending()[0].idle_time, 0ms);
}

TEST_F(ConsumerGroupTest, HistoryIsOnesOwnAboveAnIdAndNeverNil) {
    broker.add_up_to(3);
    broker.read("alice", 2);
    broker.read("bob");
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice", {1, 0}))), (Ids64{2}));
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("carol"))), Ids64{});
}

TEST_F(ConsumerGroupTest, HistoryShowsADeletedEntryWithoutBodyAndLeavesItsRowAsItWas) {
    broker.add_up_to(1);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.pass(5s);
    const auto reply = std::get<ReadReply>(broker.ask(Broker::read_history("alice")));
    ASSERT_EQ(reply.streams[0].entries.size(), 1u);
    EXPECT_TRUE(reply.streams[0].entries[0].body.is_absent());
    EXPECT_EQ(broker.pending()[0].delivery_count, 1u);
    EXPECT_EQ(broker.pending()[0].idle_time, 5s);
}

TEST_F(ConsumerGroupTest, AnEmptyReadNeitherCreatesNorRefreshesTheConsumer) {
    broker.read("alice");
    EXPECT_EQ(broker.group().consumers, 0u);
    broker.add(1);
    broker.read("alice");
    broker.pass(7s);
    broker.read("alice");
    const auto consumers = broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers;
    ASSERT_EQ(consumers.size(), 1u);
    EXPECT_EQ(consumers[0].idle_time, 7s);
}

TEST_F(ConsumerGroupTest, HistoryCreatesTheConsumer) {
    broker.ask(Broker::read_history("alice"));
    EXPECT_EQ(broker.group().consumers, 1u);
}

TEST_F(ConsumerGroupTest, NoackMovesThePositionAndLeavesNoRow) {
    broker.add_up_to(2);
    Xreadgroup command = Broker::read_new("alice");
    command.acknowledgement = Xreadgroup::Acknowledgement::none;
    EXPECT_EQ(ids_of(broker.ask(command)), (Ids64{1, 2}));
    EXPECT_EQ(broker.group().last_delivered_id, (EntryId{2, 0}));
    EXPECT_THAT(broker.pending(), IsEmpty());
    EXPECT_EQ(broker.ask(Xack{"s", "g", {{1, 0}}}), Reply(std::int64_t{0}));
}

TEST_F(ConsumerGroupTest, SkipsDeletedEntriesWithoutATrace) {
    broker.add_up_to(3);
    broker.ask(Xdel{"s", {{2, 0}}});
    EXPECT_EQ(events_of<EntryRemoved>(broker.out)[0].undelivered_groups, 1u);
    EXPECT_EQ(ids_of(broker.read("alice")), (Ids64{1, 3}));
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1, 3}));
}

TEST_F(ConsumerGroupTest, SetidBackStealsRowsAndForgetsTheirCounts) {
    broker.add_up_to(1);
    broker.read("alice");
    broker.ask(Broker::read_history("alice"));
    broker.ask(XgroupSetid{"s", "g", EntryId{0, 0}});

    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1}));

    EXPECT_EQ(events_of<EntryDelivered>(broker.out)[0].kind, EntryDelivered::Kind::again);
    ASSERT_EQ(broker.pending().size(), 1u);
    EXPECT_EQ(broker.pending()[0].consumer, "bob");
    EXPECT_EQ(broker.pending()[0].delivery_count, 1u);
    EXPECT_EQ(broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers[0].pending, 0u);
}

TEST_F(ConsumerGroupTest, TheGreatestIdWrittenOutReadsWhatIsNew) {
    broker.add_up_to(1);
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice", max_entry_id))), (Ids64{1}));
}

TEST_F(ConsumerGroupTest, OneMissingGroupFailsTheWholeReadBeforeAnythingIsDelivered) {
    broker.add_up_to(1);
    Xreadgroup command = Broker::read_new("alice");
    command.streams.push_back({"other", undelivered});
    const Reply reply = broker.ask(command);
    EXPECT_EQ(refusal(reply), Refusal::no_group);
    EXPECT_EQ(text(std::get<Refused>(reply)),
              "NOGROUP No such key 'other' or consumer group 'g' in XREADGROUP with GROUP option");
    EXPECT_THAT(broker.pending(), IsEmpty());
}

TEST_F(ConsumerGroupTest, LimitsEachStreamByItself) {
    broker.add_up_to(3);
    for (std::uint64_t ms : {1, 2, 3})
        broker.ask(Xadd{.key = "t", .body = {{"f", "v"}}, .id = EntryId{ms, 0}});
    broker.ask(XgroupCreate{.key = "t", .group = "g"});
    Xreadgroup command = Broker::read_new("alice", 2);
    command.streams.push_back({"t", undelivered});
    const auto reply = std::get<ReadReply>(broker.ask(command));
    ASSERT_EQ(reply.streams.size(), 2u);
    EXPECT_EQ(ids_of(reply.streams[0].entries), (Ids64{1, 2}));
    EXPECT_EQ(ids_of(reply.streams[1].entries), (Ids64{1, 2}));
}

TEST_F(ConsumerGroupTest, LeavesOutStreamsWithoutNews) {
    broker.add_up_to(1);
    broker.ask(XgroupCreate{
        .key = "t", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    Xreadgroup command{
        .group = "g", .consumer = "alice", .streams = {{"t", undelivered}, {"s", undelivered}}};
    const auto reply = std::get<ReadReply>(broker.ask(command));
    ASSERT_EQ(reply.streams.size(), 1u);
    EXPECT_EQ(reply.streams[0].key, "s");
}

TEST_F(ConsumerGroupTest, DelconsumerDropsItsRowsForGood) {
    broker.add_up_to(3);
    broker.read("alice", 2);
    broker.read("bob");
    EXPECT_EQ(broker.ask(XgroupDelconsumer{"s", "g", "alice"}), Reply(std::int64_t{2}));
    const auto dropped = events_of<PendingDropped>(broker.out);
    ASSERT_EQ(dropped.size(), 2u);
    EXPECT_EQ(dropped[0].cause, PendingDropped::Cause::consumer_deleted);
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{3}));
    EXPECT_EQ(broker.read("carol"), Reply(NilArray{}));
    EXPECT_EQ(broker.ask(XgroupDelconsumer{"s", "g", "alice"}), Reply(std::int64_t{0}));
}

TEST_F(ConsumerGroupTest, CreateconsumerTellsWhetherItWasNew) {
    EXPECT_EQ(broker.ask(XgroupCreateconsumer{"s", "g", "alice"}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(XgroupCreateconsumer{"s", "g", "alice"}), Reply(std::int64_t{0}));
}

TEST_F(ConsumerGroupTest, ConsumersAreListedInByteOrder) {
    for (const char* name : {"b", "a", "B", "9", "10"})
        broker.ask(XgroupCreateconsumer{"s", "g", name});
    std::vector<std::string> names;
    for (const auto& consumer : broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers)
        names.push_back(consumer.name);
    EXPECT_THAT(names, ElementsAre("10", "9", "B", "a", "b"));
}

TEST_F(ConsumerGroupTest, CreateRefusesASecondGroupOfThatName) {
    EXPECT_EQ(broker.ask(XgroupCreate{.key = "s", .group = "g"}),
              Reply(Refused{Refusal::busy_group}));
}

TEST_F(ConsumerGroupTest, CreateNeedsTheStreamUnlessToldToMakeIt) {
    EXPECT_EQ(broker.ask(XgroupCreate{.key = "none", .group = "g"}),
              Reply(Refused{Refusal::stream_required}));
    EXPECT_EQ(broker.ask(Exists{{"none"}}), Reply(std::int64_t{0}));
}

TEST_F(ConsumerGroupTest, DollarIsTheLastIdEvenOfADeletedEntry) {
    broker.add_up_to(2);
    broker.ask(Xdel{"s", {{2, 0}}});
    broker.ask(XgroupCreate{.key = "s", .group = "late", .start = std::nullopt});
    EXPECT_EQ(broker.group("late").last_delivered_id, (EntryId{2, 0}));
}

TEST_F(ConsumerGroupTest, AGroupAtAFutureIdNeverSeesWhatComesBelow) {
    broker.ask(XgroupCreate{.key = "s", .group = "far", .start = EntryId{100, 0}});
    broker.add(50);
    broker.add(101);
    Xreadgroup command = Broker::read_new("alice");
    command.group = "far";
    EXPECT_EQ(ids_of(broker.ask(command)), (Ids64{101}));
}

TEST_F(ConsumerGroupTest, DestroyDropsRowsAndIsCountedOnce) {
    broker.add_up_to(1);
    broker.read("alice");
    EXPECT_EQ(broker.ask(XgroupDestroy{"s", "g"}), Reply(std::int64_t{1}));
    EXPECT_EQ(events_of<PendingDropped>(broker.out)[0].cause,
              PendingDropped::Cause::group_destroyed);
    EXPECT_EQ(broker.ask(XgroupDestroy{"s", "g"}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(XgroupDestroy{"none", "g"}), Reply(Refused{Refusal::stream_required}));
}

TEST_F(ConsumerGroupTest, SubcommandsNameTheMissingGroup) {
    const XgroupDelconsumer command{"s", "nosuch", "alice"};
    const Reply reply = broker.ask(command);
    EXPECT_EQ(refusal(reply), Refusal::no_group);
    EXPECT_EQ(text(std::get<Refused>(reply)),
              "NOGROUP No such consumer group 'nosuch' for key name 's'");
    EXPECT_EQ(refusal(broker.ask(XgroupSetid{"s", "nosuch"})), Refusal::no_group);
    EXPECT_EQ(refusal(broker.ask(XgroupCreateconsumer{"s", "nosuch", "a"})), Refusal::no_group);
}

TEST_F(ConsumerGroupTest, AnotherTypeIsRefused) {
    broker.ask(Set{.key = "text", .value = "x"});
    const Reply wrong = Refused{Refusal::wrong_type};
    EXPECT_EQ(broker.ask(XgroupCreate{.key = "text", .group = "g"}), wrong);
    EXPECT_EQ(broker.ask(XgroupDestroy{"text", "g"}), wrong);
    EXPECT_EQ(broker.ask(Xack{"text", "g", {{1, 0}}}), wrong);
    EXPECT_EQ(broker.ask(XpendingSummary{"text", "g"}), wrong);
    Xreadgroup read = Broker::read_new("alice");
    read.streams[0].key = "text";
    EXPECT_EQ(broker.ask(read), wrong);
}

// ------------------------------------------------------------------ entries_read and lag

TEST_F(ConsumerGroupTest, CountsWhatItHasReadAndWhatItLacks) {
    broker.add_up_to(5);
    broker.read("alice", 2);
    EXPECT_EQ(broker.group().entries_read, 2);
    EXPECT_EQ(broker.group().lag, 3);
}

TEST_F(ConsumerGroupTest, AGroupFromTheMiddleDoesNotKnowItsLag) {
    broker.add_up_to(5);
    broker.ask(XgroupCreate{.key = "s", .group = "middle", .start = EntryId{2, 0}});
    EXPECT_EQ(broker.group("middle").entries_read, std::nullopt);
    EXPECT_EQ(broker.group("middle").lag, std::nullopt);
}

TEST_F(ConsumerGroupTest, LagIsUnknownAfterADeletionAheadAndKnownAgainAtTheEnd) {
    broker.add_up_to(5);
    broker.read("alice", 1);
    broker.ask(Xdel{"s", {{4, 0}}});
    EXPECT_EQ(broker.group().lag, std::nullopt);
    broker.read("alice");
    EXPECT_EQ(broker.group().lag, 0);
}

TEST_F(ConsumerGroupTest, LagStaysTooHighAfterUnreadEntriesWereTrimmed) {
    broker.add_up_to(5);
    broker.read("alice", 1);
    broker.ask(Xtrim{"s", {.keep = MaxLen{2}}});
    broker.read("alice");
    EXPECT_EQ(broker.read("alice"), Reply(NilArray{}));
    EXPECT_EQ(broker.group().lag, 2) << "though nothing is left to read";
}

TEST_F(ConsumerGroupTest, SetidForgetsTheCounterUnlessToldIt) {
    broker.add_up_to(5);
    broker.read("alice");
    broker.ask(XgroupSetid{"s", "g", EntryId{2, 0}});
    EXPECT_EQ(broker.group().entries_read, std::nullopt);
    broker.ask(XgroupSetid{"s", "g", EntryId{5, 0}, 99});
    EXPECT_EQ(broker.group().lag, -94);
    EXPECT_EQ(broker.ask(XgroupSetid{"s", "g", EntryId{5, 0}, -2}),
              Reply(Refused{Refusal::entries_read_invalid}));
}

}  // namespace
}  // namespace redeliver::model::redis
