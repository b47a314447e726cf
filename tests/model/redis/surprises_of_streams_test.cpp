// Surprises 15 to 27 of forty: ids, trimming, blocking and the shapes of replies. Each was observed
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

Xadd addition(const std::string& key, std::uint64_t ms) {
    return {.key = key, .body = {{"f", "v"}}, .id = EntryId{ms, 0}};
}

struct SurprisesOfStreams : testing::Test {
    SurprisesOfStreams() { broker.create_group(); }
    Reply only_reply_to(SessionId session) {
        const auto replies = replies_to(session, broker.out);
        sim::ensure(replies.size() == 1, "one reply was sent");
        return replies.front();
    }
    std::int64_t length() { return broker.get<std::int64_t>(Xlen{"s"}); }
    /// MULTI, the commands, EXEC; the replies of everybody are in `broker.out`.
    void at_once(const std::vector<Command>& commands) {
        broker.ask(Multi{});
        for (const Command& command : commands) broker.ask(command);
        broker.ask(Exec{});
    }
    void create_second_stream() {
        broker.ask(XgroupCreate{
            .key = "t", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    }
    Broker broker;
    const SessionId alice = Broker::alice;
    const SessionId bob = Broker::bob;
};

TEST_F(SurprisesOfStreams, Number15ADeletedLastEntryKeepsTheLastIdUnlessAnEmptyStreamIsSetBack) {
    broker.add(5);
    broker.read("alice");
    broker.ask(Xdel{"s", {{5, 0}}});
    broker.ask(XgroupCreate{.key = "s", .group = "late", .start = std::nullopt});
    EXPECT_EQ(broker.group("late").last_delivered_id, (EntryId{5, 0}));
    EXPECT_EQ(broker.ask(addition("s", 5)), Reply(Refused{Refusal::id_too_small}));

    EXPECT_EQ(broker.ask(Xsetid{.key = "s", .last_id = {1, 0}}), Reply(Ok{}));
    EXPECT_EQ(broker.ask(addition("s", 5)), Reply(EntryId{5, 0}));
    const auto history = std::get<ReadReply>(broker.ask(Broker::read_history("alice")));
    EXPECT_EQ(history.streams[0].entries[0].body.value_of("f"), "v")
        << "the old row points at the new content";
}

TEST_F(SurprisesOfStreams, Number16TrimmingAfterTheAppendLeavesAnEmptyStreamThatExists) {
    Xadd command = addition("new", 7);
    command.trim = Trim{.keep = MaxLen{0}};
    EXPECT_EQ(broker.ask(command), Reply(EntryId{7, 0}));
    const auto info = broker.get<StreamInfo>(XinfoStream{"new"});
    EXPECT_EQ(info.length, 0u);
    EXPECT_EQ(info.last_generated_id, (EntryId{7, 0}));
    EXPECT_EQ(info.entries_added, 1);
}

TEST_F(SurprisesOfStreams, Number17ApproximateTrimmingRemovesWholeNodesOrNothing) {
    const auto trimmed = [](std::uint64_t node, std::int64_t limit) {
        Broker with({.stream_node_max_entries = node});
        with.add_up_to(10);
        return with.get<std::int64_t>(Xtrim{
            "s", {.keep = MaxLen{3}, .precision = Trim::Precision::approximate, .limit = limit}});
    };
    EXPECT_EQ(trimmed(1, 0), 7);
    EXPECT_EQ(trimmed(4, 0), 4);
    EXPECT_EQ(trimmed(10, 0), 0);
    EXPECT_EQ(trimmed(4, 3), 0) << "LIMIT stops before the first node";
}

TEST_F(SurprisesOfStreams, Number18WhatCameAndWentInOneExecWakesEverybodyWithAnEmptyList) {
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.wait(bob, Broker::wait_for_new("bob", 0ms));
    at_once({addition("s", 1), Xdel{"s", {{1, 0}}}});
    EXPECT_EQ(ids_of(only_reply_to(alice)), Ids64{});
    EXPECT_EQ(ids_of(only_reply_to(bob)), Ids64{});
}

TEST_F(SurprisesOfStreams, Number19ABlockedReadGetsAThousandAndAnImmediateOneEverything) {
    std::vector<Command> additions;
    for (std::uint64_t ms = 1; ms <= 1'500; ++ms) additions.push_back(addition("s", ms));
    broker.create_group("other");
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    at_once(additions);
    EXPECT_EQ(ids_of(only_reply_to(alice)).size(), 1'000u);
    Xreadgroup all = Broker::read_new("bob");
    all.group = "other";
    EXPECT_EQ(ids_of(broker.ask(all)).size(), 1'500u);
}

TEST_F(SurprisesOfStreams, Number20ABlockedReadOfTwoKeysGetsOneAndAnImmediateOneBoth) {
    create_second_stream();
    Xreadgroup both = Broker::wait_for_new("alice", 0ms);
    both.streams.push_back({"t", undelivered});
    broker.wait(alice, both);
    at_once({addition("t", 1), addition("s", 1)});
    EXPECT_EQ(std::get<ReadReply>(only_reply_to(alice)).streams.size(), 1u);
    at_once({addition("t", 2), addition("s", 2)});
    EXPECT_EQ(std::get<ReadReply>(broker.ask(alice, both)).streams.size(), 2u);
}

TEST_F(SurprisesOfStreams, Number21OnlyDestroyEndsABlockedReadOfTheThreeGroupCommands) {
    broker.add(1);
    broker.read("alice");
    broker.wait(alice, Broker::wait_for_new("alice", 0ms));
    broker.ask(XgroupSetid{.key = "s", .group = "g", .last_delivered_id = EntryId{0, 0}});
    broker.ask(Xsetid{.key = "s", .last_id = {9, 0}});
    broker.ask(XgroupDelconsumer{"s", "g", "alice"});
    EXPECT_EQ(broker.server.blocked_sessions(), 1u);
    broker.ask(XgroupDestroy{"s", "g"});
    EXPECT_EQ(only_reply_to(alice), Reply(Refused{Refusal::group_destroyed}));
}

TEST_F(SurprisesOfStreams, Number22OneHistoryIdEndsTheWaitingOfTheWholeCall) {
    create_second_stream();
    Xreadgroup mixed = Broker::wait_for_new("alice", 0ms);
    mixed.streams.push_back({"t", min_entry_id});
    const auto reply = std::get<ReadReply>(broker.ask(alice, mixed));
    ASSERT_EQ(reply.streams.size(), 1u);
    EXPECT_EQ(reply.streams[0].key, "t");
    EXPECT_THAT(reply.streams[0].entries, IsEmpty());
}

TEST_F(SurprisesOfStreams, Number23TheGreatestIdWrittenOutMeansNewEntries) {
    broker.add(1);
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice", max_entry_id))), (Ids64{1}));
    EXPECT_EQ(ids_of(broker.pending()), (Ids64{1}));
}

TEST_F(SurprisesOfStreams, Number24OneMissingGroupFailsTheCallBeforeAnythingIsDelivered) {
    broker.add(1);
    Xreadgroup both = Broker::read_new("alice");
    both.streams.push_back({"missing", undelivered});
    EXPECT_EQ(broker.ask(both), Reply(no_group_for_read("missing", "g")));
    EXPECT_THAT(broker.pending(), IsEmpty());
    EXPECT_EQ(broker.group().last_delivered_id, (EntryId{0, 0}));
}

TEST_F(SurprisesOfStreams, Number25NilAndAnEmptyListAreNotInterchangeable) {
    broker.ask(XgroupCreateconsumer{"s", "g", "alice"});
    EXPECT_EQ(broker.ask(Xrange{.key = "s", .count = 0}), Reply(NilArray{}));
    EXPECT_EQ(broker.ask(Xrange{.key = "missing", .count = 0}), Reply(Entries{}));
    EXPECT_EQ(broker.read("alice"), Reply(NilArray{}));
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice"))), Ids64{});
    EXPECT_EQ(broker.ask(Xclaim{.key = "s", .group = "g", .consumer = "alice", .ids = {{1, 0}}}),
              Reply(Entries{}));
    EXPECT_EQ(broker.ask(Xautoclaim{.key = "s", .group = "g", .consumer = "alice"}),
              Reply(Autoclaimed{}));
}

TEST_F(SurprisesOfStreams, Number26ThePendingSummaryLeavesOutConsumersWithoutRows) {
    broker.ask(XgroupCreateconsumer{"s", "g", "idle"});
    EXPECT_EQ(broker.ask(XpendingSummary{"s", "g"}), Reply(PendingSummary{}));
    broker.add_up_to(2);
    broker.read("alice");
    EXPECT_EQ(broker.ask(XpendingSummary{"s", "g"}),
              Reply(PendingSummary{
                  .count = 2, .least = {1, 0}, .greatest = {2, 0}, .consumers = {{"alice", 2}}}));
}

TEST_F(SurprisesOfStreams, Number27AcknowledgingOrDeletingOnAMissingKeyAnswersZero) {
    // That their ids may be garbage there is the concern of whoever reads the words.
    EXPECT_EQ(broker.ask(Xack{"missing", "g", {{1, 0}}}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Xack{"s", "missing", {{1, 0}}}), Reply(std::int64_t{0}));
    EXPECT_EQ(broker.ask(Xdel{"missing", {{1, 0}}}), Reply(std::int64_t{0}));
    EXPECT_EQ(length(), 0);
}

}  // namespace
}  // namespace redeliver::model::redis
