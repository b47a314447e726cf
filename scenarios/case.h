#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/plan.h"
#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// One trial in a file: everything that determines it, and what it did, so that a replay can say
/// where it first differs. Survives changes of the generators, since it holds the plan itself.
struct Case {
    Scenario scenario;
    Plan plan;
    std::uint64_t seed = 1;
    /// Of the program that wrote it.
    std::string build;
    std::uint64_t fingerprint = 0;
    /// The lower 32 bits of the rolling fingerprint after each of the first 4,096 steps.
    std::vector<std::uint32_t> step_hashes;
    /// The same after every 4,096th step from then on.
    std::vector<std::uint32_t> checkpoints;
};

inline constexpr std::size_t hashed_steps = 4'096;

}  // namespace redeliver::scenarios
