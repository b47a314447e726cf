#include "scenarios/explore/hunt.h"

#include <time.h>

#include <chrono>
#include <utility>
#include <vector>

#include "scenarios/explore/breakage.h"
#include "scenarios/explore/exploration.h"
#include "scenarios/json/codec.h"
#include "sim/fault_table.h"

namespace redeliver::scenarios {

namespace {

using properties::Holds;

/// Of this thread, so that whatever else the machine does is left out.
std::chrono::nanoseconds processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

/// Judges trials of one bug's wrong system.
class Judge {
public:
    /// `wrong` may differ from the bug's own system in its faults, and in what a shrinker took
    /// away.
    Judge(TrialRunner& runner, const PlantedBug& bug, const Scenario& wrong)
        : runner_(runner), bug_(bug), right_(wrong) {
        apply_setting(right_, bug.taken_back);
    }

    bool shows(const TrialResult& wrong, const Plan& plan, std::uint64_t seed) const {
        if (!breakage_of(wrong, plan, bug_.breaks)) return false;
        return holds_when_right(plan, seed);
    }

private:
    bool holds_when_right(const Plan& plan, std::uint64_t seed) const {
        try {
            const TrialResult right = runner_.run(right_, plan, seed, Level::ledger);
            return verdict_of(right, bug_.breaks).holds == Holds::holds;
        } catch (const sim::PlanError&) {
            return false;  // A fault strikes an actor that only the wrong system has.
        }
    }

    TrialRunner& runner_;
    const PlantedBug& bug_;
    Scenario right_;
};

/// Has a strategy's attempts tried one after the other, in its batches; `each` says whether to go
/// on.
template <class Each>
void try_all(TrialRunner& runner, Strategy& strategy, std::uint64_t trials, Each each) {
    std::uint64_t tried = 0;
    while (tried < trials) {
        std::vector<Attempt> batch;
        while (batch.size() < std::min<std::uint64_t>(attempts_per_batch, trials - tried)) {
            auto attempt = strategy.next();
            if (!attempt) break;
            batch.push_back(*std::move(attempt));
        }
        if (batch.empty()) return;
        for (const Attempt& attempt : batch) {
            const TrialResult result =
                runner.run(strategy.scenario(), attempt.plan, attempt.seed, Level::ledger);
            ++tried;
            if (!each(attempt, result)) return;
            strategy.learn(attempt, result);
        }
    }
}

}  // namespace

HuntResult hunt(TrialRunner& runner, const PlantedBug& bug, Strategy& strategy,
                std::uint64_t trials) {
    const auto began = processor_time();
    const Judge judge(runner, bug, strategy.scenario());
    HuntResult hunted;
    try_all(runner, strategy, trials, [&](const Attempt& attempt, const TrialResult& result) {
        ++hunted.trials;
        if (!judge.shows(result, attempt.plan, attempt.seed)) return true;
        hunted.found = make_case(strategy.scenario(), attempt.plan, attempt.seed, result);
        return false;
    });
    hunted.milliseconds =
        std::chrono::duration<double, std::milli>(processor_time() - began).count();
    return hunted;
}

bool shows(TrialRunner& runner, const PlantedBug& bug, const Case& wrong) {
    const TrialResult result = runner.run(wrong.scenario, wrong.plan, wrong.seed, Level::ledger);
    return Judge(runner, bug, wrong.scenario).shows(result, wrong.plan, wrong.seed);
}

Counted count_shown(TrialRunner& runner, const PlantedBug& bug, Strategy& strategy,
                    std::uint64_t trials) {
    const Judge judge(runner, bug, strategy.scenario());
    Counted counted;
    try_all(runner, strategy, trials, [&](const Attempt& attempt, const TrialResult& result) {
        if (breakage_of(result, attempt.plan, bug.breaks)) ++counted.broken;
        if (judge.shows(result, attempt.plan, attempt.seed)) ++counted.shown;
        return true;
    });
    return counted;
}

}  // namespace redeliver::scenarios
