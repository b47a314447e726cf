#pragma once

#include <cstdint>
#include <string>

#include "scenarios/case.h"
#include "scenarios/explore/trial.h"
#include "scenarios/explore/trial_budget.h"

namespace redeliver::scenarios {

/// The last step of a trial after which things could still have turned out well: some future from
/// there on keeps the promise, and after no later step does any that was tried.
///
/// A future is the trial up to and with that step, and from there on no further fault of the plan
/// and the draws of a seed: those of its own, and of the numbers that follow it.
struct LastChance {
    /// None where the promise breaks in every future after every step, or none was found.
    sim::StepNumber after = sim::no_step;
    /// Of the first future that keeps the promise.
    std::uint64_t seed = 0;
    /// How many of the futures after this step keep it, and how many were tried after each.
    std::uint32_t keeping = 0;
    std::uint32_t futures = 0;
    /// Every step, or, where that takes too many trials, by halving the way back from the breach,
    /// as if a chance once gone never came again.
    enum class Search : std::uint8_t { every_step, halving } search = Search::every_step;
    /// The steps that were looked at, from the last one before the breach back to this one; 0 when
    /// the budget ended before any was.
    sim::StepNumber from = 0;
    sim::StepNumber back_to = 0;
};

/// Goes back from the breach until some future keeps the promise. `result` is that of the broken
/// case, at Level::ledger or more.
LastChance find_last_chance(TrialRunner& runner, const Case& broken, const TrialResult& result,
                            const std::string& promise, TrialBudget& budget);

}  // namespace redeliver::scenarios
