#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

/// Due at the same instant, as instants are counted in microseconds.
inline constexpr Duration simultaneous = 1us;

struct ExhaustiveOptions {
    std::uint64_t seed = 1;    ///< Of the workload and of everything that is drawn.
    std::uint32_t faults = 1;  ///< 0, or 1: without a fault and with each single one.
    Duration slack = simultaneous;
    std::vector<Mishap> mishaps = {};  ///< None is those that cut the protocol.
};

/// Faults that cut the protocol somewhere: what is tried where all of them would be too many.
const std::vector<Mishap>& cutting_mishaps();

/// Why a system is too large to be tried exhaustively, and how to make it smaller; nothing if it is
/// not.
std::optional<std::string> too_large(const Scenario& scenario, std::uint64_t seed);

/// Every order of concurrent steps of a tiny system, with at most one fault.
///
/// Trials begin with the default order. At every branching point at which a state is met that was
/// not met before (see StateKey), each other thing that could come first is a trial to come, by the
/// picks that lead there; a state that is known is not followed again. A fault is tried wherever a
/// step is taken from a new state, after the picks that lead there, and orders are then tried anew
/// from where it struck. Complete when no trial is left, as far as StateKey tells states apart: for
/// all orders within the slack, not for all durations. What is overtaken by more than
/// `simultaneous` is late, which StateKey does not see.
std::unique_ptr<Strategy> exhaust(const Scenario& scenario, const ExhaustiveOptions& options);

}  // namespace redeliver::scenarios
