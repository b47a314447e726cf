#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct MultiExecTest : testing::Test {
    Broker broker;
    const SessionId alice = Broker::alice;
    const SessionId bob = Broker::bob;

    /// What Alice's EXEC answers after she watched `key`, Bob sent `command`, and she queued a
    /// PING.
    Reply exec_after(const std::string& key, const Command& command) {
        broker.ask(alice, Watch{{key}});
        broker.ask(bob, command);
        broker.ask(alice, Multi{});
        broker.ask(alice, Ping{});
        return broker.ask(alice, Exec{});
    }
    const Reply done = Array{{Pong{}}};
    const Reply refused = NilArray{};
};

TEST_F(MultiExecTest, QueuesUntilExecAndAnswersAllAtOnce) {
    EXPECT_EQ(broker.ask(alice, Multi{}), Reply(Ok{}));
    EXPECT_EQ(broker.ask(alice, Set{.key = "k", .value = "v"}), Reply(Queued{}));
    EXPECT_EQ(broker.ask(alice, Get{"k"}), Reply(Queued{}));
    EXPECT_EQ(broker.ask(bob, Get{"k"}), Reply(Nil{}));
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Array{{Ok{}, Text{"v"}}}));
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Refused{Refusal::exec_without_multi}));
}

TEST_F(MultiExecTest, AnErrorAtRunTimeIsOneElementAndTheOthersRun) {
    broker.ask(alice, Multi{});
    broker.ask(alice, Set{.key = "k", .value = "v"});
    broker.ask(alice, Xlen{"k"});
    broker.ask(alice, Get{"k"});
    EXPECT_EQ(broker.ask(alice, Exec{}),
              Reply(Array{{Ok{}, Refused{Refusal::wrong_type}, Text{"v"}}}));
}

TEST_F(MultiExecTest, DiscardForgetsWhatWasQueued) {
    broker.ask(alice, Multi{});
    broker.ask(alice, Set{.key = "k", .value = "v"});
    EXPECT_EQ(broker.ask(alice, Discard{}), Reply(Ok{}));
    EXPECT_EQ(broker.ask(alice, Get{"k"}), Reply(Nil{}));
    EXPECT_EQ(broker.ask(alice, Discard{}), Reply(Refused{Refusal::discard_without_multi}));
}

TEST_F(MultiExecTest, MultiAndWatchInsideAreRefusedWithoutHarm) {
    broker.ask(alice, Multi{});
    EXPECT_EQ(broker.ask(alice, Multi{}), Reply(Refused{Refusal::nested_multi}));
    EXPECT_EQ(broker.ask(alice, Watch{{"k"}}), Reply(Refused{Refusal::watch_inside_multi}));
    broker.ask(alice, Ping{});
    EXPECT_EQ(broker.ask(alice, Exec{}), done);
}

TEST_F(MultiExecTest, ABlockingReadInsideBehavesAsIfItsTimeWereUp) {
    broker.create_group();
    broker.ask(alice, Multi{});
    broker.ask(alice, Broker::wait_for_new("alice", 0ms));
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Array{{NilArray{}}}));
}

TEST_F(MultiExecTest, ACommandRefusedWhileQueueingAbortsExec) {
    broker.ask(alice, Multi{});
    broker.out.clear();
    broker.server.become_replica(broker.now, broker.out);
    EXPECT_EQ(broker.ask(alice, Set{.key = "k", .value = "v"}), Reply(Refused{Refusal::read_only}));
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Refused{Refusal::exec_aborted}));
}

TEST_F(MultiExecTest, IsRefusedWhenAWatchedKeyWasWritten) {
    EXPECT_EQ(exec_after("k", Set{.key = "k", .value = "v"}), refused);
    EXPECT_EQ(exec_after("k", Set{.key = "other", .value = "v"}), done);
    EXPECT_EQ(exec_after("k", Del{{"k"}}), refused);
    EXPECT_EQ(exec_after("k", Del{{"k"}}), done) << "there was nothing left to remove";
}

// Asked of redis-server 7.0.15, command by command: whoever guards a stream's group with WATCH
// guards nothing.
TEST_F(MultiExecTest, AWatchedStreamIsBrokenByItsEntriesAndNotByItsGroups) {
    broker.create_group();
    broker.add_up_to(4);
    broker.read("alice", 2);
    const EntryId one{1, 0};
    const Xclaim claim{.key = "s", .group = "g", .consumer = "bob", .ids = {one}};
    EXPECT_EQ(exec_after("s", claim), done);
    EXPECT_EQ(exec_after("s", Xautoclaim{.key = "s", .group = "g", .consumer = "bob"}), done);
    EXPECT_EQ(exec_after("s", Broker::read_new("bob", 1)), done);
    EXPECT_EQ(exec_after("s", Broker::read_history("bob")), done);
    EXPECT_EQ(exec_after("s", Xack{"s", "g", {one}}), done);
    EXPECT_EQ(exec_after("s", XgroupCreate{.key = "s", .group = "h"}), done);
    EXPECT_EQ(exec_after("s", XgroupSetid{"s", "h"}), done);
    EXPECT_EQ(exec_after("s", XgroupDelconsumer{"s", "g", "bob"}), done);
    EXPECT_EQ(exec_after("s", XgroupDestroy{"s", "h"}), done);
    EXPECT_EQ(exec_after("s", Xsetid{"s", {9, 0}}), done);

    EXPECT_EQ(exec_after("s", Xadd{.key = "s", .body = {{"f", "v"}}}), refused);
    EXPECT_EQ(exec_after("s", Xdel{"s", {one}}), refused);
    EXPECT_EQ(exec_after("s", Xdel{"s", {one}}), done) << "it was gone already";
    EXPECT_EQ(exec_after("s", Xtrim{"s", {.keep = MaxLen{1}}}), refused);
    EXPECT_EQ(exec_after("s", Xtrim{"s", {.keep = MaxLen{1}}}), done);
}

TEST_F(MultiExecTest, IsRefusedWhenAWatchedKeyExpired) {
    broker.ask(alice, Set{.key = "k", .value = "v", .expiry = ExpireIn{10ms}});
    broker.ask(alice, Watch{{"k"}});
    broker.pass(11ms);
    broker.ask(alice, Multi{});
    EXPECT_EQ(broker.ask(alice, Exec{}), refused);
}

TEST_F(MultiExecTest, IsRefusedByOnesOwnWriteBeforeMultiAndNotByThoseInside) {
    broker.ask(alice, Watch{{"k"}});
    broker.ask(alice, Multi{});
    broker.ask(alice, Set{.key = "k", .value = "v"});
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Array{{Ok{}}}));
    broker.ask(alice, Watch{{"k"}});
    broker.ask(alice, Set{.key = "k", .value = "w"});
    broker.ask(alice, Multi{});
    EXPECT_EQ(broker.ask(alice, Exec{}), refused);
}

TEST_F(MultiExecTest, UnwatchExecAndDiscardEndAWatch) {
    const Set write{.key = "k", .value = "v"};
    broker.ask(alice, Watch{{"k"}});
    broker.ask(bob, write);
    broker.ask(alice, Unwatch{});
    broker.ask(alice, Multi{});
    EXPECT_EQ(broker.ask(alice, Exec{}), Reply(Array{}));

    broker.ask(alice, Watch{{"k"}});
    broker.ask(alice, Multi{});
    broker.ask(alice, Discard{});
    EXPECT_EQ(exec_after("other", write), done);
}

TEST_F(MultiExecTest, EndsWithItsConnection) {
    broker.ask(alice, Watch{{"k"}});
    broker.ask(alice, Multi{});
    broker.server.disconnect(alice, broker.now, broker.out);
    EXPECT_EQ(broker.ask(alice, Ping{}), Reply(Pong{}));
}

}  // namespace
}  // namespace redeliver::model::redis
