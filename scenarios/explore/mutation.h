#pragma once

#include <cstdint>
#include <memory>

#include "scenarios/explore/priority.h"
#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

struct MutationOptions {
    std::uint64_t seed = 1;            ///< The first one, and of all draws.
    Duration slack = usual_slack;      ///< Of schedules that mutations add.
    std::vector<Mishap> mishaps = {};  ///< To add faults from; none is all.
};

/// Plans at the beginning that are drawn from seeds; then every `seeds_one_in`-th is.
inline constexpr std::uint64_t first_seeds = 256;
inline constexpr std::uint64_t seeds_one_in = 8;
/// Plans that are kept for a behaviour of their own; then each new one makes the oldest leave.
inline constexpr std::size_t most_behaviours = 512;

/// Plans that reached a rare path first, or more often than any before by a power of two, and plans
/// whose behaviour no earlier one had shown, each again with one to three changes: a fault more,
/// one fewer, one at another occurrence, point or of another kind, a message at another instant or
/// together with another one, another schedule. What it tries depends on the seed and not on the
/// number of threads.
std::unique_ptr<Strategy> mutate(const Scenario& scenario, const MutationOptions& options);

}  // namespace redeliver::scenarios
