// Words that one version takes and another refuses, and replies that have other parts. Source:
// t_stream.c of 6.2.16, 7.0.15, 7.2.5 and 7.4.1.

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "model/redis/resp/read_command.h"
#include "model/redis/resp/write_reply.h"
#include "tests/model/redis/broker.h"

namespace redeliver::model::redis::resp {
namespace {

using Version = Configuration::Version;

Words split(const std::string& line) {
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// A server of some version with the stream `s`, its entries 1-0 and 2-0, and its group `g`.
struct Served {
    explicit Served(Version which) : version(which), broker({.version = which}) {
        for (const char* const line : {"XADD s 1-0 f v", "XADD s 2-0 f v", "XGROUP CREATE s g 0"})
            ask(line);
    }
    std::string ask(const std::string& line) {
        std::string bytes;
        write_reply(broker.ask(read_command(split(line), version)), Protocol::resp2, bytes,
                    version);
        return bytes;
    }
    Version version;
    Broker broker;
};

std::string asked(Version version, const std::string& line) { return Served(version).ask(line); }

const std::string bad_id = "-ERR Invalid stream ID specified as stream command argument\r\n";

TEST(VersionWords, AutomaticSequencesComeWith70) {
    EXPECT_EQ(asked(Version::v6_2, "XADD s 5-* f v"), bad_id);
    EXPECT_EQ(asked(Version::v7_0, "XADD s 5-* f v"), "$3\r\n5-0\r\n");
}

TEST(VersionWords, EntriesreadComesWith70) {
    const std::string unknown = "-ERR Unknown subcommand or wrong number of arguments for";
    for (const std::string line :
         {"XGROUP SETID s g 0 ENTRIESREAD 1", "XGROUP CREATE s h 0 ENTRIESREAD 1"}) {
        EXPECT_TRUE(asked(Version::v6_2, line).starts_with(unknown)) << line;
        EXPECT_EQ(asked(Version::v7_0, line), "+OK\r\n") << line;
    }
}

TEST(VersionWords, UnknownCommandsAndSubcommandsAreWordedOtherwiseBefore70) {
    EXPECT_EQ(asked(Version::v6_2, "NOSUCH a b"),
              "-ERR unknown command `NOSUCH`, with args beginning with: `a`, `b`, \r\n");
    EXPECT_EQ(asked(Version::v7_2, "NOSUCH a b"),
              "-ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' \r\n");
    EXPECT_EQ(asked(Version::v6_2, "XGROUP NOSUCH s"),
              "-ERR Unknown subcommand or wrong number of arguments for 'NOSUCH'. Try XGROUP "
              "HELP.\r\n");
    EXPECT_EQ(asked(Version::v6_2, "XINFO GROUPS missing x"), "-ERR no such key\r\n");
    EXPECT_EQ(asked(Version::v7_0, "XGROUP NOSUCH s"),
              "-ERR unknown subcommand 'NOSUCH'. Try XGROUP HELP.\r\n");
}

TEST(VersionWords, TheOptionsOfXsetidComeWith70) {
    EXPECT_EQ(asked(Version::v6_2, "XSETID s 9-0 ENTRIESADDED 9"),
              "-ERR wrong number of arguments for 'xsetid' command\r\n");
    EXPECT_EQ(asked(Version::v6_2, "XSETID missing bad"), "-ERR no such key\r\n");
    EXPECT_EQ(asked(Version::v7_0, "XSETID missing bad"), bad_id);
    EXPECT_EQ(asked(Version::v7_0, "XSETID s 9-0 ENTRIESADDED 9"), "+OK\r\n");
}

TEST(VersionWords, AnUnbalancedListNamesItsCommandFrom72On) {
    const std::string before =
        "-ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be "
        "specified.\r\n";
    const std::string group = "XREADGROUP GROUP g c STREAMS s";
    EXPECT_EQ(asked(Version::v7_0, group + " s 0"), before);
    EXPECT_EQ(asked(Version::v6_2, "XREAD STREAMS s s 0"), before);
    EXPECT_EQ(asked(Version::v7_2, "XREAD STREAMS s s 0"),
              "-ERR Unbalanced 'xread' list of streams: for each stream key an ID or '$' must be "
              "specified.\r\n");
    EXPECT_EQ(asked(Version::v7_4, group + " s 0"),
              "-ERR Unbalanced 'xreadgroup' list of streams: for each stream key an ID or '>' must "
              "be specified.\r\n");
}

TEST(VersionWords, XreadOfTheLastEntryComesWith74) {
    EXPECT_EQ(asked(Version::v7_2, "XREAD STREAMS s +"), bad_id);
    EXPECT_EQ(asked(Version::v7_4, "XREAD STREAMS s +"),
              "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n2-0\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n");
    EXPECT_EQ(asked(Version::v7_4, "XREADGROUP GROUP g c STREAMS s +"),
              "-ERR The + ID is meaningless in the context of XREADGROUP: you want to read the "
              "history of this consumer by specifying a proper ID, or use the > ID to get new "
              "messages. The + ID would just return an empty result set.\r\n");
}

TEST(VersionWords, ADeletedEntryIsClaimedAsNullBefore70) {
    Served old(Version::v6_2);
    old.ask("XREADGROUP GROUP g alice STREAMS s >");
    old.ask("XDEL s 1-0");
    EXPECT_EQ(old.ask("XCLAIM s g bob 0 1-0"), "*1\r\n$-1\r\n");
    EXPECT_EQ(old.ask("XAUTOCLAIM s g bob 0 0 COUNT 1"), "*2\r\n$3\r\n2-0\r\n*1\r\n$-1\r\n");
}

TEST(VersionWords, XinfoHasFewerFieldsBefore70AndMoreFrom72On) {
    const std::string look = "XINFO CONSUMERS s g";
    const auto consumers = [&](Version version) {
        Served served(version);
        served.ask("XGROUP CREATECONSUMER s g alice");
        return served.ask(look);
    };
    const std::string up_to_7_0 =
        "$4\r\nname\r\n$5\r\nalice\r\n$7\r\npending\r\n:0\r\n$4\r\nidle\r\n:0\r\n";
    EXPECT_EQ(consumers(Version::v7_0), "*1\r\n*6\r\n" + up_to_7_0);
    EXPECT_EQ(consumers(Version::v7_2), "*1\r\n*8\r\n" + up_to_7_0 + "$8\r\ninactive\r\n:-1\r\n");
    EXPECT_EQ(
        asked(Version::v6_2, "XINFO GROUPS s"),
        "*1\r\n*8\r\n$4\r\nname\r\n$1\r\ng\r\n$9\r\nconsumers\r\n:0\r\n$7\r\npending\r\n:0\r\n"
        "$17\r\nlast-delivered-id\r\n$3\r\n0-0\r\n");
    EXPECT_TRUE(asked(Version::v6_2, "XINFO STREAM s").starts_with("*14\r\n"));
    EXPECT_TRUE(asked(Version::v7_0, "XINFO STREAM s").starts_with("*20\r\n"));
}

}  // namespace
}  // namespace redeliver::model::redis::resp
