#pragma once

#include <cstdint>
#include <memory>

#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

inline constexpr Duration usual_slack = 5ms;

struct PriorityOptions {
    std::uint64_t seed = 1;    ///< Of the workload and of all draws.
    std::uint32_t depth = 3;   ///< Changes of priority in each trial, and one.
    std::uint32_t faults = 0;  ///< 0, or 1: a single fault in each trial, drawn from all there are.
    Duration slack = usual_slack;
    std::vector<Mishap> mishaps = {};  ///< To draw the fault from; none is all.
};

/// Probabilistic concurrency testing: the workload of one seed without the story's faults, again
/// and again, each time with other priorities of its actors and other steps at which the one whose
/// turn it is loses its priority.
std::unique_ptr<Strategy> prioritize(const Scenario& scenario, const PriorityOptions& options);

/// The schedule of one such trial, drawn as `number` says: an order of these nodes and `depth - 1`
/// changes among so many steps.
sim::Schedule draw_priorities(const std::vector<std::string>& nodes, std::uint32_t steps,
                              std::uint32_t depth, std::uint64_t seed, std::uint64_t number);

/// The nodes whose turn it can be: all but the servers.
std::vector<std::string> actors_of(const Scenario& scenario);

}  // namespace redeliver::scenarios
