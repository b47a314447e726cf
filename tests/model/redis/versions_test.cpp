// The version switch: each difference between 6.2, 7.0, 7.2 and 7.4, seen on all four. Source: the
// servers 6.2.16, 7.0.15, 7.2.5 and 7.4.1, and their t_stream.c, blocked.c and timeout.c.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "model/redis/arguments.h"
#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Version = Configuration::Version;

using Ids64 = std::vector<std::uint64_t>;

Xadd addition(const std::string& key, std::uint64_t ms) {
    return {.key = key, .body = {{"f", "v"}}, .id = EntryId{ms, 0}};
}

struct Versions : testing::TestWithParam<Version> {
    Versions() : broker({.version = GetParam(), .record = Configuration::Record::propagated}) {
        broker.create_group();
    }
    static bool is_at_least(Version version) { return GetParam() >= version; }
    /// What one expects of a version and those after it.
    template <typename Value>
    static Value from(Version version, Value later, Value before) {
        return is_at_least(version) ? later : before;
    }
    std::vector<Reply> replies_to_alice() { return replies_to(Broker::alice, broker.out); }
    Reply only_reply_to(SessionId session) {
        const auto replies = replies_to(session, broker.out);
        sim::ensure(replies.size() == 1, "one reply was sent");
        return replies.front();
    }
    void at_once(const std::vector<Command>& commands) {
        broker.ask(Multi{});
        for (const Command& command : commands) broker.ask(command);
        broker.ask(Exec{});
    }
    void wait_as_alice() { broker.wait(Broker::alice, Broker::wait_for_new("alice", 0ms)); }
    std::uint64_t consumers() { return broker.group().consumers; }
    ConsumerInfo consumer() {
        const auto infos = broker.get<ConsumerInfos>(XinfoConsumers{"s", "g"}).consumers;
        sim::ensure(infos.size() == 1, "the group has one consumer");
        return infos.front();
    }
    Reply claim(const std::string& consumer, Milliseconds min_idle_time, Ids ids) {
        return broker.ask(Xclaim{.key = "s",
                                 .group = "g",
                                 .consumer = consumer,
                                 .min_idle_time = min_idle_time,
                                 .ids = std::move(ids)});
    }
    Broker broker;
};

std::string name_of(const testing::TestParamInfo<Version>& version) {
    constexpr std::array<const char*, 4> names = {"v6_2", "v7_0", "v7_2", "v7_4"};
    return names.at(static_cast<std::size_t>(version.param));
}

INSTANTIATE_TEST_SUITE_P(Of, Versions,
                         testing::Values(Version::v6_2, Version::v7_0, Version::v7_2,
                                         Version::v7_4),
                         name_of);

// -------------------------------------------------------------------- claims of deleted entries

TEST_P(Versions, XclaimOfADeletedEntryRemovesItsRowOrBefore70ClaimsIt) {
    broker.add(1, 11);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    const Reply reply = claim("bob", 0ms, {{1, 0}});
    const Entries a_null{.entries = {{.id = {1, 0}, .body = {}, .label = 11}}};
    EXPECT_EQ(reply, Reply(from(Version::v7_0, Entries{}, a_null)));
    EXPECT_EQ(broker.pending().size(), from(Version::v7_0, 0u, 1u));
    if (!is_at_least(Version::v7_0)) {
        EXPECT_EQ(broker.pending()[0].consumer, "bob");
    }
}

TEST_P(Versions, XclaimOfADeletedEntryIgnoresMinIdleTimeFrom70On) {
    broker.add(1);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    EXPECT_EQ(claim("bob", 1h, {{1, 0}}), Reply(Entries{}));
    EXPECT_EQ(broker.pending().size(), from(Version::v7_0, 0u, 1u));
}

TEST_P(Versions, AutoclaimListsDeletedEntriesOrBefore70ClaimsThem) {
    broker.add_up_to(2);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    const auto reply =
        broker.get<Autoclaimed>(Xautoclaim{.key = "s", .group = "g", .consumer = "bob"});
    EXPECT_EQ(ids_of(reply.claimed), from(Version::v7_0, Ids64{2}, Ids64{1, 2}));
    EXPECT_EQ(reply.deleted, from(Version::v7_0, Ids{{1, 0}}, Ids{}));
    EXPECT_EQ(ids_of(broker.pending()), from(Version::v7_0, Ids64{2}, Ids64{1, 2}));
    if (!is_at_least(Version::v7_0)) {
        EXPECT_TRUE(reply.claimed[0].body.is_absent());
    }
}

TEST_P(Versions, AutoclaimOfDeletedEntriesIgnoresMinIdleTimeFrom70On) {
    broker.add(1);
    broker.read("alice");
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Xautoclaim{.key = "s", .group = "g", .consumer = "bob", .min_idle_time = 1h});
    EXPECT_EQ(broker.pending().size(), from(Version::v7_0, 0u, 1u));
}

TEST_P(Versions, ForceMakesNoRowForADeletedEntry) {
    broker.add(1);
    broker.ask(Xdel{"s", {{1, 0}}});
    broker.ask(Xclaim{.key = "s",
                      .group = "g",
                      .consumer = "bob",
                      .ids = {{1, 0}},
                      .if_not_pending = Xclaim::IfNotPending::create});
    EXPECT_THAT(broker.pending(), IsEmpty());
}

TEST_P(Versions, TheCountOfAutoclaimHasItsLimit) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const Xautoclaim command{.key = "s", .group = "g", .consumer = "bob", .count = most};
    EXPECT_EQ(
        refusal(broker.ask(command)),
        from(Version::v7_0, std::optional(Refusal::count_not_positive), std::optional<Refusal>()));
}

// -------------------------------------------------------------------- consumers that get nothing

TEST_P(Versions, AnEmptyReadCreatesItsConsumerFrom72On) {
    broker.read("alice");
    EXPECT_EQ(consumers(), from(Version::v7_2, 1u, 0u));
}

TEST_P(Versions, ABlockingReadCreatesItsConsumerFrom72On) {
    wait_as_alice();
    EXPECT_EQ(consumers(), from(Version::v7_2, 1u, 0u));
}

TEST_P(Versions, AnEmptyNoackReadTellsTheLogOfItsConsumerFrom72On) {
    const auto before = broker.server.log_words().size();
    Xreadgroup noack = Broker::read_new("alice");
    noack.acknowledgement = Xreadgroup::Acknowledgement::none;
    broker.ask(noack);
    EXPECT_EQ(broker.server.log_words().size() - before, from(Version::v7_2, 1u, 0u));
}

TEST_P(Versions, AFailedClaimCreatesItsConsumerFrom72On) {
    claim("bob", 0ms, {{1, 0}});
    EXPECT_EQ(consumers(), from(Version::v7_2, 1u, 0u));
    broker.ask(Xautoclaim{.key = "s", .group = "g", .consumer = "carol"});
    EXPECT_EQ(consumers(), from(Version::v7_2, 2u, 0u));
}

TEST_P(Versions, IdleIsSinceTheLastAttemptFrom72OnAndInactiveSinceTheLastSuccess) {
    broker.add(1);
    broker.read("alice");
    broker.pass(10s);
    broker.read("alice");
    EXPECT_EQ(consumer().idle_time, from(Version::v7_2, 0ms, Milliseconds{10s}));
    EXPECT_EQ(consumer().inactive_time,
              from(Version::v7_2, std::optional<Milliseconds>(10s), std::optional<Milliseconds>()));
    broker.pass(5s);
    claim("alice", 1h, {{1, 0}});
    EXPECT_EQ(consumer().idle_time, from(Version::v7_2, 0ms, Milliseconds{15s}));
    claim("alice", 0ms, {{1, 0}});
    EXPECT_EQ(consumer().idle_time, 0ms);
    if (is_at_least(Version::v7_2)) {
        EXPECT_EQ(consumer().inactive_time, 0ms);
    }
}

TEST_P(Versions, AConsumerThatNeverGotAnythingIsInactiveForMinusOne) {
    broker.ask(XgroupCreateconsumer{"s", "g", "alice"});
    const auto details = broker.get<StreamDetails>(XinfoStreamFull{"s"});
    const auto active_at = details.groups[0].consumers[0].active_at;
    if (is_at_least(Version::v7_2)) {
        EXPECT_EQ(consumer().inactive_time, -1ms);
        EXPECT_EQ(active_at, WallMillis{-1ms});
    } else {
        EXPECT_EQ(consumer().inactive_time, std::nullopt);
        EXPECT_EQ(active_at, std::nullopt);
    }
}

TEST_P(Versions, NeitherNoackNorHistoryReadsNorXackMakeAConsumerActive) {
    broker.add(1);
    Xreadgroup noack = Broker::read_new("alice");
    noack.acknowledgement = Xreadgroup::Acknowledgement::none;
    broker.ask(noack);
    broker.ask(Broker::read_history("alice"));
    broker.ask(Xack{"s", "g", {{1, 0}}});
    EXPECT_EQ(consumer().inactive_time, from(Version::v7_2, std::optional<Milliseconds>(-1ms),
                                             std::optional<Milliseconds>()));
}

// -------------------------------------------------------------------- counters

TEST_P(Versions, EntriesReadOfAcknowledgedReadsReachesTheReplicaFrom74On) {
    broker.add_up_to(3);
    broker.read("alice", 2);
    EXPECT_EQ(broker.group().entries_read, 2);
    broker.server.fail_over(std::uint64_t{0}, broker.now, broker.out);
    EXPECT_EQ(broker.group().entries_read,
              from(Version::v7_4, std::optional<std::int64_t>(2), std::optional<std::int64_t>()));
}

TEST_P(Versions, TheLagIsWrongAfterTrimmingInAllOfThem) {
    broker.add(1);
    broker.read("alice");
    for (std::uint64_t ms = 2; ms <= 5; ++ms) broker.add(ms);
    broker.ask(Xtrim{"s", {.keep = MaxLen{2}}});
    broker.read("alice");
    EXPECT_EQ(broker.group().lag, 2) << "though nothing is unread";
}

TEST_P(Versions, ALogTellsThePositionWithItsCounterFrom70On) {
    broker.add(1);
    Xreadgroup noack = Broker::read_new("alice");
    noack.acknowledgement = Xreadgroup::Acknowledgement::none;
    broker.ask(noack);
    const auto words = broker.server.log_words();
    const auto position = words[words.size() - 2];  // EXEC stands behind it.
    EXPECT_EQ(position.size(), from(Version::v7_0, 7u, 5u));
}

// -------------------------------------------------------------------- blocked readers

TEST_P(Versions, ADeletedStreamEndsWaitingGroupReadsInTheWordsOfTheVersion) {
    wait_as_alice();
    broker.ask(Del{{"s"}});
    if (GetParam() == Version::v6_2) {
        EXPECT_THAT(replies_to_alice(), IsEmpty());
        return;
    }
    EXPECT_EQ(text(std::get<Refused>(only_reply_to(Broker::alice))),
              from<std::string_view>(
                  Version::v7_2,
                  "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option",
                  "UNBLOCKED the stream key no longer exists"));
}

TEST_P(Versions, AnExpiredOrFlushedStreamEndsThemAlike) {
    wait_as_alice();
    broker.ask(Pexpireat{"s", to_millis(broker.now) + 10ms});
    broker.pass(11ms);
    EXPECT_EQ(replies_to_alice().size(), from(Version::v7_0, 1u, 0u));

    Broker flushed({.version = GetParam()});
    flushed.create_group();
    flushed.wait(Broker::alice, Broker::wait_for_new("alice", 0ms));
    flushed.ask(Flushall{});
    EXPECT_EQ(replies_to(Broker::alice, flushed.out).size(), from(Version::v7_0, 1u, 0u));
}

TEST_P(Versions, AStreamThatBecameAnotherTypeEndsThemInTheWordsOfTheVersion) {
    wait_as_alice();
    at_once({Del{{"s"}}, Sadd{"s", {"m"}}});
    if (GetParam() == Version::v6_2) {
        EXPECT_THAT(replies_to_alice(), IsEmpty());
        return;
    }
    EXPECT_EQ(refusal(only_reply_to(Broker::alice)),
              from(Version::v7_2, Refusal::wrong_type, Refusal::stream_deleted));
}

TEST_P(Versions, ADestroyedGroupEndsThemInTheWordsOfTheVersion) {
    wait_as_alice();
    broker.ask(XgroupDestroy{"s", "g"});
    EXPECT_EQ(text(std::get<Refused>(only_reply_to(Broker::alice))),
              from<std::string_view>(
                  Version::v7_2,
                  "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option",
                  "NOGROUP the consumer group this client was blocked on no longer exists"));
}

TEST_P(Versions, DeletingAndMakingAnewInOneExecGoesUnnoticedInAllOfThem) {
    wait_as_alice();
    at_once({Del{{"s"}},
             XgroupCreate{
                 .key = "s", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream}});
    EXPECT_THAT(replies_to_alice(), IsEmpty());
    broker.add(1);
    EXPECT_EQ(ids_of(only_reply_to(Broker::alice)), (Ids64{1}));
}

TEST_P(Versions, XreadGoesOnWaitingForADeletedStreamInAllOfThem) {
    broker.add(5);
    broker.wait(Broker::alice, Xread{.streams = {{"s", std::nullopt}}, .block = 0ms});
    broker.ask(Del{{"s"}});
    broker.add(3);
    EXPECT_THAT(replies_to_alice(), IsEmpty()) << "the old position stays";
    broker.add(6);
    EXPECT_EQ(ids_of(only_reply_to(Broker::alice)), (Ids64{6}));
}

TEST_P(Versions, WhatCameAndWentInOneExecWakesWithAnEmptyListUpTo70) {
    wait_as_alice();
    at_once({addition("s", 1), Xdel{"s", {{1, 0}}}});
    if (is_at_least(Version::v7_2)) {
        EXPECT_THAT(replies_to_alice(), IsEmpty());
        EXPECT_EQ(broker.server.blocked_sessions(), 1u);
    } else {
        EXPECT_EQ(ids_of(only_reply_to(Broker::alice)), Ids64{});
    }
}

TEST_P(Versions, ABlockedReadWithoutCountGetsAThousandUpTo70) {
    wait_as_alice();
    std::vector<Command> additions;
    for (std::uint64_t ms = 1; ms <= 1'200; ++ms) additions.push_back(addition("s", ms));
    at_once(additions);
    EXPECT_EQ(ids_of(only_reply_to(Broker::alice)).size(), from(Version::v7_2, 1'200u, 1'000u));
}

TEST_P(Versions, ABlockedReadOfTwoKeysGetsBothFrom72On) {
    broker.ask(XgroupCreate{
        .key = "t", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream});
    Xreadgroup both = Broker::wait_for_new("alice", 0ms);
    both.streams.push_back({"t", undelivered});
    broker.wait(Broker::alice, both);
    at_once({addition("t", 1), addition("s", 2)});
    const auto streams = std::get<ReadReply>(only_reply_to(Broker::alice)).streams;
    ASSERT_EQ(streams.size(), from(Version::v7_2, 2u, 1u));
    EXPECT_EQ(streams[0].key, from<std::string>(Version::v7_2, "s", "t"));
}

TEST_P(Versions, WhoIsWokenInVainKeepsItsDeadlineAndItsPlaceAmongThoseWhoWait) {
    broker.wait(Broker::alice, Broker::wait_for_new("alice", 10s, 1));
    broker.wait(Broker::bob, Broker::wait_for_new("bob", 10s, 1));
    broker.wait(Broker::carol, Broker::wait_for_new("carol", 10s, 1));
    const auto deadline = broker.server.next_deadline();
    broker.pass(4s);
    broker.add(1);
    EXPECT_THAT(order_of(broker.out), ElementsAre(Broker::writer, Broker::alice));
    EXPECT_EQ(broker.server.next_deadline(), deadline);
    broker.add(2);
    EXPECT_THAT(order_of(broker.out), ElementsAre(Broker::writer, Broker::bob));
}

TEST_P(Versions, AWakeInVainCountsAsAnAttemptFrom72On) {
    broker.wait(Broker::alice, Broker::wait_for_new("alice", 0ms));
    broker.pass(4s);
    at_once({addition("s", 1), Xdel{"s", {{1, 0}}}});
    if (is_at_least(Version::v7_2)) {
        EXPECT_EQ(consumer().idle_time, 0ms);
    }
    EXPECT_EQ(consumers(), 1u);
}

TEST_P(Versions, AHugeBlockIsOutOfRangeFrom72On) {
    const Xreadgroup forever = Broker::wait_for_new("alice", Milliseconds::max());
    broker.out.clear();
    broker.server.submit(Broker::alice, forever, broker.now, broker.out);
    if (is_at_least(Version::v7_2)) {
        EXPECT_EQ(text(std::get<Refused>(only_reply_to(Broker::alice))),
                  "ERR timeout is out of range");
    } else {
        EXPECT_EQ(broker.server.blocked_sessions(), 1u);
        EXPECT_EQ(broker.server.next_deadline(), std::nullopt);
    }
}

// -------------------------------------------------------------------- the rest

TEST_P(Versions, AnEmptyStreamMayBeSetBelowItsDeletedIdsUpTo70) {
    broker.add(5);
    broker.ask(Xdel{"s", {{5, 0}}});
    const Reply reply = broker.ask(Xsetid{.key = "s", .last_id = {1, 0}});
    if (is_at_least(Version::v7_2))
        EXPECT_EQ(text(std::get<Refused>(reply)),
                  "ERR The ID specified in XSETID is smaller than current max_deleted_entry_id");
    else
        EXPECT_EQ(reply, Reply(Ok{}));
}

TEST_P(Versions, DelconsumerOfNobodyIsLoggedUpTo62Only) {
    const auto before = broker.server.log_words().size();
    broker.ask(XgroupDelconsumer{"s", "g", "nobody"});
    EXPECT_EQ(broker.server.log_words().size() - before, from(Version::v7_0, 0u, 1u));
}

TEST_P(Versions, ApproximateTrimmingWithoutNodeLimitHasNoLimitUpTo62) {
    Configuration configuration{
        .version = GetParam(), .stream_node_max_entries = 0, .stream_node_max_bytes = 100'000};
    Broker large(configuration);
    for (std::uint64_t ms = 1; ms <= 25'000; ++ms) large.ask(addition("s", ms));
    const auto removed = large.get<std::int64_t>(
        Xtrim{"s", {.keep = MaxLen{0}, .precision = Trim::Precision::approximate}});
    if (is_at_least(Version::v7_0))
        EXPECT_LE(removed, 10'000);
    else
        EXPECT_EQ(removed, 25'000);
}

/// XREAD + asks for the last entry (7.4 on; what reads the words refuses it before).
struct LastEntry : testing::Test {
    static Xread last_entry() {
        return {.streams = {{.key = "s", .after = {}, .from = Xread::Position::From::last_entry}}};
    }
    Broker broker{{.version = Version::v7_4}};
};

TEST_F(LastEntry, IsReadWithoutKnowingItsId) {
    broker.add_up_to(3);
    EXPECT_EQ(ids_of(broker.ask(last_entry())), (Ids64{3}));
    EXPECT_EQ(arguments(last_entry()).back(), "+");
}

TEST_F(LastEntry, IsNoneWhereItWasDeletedOrTheKeyIsMissing) {
    EXPECT_EQ(broker.ask(last_entry()), Reply(NilArray{}));
    broker.add_up_to(3);
    broker.ask(Xdel{"s", {{3, 0}}});
    EXPECT_EQ(broker.ask(last_entry()), Reply(NilArray{}));
}

TEST_F(LastEntry, OfAStreamThatNeverHadOneIsRefused) {
    broker.create_group();
    EXPECT_EQ(text(std::get<Refused>(broker.ask(last_entry()))),
              "ERR the stream last element ID is 0-0");
}

TEST_F(LastEntry, IsWaitedForWhereTheKeyIsMissing) {
    Xread waiting = last_entry();
    waiting.block = 0ms;
    broker.wait(Broker::alice, waiting);
    broker.ask(Multi{});
    broker.ask(addition("s", 1));
    broker.ask(addition("s", 2));
    broker.ask(Exec{});
    const auto replies = replies_to(Broker::alice, broker.out);
    ASSERT_EQ(replies.size(), 1u);
    EXPECT_EQ(ids_of(replies[0]), (Ids64{2}));
}

}  // namespace
}  // namespace redeliver::model::redis
