#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();

Xadd with_id(std::variant<AutoId, AutoSeq, EntryId> id) {
    return {.key = "s", .body = {{"f", "v"}}, .id = id};
}

EntryId at_clock(const Broker& broker, std::uint64_t seq = 0) {
    return {static_cast<std::uint64_t>(to_millis(broker.now).time_since_epoch().count()), seq};
}

TEST(Xadd, TakesItsIdFromTheClockAndCountsWithinAMillisecond) {
    Broker broker;
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(at_clock(broker, 0)));
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(at_clock(broker, 1)));
    broker.pass(1ms);
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(at_clock(broker, 0)));
}

TEST(Xadd, NeverGoesBackWhenTheClockDoes) {
    Broker broker;
    const auto before = broker.get<EntryId>(with_id(AutoId{}));
    broker.now -= 1h;
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(EntryId{before.ms, 1}));
}

TEST(Xadd, KeepsCountingFromAnIdInTheFuture) {
    Broker broker;
    broker.ask(with_id(EntryId{9'000'000'000'000, 5}));
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(EntryId{9'000'000'000'000, 6}));
}

TEST(Xadd, CarriesAFullSequenceIntoTheMilliseconds) {
    Broker broker;
    broker.ask(with_id(EntryId{9'000'000'000'000, top}));
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(EntryId{9'000'000'000'001, 0}));
}

TEST(Xadd, CompletesAGivenMillisecond) {
    Broker broker;
    EXPECT_EQ(broker.ask(with_id(AutoSeq{0})), Reply(EntryId{0, 1}));
    EXPECT_EQ(broker.ask(with_id(AutoSeq{7})), Reply(EntryId{7, 0}));
    EXPECT_EQ(broker.ask(with_id(AutoSeq{7})), Reply(EntryId{7, 1}));
    EXPECT_EQ(broker.ask(with_id(AutoSeq{6})), Reply(Refused{Refusal::id_too_small}));
}

TEST(Xadd, RefusesIdsThatDoNotGrow) {
    Broker broker;
    broker.add(5);
    EXPECT_EQ(broker.ask(with_id(EntryId{5, 0})), Reply(Refused{Refusal::id_too_small}));
    EXPECT_EQ(broker.ask(with_id(EntryId{4, 9})), Reply(Refused{Refusal::id_too_small}));
}

TEST(Xadd, RefusesZeroBeforeItLooksAtTheKey) {
    Broker broker;
    broker.ask(Set{.key = "s", .value = "text"});
    EXPECT_EQ(broker.ask(with_id(EntryId{0, 0})), Reply(Refused{Refusal::id_zero}));
    EXPECT_EQ(broker.ask(with_id(EntryId{1, 0})), Reply(Refused{Refusal::wrong_type}));
}

TEST(Xadd, CreatesNoKeyWhenItFails) {
    Broker broker;
    broker.ask(with_id(EntryId{0, 0}));
    Xadd trimmed = with_id(EntryId{1, 0});
    trimmed.trim = Trim{.keep = MaxLen{-1}};
    EXPECT_EQ(broker.ask(trimmed), Reply(Refused{Refusal::negative_maxlen}));
    EXPECT_EQ(broker.ask(Exists{{"s"}}), Reply(std::int64_t{0}));
}

TEST(Xadd, IsAtItsEndAfterTheGreatestId) {
    Broker broker;
    broker.ask(with_id(max_entry_id));
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(Refused{Refusal::id_exhausted}));
}

TEST(Xadd, LeavesAMissingStreamAloneWhenAsked) {
    Broker broker;
    Xadd command = with_id(AutoId{});
    command.if_missing = Xadd::IfMissing::skip;
    EXPECT_EQ(broker.ask(command), Reply(Nil{}));
    EXPECT_EQ(broker.ask(Exists{{"s"}}), Reply(std::int64_t{0}));
}

TEST(Xadd, KeepsFieldsInOrderWithDuplicatesAndEmptyStrings) {
    Broker broker;
    const Body body = {{"b", "1"}, {"a", ""}, {"b", "2"}, {"", "x"}};
    broker.ask(Xadd{.key = "s", .body = body});
    const auto entries = broker.get<Entries>(Xrange{.key = "s"}).entries;
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].body, body);
    EXPECT_EQ(entries[0].body.value(2), "2");
}

TEST(Xadd, TrimsAfterItAddedAndLeavesAnEmptyStreamThatCounted) {
    Broker broker;
    Xadd command = with_id(EntryId{3, 0});
    command.trim = Trim{.keep = MaxLen{0}};
    EXPECT_EQ(broker.ask(command), Reply(EntryId{3, 0}));
    const auto info = broker.get<StreamInfo>(XinfoStream{"s"});
    EXPECT_EQ(info.length, 0u);
    EXPECT_EQ(info.last_generated_id, (EntryId{3, 0}));
    EXPECT_EQ(info.entries_added, 1);
}

TEST(Xadd, MinidAboveTheNewEntryRemovesItToo) {
    Broker broker;
    Xadd command = with_id(EntryId{3, 0});
    command.trim = Trim{.keep = MinId{{4, 0}}};
    broker.ask(command);
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{0}));
}

TEST(Xadd, TellsWhoAddedWhatWithItsLabel) {
    Broker broker;
    broker.add(1, 77);
    const auto added = events_of<EntryAdded>(broker.out);
    ASSERT_EQ(added.size(), 1u);
    EXPECT_EQ(broker.server.text(added[0].entry.key), "s");
    EXPECT_EQ(added[0].entry.id, (EntryId{1, 0}));
    EXPECT_EQ(added[0].entry.label, 77u);
    EXPECT_EQ(added[0].by, Broker::writer);
}

TEST(Xadd, IsRefusedOverTheMemoryLimit) {
    Broker broker({.memory_limit = 100});
    broker.ask(Set{.key = "big", .value = std::string(200, 'x')});
    EXPECT_EQ(broker.ask(with_id(AutoId{})), Reply(Refused{Refusal::out_of_memory}));
    EXPECT_EQ(broker.ask(Del{{"big"}}), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(with_id(EntryId{1, 0})), Reply(EntryId{1, 0}));
}

TEST(Xsetid, LetsAnEmptyStreamGoBackSoThatAnIdIsUsedTwice) {
    Broker broker;
    broker.create_group();
    broker.add(5);
    broker.read("alice");
    broker.ask(Xdel{"s", {{5, 0}}});
    EXPECT_EQ(broker.ask(Xsetid{"s", {1, 0}}), Reply(Ok{}));
    EXPECT_EQ(broker.add(5), (EntryId{5, 0}));
    EXPECT_EQ(ids_of(broker.ask(Broker::read_history("alice"))), (std::vector<std::uint64_t>{5}))
        << "the old row points at the new content";
}

TEST(Xsetid, StaysAboveTheLastEntryAndItsOwnArguments) {
    Broker broker;
    broker.add_up_to(5);
    EXPECT_EQ(broker.ask(Xsetid{"s", {4, 0}}), Reply(Refused{Refusal::setid_too_small}));
    EXPECT_EQ(broker.ask(Xsetid{"s", {6, 0}, 4}), Reply(Refused{Refusal::entries_added_too_small}));
    EXPECT_EQ(broker.ask(Xsetid{"s", {6, 0}, -1}), Reply(Refused{Refusal::entries_added_negative}));
    EXPECT_EQ(broker.ask(Xsetid{"s", {6, 0}, 9, EntryId{7, 0}}),
              Reply(Refused{Refusal::setid_below_deleted}));
    EXPECT_EQ(broker.ask(Xsetid{"none", {6, 0}}), Reply(Refused{Refusal::no_such_key}));
    EXPECT_EQ(broker.ask(Xsetid{"s", {8, 0}, 9, EntryId{7, 0}}), Reply(Ok{}));
    const auto info = broker.get<StreamInfo>(XinfoStream{"s"});
    EXPECT_EQ(info.entries_added, 9);
    EXPECT_EQ(info.max_deleted_entry_id, (EntryId{7, 0}));
}

TEST(Xadd, MayGoBelowADeletedEntryOnceXsetidWentBack) {
    Broker broker;
    broker.add(5);
    broker.add(28);
    broker.ask(Xdel{.key = "s", .ids = {{28, 0}}});
    broker.ask(Xsetid{.key = "s", .last_id = {5, 0}});

    EXPECT_EQ(broker.add(15), (EntryId{15, 0}));
    EXPECT_EQ(broker.add(28), (EntryId{28, 0}));
    EXPECT_EQ(broker.ask(Xlen{"s"}), Reply(std::int64_t{3}));
}

}  // namespace
}  // namespace redeliver::model::redis
