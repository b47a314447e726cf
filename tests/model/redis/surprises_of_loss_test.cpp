// Surprises 28 to 40 of forty: counters, deadlines, what a restart or a failover undoes, and what
// stays. Each was observed on redis-server 7.0.15.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

struct SurprisesOfLoss : testing::Test {
    SurprisesOfLoss() : broker({.record = Configuration::Record::propagated}) {
        broker.create_group();
    }
    Reply only_reply_to(SessionId session) {
        const auto replies = replies_to(session, broker.out);
        sim::ensure(replies.size() == 1, "one reply was sent");
        return replies.front();
    }
    void fail_over(std::uint64_t lost_records) {
        broker.out.clear();
        broker.server.fail_over(lost_records, broker.now, broker.out);
    }
    Broker broker;
    const SessionId alice = Broker::alice;
    const SessionId bob = Broker::bob;
};

TEST_F(SurprisesOfLoss, Number28TheLagMayBeUnknownNegativeOrTooHighForEver) {
    broker.add_up_to(5);
    broker.ask(XgroupCreate{.key = "s", .group = "middle", .start = EntryId{3, 0}});
    EXPECT_EQ(broker.group("middle").lag, std::nullopt);
    broker.ask(XgroupSetid{
        .key = "s", .group = "g", .last_delivered_id = EntryId{5, 0}, .entries_read = 99});
    EXPECT_EQ(broker.group().lag, -94);

    Broker trimmed;
    trimmed.create_group();
    trimmed.add_up_to(1);
    trimmed.read("alice");
    for (std::uint64_t ms = 2; ms <= 5; ++ms) trimmed.add(ms);
    trimmed.ask(Xtrim{"s", {.keep = MaxLen{2}}});
    trimmed.read("alice");
    EXPECT_EQ(trimmed.read("alice"), Reply(NilArray{})) << "nothing is unread";
    EXPECT_EQ(trimmed.group().lag, 2);
}

TEST_F(SurprisesOfLoss, Number29SetidWithoutEntriesreadForgetsTheCounter) {
    broker.add_up_to(3);
    broker.read("alice", 2);
    EXPECT_EQ(broker.group().entries_read, 2);
    broker.ask(XgroupSetid{.key = "s", .group = "g", .last_delivered_id = EntryId{2, 0}});
    EXPECT_EQ(broker.group().entries_read, std::nullopt);
}

TEST_F(SurprisesOfLoss, Number30ABlockTimeoutIsNoticedWhenTheServerLooks) {
    Broker idle({.timer_granularity = 100ms});
    idle.create_group();
    idle.wait(alice, Broker::wait_for_new("alice", 1ms));
    idle.wait(bob, Broker::wait_for_new("bob", 150ms));
    idle.pass(100ms - 1us);
    EXPECT_THAT(idle.out.replies, IsEmpty());
    idle.pass(1us);
    EXPECT_THAT(order_of(idle.out), ElementsAre(alice));
    idle.pass(100ms - 1us);
    EXPECT_THAT(idle.out.replies, IsEmpty());
    idle.pass(1us);
    EXPECT_THAT(order_of(idle.out), ElementsAre(bob));
}

TEST_F(SurprisesOfLoss, Number31DeletingAndMakingAnewInOneExecGoesUnnoticed) {
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

TEST_F(SurprisesOfLoss, Number32AFailoverUndoesAnAnsweredXackAndAnEntryHasTwoWorkersAndOneRow) {
    broker.add_up_to(2);
    broker.read("alice", 1);
    broker.ask(Xack{"s", "g", {{1, 0}}});
    broker.read("alice", 1);

    fail_over(2);  // The XACK and the second delivery.

    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1})) << "answered, and pending again";
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{2})) << "while Alice works on it";
    EXPECT_EQ(broker.pending().back().consumer, "bob");
    EXPECT_EQ(broker.ask(alice, Xack{"s", "g", {{2, 0}}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(bob, Xack{"s", "g", {{2, 0}}}), Reply(std::int64_t{0}));
}

TEST_F(SurprisesOfLoss, Number33ACutBetweenAnXaddAndTheDeliveryItCausedLeavesItUndelivered) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    const auto records = broker.server.retained_records();
    broker.add(1);
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1}));
    EXPECT_EQ(broker.server.retained_records(), records + 2) << "not one transaction";
    fail_over(1);
    EXPECT_THAT(broker.pending(), IsEmpty());
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1}));
}

TEST_F(SurprisesOfLoss, Number34ARewrittenLogOfCommandsForgetsRowsOfDeletedEntries) {
    const auto pending_after = [](Server::LogForm form) {
        Broker server({.record = Configuration::Record::propagated});
        server.create_group();
        server.add_up_to(3);
        server.read("alice");
        server.ask(Xdel{"s", {{2, 0}}});
        server.server.rewrite_log(form, server.now);
        server.server.restart_after_process_loss(server.now, server.out);
        return ids_of(server.pending());
    };
    EXPECT_EQ(pending_after(Server::LogForm::commands), (Ids64{1, 3}));
    EXPECT_EQ(pending_after(Server::LogForm::snapshot), (Ids64{1, 2, 3}));
}

TEST_F(SurprisesOfLoss, Number35ClientsUnderOneConsumerNameSplitTheEntriesAndShareTheHistory) {
    broker.wait(alice, Broker::wait_for_new("worker", 0ms, 1));
    broker.wait(bob, Broker::wait_for_new("worker", 0ms, 1));
    broker.add(1);
    EXPECT_EQ(ids_of(only_reply_to(alice)), (Ids64{1}));
    broker.add(2);
    EXPECT_EQ(ids_of(only_reply_to(bob)), (Ids64{2}));
    EXPECT_EQ(ids_of(broker.ask(alice, Broker::read_history("worker"))), (Ids64{1, 2}))
        << "a restart of one reads what the other works on";
}

TEST_F(SurprisesOfLoss, Number36AGroupAtAFutureIdNeverSeesWhatIsBelowIt) {
    broker.ask(XgroupCreate{.key = "s", .group = "future", .start = EntryId{100, 0}});
    broker.add_up_to(2);
    Xreadgroup read = Broker::read_new("alice");
    read.group = "future";
    EXPECT_EQ(broker.ask(read), Reply(NilArray{}));
    broker.add(101);
    EXPECT_EQ(ids_of(broker.ask(read)), (Ids64{101}));
}

TEST_F(SurprisesOfLoss, Number37TheCountOfXpendingLimitsMatchesAndThatOfAutoclaimVisits) {
    broker.add_up_to(30);
    broker.read("alice");
    broker.pass(10s);
    Ids first_fifteen;
    for (std::uint64_t ms = 1; ms <= 15; ++ms) first_fifteen.push_back({ms, 0});
    broker.ask(Xclaim{.key = "s", .group = "g", .consumer = "alice", .ids = first_fifteen});
    const auto rows = broker.get<PendingRows>(
        XpendingRange{.key = "s", .group = "g", .count = 1, .min_idle_time = 5s});
    EXPECT_EQ(ids_of(rows.rows), (Ids64{16}));
    const auto claimed = broker.get<Autoclaimed>(
        Xautoclaim{.key = "s", .group = "g", .consumer = "bob", .min_idle_time = 5s, .count = 1});
    EXPECT_THAT(claimed.claimed, IsEmpty());
}

TEST_F(SurprisesOfLoss, Number38XreadFromNowMissesWhatCameBetweenTwoCalls) {
    const Xread from_now{.streams = {{"s", std::nullopt}}};
    EXPECT_EQ(broker.ask(from_now), Reply(NilArray{}));
    broker.add(1);
    EXPECT_EQ(broker.ask(from_now), Reply(NilArray{}));
}

TEST_F(SurprisesOfLoss, Number39AutomaticIdsGoOnFromAnIdOfTheFuture) {
    const auto future =
        static_cast<std::uint64_t>(to_millis(broker.now + 1h).time_since_epoch().count());
    broker.add(future);
    EXPECT_EQ(broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}}), Reply(EntryId{future, 1}));
}

TEST_F(SurprisesOfLoss, Number40AnEmptyStreamStaysWithItsGroupsAndItsLastId) {
    broker.add(5);
    broker.ask(Xdel{"s", {{5, 0}}});
    EXPECT_EQ(broker.ask(Exists{{"s"}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.group().name, "g");
    EXPECT_EQ(broker.get<StreamInfo>(XinfoStream{"s"}).last_generated_id, (EntryId{5, 0}));
    broker.ask(Pexpireat{"s", to_millis(broker.now) + 10ms});
    broker.pass(11ms);
    EXPECT_EQ(broker.ask(Exists{{"s"}}), Reply(std::int64_t{0}));
}

}  // namespace
}  // namespace redeliver::model::redis
