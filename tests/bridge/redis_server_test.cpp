// A server over real sockets of this machine. Nothing here measures time: where something must not
// happen, a later answer on another connection shows that it has not.

#include "bridge/redis_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/bridge/wire.h"

namespace redeliver::bridge {
namespace {

using model::redis::resp::Settings;
using testing::HasSubstr;

const std::string pong = "+PONG\r\n";

TEST(RedisServer, AnswersPipelinedRequestsInTheirOrder) {
    Served served;
    Wire wire(served);
    EXPECT_EQ(wire.ask(request({"XADD", "s", "1-1", "f", "v"}) + request({"XLEN", "s"}) +
                           request({"PING"}) + "PING\r\n",
                       "$3\r\n1-1\r\n:1\r\n+PONG\r\n+PONG\r\n"),
              "$3\r\n1-1\r\n:1\r\n+PONG\r\n+PONG\r\n");
}

TEST(RedisServer, TakesRequestsInPiecesOfAnySize) {
    Served served;
    Wire wire(served);
    for (const char c : request({"ECHO", "piecemeal"})) wire.send(std::string(1, c));
    EXPECT_EQ(wire.read(15), "$9\r\npiecemeal\r\n");
}

TEST(RedisServer, ServesOthersWhileOneWaits) {
    Served served;
    Wire writer(served);
    Wire reader(served);
    ASSERT_EQ(writer.ask(request({"XGROUP", "CREATE", "s", "g", "$", "MKSTREAM"}), "+OK\r\n"),
              "+OK\r\n");
    reader.send(request({"XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">"}) +
                request({"PING"}));
    EXPECT_FALSE(reader.hears_something());
    EXPECT_EQ(writer.ask(request({"XADD", "s", "5-0", "f", "v"}), "$3\r\n5-0\r\n"),
              "$3\r\n5-0\r\n");

    const std::string delivered =
        "*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n5-0\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n";
    EXPECT_EQ(reader.read((delivered + pong).size()), delivered + pong);
}

TEST(RedisServer, EndsABlockingReadAtItsDeadline) {
    Served served;
    Wire wire(served);
    EXPECT_EQ(wire.ask(request({"XREAD", "BLOCK", "20", "STREAMS", "s", "$"}), "*-1\r\n"),
              "*-1\r\n");
}

TEST(RedisServer, LetsAClientThatLeavesLeaveTheQueue) {
    Served served;
    Wire writer(served);
    Wire first(served);
    Wire second(served);
    writer.ask(request({"XGROUP", "CREATE", "s", "g", "$", "MKSTREAM"}), "+OK\r\n");
    const auto read = [](std::string_view consumer) {
        return request({"XREADGROUP", "GROUP", "g", consumer, "BLOCK", "0", "STREAMS", "s", ">"});
    };
    first.send(read("first"));
    ASSERT_FALSE(first.hears_something());
    second.send(read("second"));
    ASSERT_FALSE(second.hears_something());

    first.close();
    // Two rounds, so that the server has come to the close before it comes to the XADD.
    writer.ask(request({"PING"}), pong);
    writer.ask(request({"PING"}), pong);
    writer.ask(request({"XADD", "s", "1-0", "f", "v"}), "$3\r\n1-0\r\n");
    EXPECT_THAT(second.read(50), HasSubstr("1-0"));
}

TEST(RedisServer, ClosesOnlyTheConnectionThatSendsNonsense) {
    Served served;
    Wire good(served);
    Wire bad(served);
    bad.send("*1\r\n!4\r\n");
    EXPECT_EQ(bad.read_to_the_end(), "-ERR Protocol error: expected '$', got '!'\r\n");
    EXPECT_EQ(good.ask(request({"PING"}), pong), pong);
}

TEST(RedisServer, DropsWhoSpeaksHttp) {
    Served served;
    Wire good(served);
    Wire post(served);
    post.send("POST /x HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(post.read_to_the_end(), "");
    // As the real server, which takes the first line for a wrong GET and is warned by the second.
    Wire get(served);
    get.send("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n\r\n");
    EXPECT_EQ(get.read_to_the_end(), "-ERR wrong number of arguments for 'get' command\r\n");
    EXPECT_EQ(good.ask(request({"PING"}), pong), pong);
}

TEST(RedisServer, CutsOffAClientThatDoesNotRead) {
    Settings settings;
    settings.max_output = 1024 * 1024;
    Served served(settings);
    Wire good(served);
    Wire deaf(served);
    const std::string large(256 * 1024, 'x');
    good.ask(request({"SET", "large", large}), "+OK\r\n");
    // Far more than the sockets of both ends can hold.
    std::string requests;
    for (int i = 0; i < 200; ++i) requests += request({"GET", "large"});
    deaf.send(requests);
    EXPECT_EQ(good.ask(request({"PING"}), pong), pong);
    EXPECT_LT(deaf.read_to_the_end().size(), 200 * large.size());
    EXPECT_EQ(good.ask(request({"PING"}), pong), pong);
}

TEST(RedisServer, TurnsAwayMoreClientsThanItIsToHave) {
    Settings settings;
    settings.max_clients = 2;
    Served served(settings);
    Wire first(served);
    Wire second(served);
    first.ask(request({"PING"}), pong);
    second.ask(request({"PING"}), pong);
    EXPECT_EQ(Wire(served).read_to_the_end(), "-ERR max number of clients reached\r\n");
    EXPECT_EQ(first.ask(request({"PING"}), pong), pong);
}

TEST(RedisServer, RefusesARequestThatIsTooLarge) {
    Settings settings;
    settings.limits.word_bytes = 1024;
    Served served(settings);
    Wire wire(served);
    wire.send("*2\r\n$4\r\nECHO\r\n$1025\r\n");
    EXPECT_EQ(wire.read_to_the_end(), "-ERR Protocol error: invalid bulk length\r\n");
}

TEST(RedisServer, GivesClientsTheirAnswersBeforeItEnds) {
    Served served;
    Wire reader(served);
    Wire last(served);
    reader.send(request({"XREAD", "BLOCK", "0", "STREAMS", "s", "$"}));
    ASSERT_FALSE(reader.hears_something());
    last.send(request({"PING"}) + request({"SHUTDOWN", "NOSAVE"}));
    EXPECT_EQ(last.read_to_the_end(), pong);
    EXPECT_EQ(reader.read_to_the_end(), "");
    served.join();
}

TEST(RedisServer, ServesManyClientsAtATime) {
    Served served;
    std::vector<Wire> wires;
    for (int i = 0; i < 200; ++i) wires.emplace_back(served);
    for (Wire& wire : wires) wire.send(request({"XADD", "s", "*", "f", "v"}) + request({"PING"}));
    for (Wire& wire : wires) EXPECT_THAT(wire.read(22).substr(0, 2), "$1");
    EXPECT_EQ(wires.front().ask(request({"XLEN", "s"}), "+PONG\r\n:200\r\n").substr(0, 0), "");
}

TEST(RedisServer, SaysWhyItCannotListen) {
    Served served;
    const auto listen = [](const std::string& address, std::uint16_t port) {
        RedisServer({.address = address, .port = port});
    };
    EXPECT_THROW(
        try { listen("127.0.0.1", served.port()); } catch (const CannotListen& error) {
            EXPECT_THAT(error.what(), HasSubstr("Address already in use"));
            throw;
        },
        CannotListen);
    EXPECT_THROW(listen("localhost.", 0), CannotListen);
    EXPECT_EQ(reach_of("127.0.0.9"), Reach::this_machine);
    EXPECT_EQ(reach_of("::1"), Reach::this_machine);
    EXPECT_EQ(reach_of("0.0.0.0"), Reach::network);
    EXPECT_EQ(reach_of("localhost"), Reach::no_address);
}

}  // namespace
}  // namespace redeliver::bridge
