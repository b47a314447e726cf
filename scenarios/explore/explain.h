#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/verdict.h"
#include "scenarios/case.h"
#include "scenarios/explore/breakage.h"
#include "scenarios/explore/last_chance.h"
#include "scenarios/explore/trial.h"

namespace redeliver::scenarios {

/// Whether a promise breaks as well without one fault of a plan, or without its schedule.
struct FaultNeed {
    enum class Need : std::uint8_t { needed, not_needed } need;
    /// What becomes of the promise without the fault: it may break in another way and still show
    /// that the fault is needed for this one.
    properties::Holds without;
};

/// One value of the system with which the same plan keeps the promise that it broke, and breaks
/// none that the story expects to hold and that held before.
struct Variation {
    enum class Origin : std::uint8_t {
        repair,  ///< what the story names as its repair
        usual,   ///< the value of a system that says nothing
        other,   ///< another policy
        amount   ///< another number or duration
    };
    enum class Faults : std::uint8_t {
        strike,  ///< every fault that struck strikes again
        miss     ///< some do not: it passes because it does without what they strike at
    };
    std::string setting;  ///< As `--set` takes it: `worker.idle_threshold=41s`.
    std::string was;      ///< The value in the case: `30s`.
    Origin origin = Origin::other;
    Faults faults = Faults::strike;
    /// Promises that held before and now break: what the repair costs.
    std::vector<std::string> also_breaks = {};
    /// Of an amount: the nearest value found with which the promise still breaks, `40s`.
    std::optional<std::string> still_breaks = {};
};

struct ExplainOptions {
    /// Trials at most.
    std::uint64_t trials = 10'000;
    std::chrono::milliseconds time = std::chrono::seconds{60};
};

/// Why a case breaks a promise, found by trying what it takes to keep it.
struct Explanation {
    std::vector<FaultNeed> faults;      ///< One for each fault of the plan, as far as tried.
    std::optional<FaultNeed> schedule;  ///< Of the schedule, if the plan has one and it was tried.
    std::vector<Variation> passing;     ///< The nearest first.
    std::uint64_t variations = 0;       ///< How many single values were tried.
    LastChance last_chance;
    std::uint64_t trials = 0;
    enum class Extent : std::uint8_t { complete, budget_ended } extent = Extent::complete;
};

/// Tries a broken case without each of its faults, without its schedule, and with single values of
/// its system changed: every other policy, and amounts by doubling and halving, up to 64 times,
/// with the way back to where it breaks bisected to two digits. An amount that helps only in
/// between is not found.
///
/// Then it goes back from the breach, step by step, until some future keeps the promise.
///
/// Nearest is, in this order: all faults still strike; the repair that the story names; what breaks
/// nothing else; the usual value; another policy; an amount. Throws sim::PlanError as
/// TrialRunner::run does.
Explanation explain(TrialRunner& runner, const Case& broken, const Breakage& breakage,
                    const ExplainOptions& options);

/// The plan without the faults of these positions, from 0, which are those of the whole plan.
sim::FaultPlan without_faults(const sim::FaultPlan& all, const std::set<std::size_t>& positions);

}  // namespace redeliver::scenarios
