#include "model/redis/radix_nodes.h"

#include <gtest/gtest.h>

namespace redeliver::model::redis {
namespace {

// Every number here is what XINFO STREAM of redis-server 7.0.15 showed with one entry per node.
TEST(RadixNodes, AreTheRootWhenNothingIsKept) { EXPECT_EQ(radix_nodes({}), 1u); }

TEST(RadixNodes, AreARunAndAnEndForOneKey) { EXPECT_EQ(radix_nodes({{1, 1}}), 2u); }

TEST(RadixNodes, ForkOnceForKeysThatDifferInTheirLastByte) {
    EXPECT_EQ(radix_nodes({{1, 1}, {1, 2}, {1, 3}}), 5u);
}

TEST(RadixNodes, GoOnBehindAForkWithARunOfTheirOwn) {
    EXPECT_EQ(radix_nodes({{1, 0}, {2, 0}}), 6u);
}

TEST(RadixNodes, AddUpOverSeveralForks) {
    EXPECT_EQ(radix_nodes({{1, 0}, {1, 1}, {1, 256}, {2, 0}, {3, 5}, {3, 6}, {70000, 0}}), 19u);
}

TEST(RadixNodes, DoNotCompressASingleByte) { EXPECT_EQ(radix_nodes({{1, 0}, {1, 256}}), 6u); }

}  // namespace
}  // namespace redeliver::model::redis
