#include "scenarios/explore/last_chance.h"

#include <algorithm>
#include <optional>

#include "scenarios/explore/breakage.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using properties::Holds;

/// Futures that are tried after a step.
constexpr std::uint32_t futures_per_step = 8;

/// Steps after each of which they are tried, if it takes no more.
constexpr sim::StepNumber most_steps = 1'000;

/// One way back from a breach.
class WayBack {
public:
    WayBack(TrialRunner& runner, const Case& broken, const std::string& promise,
            sim::StepNumber from, TrialBudget& budget)
        : runner_(runner), broken_(broken), promise_(promise), budget_(budget) {
        chance_.futures = futures_per_step;
        chance_.from = from;
    }

    LastChance step_by_step() {
        for (sim::StepNumber after = chance_.from; after > 0; --after) {
            const std::optional<bool> is_found = keeps_after(after);
            if (!is_found) break;
            chance_.back_to = after;
            if (*is_found) break;
        }
        return chance_;
    }

    LastChance by_halves() {
        chance_.search = LastChance::Search::halving;
        sim::StepNumber keeps = 0;
        sim::StepNumber breaks = chance_.from + 1;
        for (sim::StepNumber after = chance_.from; after > keeps;
             after = keeps + (breaks - keeps) / 2) {
            const std::optional<bool> is_found = keeps_after(after);
            if (!is_found) break;
            (*is_found ? keeps : breaks) = after;
            chance_.back_to = after;
        }
        return chance_;
    }

private:
    /// Whether some future after this step keeps the promise; nothing when the budget has ended.
    std::optional<bool> keeps_after(sim::StepNumber after) {
        std::uint32_t keeping = 0;
        std::uint64_t first = 0;
        for (std::uint32_t future = 0; future < futures_per_step; ++future) {
            if (!budget_.take()) return {};
            const std::uint64_t seed = broken_.seed + future;
            if (keeps({after, seed}) && keeping++ == 0) first = seed;
        }
        if (keeping == 0) return false;
        chance_.after = after;
        chance_.seed = first;
        chance_.keeping = keeping;
        return true;
    }

    bool keeps(const Branch& branch) {
        const TrialResult result =
            runner_.run_branch(broken_.scenario, broken_.plan, broken_.seed, branch, Level::ledger);
        const Holds holds = verdict_of(result, promise_).holds;
        return holds == Holds::holds || holds == Holds::vacuous;
    }

    TrialRunner& runner_;
    const Case& broken_;
    const std::string& promise_;
    TrialBudget& budget_;
    LastChance chance_;
};

}  // namespace

LastChance find_last_chance(TrialRunner& runner, const Case& broken, const TrialResult& result,
                            const std::string& promise, TrialBudget& budget) {
    const properties::Verdict& breach = verdict_of(result, promise);
    sim::ensure(breach.holds == Holds::violated, "a chance is looked for where a promise broke");
    // What is owed is looked for when all is over.
    const bool is_done = breach.breach == properties::Breach::done;
    const sim::StepNumber breached = is_done ? breach.step : result.steps;
    WayBack back(runner, broken, promise, breached - 1, budget);
    return breached > most_steps ? back.by_halves() : back.step_by_step();
}

}  // namespace redeliver::scenarios
