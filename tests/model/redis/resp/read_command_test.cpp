#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "model/redis/resp/read_command.h"
#include "model/redis/resp/write_reply.h"
#include "tests/model/redis/broker.h"

namespace redeliver::model::redis::resp {
namespace {

Words split(const std::string& line) {
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string answer(Broker& broker, const Words& words) {
    std::string bytes;
    write_reply(broker.ask(read_command(words, Configuration::Version::v7_0)), Protocol::resp2,
                bytes);
    return bytes;
}

struct Asked {
    std::string request;
    /// As redis-server 7.0.15 sent it; of a bulk string only the text.
    std::string reply;
};

// The server holds a stream `s` with the entry 5-0 and the group `g`, and a string `text`.
const Asked observed[] = {
    {"NOSUCH a b", "-ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' "},
    {"NOSUCH", "-ERR unknown command 'NOSUCH', with args beginning with: "},
    {"XADD s *", "-ERR wrong number of arguments for 'xadd' command"},
    {"XADD s * f", "-ERR wrong number of arguments for 'xadd' command"},
    {"XADD s * f v g", "-ERR wrong number of arguments for 'xadd' command"},
    {"XADD s 1-x f v", "-ERR Invalid stream ID specified as stream command argument"},
    {"XADD s - f v", "-ERR Invalid stream ID specified as stream command argument"},
    {"XADD s ( f v", "-ERR Invalid stream ID specified as stream command argument"},
    {"XADD s MAXLEN x 1 f v", "-ERR value is not an integer or out of range"},
    {"XADD s MAXLEN -1 1 f v", "-ERR The MAXLEN argument must be >= 0."},
    {"XADD s MAXLEN ~ x 1 f v", "-ERR value is not an integer or out of range"},
    {"XADD s MINID - 1 f v", "-ERR Invalid stream ID specified as stream command argument"},
    {"XADD s MAXLEN 1 MINID 1 * f v",
     "-ERR syntax error, MAXLEN and MINID options at the same time are not compatible"},
    {"XADD s MAXLEN ~ 1 LIMIT -1 * f v", "-ERR The LIMIT argument must be >= 0."},
    {"XADD s LIMIT 1 * f v",
     "-ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"},
    {"XADD s LIMIT 0 * f v",
     "-ERR syntax error, LIMIT cannot be used without the special ~ option"},
    {"XADD s MAXLEN 1 LIMIT 1 *",
     "-ERR syntax error, LIMIT cannot be used without the special ~ option"},
    {"XADD s 0-0 f v", "-ERR The ID specified in XADD must be greater than 0-0"},
    {"XADD s 0-0 f", "-ERR wrong number of arguments for 'xadd' command"},
    {"XADD text 0-0 f v", "-ERR The ID specified in XADD must be greater than 0-0"},
    {"XTRIM s x 1", "-ERR syntax error"},
    {"XTRIM s LIMIT 0", "-ERR syntax error, XTRIM must be called with a trimming strategy"},
    {"XTRIM s LIMIT 1",
     "-ERR syntax error, LIMIT cannot be used without specifying a trimming strategy"},
    {"XTRIM s MAXLEN ~", "-ERR value is not an integer or out of range"},
    {"XTRIM s MAXLEN 1 LIMIT 1",
     "-ERR syntax error, LIMIT cannot be used without the special ~ option"},
    {"XLEN", "-ERR wrong number of arguments for 'xlen' command"},
    {"XDEL missing notanid", ":0"},
    {"XDEL s 1 notanid", "-ERR Invalid stream ID specified as stream command argument"},
    {"XDEL text notanid", "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XSETID s x", "-ERR Invalid stream ID specified as stream command argument"},
    {"XSETID s 9 ENTRIESADDED", "-ERR syntax error"},
    {"XSETID s 9 ENTRIESADDED x", "-ERR value is not an integer or out of range"},
    {"XSETID s 9 ENTRIESADDED -1", "-ERR entries_added must be positive"},
    {"XSETID s 9 MAXDELETEDID 10",
     "-ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id"},
    {"XSETID s 9 bad 1", "-ERR syntax error"},
    {"XSETID missing 9", "-ERR no such key"},
    {"XRANGE s x +", "-ERR Invalid stream ID specified as stream command argument"},
    {"XRANGE s - (", "-ERR Invalid stream ID specified as stream command argument"},
    {"XRANGE s (- +", "-ERR Invalid stream ID specified as stream command argument"},
    {"XRANGE s (18446744073709551615-18446744073709551615 x",
     "-ERR invalid start ID for the interval"},
    {"XRANGE s - (0-0", "-ERR invalid end ID for the interval"},
    {"XRANGE s - + COUNT", "-ERR syntax error"},
    {"XRANGE s - + COUNT x", "-ERR value is not an integer or out of range"},
    {"XRANGE s - + LIMIT 1", "-ERR syntax error"},
    {"XREVRANGE s x (0-0", "-ERR Invalid stream ID specified as stream command argument"},
    {"XREAD STREAMS s", "-ERR wrong number of arguments for 'xread' command"},
    {"XREAD COUNT 1 STREAMS", "-ERR syntax error"},
    {"XREAD STREAMS s t 0",
     "-ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified."},
    {"XREAD COUNT x STREAMS s 0", "-ERR value is not an integer or out of range"},
    {"XREAD BLOCK x STREAMS s 0", "-ERR timeout is not an integer or out of range"},
    {"XREAD BLOCK -1 STREAMS s 0", "-ERR timeout is negative"},
    {"XREAD GROUP g c STREAMS s 0",
     "-ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead."},
    {"XREAD NOACK STREAMS s 0",
     "-ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead."},
    {"XREAD BAD STREAMS s 0", "-ERR syntax error"},
    {"XREAD COUNT 1 BLOCK 1", "-ERR syntax error"},
    {"XREAD STREAMS s >",
     "-ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> "
     "<consumer> option."},
    {"XREAD STREAMS s text 0 >",
     "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XREAD STREAMS s text x 0", "-ERR Invalid stream ID specified as stream command argument"},
    {"XREAD STREAMS s -", "-ERR Invalid stream ID specified as stream command argument"},
    {"XREADGROUP GROUP g c STREAMS s $",
     "-ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of "
     "this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would "
     "just return an empty result set."},
    {"XREADGROUP GROUP g c STREAMS s x",
     "-ERR Invalid stream ID specified as stream command argument"},
    {"XREADGROUP GROUP g c STREAMS missing x",
     "-NOGROUP No such key 'missing' or consumer group 'g' in XREADGROUP with GROUP option"},
    {"XREADGROUP GROUP nog c STREAMS s x",
     "-NOGROUP No such key 's' or consumer group 'nog' in XREADGROUP with GROUP option"},
    {"XREADGROUP GROUP g c STREAMS s missing x 0",
     "-ERR Invalid stream ID specified as stream command argument"},
    {"XREADGROUP GROUP g c STREAMS missing s 0 x",
     "-NOGROUP No such key 'missing' or consumer group 'g' in XREADGROUP with GROUP option"},
    {"XREADGROUP GROUP g c STREAMS text x",
     "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XREADGROUP NOACK COUNT 1 STREAMS s x", "-ERR Missing GROUP option for XREADGROUP"},
    {"XREADGROUP GROUP g c STREAMS s t 0",
     "-ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified."},
    {"XGROUP", "-ERR wrong number of arguments for 'xgroup' command"},
    {"XGROUP CREATE s", "-ERR wrong number of arguments for 'xgroup|create' command"},
    {"XGROUP NOSUCH s g", "-ERR unknown subcommand 'NOSUCH'. Try XGROUP HELP."},
    {"XGROUP HELP x", "-ERR wrong number of arguments for 'xgroup|help' command"},
    {"XGROUP CREATE missing g notanid",
     "-ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
     "use the MKSTREAM option to create an empty stream automatically."},
    {"XGROUP CREATE missing g notanid MKSTREAM",
     "-ERR Invalid stream ID specified as stream command argument"},
    {"XGROUP CREATE s g2 -", "-ERR Invalid stream ID specified as stream command argument"},
    {"XGROUP CREATE s g2 >", "-ERR Invalid stream ID specified as stream command argument"},
    {"XGROUP CREATE text g notanid",
     "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XGROUP CREATE s g2 0 bad",
     "-ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP."},
    {"XGROUP CREATE s g2 0 ENTRIESREAD",
     "-ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP."},
    {"XGROUP CREATE s g2 0 ENTRIESREAD x", "-ERR value is not an integer or out of range"},
    {"XGROUP CREATE s g2 0 ENTRIESREAD -2", "-ERR value for ENTRIESREAD must be positive or -1"},
    {"XGROUP CREATE s g2 0 ENTRIESREAD 1 ENTRIESREAD 2",
     "-ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP."},
    {"XGROUP CREATE missing g2 0 ENTRIESREAD 1 ENTRIESREAD 2",
     "-ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
     "use the MKSTREAM option to create an empty stream automatically."},
    {"XGROUP CREATE s g2 0 ENTRIESREAD 1 MKSTREAM MKSTREAM",
     "-ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP."},
    {"XGROUP SETID s g x", "-ERR Invalid stream ID specified as stream command argument"},
    {"XGROUP SETID s nog x", "-NOGROUP No such consumer group 'nog' for key name 's'"},
    {"XGROUP SETID missing g x",
     "-ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to "
     "use the MKSTREAM option to create an empty stream automatically."},
    {"XGROUP SETID s g 0 MKSTREAM",
     "-ERR unknown subcommand or wrong number of arguments for 'SETID'. Try XGROUP HELP."},
    {"XGROUP SETID s nog 0 ENTRIESREAD 1 ENTRIESREAD 1",
     "-NOGROUP No such consumer group 'nog' for key name 's'"},
    {"XGROUP DESTROY s", "-ERR wrong number of arguments for 'xgroup|destroy' command"},
    {"XGROUP CREATECONSUMER s g",
     "-ERR wrong number of arguments for 'xgroup|createconsumer' command"},
    {"XGROUP DELCONSUMER s g c d",
     "-ERR wrong number of arguments for 'xgroup|delconsumer' command"},
    {"XACK missing g notanid", ":0"},
    {"XACK s nog notanid", ":0"},
    {"XACK s g notanid", "-ERR Invalid stream ID specified as stream command argument"},
    {"XACK text g notanid", "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XPENDING s g -", "-ERR syntax error"},
    {"XPENDING s g - +", "-ERR syntax error"},
    {"XPENDING s g IDLE 1 - +", "-ERR syntax error"},
    {"XPENDING s g IDLE x - +", "-ERR value is not an integer or out of range"},
    {"XPENDING s g - + x", "-ERR value is not an integer or out of range"},
    {"XPENDING s g x + x", "-ERR value is not an integer or out of range"},
    {"XPENDING s g x + 1", "-ERR Invalid stream ID specified as stream command argument"},
    {"XPENDING s g - (0 1", "*0"},
    {"XPENDING missing g (18446744073709551615-18446744073709551615 + 1",
     "-ERR invalid start ID for the interval"},
    {"XPENDING s g - + 1 c d e f", "-ERR syntax error"},
    {"XCLAIM s g c", "-ERR wrong number of arguments for 'xclaim' command"},
    {"XCLAIM missing g c x 1", "-NOGROUP No such key 'missing' or consumer group 'g'"},
    {"XCLAIM s nog c x 1", "-NOGROUP No such key 's' or consumer group 'nog'"},
    {"XCLAIM s g c x 1", "-ERR Invalid min-idle-time argument for XCLAIM"},
    {"XCLAIM s g c 0 1 IDLE", "-ERR Unrecognized XCLAIM option 'IDLE'"},
    {"XCLAIM s g c 0 1 IDLE x", "-ERR Invalid IDLE option argument for XCLAIM"},
    {"XCLAIM s g c 0 1 TIME x", "-ERR Invalid TIME option argument for XCLAIM"},
    {"XCLAIM s g c 0 1 RETRYCOUNT x", "-ERR Invalid RETRYCOUNT option argument for XCLAIM"},
    {"XCLAIM s g c 0 1 LASTID x", "-ERR Invalid stream ID specified as stream command argument"},
    {"XCLAIM s g c 0 1 FORCE 2", "-ERR Unrecognized XCLAIM option '2'"},
    {"XCLAIM s g c 0 x", "-ERR Unrecognized XCLAIM option 'x'"},
    {"XCLAIM text g c x 1", "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XAUTOCLAIM missing g c x 0", "-ERR Invalid min-idle-time argument for XAUTOCLAIM"},
    {"XAUTOCLAIM s g c 0 x", "-ERR Invalid stream ID specified as stream command argument"},
    {"XAUTOCLAIM s g c 0 (18446744073709551615-18446744073709551615",
     "-ERR invalid start ID for the interval"},
    {"XAUTOCLAIM s g c 0 0 COUNT", "-ERR syntax error"},
    {"XAUTOCLAIM s g c 0 0 COUNT 0", "-ERR COUNT must be > 0"},
    {"XAUTOCLAIM s g c 0 0 COUNT -1", "-ERR COUNT must be > 0"},
    {"XAUTOCLAIM s g c 0 0 COUNT x", "-ERR COUNT must be > 0"},
    {"XAUTOCLAIM s g c 0 0 COUNT 576460752303423488", "-ERR COUNT must be > 0"},
    {"XAUTOCLAIM missing g c 0 0 COUNT 0", "-ERR COUNT must be > 0"},
    {"XAUTOCLAIM s g c 0 0 bad", "-ERR syntax error"},
    {"XINFO", "-ERR wrong number of arguments for 'xinfo' command"},
    {"XINFO STREAM", "-ERR wrong number of arguments for 'xinfo|stream' command"},
    {"XINFO NOSUCH s", "-ERR unknown subcommand 'NOSUCH'. Try XINFO HELP."},
    {"XINFO HELP s", "-ERR wrong number of arguments for 'xinfo|help' command"},
    {"XINFO STREAM s bad",
     "-ERR unknown subcommand or wrong number of arguments for 'STREAM'. Try XINFO HELP."},
    {"XINFO STREAM s FULL bad",
     "-ERR unknown subcommand or wrong number of arguments for 'STREAM'. Try XINFO HELP."},
    {"XINFO STREAM s FULL bad 1",
     "-ERR unknown subcommand or wrong number of arguments for 'STREAM'. Try XINFO HELP."},
    {"XINFO STREAM s FULL COUNT x", "-ERR value is not an integer or out of range"},
    {"XINFO STREAM missing FULL COUNT x", "-ERR no such key"},
    {"XINFO STREAM text bad", "-WRONGTYPE Operation against a key holding the wrong kind of value"},
    {"XINFO GROUPS s x", "-ERR wrong number of arguments for 'xinfo|groups' command"},
    {"XINFO CONSUMERS s", "-ERR wrong number of arguments for 'xinfo|consumers' command"},
    {"SET k", "-ERR wrong number of arguments for 'set' command"},
    {"SET k v NX XX", "-ERR syntax error"},
    {"SET k v EX", "-ERR syntax error"},
    {"SET k v EX x", "-ERR value is not an integer or out of range"},
    {"SET k v EX 0", "-ERR invalid expire time in 'set' command"},
    {"SET k v EX -1", "-ERR invalid expire time in 'set' command"},
    {"SET k v EX 9223372036854776", "-ERR invalid expire time in 'set' command"},
    {"SET k v PX 9223372036854775807", "-ERR invalid expire time in 'set' command"},
    {"SET k v EX 1 PX 1", "-ERR syntax error"},
    {"SET k v EX 1 KEEPTTL", "-ERR syntax error"},
    {"SET k v KEEPTTL PXAT 1", "-ERR syntax error"},
    {"SET k v bad", "-ERR syntax error"},
    {"EXPIRE k", "-ERR wrong number of arguments for 'expire' command"},
    {"EXPIRE missing x", "-ERR value is not an integer or out of range"},
    {"EXPIRE missing 9223372036854776", "-ERR invalid expire time in 'expire' command"},
    {"EXPIRE missing 9223372036854775", "-ERR invalid expire time in 'expire' command"},
    {"PEXPIRE missing 9223372036854775807", "-ERR invalid expire time in 'pexpire' command"},
    {"EXPIREAT missing 9223372036854776", "-ERR invalid expire time in 'expireat' command"},
    {"PEXPIREAT missing 1 bad", "-ERR Unsupported option bad"},
    {"EXPIRE missing x NX XX",
     "-ERR NX and XX, GT or LT options at the same time are not compatible"},
    {"EXPIRE missing x GT LT", "-ERR GT and LT options at the same time are not compatible"},
    {"EXPIRE missing x bad", "-ERR Unsupported option bad"},
    {"FLUSHALL bad", "-ERR syntax error"},
    {"FLUSHALL SYNC ASYNC", "-ERR syntax error"},
    {"PING a b", "-ERR wrong number of arguments for 'ping' command"},
    {"ECHO", "-ERR wrong number of arguments for 'echo' command"},
    {"GET", "-ERR wrong number of arguments for 'get' command"},
    {"DEL", "-ERR wrong number of arguments for 'del' command"},
    {"RENAME a", "-ERR wrong number of arguments for 'rename' command"},
    {"MULTI x", "-ERR wrong number of arguments for 'multi' command"},
    {"EXEC x",
     "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command"},
    {"WATCH", "-ERR wrong number of arguments for 'watch' command"},
};

TEST(ReadCommand, AnswersMalformedRequestsInTheOrderAndWordsOfTheRealServer) {
    Broker broker;
    broker.now = sim::WallTime{std::chrono::hours{24} * 365 * 55};
    for (const char* const line : {"XADD s 5-0 f v", "XGROUP CREATE s g 0", "SET text v"})
        answer(broker, split(line));
    for (const auto& [request, reply] : observed) {
        const std::string bytes = answer(broker, split(request));
        const bool is_bulk = bytes.starts_with('$') && !bytes.starts_with("$-1");
        const auto text = is_bulk ? bytes.substr(bytes.find('\n') + 1) : bytes;
        EXPECT_EQ(text, reply + "\r\n") << request;
    }
}

TEST(ReadCommand, TakesNamesAndOptionsInAnyCaseUpToTheFirstNullByte) {
    Broker broker;
    answer(broker, split("xAdD s 5-0 f v"));
    EXPECT_EQ(answer(broker, {"xrange", "s", "-", "+", std::string("Count\0x", 7), "0"}),
              "*-1\r\n");
}

TEST(ReadCommand, ShowsOnlyTheBeginningOfAnUnknownCommand) {
    Broker broker;
    EXPECT_EQ(answer(broker, {std::string(200, 'x'), std::string(100, 'b'), std::string(100, 'c'),
                              "never shown"}),
              "-ERR unknown command '" + std::string(128, 'x') + "', with args beginning with: '" +
                  std::string(100, 'b') + "' '" + std::string(25, 'c') + "' \r\n");
    EXPECT_EQ(answer(broker, {"a\r\nb", "c\nd"}),
              "-ERR unknown command 'a  b', with args beginning with: 'c d' \r\n");
    EXPECT_EQ(answer(broker, {"xgroup|create", "s", "g", "0"}),
              "-ERR unknown command 'xgroup|create', with args beginning with: 's' 'g' '0' \r\n");
}

TEST(ReadCommand, NoticesAWrongNumberOfWordsWhileQueueing) {
    Broker broker;
    answer(broker, {"MULTI"});
    EXPECT_EQ(answer(broker, {"XADD", "s", "1-x", "f", "v"}), "+QUEUED\r\n");
    EXPECT_EQ(answer(broker, {"XLEN"}), "-ERR wrong number of arguments for 'xlen' command\r\n");
    EXPECT_EQ(answer(broker, {"EXEC"}),
              "-EXECABORT Transaction discarded because of previous errors.\r\n");
}

TEST(ReadCommand, LetsExecOfAWrongSizeDiscardTheTransaction) {
    Broker broker;
    answer(broker, {"MULTI"});
    EXPECT_EQ(answer(broker, {"EXEC", "x"}),
              "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' "
              "command\r\n");
    EXPECT_EQ(answer(broker, {"EXEC"}), "-ERR EXEC without MULTI\r\n");
}

TEST(ReadCommand, KnowsTheFirstLineOfHttp) {
    EXPECT_TRUE(is_http({"POST", "/", "HTTP/1.1"}));
    EXPECT_TRUE(is_http({"host:", "example.org"}));
    EXPECT_FALSE(is_http({"GET", "/", "HTTP/1.1"}));
}

}  // namespace
}  // namespace redeliver::model::redis::resp
