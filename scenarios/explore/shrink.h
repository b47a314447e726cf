#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "scenarios/case.h"
#include "scenarios/explore/breakage.h"
#include "scenarios/explore/moves.h"
#include "scenarios/explore/trial.h"

namespace redeliver::scenarios {

struct ShrinkOptions {
    /// Which promise; none is the one of `first_broken`.
    std::optional<std::string> promise = {};
    /// Trials at most, the first one included; at least 1.
    std::uint64_t trials = 10'000;
    /// Of this machine's clock; what a shrink comes to depends on it only where it ends one.
    std::chrono::milliseconds time = std::chrono::seconds{60};
    /// Called with every case that is better than all before it, ready to be kept.
    std::function<void(const Case& best)> improved = {};
};

enum class Minimality : std::uint8_t {
    one_minimal,  ///< every single move was tried on the final case, and none keeps it broken
    budget_ended  ///< the trials or the time ended first
};

/// A case that breaks a promise, made as simple as the moves allow.
struct Shrunk {
    Case best;
    Breakage breakage;
    Minimality minimality = Minimality::budget_ended;
    std::uint64_t trials = 0;
    /// Trials of the last pass, in which no move succeeded.
    std::uint64_t last_pass = 0;
    /// Choices of at most two faults and two messages of the whole case, all of which were tried in
    /// vain; 0 where they were not needed, too many, or the budget ended first.
    std::uint64_t choices = 0;
    /// How many moves of each kind helped, in the order of MoveKind.
    std::array<std::uint64_t, move_kinds> helped = {};
};

/// Shrinks a case: drops faults and messages, by halves at first and then one by one, then actors,
/// then moves faults earlier and rounds times, until no single move helps or the budget ends.
/// Where more than two faults or two messages are left then, every choice of at most two faults and
/// two messages of the whole case is tried, if there are at most 4,000, and the moves go on from
/// the first that is as broken: removals that help only together are found so.
///
/// A move helps when the trial breaks the same promise in the same way, about the same kind of
/// message, and no other promise breaks that was to hold and did. Works on the plan and the numbers
/// of actors, with the seed of the case for what is drawn besides, such as latencies.
///
/// The best case stands alone: its scenario has the plan as its workload and pinned faults, and
/// expects of its promises what this one trial did, but for the broken promise where that was to
/// hold. It can be written to a file and read back. Nothing when the case does not break the
/// promise to begin with. Throws sim::PlanError as TrialRunner::run does.
std::optional<Shrunk> shrink(TrialRunner& runner, const Case& broken, const ShrinkOptions& options);

}  // namespace redeliver::scenarios
