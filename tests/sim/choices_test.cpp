#include "sim/choices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace redeliver::sim {
namespace {

constexpr Label latency{"latency"};
constexpr Label work_time{"work-time"};
constexpr SubjectKey run_6{6};
constexpr SubjectKey run_7{7};

TEST(Choices, DrawDependsOnNothingElseThanItsFiveKeys) {
    EXPECT_EQ(Choices{1}.bits(latency, run_6, 2, 3), Choices{1}.bits(latency, run_6, 2, 3));
}

TEST(Choices, DrawDependsOnEachOfItsFiveKeys) {
    const std::uint64_t drawn = Choices{1}.bits(latency, run_6, 2, 3);
    EXPECT_NE(drawn, Choices{2}.bits(latency, run_6, 2, 3));
    EXPECT_NE(drawn, Choices{1}.bits(work_time, run_6, 2, 3));
    EXPECT_NE(drawn, Choices{1}.bits(latency, run_7, 2, 3));
    EXPECT_NE(drawn, Choices{1}.bits(latency, run_6, 3, 3));
    EXPECT_NE(drawn, Choices{1}.bits(latency, run_6, 2, 4));
}

TEST(Choices, SwappingOperationAndOccurrenceDrawsAnew) {
    EXPECT_NE(Choices{1}.bits(latency, run_6, 2, 3), Choices{1}.bits(latency, run_6, 3, 2));
}

/// Sum of squared distances from the expected number, over 16 boxes with 4,096 draws in all.
template <class Draw>
std::int64_t squared_distance(Draw draw) {
    std::array<std::int64_t, 16> boxes{};
    for (std::uint32_t number = 0; number < 4096; ++number) ++boxes[below(16, draw(number))];
    std::int64_t sum = 0;
    for (const std::int64_t count : boxes) sum += (count - 256) * (count - 256);
    return sum;
}

/// Chi-squared of 45 with 15 degrees of freedom (one case in 13,000), times the expected 256.
constexpr std::int64_t suspicious = 45 * 256;

TEST(Choices, FirstDrawsOfConsecutiveSeedsAreSpreadEvenly) {
    const auto draw = [](std::uint32_t seed) { return Choices{seed}.bits(latency, run_6); };
    EXPECT_LT(squared_distance(draw), suspicious);
}

TEST(Choices, FirstDrawsOfConsecutiveSeedsAreUncorrelated) {
    const auto difference = [](std::uint32_t seed) {
        return Choices{seed + 1}.bits(latency, run_6) - Choices{seed}.bits(latency, run_6);
    };
    EXPECT_LT(squared_distance(difference), suspicious);
}

TEST(Choices, DrawsOfConsecutiveSubjectsAreUncorrelated) {
    const auto difference = [](std::uint32_t number) {
        return Choices{1}.bits(latency, SubjectKey{number + 1}) -
               Choices{1}.bits(latency, SubjectKey{number});
    };
    EXPECT_LT(squared_distance(difference), suspicious);
}

TEST(Choices, ConsecutiveOccurrencesAreUncorrelated) {
    const auto difference = [](std::uint32_t number) {
        return Choices{1}.bits(latency, run_6, 2, number + 1) -
               Choices{1}.bits(latency, run_6, 2, number);
    };
    EXPECT_LT(squared_distance(difference), suspicious);
}

TEST(Choices, LowBitsAreAsGoodAsHighOnes) {
    const auto low = [](std::uint32_t seed) { return Choices{seed}.bits(latency, run_6) << 60; };
    EXPECT_LT(squared_distance(low), suspicious);
}

TEST(Choices, NothingIsBelowZeroButZero) {
    EXPECT_EQ(below(0, ~std::uint64_t{0}), 0u);
    EXPECT_EQ(below(1, ~std::uint64_t{0}), 0u);
}

TEST(Choices, BelowReachesBothEnds) {
    EXPECT_EQ(below(10, 0), 0u);
    EXPECT_EQ(below(10, ~std::uint64_t{0}), 9u);
    EXPECT_EQ(below(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0} - 1);
}

TEST(Choices, ChanceOfNoneNeverHappensAndOfAMillionAlways) {
    EXPECT_FALSE(chance(0, 0));
    EXPECT_TRUE(chance(1, 0));
    EXPECT_FALSE(chance(999'999, ~std::uint64_t{0}));
    EXPECT_TRUE(chance(1'000'000, ~std::uint64_t{0}));
}

TEST(Choices, HashOfATextIsFnv1aOnEveryMachine) {
    EXPECT_EQ(text_hash(""), 0xcbf2'9ce4'8422'2325u);
    EXPECT_EQ(text_hash("a"), 0xaf63'dc4c'8601'ec8cu);
}

RC_GTEST_PROP(Choices, BelowIsBelow, (std::uint64_t bits)) {
    const auto limit = *rc::gen::positive<std::uint64_t>();
    RC_ASSERT(below(limit, bits) < limit);
}

}  // namespace
}  // namespace redeliver::sim
