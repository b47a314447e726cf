// What reaches the append-only file and the replicas, as redis-server 7.0.15 writes it; the file
// of a real server was compared.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Acknowledgement = Xreadgroup::Acknowledgement;

struct Propagation : testing::Test {
    Propagation() : broker({.record = Configuration::Record::propagated}) {
        broker.create_group();
        broker.add(1);
        broker.add(2);
        forget();
    }
    /// What was propagated since `forget`, a line a command; the times of the clock read NOW.
    std::vector<std::string> told() {
        const std::string now = std::to_string(to_millis(broker.now).time_since_epoch().count());
        std::vector<std::string> lines;
        const auto words = broker.server.log_words();
        for (std::size_t i = forgotten_; i < words.size(); ++i) {
            std::string line;
            for (const std::string& word : words[i])
                line += (line.empty() ? "" : " ") + (word == now ? "NOW" : word);
            lines.push_back(line);
        }
        forget();
        return lines;
    }
    std::vector<std::string> told_by(const Command& command) {
        forget();
        broker.ask(command);
        return told();
    }
    void forget() { forgotten_ = broker.server.log_words().size(); }
    static Xreadgroup noack(const std::string& consumer, EntryId after = undelivered) {
        Xreadgroup command = Broker::read_history(consumer, after);
        command.acknowledgement = Acknowledgement::none;
        return command;
    }
    static Xclaim claim(const std::string& consumer, Ids ids) {
        return {.key = "s", .group = "g", .consumer = consumer, .ids = std::move(ids)};
    }
    Broker broker;
    std::size_t forgotten_ = 0;
};

// -------------------------------------------------------------------- writing

TEST_F(Propagation, XaddGetsItsFinalId) {
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}});
    EXPECT_THAT(told(),
                ElementsAre("XADD s " +
                            to_string(broker.get<StreamInfo>(XinfoStream{"s"}).last_generated_id) +
                            " f v"));
    EXPECT_THAT(told_by(Xadd{.key = "t", .body = {{"f", "v"}}, .id = AutoSeq{7}}),
                ElementsAre("XADD t 7-0 f v"));
}

TEST_F(Propagation, ARefusedOrSkippedXaddIsNotTold) {
    EXPECT_THAT(told_by(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{1, 0}}), IsEmpty());
    EXPECT_THAT(
        told_by(Xadd{.key = "missing", .body = {{"f", "v"}}, .if_missing = Xadd::IfMissing::skip}),
        IsEmpty());
}

TEST_F(Propagation, AnApproximateTrimIsToldAsWhatItCameToWithItsLimit) {
    const Trim max_len{.keep = MaxLen{1}, .precision = Trim::Precision::approximate, .limit = 100};
    EXPECT_THAT(
        told_by(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{3, 0}, .trim = max_len}),
        ElementsAre("XADD s MAXLEN = 3 LIMIT 100 3-0 f v"));
    const Trim min_id{.keep = MinId{{3, 0}}, .precision = Trim::Precision::approximate};
    EXPECT_THAT(
        told_by(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{4, 0}, .trim = min_id}),
        ElementsAre("XADD s MINID = 1-0 4-0 f v"));
    broker.ask(Xdel{"s", {{1, 0}}});
    EXPECT_THAT(
        told_by(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{5, 0}, .trim = min_id}),
        ElementsAre("XADD s MINID = 1-0 5-0 f v"))
        << "an id that its node still holds, though the entry is deleted";
}

TEST_F(Propagation, XtrimIsToldWhenItRemovedSomething) {
    const Trim whole_nodes{.keep = MaxLen{1}, .precision = Trim::Precision::approximate};
    EXPECT_THAT(told_by(Xtrim{"s", whole_nodes}), IsEmpty());
    EXPECT_THAT(told_by(Xtrim{"s", {.keep = MaxLen{9}}}), IsEmpty());
    const Trim everything{.keep = MaxLen{0}, .precision = Trim::Precision::approximate};
    EXPECT_THAT(told_by(Xtrim{"s", everything}), ElementsAre("XTRIM s MAXLEN = 0"));
}

TEST_F(Propagation, XdelAndXackAreToldVerbatimIfOneIdCounted) {
    broker.read("alice");
    EXPECT_THAT(told_by(Xack{"s", "g", {{9, 0}}}), IsEmpty());
    EXPECT_THAT(told_by(Xack{"s", "g", {{9, 0}, {1, 0}}}), ElementsAre("XACK s g 9-0 1-0"));
    EXPECT_THAT(told_by(Xdel{"s", {{9, 0}}}), IsEmpty());
    EXPECT_THAT(told_by(Xdel{"s", {{9, 0}, {1, 0}}}), ElementsAre("XDEL s 9-0 1-0"));
}

// -------------------------------------------------------------------- reading

TEST_F(Propagation, AReadIsToldAsOneClaimARowInOneTransaction) {
    EXPECT_THAT(
        told_by(Broker::read_new("alice")),
        ElementsAre("MULTI", "XCLAIM s g alice 0 1-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 1-0",
                    "XCLAIM s g alice 0 2-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 2-0",
                    "EXEC"));
    EXPECT_THAT(told_by(Broker::read_new("alice")), IsEmpty()) << "nothing was delivered";
}

TEST_F(Propagation, ANoackReadIsToldAsTheConsumerWhenNewAndThePosition) {
    EXPECT_THAT(told_by(noack("alice")), ElementsAre("MULTI", "XGROUP CREATECONSUMER s g alice",
                                                     "XGROUP SETID s g 2-0 ENTRIESREAD 2", "EXEC"));
    broker.add(3);
    EXPECT_THAT(told_by(noack("alice")), ElementsAre("XGROUP SETID s g 3-0 ENTRIESREAD 3"));
}

TEST_F(Propagation, AHistoryReadIsNotTold) {
    broker.read("alice");
    EXPECT_THAT(told_by(Broker::read_history("alice")), IsEmpty());
    EXPECT_THAT(told_by(Broker::read_history("bob")), IsEmpty()) << "nor the consumer it made";
    EXPECT_THAT(told_by(noack("carol", min_entry_id)),
                ElementsAre("XGROUP CREATECONSUMER s g carol"))
        << "unless it says NOACK";
}

TEST_F(Propagation, ADeliveryToABlockedReaderIsToldAfterTheXaddAndNotTogetherWithIt) {
    broker.read("alice");
    broker.wait(Broker::bob, Broker::wait_for_new("bob", 0ms));
    forget();
    broker.add(3);
    EXPECT_THAT(told(),
                ElementsAre("XADD s 3-0 f 3",
                            "XCLAIM s g bob 0 3-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 3-0"));
}

TEST_F(Propagation, ADeliveryAfterExecIsToldAfterTheTransaction) {
    broker.read("alice");
    broker.wait(Broker::bob, Broker::wait_for_new("bob", 0ms));
    forget();
    broker.ask(Multi{});
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{3, 0}});
    broker.ask(Set{.key = "k", .value = "v"});
    broker.ask(Exec{});
    EXPECT_THAT(told(),
                ElementsAre("MULTI", "XADD s 3-0 f v", "SET k v", "EXEC",
                            "XCLAIM s g bob 0 3-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 3-0"));
}

// -------------------------------------------------------------------- claims

TEST_F(Propagation, AClaimIsToldWithItsOutcome) {
    broker.read("alice");
    broker.pass(5s);
    EXPECT_THAT(told_by(claim("bob", {{1, 0}, {9, 0}})),
                ElementsAre("XCLAIM s g bob 0 1-0 TIME NOW RETRYCOUNT 2 FORCE JUSTID LASTID 2-0"));
    EXPECT_THAT(
        told_by(Xautoclaim{.key = "s", .group = "g", .consumer = "carol", .min_idle_time = 5s}),
        ElementsAre("XCLAIM s g carol 0 2-0 TIME NOW RETRYCOUNT 2 FORCE JUSTID LASTID 2-0"));
    EXPECT_THAT(
        told_by(Xautoclaim{.key = "s", .group = "g", .consumer = "dave", .min_idle_time = 5s}),
        IsEmpty());
}

TEST_F(Propagation, ARowOfADeletedEntryIsToldUnderTheNameOfItsOldOwner) {
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}, {2, 0}}});
    EXPECT_THAT(
        told_by(claim("bob", {{1, 0}})),
        ElementsAre("XCLAIM s g alice 0 1-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 2-0"));
    EXPECT_THAT(
        told_by(Xautoclaim{.key = "s", .group = "g", .consumer = "bob", .min_idle_time = 1h}),
        ElementsAre("XCLAIM s g alice 0 2-0 TIME NOW RETRYCOUNT 1 FORCE JUSTID LASTID 2-0"));
}

TEST_F(Propagation, AClaimThatOnlyRaisesThePositionIsToldAsThePosition) {
    Xclaim command = claim("bob", {{9, 0}});
    command.last_delivered_id = EntryId{2, 0};
    EXPECT_THAT(told_by(command), ElementsAre("XGROUP SETID s g 2-0 ENTRIESREAD -1"));
    command.last_delivered_id = EntryId{1, 0};
    EXPECT_THAT(told_by(command), IsEmpty()) << "it was beyond that";
}

// -------------------------------------------------------------------- groups and keys

TEST_F(Propagation, GroupCommandsAreToldVerbatimWhenTheyChangedSomething) {
    EXPECT_THAT(told_by(XgroupCreate{.key = "s", .group = "g"}), IsEmpty());
    EXPECT_THAT(told_by(XgroupCreate{.key = "s", .group = "h", .start = std::nullopt}),
                ElementsAre("XGROUP CREATE s h $"));
    EXPECT_THAT(
        told_by(XgroupSetid{
            .key = "s", .group = "h", .last_delivered_id = EntryId{1, 0}, .entries_read = 1}),
        ElementsAre("XGROUP SETID s h 1-0 ENTRIESREAD 1"));
    EXPECT_THAT(told_by(XgroupCreateconsumer{"s", "h", "alice"}),
                ElementsAre("XGROUP CREATECONSUMER s h alice"));
    EXPECT_THAT(told_by(XgroupCreateconsumer{"s", "h", "alice"}), IsEmpty());
    EXPECT_THAT(told_by(XgroupDelconsumer{"s", "h", "bob"}), IsEmpty());
    EXPECT_THAT(told_by(XgroupDelconsumer{"s", "h", "alice"}),
                ElementsAre("XGROUP DELCONSUMER s h alice"));
    EXPECT_THAT(told_by(XgroupDestroy{"s", "h"}), ElementsAre("XGROUP DESTROY s h"));
    EXPECT_THAT(told_by(XgroupDestroy{"s", "h"}), IsEmpty());
    EXPECT_THAT(told_by(Xsetid{.key = "s", .last_id = {9, 0}, .entries_added = 7}),
                ElementsAre("XSETID s 9-0 ENTRIESADDED 7"));
}

TEST_F(Propagation, KeysAreToldWithAbsoluteExpiries) {
    const std::string soon =
        std::to_string((to_millis(broker.now) + 10ms).time_since_epoch().count());
    EXPECT_THAT(told_by(Set{.key = "k",
                            .value = "v",
                            .condition = Set::Condition::if_absent,
                            .expiry = ExpireIn{10ms}}),
                ElementsAre("SET k v PXAT " + soon));
    EXPECT_THAT(told_by(Set{.key = "k", .value = "w", .condition = Set::Condition::if_absent}),
                IsEmpty());
    forget();
    broker.pass(11ms);
    EXPECT_THAT(told(), ElementsAre("DEL k"));
    EXPECT_THAT(told_by(Del{{"missing"}}), IsEmpty());
    EXPECT_THAT(told_by(Rename{"s", "t"}), ElementsAre("RENAME s t"));
    EXPECT_THAT(told_by(Flushall{}), ElementsAre("FLUSHALL"));
}

TEST_F(Propagation, SortedSetsListsAndSetsAreToldWhenTheyChanged) {
    EXPECT_THAT(told_by(Zadd{.key = "z", .members = {{1.5, "a"}}}), ElementsAre("ZADD z 1.5 a"));
    EXPECT_THAT(told_by(Zadd{.key = "z", .members = {{1.5, "a"}}}), IsEmpty());
    EXPECT_THAT(told_by(Zpopmin{"z"}), ElementsAre("ZPOPMIN z"));
    EXPECT_THAT(told_by(Zpopmin{"z"}), IsEmpty());
    EXPECT_THAT(told_by(Push{.key = "l", .elements = {"x"}}), ElementsAre("LPUSH l x"));
    EXPECT_THAT(told_by(Sadd{"t", {"m"}}), ElementsAre("SADD t m"));
    EXPECT_THAT(told_by(Sadd{"t", {"m"}}), IsEmpty());
}

// -------------------------------------------------------------------- rewriting

struct Rewriting : Propagation {
    std::vector<std::string> rewritten() {
        broker.server.rewrite_log(LogForm::commands, broker.now);
        forgotten_ = 0;
        return told();
    }
    void restart() {
        broker.out.clear();
        broker.server.restart_after_process_loss(broker.now, broker.out);
    }
};

TEST_F(Rewriting, SpellsOutAStreamItsGroupsAndTheirConsumers) {
    broker.ask(XgroupCreateconsumer{"s", "g", "idle"});
    broker.ask(Broker::read_new("alice", 1));
    broker.ask(XgroupCreate{.key = "s", .group = "late", .start = std::nullopt});
    broker.ask(Xadd{.key = "s", .body = {{"f", "v"}, {"", "w"}}, .id = EntryId{3, 0}});
    broker.ask(Xdel{"s", {{3, 0}}});
    EXPECT_THAT(
        rewritten(),
        ElementsAre("XADD s 1-0 f 1", "XADD s 2-0 f 2",
                    "XSETID s 3-0 ENTRIESADDED 3 MAXDELETEDID 3-0",
                    "XGROUP CREATE s g 1-0 ENTRIESREAD 1",
                    "XCLAIM s g alice 0 1-0 TIME NOW RETRYCOUNT 1 JUSTID FORCE",
                    "XGROUP CREATECONSUMER s g idle", "XGROUP CREATE s late 2-0 ENTRIESREAD -1"));
}

TEST_F(Rewriting, MakesAnEmptyStreamByATrimmedEntry) {
    broker.ask(Xtrim{"s", {.keep = MaxLen{0}}});
    EXPECT_THAT(rewritten(), ElementsAre("XADD s MAXLEN = 0 0-1 x y",
                                         "XSETID s 2-0 ENTRIESADDED 2 MAXDELETEDID 0-0",
                                         "XGROUP CREATE s g 0-0 ENTRIESREAD -1"));
    restart();
    EXPECT_EQ(broker.get<StreamInfo>(XinfoStream{"s"}).last_generated_id, (EntryId{2, 0}));
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{0}));
}

TEST_F(Rewriting, SpellsOutOtherTypesInPartsAndExpiries) {
    broker.ask(Del{{"s"}});
    const std::string soon =
        std::to_string((to_millis(broker.now) + 1h).time_since_epoch().count());
    broker.ask(Set{.key = "k", .value = "v", .expiry = ExpireIn{1h}});
    broker.ask(Zadd{.key = "z", .members = {{2, "b"}, {1, "a"}}});
    broker.ask(Push{.key = "l", .elements = {"x", "y"}});
    for (int i = 0; i < 65; ++i) broker.ask(Sadd{"t", {std::to_string(100 + i)}});
    const auto lines = rewritten();
    EXPECT_EQ(lines[0], "SET k v");
    EXPECT_EQ(lines[1], "PEXPIREAT k " + soon);
    EXPECT_EQ(lines[2], "RPUSH l y x");
    EXPECT_EQ(lines[4], "SADD t 164") << "64 in one command at most";
    EXPECT_EQ(lines[5], "ZADD z 1 a 2 b");
    const Snapshot before = broker.server.snapshot(broker.now);
    restart();
    EXPECT_EQ(broker.server.snapshot(broker.now), before);
}

TEST_F(Rewriting, AsCommandsForgetsWhatNoCommandSaysAndAsASnapshotNothing) {
    const auto after = [](LogForm form) {
        Broker server({.record = Configuration::Record::propagated});
        server.create_group();
        server.add_up_to(2);
        server.read("alice");
        server.ask(Broker::read_history("bob"));
        server.ask(Broker::read_history("alice"));
        server.ask(Xdel{"s", {{1, 0}}});
        server.pass(5s);
        server.server.rewrite_log(form, server.now);
        server.server.restart_after_process_loss(server.now, server.out);
        return std::tuple(ids_of(server.pending()), server.pending().back().delivery_count,
                          server.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers);
    };
    const ConsumerInfo alice_now{.name = "alice", .pending = 1, .idle_time = 0ms};
    const ConsumerInfo bob_now{.name = "bob", .pending = 0, .idle_time = 0ms};
    const ConsumerInfo alice_kept{.name = "alice", .pending = 2, .idle_time = 5s};
    const ConsumerInfo bob_kept{.name = "bob", .pending = 0, .idle_time = 5s};
    const auto [rows, count, consumers] = after(LogForm::commands);
    EXPECT_THAT(rows, ElementsAre(2));
    EXPECT_EQ(count, 2u) << "a rewrite keeps even what history reads counted";
    EXPECT_THAT(consumers, ElementsAre(alice_now, bob_now));
    const auto [rows_kept, count_kept, consumers_kept] = after(LogForm::snapshot);
    EXPECT_THAT(rows_kept, ElementsAre(1, 2));
    EXPECT_EQ(count_kept, 2u);
    EXPECT_THAT(consumers_kept, ElementsAre(alice_kept, bob_kept));
}

TEST_F(Rewriting, IsFollowedByWhatComesAfterIt) {
    broker.ask(Broker::read_new("alice", 1));
    broker.server.rewrite_log(LogForm::commands, broker.now);
    broker.ask(Xack{"s", "g", {{1, 0}}});
    broker.add(3);
    restart();
    EXPECT_THAT(broker.pending(), IsEmpty());
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{3}));
}

TEST_F(Rewriting, SurvivesTheMachineAndChangesNothingForTheReplica) {
    broker.ask(Broker::read_new("alice", 1));
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.server.rewrite_log(LogForm::commands, broker.now);
    broker.add(3);
    broker.server.restart_after_machine_loss(broker.now, broker.out);
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{1})) << "3 was not synced, the rewrite was";
    EXPECT_THAT(broker.pending(), IsEmpty());

    Broker replicated({.record = Configuration::Record::propagated});
    replicated.create_group();
    replicated.add(1);
    replicated.read("alice");
    replicated.ask(Xdel{"s", {{1, 0}}});
    replicated.server.rewrite_log(LogForm::commands, replicated.now);
    replicated.server.fail_over(std::uint64_t{0}, replicated.now, replicated.out);
    EXPECT_EQ(replicated.pending().size(), 1u) << "it was sent the records, not the file";
}

}  // namespace
}  // namespace redeliver::model::redis
