#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "scenarios/bugs/planted_bug.h"
#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

/// A strategy as it is let loose on planted bugs.
struct Hunter {
    std::string_view name;  ///< `enumerate-2`, as `bench --bugs --strategy` says it.
    /// Whether it ends by itself; one that does is always let go on until then.
    enum class Extent : std::uint8_t { endless, complete } extent;
    /// For which bugs it is meant: pairs would take long to find what singles find.
    std::vector<Needs> prey;
    std::unique_ptr<Strategy> (*strategy)(const Scenario& scenario, std::uint64_t seed);

    bool hunts(Needs needs) const;
};

/// All of them, in the order of a table's columns.
const std::vector<Hunter>& hunters();

/// Nothing if there is none of this name.
const Hunter* find_hunter(std::string_view name);

/// Seed after seed without any fault.
std::unique_ptr<Strategy> fault_free_seeds(const Scenario& scenario, std::uint64_t first_seed);

}  // namespace redeliver::scenarios
