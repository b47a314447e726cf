#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;

Reply integer(std::int64_t value) { return value; }

/// The deduplication idiom: SET key NX PX.
Set claim_once(const std::string& key, Milliseconds lasting) {
    return {.key = key,
            .value = "1",
            .condition = Set::Condition::if_absent,
            .expiry = ExpireIn{lasting}};
}

TEST(Strings, AreSetOnceUntilTheyExpire) {
    Broker broker;
    EXPECT_EQ(broker.ask(claim_once("k", 100ms)), Reply(Ok{}));
    EXPECT_EQ(broker.ask(claim_once("k", 100ms)), Reply(Nil{}));
    broker.pass(100ms);
    EXPECT_EQ(broker.ask(claim_once("k", 100ms)), Reply(Nil{})) << "a key lives through its time";
    broker.pass(1ms);
    EXPECT_EQ(events_of<KeyRemoved>(broker.out)[0].cause, KeyRemoved::Cause::expired);
    EXPECT_EQ(broker.ask(claim_once("k", 100ms)), Reply(Ok{}));
}

TEST(Strings, ExpireWithoutBeingAskedFor) {
    Broker broker;
    broker.ask(claim_once("k", 100ms));
    EXPECT_EQ(broker.server.next_deadline(), broker.now + 101ms);
    broker.pass(101ms);
    EXPECT_EQ(broker.server.next_deadline(), std::nullopt);
    EXPECT_EQ(broker.ask(Exists{{"k"}}), integer(0));
}

TEST(Strings, AreOnlyReplacedWhenAsked) {
    Broker broker;
    const Set replace{.key = "k", .value = "new", .condition = Set::Condition::if_present};
    EXPECT_EQ(broker.ask(replace), Reply(Nil{}));
    broker.ask(Set{.key = "k", .value = "old"});
    EXPECT_EQ(broker.ask(replace), Reply(Ok{}));
    EXPECT_EQ(broker.ask(Get{"k"}), Reply(Text{"new"}));
}

TEST(Strings, SetForgetsTheExpiryUnlessToldToKeepIt) {
    Broker broker;
    broker.ask(Set{.key = "k", .value = "1", .expiry = ExpireIn{1s}});
    broker.ask(Set{.key = "k", .value = "2", .expiry = KeepTtl{}});
    EXPECT_EQ(broker.ask(Pttl{"k"}), integer(1'000));
    broker.ask(Set{.key = "k", .value = "3"});
    EXPECT_EQ(broker.ask(Pttl{"k"}), integer(-1));
    EXPECT_EQ(broker.ask(Pttl{"none"}), integer(-2));
}

TEST(Strings, SetAnswersTheOldValueOnRequest) {
    Broker broker;
    const Set command{.key = "k", .value = "v", .answer = Set::Answer::old_value};
    EXPECT_EQ(broker.ask(command), Reply(Nil{}));
    EXPECT_EQ(broker.ask(command), Reply(Text{"v"}));
    broker.add(1);
    EXPECT_EQ(broker.ask(Set{.key = "s", .value = "v", .answer = Set::Answer::old_value}),
              Reply(Refused{Refusal::wrong_type}));
}

TEST(Strings, RefuseAnExpiryThatIsNone) {
    Broker broker;
    EXPECT_EQ(broker.ask(claim_once("k", 0ms)), Reply(Refused{Refusal::invalid_expire}));
}

TEST(Strings, ThatExpiredBeforeTheyWereSetAreNotThere) {
    Broker broker;
    EXPECT_EQ(
        broker.ask(Set{.key = "k", .value = "v", .expiry = ExpireAt{to_millis(broker.now) - 1ms}}),
        Reply(Ok{}));
    EXPECT_EQ(broker.ask(Get{"k"}), Reply(Nil{}));
}

TEST(Keys, CountRepeatedNamesInExistsAndNotInDel) {
    Broker broker;
    broker.ask(Set{.key = "k", .value = "v"});
    EXPECT_EQ(broker.ask(Exists{{"k", "k", "none"}}), integer(2));
    EXPECT_EQ(broker.ask(Del{{"k", "k", "none"}}), integer(1));
}

TEST(Keys, ADeletedStreamTakesEntriesRowsAndGroupsWithIt) {
    Broker broker;
    broker.create_group();
    broker.add(1, 11);
    broker.read("alice");
    broker.ask(Del{{"s"}});
    const auto removed = events_of<EntryRemoved>(broker.out);
    const auto dropped = events_of<PendingDropped>(broker.out);
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].cause, EntryRemoved::Cause::key_deleted);
    ASSERT_EQ(dropped.size(), 1u);
    EXPECT_EQ(dropped[0].cause, PendingDropped::Cause::key_removed);
    EXPECT_EQ(dropped[0].entry.label, 11u);
    EXPECT_EQ(broker.ask(Xlen{"s"}), integer(0));
}

TEST(Keys, ExpiryCanBeSetMovedAndRemoved) {
    Broker broker;
    broker.ask(Set{.key = "k", .value = "v"});
    EXPECT_EQ(broker.ask(Pexpireat{"k", to_millis(broker.now) + 5ms}), integer(1));
    EXPECT_EQ(broker.ask(Persist{"k"}), integer(1));
    EXPECT_EQ(broker.ask(Persist{"k"}), integer(0));
    EXPECT_EQ(broker.ask(Pexpireat{"k", to_millis(broker.now)}), integer(1));
    EXPECT_EQ(broker.ask(Exists{{"k"}}), integer(0));
    EXPECT_EQ(broker.ask(Pexpireat{"k", to_millis(broker.now)}), integer(0));
}

TEST(Keys, RenameKeepsGroupsExpiryAndReplacesTheTarget) {
    Broker broker;
    broker.create_group();
    broker.add(1);
    broker.ask(Pexpireat{"s", to_millis(broker.now) + 1s});
    broker.ask(Set{.key = "t", .value = "v"});
    EXPECT_EQ(broker.ask(Rename{"s", "t"}), Reply(Ok{}));
    EXPECT_EQ(broker.get<GroupInfos>(XinfoGroups{"t"}).groups.size(), 1u);
    EXPECT_EQ(broker.ask(Pttl{"t"}), integer(1'000));
    EXPECT_EQ(broker.ask(Rename{"s", "t"}), Reply(Refused{Refusal::no_such_key}));
    EXPECT_EQ(broker.ask(Rename{"t", "t"}), Reply(Ok{}));
}

TEST(Keys, FlushallRemovesEverything) {
    Broker broker;
    broker.add(1);
    broker.ask(Set{.key = "k", .value = "v"});
    EXPECT_EQ(broker.ask(Flushall{}), Reply(Ok{}));
    EXPECT_EQ(broker.ask(Exists{{"s", "k"}}), integer(0));
}

TEST(Keys, MayExpireAtTheEndOfTime) {
    Broker broker;
    broker.ask(Set{.key = "k", .value = "v", .expiry = ExpireAt{WallMillis::max()}});
    broker.pass(1h);
    EXPECT_EQ(broker.ask(Get{"k"}), Reply(Text{"v"}));
    EXPECT_EQ(
        refusal(broker.ask(Set{.key = "k", .value = "v", .expiry = ExpireIn{Milliseconds::max()}})),
        Refusal::invalid_expire);
}

TEST(Keys, TakeAnExpiryOnlyUnderItsCondition) {
    Broker broker;
    broker.ask(Set{.key = "k", .value = "v"});
    const auto expire = [&broker](Milliseconds after, IfExpiry condition) {
        return broker.ask(Pexpire{.key = "k", .after = after, .condition = condition});
    };
    EXPECT_EQ(expire(5s, IfExpiry::is_present), Reply(std::int64_t{0}));
    EXPECT_EQ(expire(5s, IfExpiry::is_sooner), Reply(std::int64_t{0}));
    EXPECT_EQ(expire(5s, IfExpiry::is_present_and_later), Reply(std::int64_t{0}));
    EXPECT_EQ(expire(5s, IfExpiry::is_later), Reply(std::int64_t{1}));
    EXPECT_EQ(expire(9s, IfExpiry::is_absent), Reply(std::int64_t{0}));
    EXPECT_EQ(expire(9s, IfExpiry::is_later), Reply(std::int64_t{0}));
    EXPECT_EQ(expire(9s, IfExpiry::is_sooner), Reply(std::int64_t{1}));
    EXPECT_EQ(expire(8s, IfExpiry::is_present_and_later), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Pttl{.key = "k", .unit = Unit::seconds}), Reply(std::int64_t{8}));
}

TEST(Keys, RenamenxLeavesATakenNameAlone) {
    Broker broker;
    broker.ask(Set{.key = "a", .value = "v"});
    broker.ask(Set{.key = "b", .value = "w"});
    const auto renamenx = [&broker](std::string to) {
        return broker.ask(
            Rename{.from = "a", .to = std::move(to), .if_taken = Rename::IfTaken::refuse});
    };
    EXPECT_EQ(renamenx("b"), Reply(std::int64_t{0}));
    EXPECT_EQ(renamenx("a"), Reply(std::int64_t{0}));
    EXPECT_EQ(renamenx("c"), Reply(std::int64_t{1}));
    EXPECT_EQ(broker.ask(Get{"c"}), Reply(Text{"v"}));
}

}  // namespace
}  // namespace redeliver::model::redis
