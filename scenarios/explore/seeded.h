#pragma once

#include <cstdint>
#include <memory>

#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

/// What `run` does: seed after seed, each with the faults that the story pins and draws.
std::unique_ptr<Strategy> random_seeds(const Scenario& scenario, std::uint64_t first_seed);

/// The same, but each seed switches about half of the kinds of fault off, so that those that are
/// left are not masked by the others. A kind keeps in a seed the faults that it has in `run`.
std::unique_ptr<Strategy> swarm(const Scenario& scenario, std::uint64_t first_seed);

}  // namespace redeliver::scenarios
