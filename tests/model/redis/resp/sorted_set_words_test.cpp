// Sorted sets, lists and sets over RESP: a story whose replies redis-server 7.0.15 was seen to
// send.

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

std::string answer(Broker& broker, const std::string& line, Protocol protocol = Protocol::resp2) {
    std::string bytes;
    write_reply(broker.ask(read_command(split(line), Configuration::Version::v7_0)), protocol,
                bytes);
    return bytes;
}

struct Asked {
    std::string request;
    std::string reply;
};

// In this order: each sees what those before it did. The key `text` holds a string.
const Asked story[] = {
    {"ZADD z 1 a 2 b 2 B", ":3\r\n"},
    {"ZADD z NX XX 1 a", "-ERR XX and NX options at the same time are not compatible\r\n"},
    {"ZADD z NX GT 1 a", "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n"},
    {"ZADD z GT LT 1 a", "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n"},
    {"ZADD z XX CH 5 a 9 none", ":1\r\n"},
    {"ZADD z INCR 1 a 2 b", "-ERR INCR option supports a single increment-element pair\r\n"},
    {"ZADD z INCR 1.5 a", "$3\r\n6.5\r\n"},
    {"ZADD z NX INCR 1 a", "$-1\r\n"},
    {"ZADD z 1", "-ERR wrong number of arguments for 'zadd' command\r\n"},
    {"ZADD z NX", "-ERR wrong number of arguments for 'zadd' command\r\n"},
    {"ZADD z x a", "-ERR value is not a valid float\r\n"},
    {"ZADD z nan a", "-ERR value is not a valid float\r\n"},
    {"ZADD z 1e400 a", "-ERR value is not a valid float\r\n"},
    {"ZADD z 1e-400 a", "-ERR value is not a valid float\r\n"},
    {"ZADD z +inf top", ":1\r\n"},
    {"ZADD z INCR -inf top", "-ERR resulting score is not a number (NaN)\r\n"},
    {"ZADD z 0x10 hex", ":1\r\n"},
    {"ZADD text 1 a", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"},
    {"ZSCORE z top", "$3\r\ninf\r\n"},
    {"ZSCORE z hex", "$2\r\n16\r\n"},
    {"ZSCORE z none", "$-1\r\n"},
    {"ZCARD z", ":5\r\n"},
    {"ZCARD text", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"},
    {"ZCOUNT z (2 +inf", ":3\r\n"},
    {"ZCOUNT z 2 2", ":2\r\n"},
    {"ZCOUNT z x 2", "-ERR min or max is not a float\r\n"},
    {"ZCOUNT z ( 2", ":2\r\n"},
    {"ZRANGE z 0 -1 WITHSCORES",
     "*10\r\n$1\r\nB\r\n$1\r\n2\r\n$1\r\nb\r\n$1\r\n2\r\n$1\r\na\r\n$3\r\n6.5\r\n$3\r\nhex\r\n$"
     "2\r\n16\r\n$3\r\ntop\r\n$3\r\ninf\r\n"},
    {"ZRANGE z 0 0 REV", "*1\r\n$3\r\ntop\r\n"},
    {"ZRANGE z 0 x", "-ERR value is not an integer or out of range\r\n"},
    {"ZRANGE z 0 -1 LIMIT 0 1",
     "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX\r\n"},
    {"ZRANGE z 0 -1 LIMIT 0 -1",
     "*5\r\n$1\r\nB\r\n$1\r\nb\r\n$1\r\na\r\n$3\r\nhex\r\n$3\r\ntop\r\n"},
    {"ZRANGE z (2 +inf BYSCORE LIMIT 0 2 WITHSCORES",
     "*4\r\n$1\r\na\r\n$3\r\n6.5\r\n$3\r\nhex\r\n$2\r\n16\r\n"},
    {"ZRANGE z +inf 2 BYSCORE REV",
     "*5\r\n$3\r\ntop\r\n$3\r\nhex\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nB\r\n"},
    {"ZRANGE z 1 2 BYSCORE BYSCORE", "-ERR syntax error\r\n"},
    {"ZRANGE z 0 -1 LIMIT 0", "-ERR syntax error\r\n"},
    {"ZRANGE none 0 -1", "*0\r\n"},
    {"ZRANGEBYSCORE z -inf 2 WITHSCORES LIMIT 1 1", "*2\r\n$1\r\nb\r\n$1\r\n2\r\n"},
    {"ZRANGEBYSCORE z -inf 2 REV", "-ERR syntax error\r\n"},
    {"ZREVRANGEBYSCORE z 2 -inf", "*2\r\n$1\r\nb\r\n$1\r\nB\r\n"},
    {"ZREM z none hex", ":1\r\n"},
    {"ZREMRANGEBYSCORE z (6 7", ":1\r\n"},
    {"ZREMRANGEBYSCORE z a 7", "-ERR min or max is not a float\r\n"},
    {"ZPOPMIN z", "*2\r\n$1\r\nB\r\n$1\r\n2\r\n"},
    {"ZPOPMIN z 2", "*4\r\n$1\r\nb\r\n$1\r\n2\r\n$3\r\ntop\r\n$3\r\ninf\r\n"},
    {"ZPOPMIN z -1", "-ERR value is out of range, must be positive\r\n"},
    {"ZPOPMIN z x", "-ERR value is out of range, must be positive\r\n"},
    {"ZPOPMIN z 1 2", "-ERR syntax error\r\n"},
    {"ZPOPMIN z 9", "*0\r\n"},
    {"EXISTS z", ":0\r\n"},
    {"LPUSH l a b", ":2\r\n"},
    {"RPUSH l c", ":3\r\n"},
    {"LPUSH z2", "-ERR wrong number of arguments for 'lpush' command\r\n"},
    {"SADD t a a b", ":2\r\n"},
    {"SADD l a", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"},
    {"TYPE l", "+list\r\n"},
    {"TYPE t", "+set\r\n"},
    {"ZADD l 1 a", "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"},
};

TEST(SortedSetWords, AreAnsweredAsTheRealServerAnswersThem) {
    Broker broker;
    answer(broker, "SET text v");
    for (const auto& [request, reply] : story) EXPECT_EQ(answer(broker, request), reply) << request;
}

TEST(SortedSetWords, PairsAreNestedAndScoresAreNumbersInResp3) {
    Broker broker;
    answer(broker, "ZADD z 1.5 a 2 b 3 c");
    const auto asked = [&](const std::string& line) {
        return answer(broker, line, Protocol::resp3);
    };
    EXPECT_EQ(asked("ZRANGE z 0 0 WITHSCORES"), "*1\r\n*2\r\n$1\r\na\r\n,1.5\r\n");
    EXPECT_EQ(asked("ZSCORE z a"), ",1.5\r\n");
    EXPECT_EQ(asked("ZPOPMIN z"), "*2\r\n$1\r\na\r\n,1.5\r\n");
    EXPECT_EQ(asked("ZPOPMIN z 1"), "*1\r\n*2\r\n$1\r\nb\r\n,2\r\n");
    EXPECT_EQ(asked("ZRANGE z 0 -1"), "*1\r\n$1\r\nc\r\n");
}

}  // namespace
}  // namespace redeliver::model::redis::resp
