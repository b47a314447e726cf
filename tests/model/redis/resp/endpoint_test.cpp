// Connections and the process. Every text here was seen on redis-server 7.0.15.

#include "model/redis/resp/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/redis/resp/client.h"

namespace redeliver::model::redis::resp {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class EndpointTest : public testing::Test {
protected:
    static Settings with_debug() {
        Settings settings;
        settings.debug_command = Settings::DebugCommand::allowed;
        return settings;
    }

    Desk desk{with_debug()};
    SessionId alice = desk.connect(1);
    SessionId bob = desk.connect(2);
};

TEST_F(EndpointTest, AnswersWhatStandsBehindABlockingReadWhenThatEnds) {
    EXPECT_EQ(desk.send(alice, "XREAD BLOCK 50 STREAMS s $\r\nPING\r\n"), "");
    desk.wait(51ms);
    EXPECT_EQ(desk.heard(alice), "*-1\r\n+PONG\r\n");
}

TEST_F(EndpointTest, ServesTheWholePipelineOfTheWriterBeforeTheReaderGoesOn) {
    desk.send(alice, "XREAD BLOCK 0 STREAMS s $\r\nXLEN s\r\n");
    desk.send(bob, "XADD s 1-0 f v\r\nXADD s 2-0 f v\r\n");
    EXPECT_THAT(desk.heard(alice), testing::EndsWith(":2\r\n"));
}

TEST_F(EndpointTest, SpeaksTheProtocolThatHelloAskedFor) {
    EXPECT_EQ(
        desk.ask(alice, {"HELLO", "3"}),
        "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n"
        ":3\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
        "$7\r\nmodules\r\n*0\r\n");
    EXPECT_EQ(desk.ask(alice, {"GET", "nothing"}), "_\r\n");
    EXPECT_EQ(desk.ask(bob, {"GET", "nothing"}), "$-1\r\n");
    EXPECT_EQ(desk.ask(alice, {"RESET"}), "+RESET\r\n");
    EXPECT_EQ(desk.ask(alice, {"GET", "nothing"}), "$-1\r\n");
}

TEST_F(EndpointTest, RefusesWhatHelloDoesNotKnow) {
    EXPECT_EQ(desk.ask(alice, {"HELLO", "4"}), "-NOPROTO unsupported protocol version\r\n");
    EXPECT_EQ(desk.ask(alice, {"HELLO", "x"}),
              "-ERR Protocol version is not an integer or out of range\r\n");
    EXPECT_EQ(desk.ask(alice, {"HELLO", "3", "SETNAME"}),
              "-ERR Syntax error in HELLO option 'SETNAME'\r\n");
    EXPECT_EQ(desk.ask(alice, {"HELLO", "3", "AUTH", "a", "b"}),
              "-WRONGPASS invalid username-password pair or user is disabled.\r\n");
    EXPECT_EQ(desk.ask(alice, {"HELLO", "3", "SETNAME", "a b"}),
              "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
    EXPECT_EQ(desk.ask(alice, {"GET", "nothing"}), "$-1\r\n") << "still RESP2";
}

TEST_F(EndpointTest, QueuesCommandsAboutTheProcessLikeAllOthers) {
    desk.ask(alice, {"MULTI"});
    EXPECT_EQ(desk.ask(alice, {"CLIENT", "ID"}), "+QUEUED\r\n");
    EXPECT_EQ(desk.ask(alice, {"CONFIG", "SET", "stream-node-max-entries", "1"}), "+QUEUED\r\n");
    desk.ask(alice, {"XADD", "s", "1-0", "f", "v"});
    desk.ask(alice, {"XADD", "s", "2-0", "f", "v"});
    desk.ask(alice, {"XTRIM", "s", "MAXLEN", "~", "1"});
    EXPECT_EQ(desk.ask(alice, {"EXEC"}), "*5\r\n:1\r\n+OK\r\n$3\r\n1-0\r\n$3\r\n2-0\r\n:1\r\n");
}

TEST_F(EndpointTest, BreaksTheTransactionAtAWrongSubcommand) {
    desk.ask(alice, {"MULTI"});
    EXPECT_EQ(desk.ask(alice, {"CLIENT", "SETINFO", "lib-name", "x"}),
              "-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n");
    EXPECT_EQ(desk.ask(alice, {"EXEC"}),
              "-EXECABORT Transaction discarded because of previous errors.\r\n");
}

TEST_F(EndpointTest, ShutsDownWhenToldToButNotInATransaction) {
    desk.ask(alice, {"MULTI"});
    EXPECT_EQ(desk.ask(alice, {"SHUTDOWN", "NOSAVE"}),
              "-ERR Command not allowed inside a transaction\r\n");
    EXPECT_EQ(desk.ask(alice, {"EXEC"}),
              "-EXECABORT Transaction discarded because of previous errors.\r\n");
    EXPECT_EQ(desk.ask(alice, {"SHUTDOWN", "foo"}), "-ERR syntax error\r\n");
    EXPECT_FALSE(desk.traffic.shutdown);
    EXPECT_EQ(desk.ask(alice, {"SHUTDOWN", "NOSAVE"}), "");
    EXPECT_TRUE(desk.traffic.shutdown);
}

TEST_F(EndpointTest, EndsTheReadOfAnotherClient) {
    desk.ask(alice, {"XREAD", "BLOCK", "0", "STREAMS", "s", "$"});
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "UNBLOCK", "1", "ERROR"}), ":1\r\n");
    EXPECT_EQ(desk.heard(alice), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "UNBLOCK", "1"}), ":0\r\n");
    desk.ask(alice, {"XREAD", "BLOCK", "0", "STREAMS", "s", "$"});
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "UNBLOCK", "1"}), ":1\r\n");
    EXPECT_EQ(desk.heard(alice), "*-1\r\n");
}

TEST_F(EndpointTest, KillsTheClientsThatTheOptionsMean) {
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "KILL", "ID", "9"}), ":0\r\n");
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "KILL", "TYPE", "normal"}), ":1\r\n") << "not itself";
    EXPECT_TRUE(desk.has_closed(alice));
    EXPECT_EQ(desk.send(alice, "PING\r\n"), "");
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "KILL", "1.2.3.4:5"}), "-ERR No such client\r\n");
    EXPECT_EQ(desk.ask(bob, {"CLIENT", "KILL", "10.0.0.1:1000"}), "+OK\r\n");
    EXPECT_TRUE(desk.has_closed(bob));
}

TEST_F(EndpointTest, ListsWhoIsConnectedAndWhatTheyDo) {
    desk.ask(alice, {"CLIENT", "SETNAME", "worker"});
    desk.ask(alice, {"XREAD", "BLOCK", "0", "STREAMS", "s", "$"});
    desk.wait(3s);
    EXPECT_THAT(
        desk.ask(bob, {"CLIENT", "LIST", "ID", "1"}),
        testing::AllOf(HasSubstr("id=1 addr=10.0.0.1:1000 laddr=10.0.0.2:6379 fd=-1 name=worker "
                                 "age=3 idle=3 flags=b "),
                       HasSubstr("cmd=xread "), Not(HasSubstr("id=2 "))));
}

TEST_F(EndpointTest, CountsCallsFailuresAndErrors) {
    desk.ask(alice, {"XGROUP", "CREATE", "s", "g", "$", "MKSTREAM"});
    desk.ask(alice, {"CONFIG", "RESETSTAT"});
    desk.ask(alice, {"XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">"});
    desk.ask(bob, {"XGROUP", "DESTROY", "s", "g"});
    desk.ask(bob, {"XLEN"});
    EXPECT_THAT(desk.ask(bob, {"INFO", "commandstats"}),
                testing::AllOf(HasSubstr("cmdstat_xreadgroup:calls=1,usec=0,usec_per_call=0.00,"
                                         "rejected_calls=0,failed_calls=1\r\n"),
                               HasSubstr("cmdstat_xgroup|destroy:calls=1,"),
                               HasSubstr("cmdstat_xlen:calls=0,usec=0,usec_per_call=0.00,"
                                         "rejected_calls=1,failed_calls=0\r\n")));
    EXPECT_THAT(desk.ask(bob, {"INFO", "errorstats"}),
                testing::AllOf(HasSubstr("errorstat_NOGROUP:count=1\r\n"),
                               HasSubstr("errorstat_ERR:count=1\r\n")));
    EXPECT_THAT(desk.ask(bob, {"INFO", "stats"}), HasSubstr("total_error_replies:2\r\n"));
}

TEST_F(EndpointTest, CountsAQueuedCommandWhenItIsExecuted) {
    desk.ask(alice, {"MULTI"});
    desk.ask(alice, {"XLEN", "s"});
    EXPECT_THAT(desk.ask(bob, {"INFO", "commandstats"}), Not(HasSubstr("xlen")));
    desk.ask(alice, {"EXEC"});
    EXPECT_THAT(desk.ask(bob, {"INFO", "commandstats"}), HasSubstr("cmdstat_xlen:calls=1,"));
}

TEST_F(EndpointTest, TellsHowManyWait) {
    desk.ask(alice, {"XREAD", "BLOCK", "0", "STREAMS", "s", "$"});
    EXPECT_THAT(desk.ask(bob, {"INFO", "clients"}), HasSubstr("blocked_clients:1\r\n"));
}

TEST_F(EndpointTest, SetsAllParametersOrNone) {
    EXPECT_EQ(
        desk.ask(alice, {"CONFIG", "SET", "stream-node-max-entries", "7", "appendonly", "maybe"}),
        "-ERR CONFIG SET failed (possibly related to argument 'appendonly') - argument must be "
        "'yes' or 'no'\r\n");
    EXPECT_EQ(
        desk.ask(alice, {"CONFIG", "GET", "stream-node-*"}),
        "*4\r\n$21\r\nstream-node-max-bytes\r\n$4\r\n4096\r\n$23\r\nstream-node-max-entries\r\n$3"
        "\r\n100\r\n");
}

TEST_F(EndpointTest, RefusesParametersInTheServersWords) {
    const auto set = [this](std::string_view name, std::string_view value) {
        return desk.ask(alice, {"CONFIG", "SET", name, value});
    };
    EXPECT_EQ(set("foo", "bar"),
              "-ERR Unknown option or number of arguments for CONFIG SET - 'foo'\r\n");
    EXPECT_THAT(set("stream-node-max-entries", "x"),
                HasSubstr("- argument couldn't be parsed into an integer"));
    EXPECT_THAT(set("stream-node-max-entries", "-1"),
                HasSubstr("- argument must be between 0 and 9223372036854775807 inclusive"));
    EXPECT_THAT(set("maxmemory", "foo"), HasSubstr("- argument must be a memory value"));
    EXPECT_THAT(set("appendfsync", "foo"),
                HasSubstr("- argument(s) must be one of the following: everysec, always, no"));
    EXPECT_THAT(set("databases", "3"), HasSubstr("- can't set immutable config"));
}

TEST_F(EndpointTest, BuildsTheDataAgainFromWhatWasPropagated) {
    desk.ask(alice, {"CONFIG", "SET", "appendonly", "yes"});
    desk.ask(alice, {"XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"});
    desk.ask(alice, {"XADD", "s", "1-0", "f", "v"});
    desk.ask(alice, {"XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">"});
    // A history read counts in memory only; it is not logged.
    desk.ask(alice, {"XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", "0"});
    EXPECT_THAT(desk.ask(alice, {"XPENDING", "s", "g", "-", "+", "10"}), HasSubstr(":2\r\n"));

    EXPECT_EQ(desk.ask(alice, {"DEBUG", "LOADAOF"}), "+OK\r\n");
    EXPECT_THAT(
        desk.ask(alice, {"XPENDING", "s", "g", "-", "+", "10"}),
        testing::AllOf(StartsWith("*1\r\n*4\r\n$3\r\n1-0\r\n$1\r\nc\r\n"), HasSubstr(":1\r\n")));
}

TEST_F(EndpointTest, RewritesAndLoadsTheLogInTheMiddleOfATransaction) {
    desk.ask(alice, {"CONFIG", "SET", "appendonly", "yes"});
    for (const std::string_view administrative : {"BGREWRITEAOF", "DEBUG LOADAOF"}) {
        desk.send(alice, "MULTI\r\nXADD s * f v\r\n");
        desk.send(alice, std::string(administrative) + "\r\n");
        desk.send(alice, "XADD s * f v\r\nEXEC\r\n");
    }
    EXPECT_EQ(desk.ask(alice, {"XLEN", "s"}), ":4\r\n");
    EXPECT_EQ(desk.ask(alice, {"DEBUG", "LOADAOF"}), "+OK\r\n");
    EXPECT_EQ(desk.ask(alice, {"XLEN", "s"}), ":4\r\n");
}

TEST_F(EndpointTest, LoadsNothingWhereThereIsNoAppendOnlyFile) {
    desk.ask(alice, {"SET", "x", "y"});
    EXPECT_EQ(desk.ask(alice, {"DEBUG", "LOADAOF"}), "+OK\r\n");
    EXPECT_EQ(desk.ask(alice, {"DBSIZE"}), ":0\r\n");
}

TEST_F(EndpointTest, CutsOffWhoSendsMoreThanItMayBehindABlockingRead) {
    Settings settings;
    settings.limits.buffered_bytes = 1000;
    Desk small(settings);
    const SessionId client = small.connect(1);
    small.ask(client, {"XREAD", "BLOCK", "0", "STREAMS", "s", "$"});
    small.send(client, std::string(900, 'x'));
    EXPECT_FALSE(small.has_closed(client));
    small.send(client, std::string(200, 'x'));
    EXPECT_TRUE(small.has_closed(client));
    EXPECT_EQ(small.endpoint.server().blocked_sessions(), 0u);
}

TEST_F(EndpointTest, SendsNothingToWhoWantsNoReplies) {
    EXPECT_EQ(desk.ask(alice, {"CLIENT", "REPLY", "OFF"}), "");
    EXPECT_EQ(desk.ask(alice, {"PING"}), "");
    EXPECT_EQ(desk.ask(alice, {"CLIENT", "REPLY", "ON"}), "+OK\r\n");
    EXPECT_EQ(desk.ask(alice, {"CLIENT", "REPLY", "SKIP"}), "");
    EXPECT_EQ(desk.ask(alice, {"PING"}), "");
    EXPECT_EQ(desk.ask(alice, {"PING"}), "+PONG\r\n");
}

TEST_F(EndpointTest, RewritesTheLogInTheFormThatIsAskedFor) {
    desk.ask(alice, {"CONFIG", "SET", "appendonly", "yes"});
    desk.send(alice, "XADD s 1-0 f v\r\nXADD s 2-0 f v\r\nXGROUP CREATE s g 0\r\n");
    desk.send(alice, "XREADGROUP GROUP g c STREAMS s >\r\nXDEL s 1-0\r\n");
    const auto rows_after_rewriting_as = [this](std::string_view data) {
        desk.ask(alice, {"CONFIG", "SET", "aof-use-rdb-preamble", data});
        EXPECT_EQ(desk.ask(alice, {"BGREWRITEAOF"}),
                  "+Background append only file rewriting started\r\n");
        desk.ask(alice, {"DEBUG", "LOADAOF"});
        return desk.ask(alice, {"XPENDING", "s", "g"}).substr(0, 8);
    };
    EXPECT_EQ(rows_after_rewriting_as("yes"), "*4\r\n:2\r\n");
    // Commands cannot say that a row has no entry: it is gone when they are loaded.
    EXPECT_EQ(rows_after_rewriting_as("no"), "*4\r\n:1\r\n");
}

}  // namespace
}  // namespace redeliver::model::redis::resp
