#pragma once

#include <cstdint>

#include "sim/choices.h"
#include "sim/time.h"

namespace redeliver::sim {

/// How a duration varies. Sampled with integers from committed tables, so that every machine draws
/// the same microsecond.
struct Distribution {
    enum class Shape : std::uint8_t {
        fixed,        ///< always `low`
        uniform,      ///< from `low` to `high`, both included
        exponential,  ///< mean `low`, cut at the 999th permille
        lognormal     ///< median `low`, sigma 0.5, cut at the 1st and 999th permille
    };

    Shape shape = Shape::fixed;
    Duration low{};
    Duration high{};  ///< used by `uniform` only

    /// The duration that 64 uniform bits stand for.
    Duration sample(std::uint64_t bits) const;

    /// No sample is longer.
    Duration longest() const;

    bool operator==(const Distribution&) const = default;
};

constexpr Distribution fixed(Duration always) {
    return {.shape = Distribution::Shape::fixed, .low = always};
}
constexpr Distribution uniform(Duration low, Duration high) {
    return {.shape = Distribution::Shape::uniform, .low = low, .high = high};
}

}  // namespace redeliver::sim
