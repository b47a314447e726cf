#include "model/redis/resp/write_reply.h"

#include <gtest/gtest.h>

#include <limits>

namespace redeliver::model::redis::resp {
namespace {

std::string resp2(const Reply& reply) {
    std::string bytes;
    write_reply(reply, Protocol::resp2, bytes);
    return bytes;
}

std::string resp3(const Reply& reply) {
    std::string bytes;
    write_reply(reply, Protocol::resp3, bytes);
    return bytes;
}

const Entry entry{.id = {1, 2}, .body = {{"f", "v"}}};
const std::string entry_bytes = "*2\r\n$3\r\n1-2\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n";

TEST(WriteReply, WritesStatusesNumbersAndTextsAlikeInBothProtocols) {
    for (const auto write : {resp2, resp3}) {
        EXPECT_EQ(write(Ok{}), "+OK\r\n");
        EXPECT_EQ(write(Queued{}), "+QUEUED\r\n");
        EXPECT_EQ(write(Pong{}), "+PONG\r\n");
        EXPECT_EQ(write(Status{"stream"}), "+stream\r\n");
        EXPECT_EQ(write(std::int64_t{-7}), ":-7\r\n");
        EXPECT_EQ(write(EntryId{1, 2}), "$3\r\n1-2\r\n");
        EXPECT_EQ(write(Text{"a\r\nb"}), "$4\r\na\r\nb\r\n");
    }
}

TEST(WriteReply, HasOneNullInResp3AndTwoInResp2) {
    EXPECT_EQ(resp2(Nil{}), "$-1\r\n");
    EXPECT_EQ(resp2(NilArray{}), "*-1\r\n");
    EXPECT_EQ(resp3(Nil{}), "_\r\n");
    EXPECT_EQ(resp3(NilArray{}), "_\r\n");
}

TEST(WriteReply, LetsNoLineBreakThroughInAnError) {
    EXPECT_EQ(resp2(Refused{Refusal::no_such_key}), "-ERR no such key\r\n");
    EXPECT_EQ(resp2(no_group_for_pending("a\r\nb", std::string("g\0x", 3))),
              "-NOGROUP No such key 'a  b' or consumer group 'g'\r\n");
    EXPECT_EQ(resp2(Refused{Refusal::as_worded, "ERR Unsupported option x\r\n"}),
              "-ERR Unsupported option x\r\n");
}

TEST(WriteReply, WritesReadsAsAMapInResp3) {
    ReadReply reply;
    reply.streams.push_back({"s", {entry}});
    EXPECT_EQ(resp2(reply), "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n" + entry_bytes);
    EXPECT_EQ(resp3(reply), "%1\r\n$1\r\ns\r\n*1\r\n" + entry_bytes);
}

TEST(WriteReply, ShowsThatAnEntryOfAHistoryIsGone) {
    ReadReply reply;
    reply.streams.push_back({"s", {Entry{.id = {1, 2}}}});
    EXPECT_EQ(resp2(reply), "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n1-2\r\n*-1\r\n");
    EXPECT_EQ(resp3(reply), "%1\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n1-2\r\n_\r\n");
}

TEST(WriteReply, GivesAnEmptyPendingListThreeNulls) {
    EXPECT_EQ(resp2(PendingSummary{}), "*4\r\n:0\r\n$-1\r\n$-1\r\n*-1\r\n");
    EXPECT_EQ(resp3(PendingSummary{}), "*4\r\n:0\r\n_\r\n_\r\n_\r\n");
    EXPECT_EQ(resp2(PendingSummary{
                  .count = 2, .least = {1, 0}, .greatest = {2, 0}, .consumers = {{"alice", 2}}}),
              "*4\r\n:2\r\n$3\r\n1-0\r\n$3\r\n2-0\r\n*1\r\n*2\r\n$5\r\nalice\r\n$1\r\n2\r\n");
}

TEST(WriteReply, ListsWhatAutoclaimDroppedFrom70On) {
    const Autoclaimed reply{.cursor = {3, 0}, .claimed = {entry}, .deleted = {{2, 0}}};
    EXPECT_EQ(resp2(reply), "*3\r\n$3\r\n3-0\r\n*1\r\n" + entry_bytes + "*1\r\n$3\r\n2-0\r\n");
    std::string bytes;
    write_reply(reply, Protocol::resp2, bytes, Configuration::Version::v6_2);
    EXPECT_EQ(bytes, "*2\r\n$3\r\n3-0\r\n*1\r\n" + entry_bytes);
}

TEST(WriteReply, NamesTheFieldsOfAGroup) {
    const GroupInfos infos{{{.name = "g",
                             .consumers = 1,
                             .pending = 2,
                             .last_delivered_id = {3, 0},
                             .entries_read = 4,
                             .lag = std::nullopt}}};
    const std::string fields =
        "$4\r\nname\r\n$1\r\ng\r\n$9\r\nconsumers\r\n:1\r\n$7\r\npending\r\n:2\r\n"
        "$17\r\nlast-delivered-id\r\n$3\r\n3-0\r\n$12\r\nentries-read\r\n:4\r\n$3\r\nlag\r\n";
    EXPECT_EQ(resp2(infos), "*1\r\n*12\r\n" + fields + "$-1\r\n");
    EXPECT_EQ(resp3(infos), "*1\r\n%6\r\n" + fields + "_\r\n");
}

TEST(WriteReply, KeepsTheKindsOfATreeInResp3) {
    using Kind = Tree::Kind;
    const Tree tree =
        array({{.kind = Kind::decimal, .decimal = 3.141},
               {.kind = Kind::decimal, .decimal = -std::numeric_limits<double>::infinity()},
               {.kind = Kind::boolean, .integer = 1},
               {.kind = Kind::verbatim, .text = "text"},
               {.kind = Kind::big_integer, .text = "12345678901234567890"},
               {.kind = Kind::set, .children = {integer(1)}},
               {.kind = Kind::push, .children = {simple("x")}},
               map({bulk("k"), Tree{}})});
    // DEBUG PROTOCOL double answers 3.141 like this.
    EXPECT_EQ(resp3(tree),
              "*8\r\n,3.141\r\n,-inf\r\n#t\r\n=8\r\ntxt:text\r\n"
              "(12345678901234567890\r\n~1\r\n:1\r\n>1\r\n+x\r\n%1\r\n$1\r\nk\r\n_\r\n");
    EXPECT_EQ(resp2(tree),
              "*8\r\n$5\r\n3.141\r\n$4\r\n-inf\r\n:1\r\n$4\r\ntext\r\n"
              "$20\r\n12345678901234567890\r\n*1\r\n:1\r\n*1\r\n+x\r\n*2\r\n$1\r\nk\r\n$-1\r\n");
}

TEST(WriteReply, PutsTheRepliesOfATransactionIntoOneArray) {
    EXPECT_EQ(resp2(Array{{Ok{}, Refused{Refusal::wrong_type}, NilArray{}}}),
              "*3\r\n+OK\r\n-WRONGTYPE Operation against a key holding the wrong kind of "
              "value\r\n*-1\r\n");
}

}  // namespace
}  // namespace redeliver::model::redis::resp
