// From every violation the two edges lead back to what was done on purpose: a fault of the plan, or
// a policy of the scenario.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "scenarios/catalog/catalog.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using sim::StepNumber;

bool is_deliberate(const sim::Step& step) {
    return step.kind == sim::FaultFired::kind || step.kind == model::Decided::kind;
}

/// Whether edges lead from a step to a deliberate one.
bool leads_back(const properties::History& steps, StepNumber from) {
    std::set<StepNumber> seen;
    std::vector<StepNumber> open = {from};
    while (!open.empty()) {
        const StepNumber number = open.back();
        open.pop_back();
        if (number == sim::no_step || !seen.insert(number).second) continue;
        const sim::Step& step = steps[number - 1];
        if (is_deliberate(step)) return true;
        open.push_back(step.cause);
        open.push_back(step.previous);
    }
    return false;
}

/// The first violating trial of a promise among a story's seeds.
std::optional<TrialResult> first_violation(TrialRunner& runner, const Scenario& story,
                                           std::string_view promise) {
    const AddressBook book = runner.address_book(story, 0);
    for (std::uint64_t seed = 1; seed <= story.seeds; ++seed) {
        TrialResult result = runner.run(story, expand(story, book, seed), seed, Level::everything);
        const auto found = std::ranges::find(result.verdicts, promise, &PromiseVerdict::name);
        if (found->verdict.holds == properties::Holds::violated) return result;
    }
    return {};
}

TEST(TrialCauses, LeadFromEveryBrokenPromiseOfTheCatalogueToAFaultOrAPolicy) {
    TrialRunner runner;
    for (const Scenario& story : all_stories())
        for (const std::string& promise : story.expect.breaks) {
            const auto trial = first_violation(runner, story, promise);
            if (!trial) continue;  // Another test says that it never breaks.
            const auto& verdict =
                std::ranges::find(trial->verdicts, promise, &PromiseVerdict::name)->verdict;
            ASSERT_NE(verdict.step, sim::no_step) << story.name << ' ' << promise;
            EXPECT_TRUE(leads_back(trial->recording->steps, verdict.step))
                << story.name << ' ' << promise << ", step " << verdict.step;
        }
}

TEST(TrialCauses, ComeBeforeTheirEffects) {
    TrialRunner runner;
    const Scenario story = *find_story("standard");
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
        const TrialResult result =
            runner.run(story, plan_of(runner, story, seed), seed, Level::everything);
        for (const sim::Step& step : result.recording->steps) {
            ASSERT_LT(step.cause, step.number);
            ASSERT_LT(step.previous, step.number);
            if (step.previous == sim::no_step) continue;
            ASSERT_EQ(result.recording->steps[step.previous - 1].subject, step.subject);
        }
    }
}

TEST(TrialCauses, LeadFromTheSecondWorkOverTheClaimToTheCrash) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    scenario.faults.pinned = {
        worlds::crash_at(model::Operation::xack, "run-1", sim::Point::before_send)};
    const worlds::Trial trial(scenario);
    const auto& steps = trial.result().recording->steps;

    const sim::Step& again = trial.step<model::WorkStarted>(model::run_of(1), 2);

    std::vector<sim::StepKind> on_the_way;
    for (StepNumber number = again.number; number != sim::no_step;
         number = steps[number - 1].previous)
        on_the_way.push_back(steps[number - 1].kind);
    EXPECT_THAT(on_the_way,
                testing::IsSupersetOf({model::Claimed::kind, sim::Cut::kind,
                                       model::WorkFinished::kind, model::Accepted::kind}));
    const sim::Step& cut = trial.step<sim::Cut>(model::run_of(1));
    const sim::Step& crash = steps[cut.cause - 1];
    EXPECT_EQ(crash.kind, sim::Crashed::kind);
    EXPECT_EQ(steps[crash.cause - 1].kind, sim::FaultFired::kind);
}

}  // namespace
}  // namespace redeliver::scenarios
