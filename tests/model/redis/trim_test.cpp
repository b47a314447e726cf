#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using Ids64 = std::vector<std::uint64_t>;
constexpr auto approximate = Trim::Precision::approximate;

std::int64_t trim(Broker& broker, const Trim& how) {
    return broker.get<std::int64_t>(Xtrim{"s", how});
}

std::uint64_t nodes(Broker& broker) { return broker.get<StreamInfo>(XinfoStream{"s"}).nodes; }

TEST(Xtrim, KeepsTheNewestExactly) {
    Broker broker;
    broker.add_up_to(5);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{2}}), 3);
    EXPECT_EQ(ids_of(broker.get<Entries>(Xrange{.key = "s"}).entries), (Ids64{4, 5}));
    EXPECT_EQ(trim(broker, {.keep = MaxLen{2}}), 0);
}

TEST(Xtrim, RemovesWhatIsBelowAnId) {
    Broker broker;
    broker.add_up_to(5);
    EXPECT_EQ(trim(broker, {.keep = MinId{{3, 0}}}), 2);
    EXPECT_EQ(ids_of(broker.get<Entries>(Xrange{.key = "s"}).entries), (Ids64{3, 4, 5}));
}

// The figures of the next three were observed on redis-server 7.0.15.
TEST(Xtrim, ApproximatelyRemovesWholeNodesOnly) {
    Broker broker;
    broker.add_up_to(250);
    EXPECT_EQ(nodes(broker), 3u);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{160}, .precision = approximate}), 0);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{150}, .precision = approximate}), 100);
    EXPECT_EQ(trim(broker, {.keep = MinId{{200, 0}}, .precision = approximate}), 0);
    EXPECT_EQ(trim(broker, {.keep = MinId{{201, 0}}, .precision = approximate}), 100);
}

TEST(Xtrim, NodesEndAtTheirBytesToo) {
    Broker broker;
    for (std::uint64_t ms = 1; ms <= 30; ++ms)
        broker.ask(Xadd{.key = "s", .body = {{"f", std::string(500, 'x')}}, .id = EntryId{ms, 0}});
    EXPECT_EQ(nodes(broker), 5u);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{20}, .precision = approximate}), 7);
}

TEST(Xtrim, StopsBeforeANodeThatExceedsTheLimit) {
    Broker broker;
    broker.add_up_to(250);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{0}, .precision = approximate, .limit = 99}), 0);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{0}, .precision = approximate, .limit = 100}), 100);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{0}, .precision = approximate, .limit = 0}), 150);
}

TEST(Xtrim, RemovesAHundredNodesAtOnceUnlessToldOtherwise) {
    Broker broker({.stream_node_max_entries = 1});
    broker.add_up_to(150);
    EXPECT_EQ(trim(broker, {.keep = MaxLen{0}, .precision = approximate}), 100);
}

TEST(Xtrim, DeletedEntriesStillFillTheirNode) {
    Broker broker({.stream_node_max_entries = 3});
    broker.add_up_to(3);
    broker.ask(Xdel{"s", {{1, 0}, {2, 0}}});
    broker.add(4);
    EXPECT_EQ(nodes(broker), 2u);
    broker.ask(Xdel{"s", {{3, 0}}});
    EXPECT_EQ(nodes(broker), 1u) << "a node leaves with its last live entry";
}

TEST(Xtrim, RefusesALimitOnExactTrimmingAndNegativeNumbers) {
    Broker broker;
    broker.add(1);
    const auto ask = [&broker](const Trim& how) { return broker.ask(Xtrim{"s", how}); };
    EXPECT_EQ(ask({.keep = MaxLen{1}, .limit = 1}), Reply(Refused{Refusal::limit_without_tilde}));
    EXPECT_EQ(ask({.keep = MaxLen{1}, .precision = approximate, .limit = -1}),
              Reply(Refused{Refusal::negative_limit}));
    EXPECT_EQ(ask({.keep = MaxLen{-1}}), Reply(Refused{Refusal::negative_maxlen}));
}

TEST(Xtrim, TellsWhoWillMissWhatItRemoved) {
    Broker broker;
    broker.create_group("read");
    broker.create_group("unread");
    broker.add(1, 42);
    Xreadgroup read = Broker::read_new("alice");
    read.group = "read";
    broker.ask(read);

    broker.ask(Xtrim{"s", {.keep = MaxLen{0}}});

    const auto removed = events_of<EntryRemoved>(broker.out);
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].entry.label, 42u);
    EXPECT_EQ(removed[0].cause, EntryRemoved::Cause::trimmed);
    EXPECT_EQ(removed[0].undelivered_groups, 1u);
    EXPECT_EQ(removed[0].pending_groups, 1u);
    EXPECT_EQ(ids_of(broker.pending("read")), (Ids64{1})) << "the row stays";
}

TEST(Xtrim, DoesNotTouchTheGreatestDeletedId) {
    Broker broker;
    broker.add_up_to(3);
    broker.ask(Xtrim{"s", {.keep = MaxLen{1}}});
    const auto info = broker.get<StreamInfo>(XinfoStream{"s"});
    EXPECT_EQ(info.max_deleted_entry_id, min_entry_id);
    EXPECT_EQ(info.recorded_first_entry_id, (EntryId{3, 0}));
}

TEST(Xdel, CountsEachEntryOnceAndKeepsTheKey) {
    Broker broker;
    broker.add_up_to(2);
    const EntryId one{1, 0};
    EXPECT_EQ(broker.ask(Xdel{"s", {one, one, {9, 0}}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Xdel{"s", {{2, 0}}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Exists{{"s"}}), Reply(std::int64_t{1}));
    const auto info = broker.get<StreamInfo>(XinfoStream{"s"});
    EXPECT_EQ(info.max_deleted_entry_id, (EntryId{2, 0}));
    EXPECT_EQ(info.last_generated_id, (EntryId{2, 0}));
    EXPECT_EQ(info.recorded_first_entry_id, min_entry_id);
    EXPECT_EQ(broker.ask(Xdel{"none", {one}}), Reply(std::int64_t{0}));
}

}  // namespace
}  // namespace redeliver::model::redis
