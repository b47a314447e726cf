// The words of every refusal that a command can meet once it has been read, as redis-server 7.0.15
// sends them. Those that concern the words of a request are tested with what reads requests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/model/redis/broker.h"

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

struct RefusalText : testing::Test {
    RefusalText() {
        broker.create_group();
        broker.add_up_to(5);
        broker.ask(Set{.key = "text", .value = "v"});
    }
    std::string said(const Command& command) {
        return std::string(text(std::get<Refused>(broker.ask(command))));
    }
    static Xadd addition(std::variant<AutoId, AutoSeq, EntryId> id) {
        return {.key = "s", .body = {{"f", "v"}}, .id = id};
    }
    Broker broker;
};

TEST_F(RefusalText, OfXadd) {
    EXPECT_EQ(said(addition(EntryId{0, 0})),
              "ERR The ID specified in XADD must be greater than 0-0");
    EXPECT_EQ(said(addition(EntryId{5, 0})),
              "ERR The ID specified in XADD is equal or smaller than the target stream top item");
    EXPECT_EQ(said(addition(AutoSeq{4})),
              "ERR The ID specified in XADD is equal or smaller than the target stream top item");
    broker.ask(addition(max_entry_id));
    EXPECT_EQ(said(addition(AutoId{})),
              "ERR The stream has exhausted the last possible ID, unable to add more items");
}

TEST_F(RefusalText, OfAnExhaustedSequence) {
    broker.ask(addition(EntryId{9, greatest}));
    EXPECT_EQ(said(addition(AutoSeq{9})), "ERR Elements are too large to be stored");
}

TEST_F(RefusalText, OfTrimming) {
    EXPECT_EQ(said(Xtrim{"s", {.keep = MaxLen{-1}}}), "ERR The MAXLEN argument must be >= 0.");
    EXPECT_EQ(
        said(Xtrim{"s",
                   {.keep = MaxLen{1}, .precision = Trim::Precision::approximate, .limit = -1}}),
        "ERR The LIMIT argument must be >= 0.");
    EXPECT_EQ(said(Xtrim{"s", {.keep = MaxLen{1}, .limit = 1}}),
              "ERR syntax error, LIMIT cannot be used without the special ~ option");
}

TEST_F(RefusalText, OfIntervals) {
    const Bound above_all = {.id = max_entry_id, .edge = Bound::Edge::exclusive};
    const Bound below_all = {.id = min_entry_id, .edge = Bound::Edge::exclusive};
    const std::string bad_start = "ERR invalid start ID for the interval";
    const std::string bad_end = "ERR invalid end ID for the interval";
    EXPECT_EQ(said(Xrange{.key = "s", .start = above_all}), bad_start);
    EXPECT_EQ(said(Xrange{.key = "s", .end = below_all}), bad_end);
    EXPECT_EQ(said(XpendingRange{.key = "s", .group = "g", .start = above_all}), bad_start);
    EXPECT_EQ(said(XpendingRange{.key = "s", .group = "g", .end = below_all}), bad_end);
    EXPECT_EQ(said(Xautoclaim{.key = "s", .group = "g", .consumer = "c", .start = above_all}),
              bad_start);
}

TEST_F(RefusalText, OfAMissingGroupInThreeWordings) {
    Xreadgroup read = Broker::read_new("c");
    read.group = "none";
    EXPECT_EQ(said(read),
              "NOGROUP No such key 's' or consumer group 'none' in XREADGROUP with GROUP option");
    const std::string pending = "NOGROUP No such key 's' or consumer group 'none'";
    EXPECT_EQ(said(XpendingSummary{"s", "none"}), pending);
    EXPECT_EQ(said(XpendingRange{.key = "s", .group = "none"}), pending);
    EXPECT_EQ(said(Xclaim{.key = "s", .group = "none", .consumer = "c", .ids = {{1, 0}}}), pending);
    EXPECT_EQ(said(Xautoclaim{.key = "s", .group = "none", .consumer = "c"}), pending);
    const std::string of_key = "NOGROUP No such consumer group 'none' for key name 's'";
    EXPECT_EQ(said(XgroupSetid{.key = "s", .group = "none"}), of_key);
    EXPECT_EQ(said(XgroupCreateconsumer{"s", "none", "c"}), of_key);
    EXPECT_EQ(said(XgroupDelconsumer{"s", "none", "c"}), of_key);
    EXPECT_EQ(said(XinfoConsumers{"s", "none"}), of_key);
}

TEST_F(RefusalText, OfGroups) {
    const std::string stream_required =
        "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
        "use the MKSTREAM option to create an empty stream automatically.";
    EXPECT_EQ(said(XgroupCreate{.key = "none", .group = "g"}), stream_required);
    EXPECT_EQ(said(XgroupSetid{.key = "none", .group = "g"}), stream_required);
    EXPECT_EQ(said(XgroupDestroy{"none", "g"}), stream_required);
    EXPECT_EQ(said(XgroupCreateconsumer{"none", "g", "c"}), stream_required);
    EXPECT_EQ(said(XgroupDelconsumer{"none", "g", "c"}), stream_required);
    EXPECT_EQ(said(XgroupCreate{.key = "s", .group = "g"}),
              "BUSYGROUP Consumer Group name already exists");
    EXPECT_EQ(said(XgroupCreate{.key = "s", .group = "h", .entries_read = -2}),
              "ERR value for ENTRIESREAD must be positive or -1");
    EXPECT_EQ(said(XgroupSetid{.key = "s", .group = "g", .entries_read = -2}),
              "ERR value for ENTRIESREAD must be positive or -1");
}

TEST_F(RefusalText, OfClaimsAndTimeouts) {
    EXPECT_EQ(said(Xautoclaim{.key = "s", .group = "g", .consumer = "c", .count = 0}),
              "ERR COUNT must be > 0");
    EXPECT_EQ(said(Broker::wait_for_new("c", -1ms)), "ERR timeout is negative");
}

TEST_F(RefusalText, OfXsetid) {
    EXPECT_EQ(said(Xsetid{.key = "s", .last_id = {4, 0}}),
              "ERR The ID specified in XSETID is smaller than the target stream top item");
    EXPECT_EQ(said(Xsetid{.key = "s", .last_id = {9, 0}, .entries_added = 4}),
              "ERR The entries_added specified in XSETID is smaller than the target stream length");
    EXPECT_EQ(said(Xsetid{.key = "s", .last_id = {9, 0}, .max_deleted_id = EntryId{10, 0}}),
              "ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
    EXPECT_EQ(said(Xsetid{.key = "s", .last_id = {9, 0}, .entries_added = -1}),
              "ERR entries_added must be positive");
    EXPECT_EQ(said(Xsetid{.key = "none", .last_id = {9, 0}}), "ERR no such key");
}

TEST_F(RefusalText, OfMissingKeys) {
    for (const Command& command :
         std::vector<Command>{XinfoStream{"none"}, XinfoStreamFull{"none"}, XinfoGroups{"none"},
                              XinfoConsumers{"none", "g"}, Rename{"none", "other"}})
        EXPECT_EQ(said(command), "ERR no such key");
}

TEST_F(RefusalText, OfAKeyOfAnotherType) {
    const std::string key = "text";
    Xreadgroup read = Broker::read_new("c");
    read.streams[0].key = key;
    const std::vector<Command> commands = {
        Xadd{.key = key, .body = {{"f", "v"}}},
        Xlen{key},
        Xdel{key, {{1, 0}}},
        Xtrim{key, {.keep = MaxLen{0}}},
        Xsetid{.key = key, .last_id = {9, 0}},
        Xrange{.key = key},
        Xread{.streams = {{key, min_entry_id}}},
        read,
        XgroupCreate{.key = key, .group = "g"},
        XgroupSetid{.key = key, .group = "g"},
        XgroupDestroy{key, "g"},
        XgroupCreateconsumer{key, "g", "c"},
        XgroupDelconsumer{key, "g", "c"},
        Xack{key, "g", {{1, 0}}},
        XpendingSummary{key, "g"},
        XpendingRange{.key = key, .group = "g"},
        Xclaim{.key = key, .group = "g", .consumer = "c", .ids = {{1, 0}}},
        Xautoclaim{.key = key, .group = "g", .consumer = "c"},
        XinfoStream{key},
        XinfoStreamFull{key},
        XinfoGroups{key},
        XinfoConsumers{key, "g"},
        Get{"s"}};
    for (const Command& command : commands)
        EXPECT_EQ(said(command),
                  "WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RefusalText, OfTransactions) {
    EXPECT_EQ(said(Exec{}), "ERR EXEC without MULTI");
    EXPECT_EQ(said(Discard{}), "ERR DISCARD without MULTI");
    broker.ask(Multi{});
    EXPECT_EQ(said(Multi{}), "ERR MULTI calls can not be nested");
    EXPECT_EQ(said(Watch{{"k"}}), "ERR WATCH inside MULTI is not allowed");
    broker.server.become_replica(broker.now, broker.out);
    EXPECT_EQ(said(Xadd{.key = "s", .body = {{"f", "v"}}}),
              "READONLY You can't write against a read only replica.");
    EXPECT_EQ(said(Exec{}), "EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(RefusalText, OfWhatWasBlocked) {
    const auto ended_by = [](const auto& act) {
        Broker server;
        server.create_group();
        server.wait(Broker::alice, Broker::wait_for_new("alice", 0ms));
        server.out.clear();
        act(server);
        return std::string(text(std::get<Refused>(replies_to(Broker::alice, server.out).at(0))));
    };
    EXPECT_EQ(ended_by([](Broker& server) { server.ask(Del{{"s"}}); }),
              "UNBLOCKED the stream key no longer exists");
    EXPECT_EQ(ended_by([](Broker& server) {
                  server.ask(XgroupDestroy{"s", "g"});
              }),
              "NOGROUP the consumer group this client was blocked on no longer exists");
    EXPECT_EQ(ended_by([](Broker& server) {
                  server.server.unblock(Broker::alice, Server::Ending::error, server.out);
              }),
              "UNBLOCKED client unblocked via CLIENT UNBLOCK");
    EXPECT_EQ(
        ended_by([](Broker& server) { server.server.become_replica(server.now, server.out); }),
        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> "
        "replica?)");
}

TEST_F(RefusalText, OfExpiriesAndMemory) {
    EXPECT_EQ(said(Set{.key = "k", .value = "v", .expiry = ExpireIn{0ms}}),
              "ERR invalid expire time in 'set' command");
    broker = Broker({.memory_limit = 0});
    broker.create_group();
    EXPECT_EQ(said(Xadd{.key = "s", .body = {{"f", "v"}}}),
              "OOM command not allowed when used memory > 'maxmemory'.");
}

}  // namespace
}  // namespace redeliver::model::redis
