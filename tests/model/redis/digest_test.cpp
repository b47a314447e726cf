#include <gtest/gtest.h>

#include <set>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;

/// Every command leaves a state that has not been seen before.
TEST(Digest, ChangesWithEveryFieldOfTheState) {
    Broker broker({.record = Configuration::Record::propagated});
    std::set<std::uint64_t> seen = {broker.server.digest()};
    const auto is_new = [&] { return seen.insert(broker.server.digest()).second; };
    const auto changes = [&](const Command& command) {
        broker.ask(command);
        return is_new();
    };
    EXPECT_TRUE(changes(XgroupCreate{
        .key = "s", .group = "g", .if_missing = XgroupCreate::IfMissing::create_stream}));
    EXPECT_TRUE(changes(Xadd{.key = "s", .body = {{"f", "v"}}, .id = EntryId{1, 0}}));
    EXPECT_TRUE(changes(Broker::read_new("alice")));
    EXPECT_TRUE(changes(Broker::read_history("alice"))) << "a count";
    EXPECT_TRUE(changes(Broker::read_history("bob"))) << "a consumer";
    EXPECT_TRUE(changes(Xclaim{.key = "s",
                               .group = "g",
                               .consumer = "bob",
                               .ids = {{1, 0}},
                               .reply = ClaimReply::ids_only}))
        << "an owner";
    EXPECT_TRUE(changes(XgroupSetid{"s", "g", EntryId{1, 0}, 5})) << "a counter";
    EXPECT_TRUE(changes(Xsetid{"s", {7, 0}})) << "the last id";
    EXPECT_TRUE(changes(Set{.key = "k", .value = "v"}));
    EXPECT_TRUE(changes(Pexpireat{"k", to_millis(broker.now) + 9s}));
    EXPECT_TRUE(changes(Watch{{"k"}}));
    EXPECT_TRUE(changes(Set{.key = "k", .value = "v", .expiry = KeepTtl{}})) << "a broken watch";
    EXPECT_TRUE(changes(Multi{}));
    EXPECT_TRUE(changes(Ping{})) << "a queued command";
    EXPECT_TRUE(changes(Discard{}));
    broker.wait(Broker::alice, Broker::wait_for_new("alice", 5s));
    EXPECT_TRUE(is_new()) << "a blocked reader";
    broker.wait(Broker::alice, Ping{});
    EXPECT_TRUE(is_new()) << "what it sent behind";
}

TEST(Digest, SeesLabelsAndValuesThatNoReplyShows) {
    const auto digest_with = [](std::uint64_t label, const char* value) {
        Broker broker;
        broker.ask(Xadd{.key = "s", .body = {{"f", value}}, .id = EntryId{1, 0}, .label = label});
        return broker.server.digest();
    };
    EXPECT_EQ(digest_with(1, "v"), digest_with(1, "v"));
    EXPECT_NE(digest_with(1, "v"), digest_with(2, "v"));
    EXPECT_NE(digest_with(1, "v"), digest_with(1, "w"));
}

TEST(Digest, ForgetsHowAStateCameAbout) {
    Broker direct;
    direct.create_group();
    direct.add_up_to(2);
    direct.read("alice", 1);
    Broker roundabout;
    roundabout.create_group();
    roundabout.ask(Set{.key = "other", .value = "x"});
    roundabout.add_up_to(2);
    roundabout.read("alice", 1);
    roundabout.ask(Del{{"other"}});
    EXPECT_EQ(direct.server.digest(), roundabout.server.digest());
}

/// The value itself, so that another machine, compiler or build must find the same.
TEST(Digest, IsTheSameOnEveryMachine) {
    Broker broker;
    broker.create_group();
    broker.add(1, 11);
    broker.read("alice");
    EXPECT_EQ(broker.server.digest(), 2310183563003481171u);
    EXPECT_EQ(hash(broker.ask(Broker::read_history("alice"))), 14103577556608553201u);
}

TEST(ReplyHash, TellsRepliesApart) {
    const std::vector<Reply> replies = {
        Ok{},
        Nil{},
        NilArray{},
        std::int64_t{0},
        std::int64_t{1},
        EntryId{0, 1},
        EntryId{1, 0},
        Text{""},
        Text{"a"},
        Refused{Refusal::no_group},
        no_group_for_read("s", "g"),
        Entries{},
        Entries{{{{1, 0}, {{"f", "v"}}, 0}}},
        Entries{{{{1, 0}, {{"f", "v"}}, 1}}},
        Entries{{{{1, 0}, {{"fv", ""}}, 0}}},
        Entries{{{{1, 0}, {}, 0}}},
        Autoclaimed{},
        Autoclaimed{.cursor = {0, 1}},
        Array{},
        Array{{Ok{}}},
        Array{{Array{}}},
    };
    std::set<std::uint64_t> hashes;
    for (const Reply& reply : replies) hashes.insert(hash(reply));
    EXPECT_EQ(hashes.size(), replies.size());
}

}  // namespace
}  // namespace redeliver::model::redis
