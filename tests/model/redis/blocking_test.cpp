#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

struct BlockingTest : testing::Test {
    BlockingTest() { broker.create_group(); }
    Reply only_reply_to(SessionId session) {
        const auto replies = replies_to(session, broker.out);
        sim::ensure(replies.size() == 1, "one reply was sent");
        return replies.front();
    }
    Broker broker;
    const SessionId alice = Broker::alice;
    const SessionId bob = Broker::bob;
    const SessionId carol = Broker::carol;
    const SessionId writer = Broker::writer;
};

TEST_F(BlockingTest, AnswersTheWriterFirstThenWhoeverCameFirst) {
    broker.wait(bob, Broker::wait_for_new("bob", 0ms));
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));

    broker.add(1);

    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, bob));
    EXPECT_EQ(ids_of(only_reply_to(bob)), (Ids64{1}));
    broker.add(2);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, alice));
}

TEST_F(BlockingTest, WhoComesBackQueuesAtTheTail) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, Broker::wait_for_new("bob", 0ms));
    broker.add(1);
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.add(2);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, bob));
}

TEST_F(BlockingTest, XreadWakesEverybodyAndConsumesNothing) {
    const Xread command{.streams = {{"s", std::nullopt}}, .block = 0ms};
    broker.wait(alice, command);
    broker.wait(bob, command);
    broker.wait(carol, Broker::wait_for_new("carol", 0ms));
    broker.add(1);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, alice, bob, carol));
}

TEST_F(BlockingTest, OneWriteServesOneReaderOfEveryGroup) {
    broker.create_group("h");
    Xreadgroup other = Broker::wait_for_new("bob", 0ms);
    other.group = "h";
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, other);
    broker.wait(carol, Broker::wait_for_new("carol", 0ms));
    broker.add(1);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, alice, bob));
}

// The server compares whole milliseconds, and lets the last of them pass.
TEST_F(BlockingTest, GivesUpInTheMillisecondAfterItsDeadline) {
    broker.now += 300us;
    broker.wait(alice, Broker::wait_for_new("alice", 5s));
    broker.now -= 300us;
    EXPECT_EQ(broker.server.next_deadline(), broker.now + 5001ms);
    broker.pass(5001ms - 1us);
    EXPECT_THAT(broker.out.replies, IsEmpty());
    broker.pass(1us);
    EXPECT_EQ(only_reply_to(alice), Reply(NilArray{}));
    EXPECT_EQ(broker.server.next_deadline(), std::nullopt);
}

TEST_F(BlockingTest, AServerThatLooksEveryTenthOfASecondIsLate) {
    Broker slow({.timer_granularity = 100ms});
    slow.create_group();
    slow.wait(alice, Broker::wait_for_new("alice", 1ms));
    EXPECT_EQ(slow.server.next_deadline(), slow.now + 100ms);
}

TEST_F(BlockingTest, ZeroWaitsForEverAndNegativeIsRefused) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    EXPECT_EQ(broker.server.next_deadline(), std::nullopt);
    EXPECT_EQ(broker.ask(bob, Broker::wait_for_new("bob", -1ms)),
              Reply(Refused{Refusal::negative_timeout}));
}

TEST_F(BlockingTest, EqualDeadlinesEndInOrderOfArrival) {
    broker.wait(bob, Broker::wait_for_new("bob", 5s));
    broker.wait(alice, Broker::wait_for_new("alice", 5s));
    broker.pass(5001ms);
    EXPECT_THAT(order_of(broker.out), ElementsAre(bob, alice));
}

TEST_F(BlockingTest, ADeadlineIsATimeOfTheServersClock) {
    broker.wait(alice, Broker::wait_for_new("alice", 5s));
    const auto deadline = broker.server.next_deadline();
    broker.now -= 1h;
    broker.pass(5s);
    EXPECT_THAT(broker.out.replies, IsEmpty());
    EXPECT_EQ(broker.server.next_deadline(), deadline);
}

TEST_F(BlockingTest, AWriteAfterTheDeadlineComesTooLate) {
    broker.wait(alice, Broker::wait_for_new("alice", 5s));
    broker.now += 5001ms;
    broker.add(1);
    EXPECT_EQ(only_reply_to(alice), Reply(NilArray{}));
}

TEST_F(BlockingTest, DoesNotWaitWhenThereIsSomethingOrAHistoryIsRead) {
    broker.add(1);
    EXPECT_EQ(ids_of(broker.ask(alice, Broker::wait_for_new("alice", 0ms))), (Ids64{1}));
    Xreadgroup mixed = Broker::wait_for_new("alice", 0ms);
    mixed.streams.push_back({"s", min_entry_id});
    EXPECT_EQ(ids_of(broker.ask(alice, mixed)), (Ids64{1}));
}

TEST_F(BlockingTest, ServesAThousandAtMostWithoutCount) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(Multi{});
    for (std::uint64_t ms = 1; ms <= 1'500; ++ms)
        broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{ms, 0}});
    broker.ask(Exec{});
    EXPECT_EQ(ids_of(only_reply_to(alice)).size(), 1'000u);
    EXPECT_EQ(ids_of(broker.read("bob")).size(), 500u);
}

TEST_F(BlockingTest, IsServedAfterExecAndNotBetween) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(Multi{});
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{1, 0}});
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer));
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{2, 0}});
    broker.ask(Exec{});
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, alice));
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1, 2}));
}

TEST_F(BlockingTest, WhatCameAndWentInOneExecWakesEverybodyWithAnEmptyList) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, Broker::wait_for_new("bob", 0ms));
    broker.ask(Multi{});
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{1, 0}});
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Exec{});
    EXPECT_EQ(ids_of(only_reply_to(alice)), Ids64{});
    EXPECT_EQ(ids_of(only_reply_to(bob)), Ids64{});
    EXPECT_EQ(broker.group().consumers, 2u);
}

TEST_F(BlockingTest, AnswersOneKeyOfSeveral) {
    broker.ask(XgroupCreate{
        .key = "t", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    Xreadgroup command = Broker::wait_for_new("alice", 0ms);
    command.streams.push_back({"t", undelivered});
    broker.wait(alice, command);
    broker.ask(Multi{});
    broker.ask(Xadd{.key = "t", .body = {{"f", "v"}}, .id = EntryId{1, 0}});
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{2, 0}});
    broker.ask(Exec{});
    const auto reply = std::get<ReadReply>(only_reply_to(alice));
    ASSERT_EQ(reply.streams.size(), 1u);
    EXPECT_EQ(reply.streams[0].key, "t");
}

TEST_F(BlockingTest, ADeletedStreamEndsGroupReadsAndNotXread) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, Xread{.streams = {{"s", std::nullopt}}, .block = 0ms});
    broker.ask(Del{{"s"}});
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::stream_deleted}));
    EXPECT_THAT(replies_to(bob, broker.out), IsEmpty());
    broker.add(1);
    EXPECT_EQ(ids_of(only_reply_to(bob)), (Ids64{1}));
}

TEST_F(BlockingTest, AnOverwrittenOrExpiredStreamEndsGroupReads) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(Set{.key = "s", .value = "text"});
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::stream_deleted}));

    broker.ask(Del{{"s"}});
    broker.create_group();
    broker.ask(Pexpireat{"s", to_millis(broker.now) + 10ms});
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.pass(11ms);
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::stream_deleted}));
}

TEST_F(BlockingTest, ADestroyedGroupEndsItsReads) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(XgroupDestroy{"s", "g"});
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::group_destroyed}));
}

TEST_F(BlockingTest, DeletingAndMakingAnewInOneExecGoesUnnoticed) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(Multi{});
    broker.ask(Del{{"s"}});
    broker.ask(XgroupCreate{
        .key = "s", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    broker.ask(Exec{});
    EXPECT_THAT(replies_to(alice, broker.out), IsEmpty());
    broker.add(1);
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1}));
}

TEST_F(BlockingTest, MovingAGroupOrAnIdWakesNobodyNorDoesDelconsumer) {
    broker.add_up_to(2);
    broker.read("alice");
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(XgroupSetid{"s", "g", EntryId{0, 0}});
    broker.ask(Xsetid{"s", {9, 0}});
    broker.ask(XgroupDelconsumer{"s", "g", "alice"});
    EXPECT_EQ(broker.server.blocked_sessions(), 1u);
    broker.add(10);
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1, 2, 10}));
}

TEST_F(BlockingTest, ARenamedStreamServesThoseWhoWaitForItsNewName) {
    broker.ask(XgroupCreate{
        .key = "t", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    broker.ask(Xadd{.key = "t", .body = {{"f", "v"}}, .id = EntryId{7, 0}});
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(Rename{"t", "s"});
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{7}));
}

TEST_F(BlockingTest, ADisconnectedReaderIsServedNothing) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, Broker::wait_for_new("bob", 0ms));
    broker.server.disconnect(alice, broker.now, broker.out);
    broker.add(1);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, bob));
    EXPECT_EQ(broker.group().consumers, 1u);
}

TEST_F(BlockingTest, WhatIsSentBehindABlockingReadWaitsForItsEnd) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(alice, Xack{"s", "g", {{1, 0}}});
    broker.add(1);
    EXPECT_THAT(order_of(broker.out), ElementsAre(writer, alice, alice));
    EXPECT_EQ(replies_to(alice, broker.out)[1], Reply(std::int64_t{1}));
}

TEST_F(BlockingTest, TheSameConsumerMayWaitTwiceAndTheEntriesAreSplit) {
    broker.wait(alice, Broker::wait_for_new("worker", 0ms, 1));
    broker.wait(bob, Broker::wait_for_new("worker", 0ms, 1));
    broker.ask(Multi{});
    for (std::uint64_t ms : {1, 2})
        broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{ms, 0}});
    broker.ask(Exec{});
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1}));
    EXPECT_EQ(ids_of(only_reply_to(bob)), (Ids64{2}));
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("worker"))), (Ids64{1, 2}));
}

TEST_F(BlockingTest, AReplicaTurnsBlockedReadersAwayAndRefusesWrites) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.out.clear();
    broker.server.become_replica(broker.now, broker.out);
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::role_changed}));
    EXPECT_THAT(broker.out.closed, ElementsAre(alice));
    EXPECT_EQ(broker.read("bob"), Reply(Refused{Refusal::read_only}));
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{0}));
    broker.server.become_primary();
    EXPECT_EQ(broker.add(1), (EntryId{1, 0}));
}

}  // namespace
}  // namespace redeliver::model::redis
