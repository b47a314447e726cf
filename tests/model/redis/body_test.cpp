#include "model/redis/body.h"

#include <gtest/gtest.h>

#include "model/redis/listpack.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

TEST(Body, SharesItsContentWithItsCopies) {
    const Body body = {{"runId", "run-1"}, {"sessionId", "session-7"}};
    const Body copy = body;
    EXPECT_EQ(copy, body);
    EXPECT_EQ(copy.field(0).data(), body.field(0).data());
    EXPECT_EQ(copy.value_of("sessionId"), "session-7");
    EXPECT_EQ(copy.value_of("nosuch"), "");
}

TEST(Body, ComparesByContent) {
    EXPECT_EQ((Body{{"f", "v"}}), (Body{{"f", "v"}}));
    EXPECT_NE((Body{{"f", "v"}}), (Body{{"f", "w"}}));
    EXPECT_NE((Body{{"ab", "c"}}), (Body{{"a", "bc"}}));
    EXPECT_NE((Body{{"ab", "c"}}).content_hash(), (Body{{"a", "bc"}}).content_hash());
}

TEST(Body, IsAbsentByDefaultWhichIsNotEmpty) {
    EXPECT_TRUE(Body().is_absent());
    EXPECT_FALSE(Body(std::vector<FieldView>{}).is_absent());
    EXPECT_EQ(Body().size(), 0u);
    EXPECT_THROW(Body().field(0), sim::HarnessError);
}

TEST(Body, KnowsItsBytes) {
    const Body body = {{"f", "12"}, {"", "text"}};
    EXPECT_EQ(body.raw_bytes(), 7u);
    EXPECT_EQ(body.listpack_bytes_of_values(), 2u + 6u);
}

// Encodings of redis/src/listpack.c: a byte or more for the back length comes with each.
TEST(Listpack, StoresIntegersByTheirSize) {
    EXPECT_EQ(listpack::bytes_of("0"), 2u);
    EXPECT_EQ(listpack::bytes_of("127"), 2u);
    EXPECT_EQ(listpack::bytes_of("128"), 3u);
    EXPECT_EQ(listpack::bytes_of("-4096"), 3u);
    EXPECT_EQ(listpack::bytes_of("4096"), 4u);
    EXPECT_EQ(listpack::bytes_of("32768"), 5u);
    EXPECT_EQ(listpack::bytes_of("8388608"), 6u);
    EXPECT_EQ(listpack::bytes_of("2147483648"), 10u);
    EXPECT_EQ(listpack::bytes_of("-9223372036854775808"), 10u);
}

TEST(Listpack, StoresAsTextWhatPrintsDifferently) {
    EXPECT_EQ(listpack::bytes_of("007"), 5u);
    EXPECT_EQ(listpack::bytes_of("-0"), 4u);
    EXPECT_EQ(listpack::bytes_of("+1"), 4u);
    EXPECT_EQ(listpack::bytes_of(""), 2u);
    EXPECT_EQ(listpack::bytes_of("9223372036854775808"), 21u);
}

TEST(Listpack, LongTextNeedsLongerLengths) {
    EXPECT_EQ(listpack::bytes_of(std::string(63, 'x')), 65u);
    EXPECT_EQ(listpack::bytes_of(std::string(64, 'x')), 67u);
    EXPECT_EQ(listpack::bytes_of(std::string(200, 'x')), 204u);
    EXPECT_EQ(listpack::bytes_of(std::string(5'000, 'x')), 5'007u);
}

}  // namespace
}  // namespace redeliver::model::redis
