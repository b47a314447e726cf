// Surprises 1 to 14 of forty: what a naive model of consumer groups gets wrong. Each was observed
// on redis-server 7.0.15.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Ids64 = std::vector<std::uint64_t>;

struct SurprisesOfGroups : testing::Test {
    SurprisesOfGroups() : broker({.record = Configuration::Record::propagated}) {
        broker.create_group();
    }
    PendingRow only_row() {
        const auto rows = broker.pending();
        sim::ensure(rows.size() == 1, "one row is pending");
        return rows.front();
    }
    Reply claim(const std::string& consumer, std::uint64_t ms, Milliseconds min_idle_time = 0ms) {
        return broker.ask(Xclaim{.key = "s",
                                 .group = "g",
                                 .consumer = consumer,
                                 .min_idle_time = min_idle_time,
                                 .ids = {{ms, 0}}});
    }
    Autoclaimed autoclaim(const std::string& consumer, Milliseconds min_idle_time,
                          std::int64_t count = 100, EntryId start = {}) {
        return broker.get<Autoclaimed>(Xautoclaim{.key = "s",
                                                  .group = "g",
                                                  .consumer = consumer,
                                                  .min_idle_time = min_idle_time,
                                                  .start = {start},
                                                  .count = count});
    }
    Reply force(const std::string& consumer, std::uint64_t ms) {
        return broker.ask(Xclaim{.key = "s",
                                 .group = "g",
                                 .consumer = consumer,
                                 .ids = {{ms, 0}},
                                 .if_not_pending = Xclaim::IfNotPending::create});
    }
    Broker broker;
};

TEST_F(SurprisesOfGroups, Number01ASlowFirstOwnerAcknowledgesTheRowOfTheNewOwner) {
    broker.add(1);
    broker.read("alice");
    claim("bob", 1);
    EXPECT_EQ(broker.ask(Broker::alice, Xack{"s", "g", {{1, 0}}}), Reply(std::int64_t{1}));
    EXPECT_THAT(broker.pending(), IsEmpty()) << "Bob's row is gone";
}

TEST_F(SurprisesOfGroups, Number02AHistoryReadCountsAsADeliveryAndIsNeverLogged) {
    broker.add(1);
    broker.read("alice");
    broker.pass(5s);
    const auto records = broker.server.retained_records();

    broker.ask(Broker::read_history("alice"));

    EXPECT_EQ(only_row().delivery_count, 2u);
    EXPECT_EQ(only_row().idle_time, 0ms);
    EXPECT_EQ(broker.server.retained_records(), records);
    broker.server.restart_after_process_loss(broker.now, broker.out);
    EXPECT_EQ(only_row().delivery_count, 1u);
    EXPECT_EQ(only_row().idle_time, 5s);
}

TEST_F(SurprisesOfGroups, Number03AHealthyPollerWithNothingToReadLooksDead) {
    broker.read("alice");
    EXPECT_EQ(broker.group().consumers, 0u) << "an empty read creates no consumer";
    broker.add(1);
    broker.read("alice");
    broker.pass(30s);
    broker.read("alice");
    const auto infos = broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"});
    EXPECT_EQ(infos.consumers[0].idle_time, 30s) << "nor does it refresh one";
}

TEST_F(SurprisesOfGroups, Number04SetidBackResetsTheCountAndStealsTheEntry) {
    broker.add(1);
    broker.read("alice");
    broker.ask(Broker::read_history("alice"));
    broker.ask(XgroupSetid{.key = "s", .group = "g", .last_delivered_id = EntryId{0, 0}});
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1}));
    EXPECT_EQ(only_row().consumer, "bob");
    EXPECT_EQ(only_row().delivery_count, 1u);
}

TEST_F(SurprisesOfGroups, Number05AForcedEntryIsDeliveredAgainEvenAfterItsXack) {
    broker.add(1);
    force("alice", 1);
    EXPECT_EQ(broker.ask(Xack{"s", "g", {{1, 0}}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.group().last_delivered_id, (EntryId{0, 0}));
    EXPECT_EQ(ids_of(broker.read("bob")), (Ids64{1}));
}

TEST_F(SurprisesOfGroups, Number06APlainForcedClaimStartsAtTwoDeliveries) {
    broker.add(1);
    force("alice", 1);
    EXPECT_EQ(only_row().delivery_count, 2u);
}

TEST_F(SurprisesOfGroups, Number07AutoclaimVisitsTenRowsPerEntryAskedForAndMayFindNothing) {
    broker.add_up_to(25);
    broker.read("alice");
    broker.pass(1s);
    broker.ask(Xclaim{.key = "s",
                      .group = "g",
                      .consumer = "alice",
                      .ids = {{25, 0}},
                      .delivered = Milliseconds{60'000}});
    const Autoclaimed first = autoclaim("bob", 30s, 1);
    EXPECT_THAT(first.claimed, IsEmpty());
    EXPECT_EQ(first.cursor, (EntryId{11, 0}));
    const Autoclaimed second = autoclaim("bob", 30s, 1, first.cursor);
    EXPECT_THAT(second.claimed, IsEmpty());
    EXPECT_EQ(ids_of(autoclaim("bob", 30s, 1, second.cursor).claimed), (Ids64{25}));
}

TEST_F(SurprisesOfGroups, Number08TheCursorIsTheNextRowAndIsMeantInclusively) {
    broker.add_up_to(3);
    broker.read("alice");
    const Autoclaimed first = autoclaim("bob", 0ms, 2);
    EXPECT_EQ(ids_of(first.claimed), (Ids64{1, 2}));
    EXPECT_EQ(first.cursor, (EntryId{3, 0}));
    const Autoclaimed second = autoclaim("bob", 0ms, 2, first.cursor);
    EXPECT_EQ(ids_of(second.claimed), (Ids64{3}));
    EXPECT_EQ(second.cursor, (EntryId{0, 0}));
}

TEST_F(SurprisesOfGroups, Number09AutoclaimDropsRowsOfDeletedEntriesHoweverFresh) {
    broker.add_up_to(3);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}, {2, 0}}});
    const Autoclaimed reply = autoclaim("bob", 1h, 2);
    EXPECT_THAT(reply.claimed, IsEmpty());
    EXPECT_THAT(reply.deleted, ElementsAre(EntryId{1, 0}, EntryId{2, 0}));
    EXPECT_EQ(reply.cursor, (EntryId{3, 0})) << "they used up COUNT";
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{3}));
}

TEST_F(SurprisesOfGroups, Number10AnIdleTimeEqualToTheMinimumIsEnough) {
    broker.add(1);
    broker.read("alice");
    broker.pass(30s - 1ms);
    EXPECT_THAT(autoclaim("bob", 30s).claimed, IsEmpty());
    broker.pass(1ms);
    EXPECT_EQ(ids_of(autoclaim("bob", 30s).claimed), (Ids64{1}));
}

TEST_F(SurprisesOfGroups, Number11OneClaimsFromOneself) {
    broker.add(1);
    broker.read("alice");
    EXPECT_EQ(ids_of(autoclaim("alice", 0ms).claimed), (Ids64{1}));
    EXPECT_EQ(ids_of(std::get<Entries>(claim("alice", 1)).entries), (Ids64{1}));
    EXPECT_EQ(only_row().delivery_count, 3u);
}

TEST_F(SurprisesOfGroups, Number12DeletedEntriesLeaveTheirRows) {
    broker.add_up_to(2);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Xtrim{"s", {.keep = MaxLen{0}}});
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1, 2}));
    const auto history = std::get<ReadReply>(broker.ask(Broker::read_history("alice")));
    EXPECT_TRUE(history.streams[0].entries[0].body.is_absent());
    EXPECT_TRUE(history.streams[0].entries[1].body.is_absent());
    EXPECT_EQ(broker.pending()[0].delivery_count, 1u) << "such a read counts nothing";
}

TEST_F(SurprisesOfGroups, Number13WhatIsDeletedBeforeItsDeliveryIsLostWithoutATrace) {
    broker.add_up_to(3);
    broker.ask(Xdel{"s", {{2, 0}}});
    broker.ask(Xtrim{"s", {.keep = MaxLen{1}}});
    EXPECT_EQ(ids_of(broker.read("alice")), (Ids64{3}));
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{3}));
}

TEST_F(SurprisesOfGroups, Number14DelconsumerDiscardsItsRowsAndTheEntriesAreNeverDeliveredAgain) {
    broker.add(1);
    broker.read("alice");
    EXPECT_EQ(broker.ask(XgroupDelconsumer{"s", "g", "alice"}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.read("bob"), Reply(NilArray{}));
    EXPECT_THAT(autoclaim("bob", 0ms).claimed, IsEmpty());
    EXPECT_EQ(claim("bob", 1), Reply(Entries{}));
}

}  // namespace
}  // namespace redeliver::model::redis
