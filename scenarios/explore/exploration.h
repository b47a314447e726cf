#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore/campaign.h"
#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

struct ExplorationOptions {
    /// Ends after so many attempts, or when the strategy has no more.
    std::optional<std::uint64_t> trials = {};
    /// Ends at the first batch that is over after so many seconds of this machine.
    std::optional<std::uint64_t> seconds = {};
    std::uint32_t jobs = 1;
    /// Called now and then, from the calling thread.
    std::function<void(std::uint64_t done)> progress = {};
};

/// An attempt worth keeping, with its number, counted from 1.
struct Finding {
    std::uint64_t attempt = 0;
    std::uint64_t seed = 1;
    Plan plan;
};

/// What all attempts did to one promise.
struct ExploredPromise {
    std::string_view name;
    Expected expected = Expected::nothing;
    std::uint64_t held = 0;
    std::uint64_t violated = 0;
    std::uint64_t vacuous = 0;
    std::uint64_t inconclusive = 0;
    std::uint64_t excused = 0;  ///< Breaches, not attempts.
    std::optional<Finding> first;
};

/// What came of one kind of fault at one point of a kind of operation.
struct Tally {
    std::uint64_t tried = 0;
    std::uint64_t struck = 0;   ///< It fired.
    std::uint64_t changed = 0;  ///< The behaviour differs from that without faults.
    std::uint64_t broke = 0;    ///< Some promise of the story that was to hold was violated.
};

/// What came of one kind of fault, drawn at one phase.
struct Hits {
    std::uint64_t drawn = 0;
    std::uint64_t struck = 0;
    std::uint64_t effective = 0;  ///< The state was otherwise because of it.
};

struct Exploration {
    std::uint64_t tried = 0;
    /// Attempts that ended in a step or time cap.
    std::uint64_t inconclusive = 0;
    /// The sum modulo 2^64 of hash(number, fingerprint), whatever the jobs.
    std::uint64_t fingerprint = 0;
    /// Attempts whose behaviour no earlier one had shown, in ascending order.
    std::vector<std::uint64_t> new_behaviours;
    std::vector<ExploredPromise> promises;  ///< In the order of properties::promises().
    std::vector<ReachedPath> reached;       ///< Number of attempts that reached each rare path.
    std::map<Tried, Tally> tallies;
    /// Of every kind and phase that the strategy can draw.
    std::map<std::pair<FaultKind, Phase>, Hits> hits;
    Scope scope;
    double seconds = 0;  ///< Of this machine, for display only.

    /// New behaviours among the last tenth of the attempts.
    std::uint64_t new_of_late() const;
};

/// Attempts between two lessons.
inline constexpr std::size_t attempts_per_batch = 256;

/// Runs what a strategy wants until it has no more or the budget is spent.
Exploration explore(const Scenario& story, Strategy& strategy, const ExplorationOptions& options);

}  // namespace redeliver::scenarios
