#include "model/redis/arguments.h"

#include <gtest/gtest.h>

#include <string>

namespace redeliver::model::redis {
namespace {

using namespace std::chrono_literals;

std::string line(const Command& command) {
    std::string line;
    for (const std::string& word : arguments(command)) line += (line.empty() ? "" : " ") + word;
    return line;
}

TEST(Arguments, AreWhatAClientWouldType) {
    EXPECT_EQ(
        line(Xadd{
            .key = "s",
            .body = {{"f", "v"}},
            .id = AutoSeq{5},
            .trim = Trim{.keep = MaxLen{9}, .precision = Trim::Precision::approximate, .limit = 3},
            .if_missing = Xadd::IfMissing::skip}),
        "XADD s NOMKSTREAM MAXLEN ~ 9 LIMIT 3 5-* f v");
    EXPECT_EQ(line(Xreadgroup{.group = "g",
                              .consumer = "c",
                              .streams = {{"s", undelivered}, {"t", {1, 2}}},
                              .count = 10,
                              .block = 5s}),
              "XREADGROUP GROUP g c COUNT 10 BLOCK 5000 STREAMS s t > 1-2");
    EXPECT_EQ(line(Xautoclaim{.key = "s", .group = "g", .consumer = "c", .min_idle_time = 30s}),
              "XAUTOCLAIM s g c 30000 - COUNT 100");
    EXPECT_EQ(line(Xclaim{.key = "s",
                          .group = "g",
                          .consumer = "c",
                          .ids = {{1, 0}},
                          .delivered = WallMillis{7ms},
                          .delivery_count = 2,
                          .if_not_pending = Xclaim::IfNotPending::create,
                          .reply = ClaimReply::ids_only,
                          .last_delivered_id = EntryId{3, 0}}),
              "XCLAIM s g c 0 1-0 TIME 7 RETRYCOUNT 2 FORCE JUSTID LASTID 3-0");
    EXPECT_EQ(line(Set{.key = "k",
                       .value = "v",
                       .condition = Set::Condition::if_absent,
                       .expiry = ExpireIn{1s}}),
              "SET k v NX PX 1000");
}

TEST(Arguments, PutTheGreaterBoundFirstWhenGoingBackwards) {
    EXPECT_EQ(line(Xrange{.key = "s",
                          .start = {{2, 0}, Bound::Edge::exclusive},
                          .order = Xrange::Order::newest_first}),
              "XREVRANGE s + (2-0");
}

TEST(Arguments, DoNotShowALabel) {
    EXPECT_EQ(line(Xadd{.key = "s", .body = {{"f", "v"}}, .label = 7}), "XADD s * f v");
}

}  // namespace
}  // namespace redeliver::model::redis
