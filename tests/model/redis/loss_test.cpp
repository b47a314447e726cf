#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;
using What = Forgotten::What;
using Appendfsync = Configuration::Appendfsync;

Configuration recording(Appendfsync policy = Appendfsync::everysec) {
    return {.appendfsync = policy, .record = Configuration::Record::propagated};
}

struct LossTest : testing::Test {
    explicit LossTest(Appendfsync policy = Appendfsync::everysec) : broker(recording(policy)) {
        broker.create_group();
        broker.pass(10s);
    }
    void restart_process() {
        broker.out.clear();
        broker.server.restart_after_process_loss(broker.now, broker.out);
    }
    void restart_machine() {
        broker.out.clear();
        broker.server.restart_after_machine_loss(broker.now, broker.out);
    }
    void fail_over(Server::ReplicaLag lag) {
        broker.out.clear();
        broker.server.fail_over(lag, broker.now, broker.out);
    }
    /// What was forgotten, with the label of the entry.
    std::vector<std::pair<What, std::uint64_t>> forgotten() {
        std::vector<std::pair<What, std::uint64_t>> all;
        for (const Forgotten& event : events_of<Forgotten>(broker.out))
            all.emplace_back(event.what, event.entry.label);
        return all;
    }
    Ids64 entries() { return ids_of(broker.get<Entries>(Xrange{.key = "s"}).entries); }
    Broker broker;
};

using Pair = std::pair<What, std::uint64_t>;

// -------------------------------------------------------------------------------- a process

TEST_F(LossTest, AKilledProcessLosesNothingItHadAnswered) {
    broker.add(1, 11);
    broker.add(2, 22);
    broker.read("alice");
    broker.ask(Xack{"s", "g", {{1, 0}}});
    broker.ask(Set{.key = "k", .value = "v", .expiry = ExpireIn{1h}});

    restart_process();

    EXPECT_THAT(forgotten(), IsEmpty());
    EXPECT_EQ(entries(), (Ids64{1, 2}));
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{2}));
    EXPECT_EQ(broker.ask(Pttl{"k"}), Reply(std::int64_t{3'600'000}));
}

TEST_F(LossTest, ARestartForgetsWhatHistoryReadsCountedAndConsumersWithoutDeliveries) {
    broker.add(1, 11);
    broker.read("alice");
    broker.pass(5s);
    broker.ask(Broker::read_history("alice"));
    broker.ask(Broker::read_history("bob"));

    restart_process();

    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::delivery_count, 11}, Pair{What::consumer, 0}));
    EXPECT_EQ(broker.pending()[0].delivery_count, 1u);
    EXPECT_EQ(broker.pending()[0].idle_time, 5s)
        << "since the first delivery, not the history read";
    EXPECT_EQ(broker.group().consumers, 1u);
}

TEST_F(LossTest, ARestartKeepsIdleTimesAndLetsConsumersLookFresh) {
    broker.add(1);
    broker.read("alice");
    broker.pass(30s);
    restart_process();
    EXPECT_EQ(broker.pending()[0].idle_time, 30s);
    const auto consumers = broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers;
    EXPECT_EQ(consumers[0].idle_time, 0ms);
}

TEST_F(LossTest, ARestartKeepsRowsOfDeletedEntriesAndNoackPositions) {
    broker.add_up_to(2);
    broker.read("alice", 1);
    broker.ask(Xdel{"s", {{1, 0}}});
    Xreadgroup noack = Broker::read_new("bob");
    noack.acknowledgement = Xreadgroup::Acknowledgement::none;
    broker.ask(noack);
    const auto group = broker.group();

    restart_process();

    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1}));
    EXPECT_EQ(broker.group(), group);
}

TEST_F(LossTest, ARestartForgetsTheReadCounterOfAcknowledgedReads) {
    broker.add_up_to(2);
    broker.read("alice");
    EXPECT_EQ(broker.group().entries_read, 2);
    restart_process();
    EXPECT_EQ(broker.group().entries_read, std::nullopt);
}

TEST_F(LossTest, ConnectionsQueuesAndTransactionsEndWithTheProcess) {
    broker.wait(Broker::alice, Broker::wait_for_new("alice", 5s));
    broker.ask(Broker::bob, Watch{{"k"}});
    broker.ask(Broker::bob, Multi{});
    restart_process();
    EXPECT_THAT(broker.out.replies, IsEmpty());
    EXPECT_EQ(broker.server.blocked_sessions(), 0u);
    EXPECT_EQ(broker.server.next_deadline(), std::nullopt);
    EXPECT_EQ(broker.ask(Broker::bob, Exec{}), Reply(Refused{Refusal::exec_without_multi}));
}

TEST_F(LossTest, ARestartRepeatsWhatAnApproximateTrimCameToAndNotWhatItSaid) {
    broker.add_up_to(250);
    const Trim half_way{.keep = MaxLen{0}, .precision = Trim::Precision::approximate, .limit = 100};
    EXPECT_EQ(broker.ask(Xtrim{"s", half_way}), Reply(std::int64_t{100}));
    restart_process();
    EXPECT_EQ(entries().size(), 150u);
    const Trim below{
        .keep = MinId{{251, 0}}, .precision = Trim::Precision::approximate, .limit = 100};
    EXPECT_EQ(broker.ask(Xtrim{"s", below}), Reply(std::int64_t{100}));
    restart_process();
    EXPECT_EQ(entries().size(), 50u);
}

TEST_F(LossTest, SurvivesTwoRestarts) {
    broker.add(1);
    restart_process();
    broker.add(2);
    restart_process();
    EXPECT_EQ(entries(), (Ids64{1, 2}));
}

// -------------------------------------------------------------------------------- a machine

TEST_F(LossTest, EverysecLosesWhatCameAfterTheLastFsync) {
    broker.add(1, 11);
    broker.pass(100ms);  // The first write after a quiet second is synced at once, the next is not.
    broker.add(2, 22);
    broker.pass(100ms);
    restart_machine();
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::entry, 22}));
    EXPECT_EQ(entries(), (Ids64{1}));
}

TEST_F(LossTest, EverysecKeepsWhatTheNextSecondHasSynced) {
    broker.add(1, 11);
    broker.pass(100ms);
    broker.add(2, 22);
    broker.pass(901ms);
    restart_machine();
    EXPECT_THAT(forgotten(), IsEmpty());
}

TEST_F(LossTest, EverysecLosesAWriteAtTheVeryInstantOfTheLoss) {
    broker.add(1, 11);
    restart_machine();
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::entry, 11}));
}

TEST_F(LossTest, AnUndoneAcknowledgementAndAnUndoneDeliveryAreTold) {
    broker.add(1, 11);
    broker.add(2, 22);
    broker.read("alice", 1);
    broker.pass(2s);
    broker.add(3, 33);  // synced at once
    broker.pass(1ms);
    broker.ask(Xack{"s", "g", {{1, 0}}});
    broker.read("bob", 1);

    restart_machine();

    const auto events = events_of<Forgotten>(broker.out);
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::group_position, 0}, Pair{What::delivery, 22},
                                         Pair{What::acknowledgement, 11}, Pair{What::consumer, 0}));
    EXPECT_EQ(broker.server.text(events[1].consumer), "bob");
    EXPECT_EQ(broker.server.text(events[2].consumer), "alice");
    EXPECT_EQ(ids_of(broker.read("carol")), (Ids64{2, 3}));
}

struct AlwaysLossTest : LossTest {
    AlwaysLossTest() : LossTest(Appendfsync::always) {}
};

TEST_F(AlwaysLossTest, ALostMachineLosesNothing) {
    broker.add(1, 11);
    restart_machine();
    EXPECT_THAT(forgotten(), IsEmpty());
    EXPECT_EQ(entries(), (Ids64{1}));
}

struct NoFsyncLossTest : LossTest {
    NoFsyncLossTest() : LossTest(Appendfsync::no) {}
};

TEST_F(NoFsyncLossTest, ALostMachineLosesWhatTheKernelHadNotWrittenBack) {
    broker.add(1, 11);
    broker.pass(20s);
    broker.add(2, 22);
    broker.pass(10s);
    restart_machine();
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::entry, 22}));
}

// -------------------------------------------------------------------------------- a failover

TEST_F(LossTest, AFailoverTakesTheNewestRecords) {
    broker.add(1, 11);
    broker.add(2, 22);
    broker.add(3, 33);
    fail_over(std::uint64_t{2});
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::entry, 22}, Pair{What::entry, 33}));
    EXPECT_EQ(entries(), (Ids64{1}));
}

TEST_F(LossTest, AFailoverTakesWhatIsYoungerThanTheLag) {
    broker.add(1, 11);
    broker.pass(50ms);
    broker.add(2, 22);
    fail_over(sim::Duration{50ms});
    EXPECT_EQ(entries(), (Ids64{1}));
}

TEST_F(LossTest, AFailoverWithoutLagTakesNothing) {
    broker.add(1);
    fail_over(std::uint64_t{0});
    EXPECT_THAT(forgotten(), IsEmpty());
    EXPECT_EQ(entries(), (Ids64{1}));
}

TEST_F(LossTest, ATransactionAndABatchOfRowsAreKeptOrLostWhole) {
    broker.ask(Multi{});
    broker.ask(Set{.key = "a", .value = "1"});
    broker.ask(Set{.key = "b", .value = "1"});
    broker.ask(Exec{});
    broker.add_up_to(3);
    broker.read("alice");
    EXPECT_EQ(broker.server.retained_records(), 1u + 1 + 3 + 1);
    fail_over(std::uint64_t{1});
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1, 2, 3}));
    broker.ask(Multi{});
    broker.ask(Set{.key = "a", .value = "2"});
    broker.ask(Set{.key = "b", .value = "2"});
    broker.ask(Exec{});
    fail_over(std::uint64_t{1});
    EXPECT_EQ(broker.ask(Get{"a"}), Reply(Text{"1"}));
    EXPECT_EQ(broker.ask(Get{"b"}), Reply(Text{"1"}));
}

TEST_F(LossTest, ADeliveryToABlockedReaderIsARecordOfItsOwn) {
    broker.wait(Broker::alice, Broker::wait_for_new("alice", 0ms));
    broker.add(1, 11);
    fail_over(std::uint64_t{1});
    EXPECT_EQ(entries(), (Ids64{1})) << "undelivered, although Alice has it";
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1}));
}

TEST_F(LossTest, AfterAFailoverALateAcknowledgementClearsTheNextOwnersRow) {
    broker.add(1, 11);
    broker.read("alice");
    fail_over(std::uint64_t{1});
    broker.read("bob");
    EXPECT_EQ(broker.ask(Broker::alice, Xack{"s", "g", {{1, 0}}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.server.text(events_of<EntryAcknowledged>(broker.out)[0].owner), "bob");
    EXPECT_THAT(broker.pending(), IsEmpty());
}

TEST_F(LossTest, AnIdThatWasLostIsUsedAgain) {
    broker.add(1, 11);
    fail_over(std::uint64_t{1});
    EXPECT_EQ(broker.add(1, 12), (EntryId{1, 0}));
}

TEST_F(LossTest, AFailoverBringsBackWhatWasDeletedClaimedAndSet) {
    broker.add(1, 11);
    broker.read("alice");
    broker.ask(Set{.key = "k", .value = "old"});
    broker.ask(Xautoclaim{.key = "s", .group = "g", .consumer = "bob"});
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Set{.key = "k", .value = "new"});
    fail_over(std::uint64_t{3});
    EXPECT_THAT(forgotten(),
                ElementsAre(Pair{What::key, 0}, Pair{What::removal, 11}, Pair{What::claim, 11},
                            Pair{What::delivery_count, 11}, Pair{What::consumer, 0}));
    EXPECT_EQ(broker.server.text(events_of<Forgotten>(broker.out)[2].consumer), "alice");
}

TEST_F(LossTest, AFailoverCanTakeAWholeGroup) {
    broker.add(1, 11);
    broker.create_group("late");
    fail_over(std::uint64_t{1});
    EXPECT_THAT(forgotten(), ElementsAre(Pair{What::group, 0}));
}

TEST_F(LossTest, KeepsOnlySoManyRecordsAndLosesNoStateByIt) {
    Configuration small = recording();
    small.retained_records = 10;
    small.retained_time = 0s;
    small.write_back = 0s;
    broker = Broker(small);
    broker.create_group();
    for (std::uint64_t ms = 1; ms <= 200; ++ms) {
        broker.add(ms);
        broker.read("alice");
        broker.pass(100ms);
    }
    EXPECT_LE(broker.server.retained_records(), 30u) << "what is not yet synced stays longer";
    restart_process();
    EXPECT_EQ(entries().size(), 200u);
    EXPECT_EQ(broker.pending().size(), 200u);
}

TEST(Loss, NeedsARecord) {
    Broker broker;
    EXPECT_THROW(broker.server.restart_after_process_loss(broker.now, broker.out),
                 sim::HarnessError);
    EXPECT_THROW(broker.server.fail_over(std::uint64_t{0}, broker.now, broker.out),
                 sim::HarnessError);
}

}  // namespace
}  // namespace redeliver::model::redis
