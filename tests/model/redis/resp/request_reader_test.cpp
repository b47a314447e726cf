#include "model/redis/resp/request_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace redeliver::model::redis::resp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Everything a stream of bytes is read as: the requests, and the error that ended it.
struct Outcome {
    std::vector<Words> requests;
    std::optional<std::string> error;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

void take_all(RequestReader& reader, Outcome& outcome) {
    while (auto next = reader.next()) {
        if (auto* const words = std::get_if<Words>(&*next))
            outcome.requests.push_back(std::move(*words));
        else
            outcome.error = std::get<ProtocolError>(*next).text;
    }
}

/// Fed `step` bytes at a time.
Outcome read(std::string_view bytes, std::size_t step = 1'000'000, RequestLimits limits = {}) {
    RequestReader reader(limits);
    Outcome outcome;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        reader.feed(bytes.substr(at, step));
        take_all(reader, outcome);
    }
    return outcome;
}

std::string as_array(const Words& words) {
    std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words)
        bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    return bytes;
}

TEST(RequestReader, ReadsPipelinedArraysAndInlineRequestsAlike) {
    const auto outcome =
        read("*2\r\n$4\r\nECHO\r\n$3\r\na\r\n\r\nPING\r\n\r\n*0\r\n*1\r\n$0\r\n\r\n");
    EXPECT_THAT(outcome.requests, ElementsAre(Words{"ECHO", "a\r\n"}, Words{"PING"}, Words{""}));
    EXPECT_EQ(outcome.error, std::nullopt);
}

RC_GTEST_PROP(RequestReader, ReadsTheSameHoweverTheBytesAreCut, ()) {
    const auto requests = *rc::gen::container<std::vector<Words>>(
        rc::gen::nonEmpty(rc::gen::container<Words>(rc::gen::string<std::string>())));
    const auto step = *rc::gen::inRange<std::size_t>(1, 40);
    std::string bytes;
    for (const Words& words : requests) bytes += as_array(words);
    RC_ASSERT(read(bytes, step).requests == requests);
    RC_ASSERT(!read(bytes, step).error);
}

RC_GTEST_PROP(RequestReader, SaysTheSameOfAnyBytesHoweverTheyAreCut, ()) {
    const auto bytes = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("*$123-\r\n\r\n\"'\\x41 \t\vab") + '\0'));
    const auto step = *rc::gen::inRange<std::size_t>(1, 10);
    RC_ASSERT(read(bytes, step) == read(bytes));
}

struct Split {
    std::string line;
    Words words;
};

// Each as redis-server 7.0.15 read it.
const Split inline_requests[] = {
    {"PING", {"PING"}},
    {"  PING  hello ", {"PING", "hello"}},
    {R"(PING "a b")", {"PING", "a b"}},
    {R"(PING "a\x41\n\q")", {"PING", "aA\nq"}},
    {R"(PING 'a\'b\n')", {"PING", "a'b\\n"}},
    {R"(PING a"b")", {"PING", "ab"}},
    {R"(PING "\x4")", {"PING", "x4"}},
    {R"(PING "\xzz")", {"PING", "xzz"}},
    {R"(PING "")", {"PING", ""}},
    {"PING \vx", {"PING", "x"}},
    {"PING a\vx", {"PING", "a\vx"}},
    {"PING a\rb", {"PING", "a", "b"}},
};

TEST(RequestReader, SplitsInlineRequestsAsAShellWould) {
    for (const auto& [line, words] : inline_requests) {
        EXPECT_THAT(read(line + "\r\n").requests, ElementsAre(words)) << line;
        EXPECT_THAT(read(line + "\n").requests, ElementsAre(words)) << line;
    }
}

struct Refusal {
    std::string bytes;
    std::string error;
};

// Each as redis-server 7.0.15 refused it.
const Refusal refusals[] = {
    {"*x\r\n", "ERR Protocol error: invalid multibulk length"},
    {"*01\r\n", "ERR Protocol error: invalid multibulk length"},
    {"*2147483648\r\n", "ERR Protocol error: invalid multibulk length"},
    {"*1\r\n:4\r\n", "ERR Protocol error: expected '$', got ':'"},
    {"*1\r\n\r\n", "ERR Protocol error: expected '$', got '\r'"},
    {"*1\r\n$x\r\n", "ERR Protocol error: invalid bulk length"},
    {"*1\r\n$-1\r\n", "ERR Protocol error: invalid bulk length"},
    {"*1\r\n$536870913\r\n", "ERR Protocol error: invalid bulk length"},
    {"PING \"a\r\n", "ERR Protocol error: unbalanced quotes in request"},
    {"PING \"a\"b\r\n", "ERR Protocol error: unbalanced quotes in request"},
    {std::string(70'000, 'x'), "ERR Protocol error: too big inline request"},
    {"*" + std::string(70'000, '1'), "ERR Protocol error: too big mbulk count string"},
    {"*1\r\n$" + std::string(70'000, '1'), "ERR Protocol error: too big bulk count string"},
};

TEST(RequestReader, RefusesWhatIsNoRequestInTheWordsOfTheRealServer) {
    for (const auto& [bytes, error] : refusals)
        EXPECT_EQ(read(bytes).error, error) << bytes.substr(0, 40);
}

TEST(RequestReader, GivesWhatCameBeforeAnErrorAndNothingAfterIt) {
    const auto outcome = read("PING\r\n*x\r\nPING\r\n", 1);
    EXPECT_THAT(outcome.requests, ElementsAre(Words{"PING"}));
    EXPECT_EQ(outcome.error, "ERR Protocol error: invalid multibulk length");
}

TEST(RequestReader, NeverFindsTheEndOfALineBehindANullByte) {
    EXPECT_THAT(read(std::string("a\0b\r\nPING\r\n", 11)).requests, IsEmpty());
    EXPECT_THAT(read(std::string("*1\0\r\n", 5)).requests, IsEmpty());
}

TEST(RequestReader, DoesNotLookAtTheTwoBytesBehindAWord) {
    EXPECT_THAT(read("*1\r\n$4\r\nPINGxx*1\rx$4\rxPING\r\n").requests,
                ElementsAre(Words{"PING"}, Words{"PING"}));
}

TEST(RequestReader, EndsWithoutAWordWhenTooMuchIsBuffered) {
    const auto outcome =
        read("*2\r\n$1000\r\n" + std::string(600, 'x'), 100, {.buffered_bytes = 500});
    EXPECT_EQ(outcome.error, "");
}

TEST(RequestReader, CountsTheWordsOfAnUnfinishedRequestAsBuffered) {
    std::string bytes = "*1000000\r\n";
    for (int i = 0; i < 100; ++i) bytes += "$0\r\n\r\n";
    EXPECT_EQ(read(bytes, 6, {.buffered_bytes = 2'000}).error, "");
    EXPECT_EQ(read(bytes, 6, {.buffered_bytes = 4'000}).error, std::nullopt);
}

}  // namespace
}  // namespace redeliver::model::redis::resp
