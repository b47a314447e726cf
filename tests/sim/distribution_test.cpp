#include "sim/distribution.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace redeliver::sim {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint64_t least_bits = 0;
constexpr std::uint64_t middle_bits = std::uint64_t{1} << 63;
constexpr std::uint64_t most_bits = ~std::uint64_t{0};

constexpr Distribution exponential(Duration mean) {
    return {.shape = Distribution::Shape::exponential, .low = mean};
}
constexpr Distribution lognormal(Duration median) {
    return {.shape = Distribution::Shape::lognormal, .low = median};
}

TEST(Distribution, FixedIsAlwaysTheSame) {
    EXPECT_EQ(fixed(seconds{3}).sample(least_bits), seconds{3});
    EXPECT_EQ(fixed(seconds{3}).sample(most_bits), seconds{3});
}

TEST(Distribution, UniformIncludesBothOfItsBounds) {
    const auto either = uniform(Duration{10}, Duration{11});
    EXPECT_EQ(either.sample(least_bits), Duration{10});
    EXPECT_EQ(either.sample(middle_bits - 1), Duration{10});
    EXPECT_EQ(either.sample(middle_bits), Duration{11});
    EXPECT_EQ(either.sample(most_bits), Duration{11});
}

TEST(Distribution, MedianOfALognormalIsItsParameter) {
    EXPECT_EQ(lognormal(seconds{1}).sample(middle_bits), seconds{1});
}

TEST(Distribution, MedianOfAnExponentialIsTheLogarithmOfTwoTimesItsMean) {
    EXPECT_EQ(exponential(seconds{1}).sample(middle_bits), Duration{693'145});
}

TEST(Distribution, ExponentialStartsAtZeroAndIsCutBelowSevenMeans) {
    EXPECT_EQ(exponential(seconds{1}).sample(least_bits), Duration{0});
    EXPECT_GT(exponential(seconds{1}).longest(), milliseconds{6900});
    EXPECT_LT(exponential(seconds{1}).longest(), seconds{7});
}

TEST(Distribution, AYearDoesNotOverflow) {
    const Duration year = hours{24 * 365};
    EXPECT_EQ(uniform(Duration{0}, year).longest(), year);
    EXPECT_GT(exponential(year).longest(), 6 * year);
    EXPECT_LT(exponential(year).longest(), 7 * year);
    EXPECT_GT(lognormal(year).longest(), 4 * year);
}

TEST(Distribution, MeanOfManySamplesIsThatOfTheExponential) {
    std::int64_t sum = 0;
    for (std::uint64_t number = 0; number < 1024; ++number)
        sum += exponential(milliseconds{1}).sample((number << 54) | (1u << 20)).count();
    EXPECT_NEAR(static_cast<double>(sum) / 1024, 1000.0, 20.0);
}

Distribution any_distribution() {
    const Duration low{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
    const std::array all = {fixed(low), uniform(low, low * 3), exponential(low), lognormal(low)};
    return all[*rc::gen::inRange<std::size_t>(0, all.size())];
}

RC_GTEST_PROP(Distribution, GrowsWithItsBitsUpToTheLongest,
              (std::uint64_t some, std::uint64_t other)) {
    const Distribution distribution = any_distribution();
    const Duration shorter = distribution.sample(std::min(some, other));
    const Duration longer = distribution.sample(std::max(some, other));
    RC_ASSERT(Duration{0} <= shorter);
    RC_ASSERT(shorter <= longer);
    RC_ASSERT(longer <= distribution.longest());
}

}  // namespace
}  // namespace redeliver::sim
