// Whatever an explanation says must be found true by running it again.

#include "scenarios/explore/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/explore/knobs.h"
#include "scenarios/explore/shrink.h"
#include "tests/scenarios/shrunk_stories.h"

namespace redeliver::scenarios {
namespace {

using properties::Holds;
using shrunk::breach;
using shrunk::case_of;
using testing::Contains;
using testing::Field;
using testing::IsEmpty;

struct Told {
    Shrunk shrunk;
    Explanation explanation;
};

Told told(const Case& broken, const ExplainOptions& options = {}) {
    TrialRunner runner;
    Shrunk shrunk = shrink(runner, broken, {}).value();
    Explanation explanation = explain(runner, shrunk.best, shrunk.breakage, options);
    return {std::move(shrunk), std::move(explanation)};
}

Holds verdict_with(const Case& of, const std::string& promise, const std::string& setting) {
    Case changed = of;
    apply_setting(changed.scenario, setting);
    TrialRunner runner;
    const TrialResult result =
        runner.run(changed.scenario, changed.plan, changed.seed, Level::ledger);
    return std::ranges::find(result.verdicts, promise, &PromiseVerdict::name)->verdict.holds;
}

class ExplainedStory : public testing::TestWithParam<std::string_view> {};

TEST_P(ExplainedStory, NeedsTheFaultsThatItSaysItNeeds) {
    const Told story = told(case_of(GetParam()));
    const Case& best = story.shrunk.best;
    const std::string& promise = story.shrunk.breakage.promise;

    ASSERT_EQ(story.explanation.faults.size(), best.plan.faults.size());
    for (std::size_t fault = 0; fault < best.plan.faults.size(); ++fault) {
        Case less = best;
        less.plan.faults.erase(less.plan.faults.begin() + static_cast<long>(fault));
        const bool breaks_alike = breach(less, promise) == breach(best, promise);
        EXPECT_EQ(story.explanation.faults[fault].need == FaultNeed::Need::not_needed,
                  breaks_alike);
    }
}

TEST_P(ExplainedStory, PassesWithEverySettingThatItSaysPasses) {
    const Told story = told(case_of(GetParam()));
    const std::string& promise = story.shrunk.breakage.promise;
    for (const Variation& variation : story.explanation.passing) {
        SCOPED_TRACE(variation.setting);
        EXPECT_EQ(verdict_with(story.shrunk.best, promise, variation.setting), Holds::holds);
        for (const std::string& other : variation.also_breaks)
            EXPECT_EQ(verdict_with(story.shrunk.best, other, variation.setting), Holds::violated);
        if (!variation.still_breaks) continue;
        const std::string path = variation.setting.substr(0, variation.setting.find('='));
        EXPECT_NE(verdict_with(story.shrunk.best, promise, path + "=" + *variation.still_breaks),
                  Holds::holds);
    }
}

TEST_P(ExplainedStory, HasItsLastChanceWhereNoLaterStepLeavesOne) {
    const Told story = told(case_of(GetParam()));
    const Case& best = story.shrunk.best;
    const LastChance& chance = story.explanation.last_chance;
    TrialRunner runner;
    const auto futures_that_keep_it = [&](sim::StepNumber after) {
        std::uint32_t keeping = 0;
        for (std::uint64_t seed = best.seed; seed < best.seed + chance.futures; ++seed) {
            const TrialResult result = runner.run_branch(best.scenario, best.plan, best.seed,
                                                         {after, seed}, Level::ledger);
            if (verdict_of(result, story.shrunk.breakage.promise).holds != Holds::violated)
                ++keeping;
        }
        return keeping;
    };

    EXPECT_EQ(chance.futures, 8u);
    EXPECT_GT(chance.from, chance.after);
    EXPECT_EQ(chance.back_to, std::max(chance.after, sim::StepNumber{1}));
    EXPECT_EQ(futures_that_keep_it(chance.back_to), chance.keeping);
    for (sim::StepNumber later = chance.from; later > chance.after; --later)
        EXPECT_EQ(futures_that_keep_it(later), 0u) << later;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ExplainedStory,
                         testing::Values("no-reply-key", "crash-before-xack", "ack-before-work",
                                         "check-then-insert", "pool-leaks", "publish-lost",
                                         "poison-copied-twice", "deliveries-are-not-failures",
                                         "order-breaks-in-a-group", "failover-forgets-a-run"),
                         [](const auto& test) {
                             std::string name;
                             for (const char letter : test.param)
                                 if (letter != '-') name += letter;
                             return name;
                         });

TEST(Explain, NamesTheRepairOfTheStoryFirst) {
    const Told story = told(case_of("check-then-insert"));
    ASSERT_FALSE(story.explanation.passing.empty());
    EXPECT_EQ(story.explanation.passing.front().setting, "database.unique_reply=present");
    EXPECT_EQ(story.explanation.passing.front().was, "absent");
    EXPECT_EQ(story.explanation.passing.front().origin, Variation::Origin::repair);
}

TEST(Explain, FindsWhereADurationBeginsToHelp) {
    const Told story = told(case_of("threshold-too-small"));
    const auto found = std::ranges::find(story.explanation.passing, "worker.idle_threshold=2600ms",
                                         &Variation::setting);
    ASSERT_NE(found, story.explanation.passing.end());
    EXPECT_EQ(found->was, "1s");
    EXPECT_EQ(found->still_breaks, "2500ms");
}

TEST(Explain, SaysThatAFaultIsNotNeededWhereItIsNot) {
    TrialRunner runner;
    Case broken = case_of("crash-before-xack");
    broken.plan.faults.push_back({sim::AtInstant{sim::at(1ms)}, sim::Reset{}, "worker-2"});
    const Breakage breakage =
        breakage_of(runner.run(broken.scenario, broken.plan, broken.seed, Level::ledger),
                    broken.plan, "work_is_executed_once")
            .value();
    const Explanation explanation = explain(runner, broken, breakage, {});

    ASSERT_EQ(explanation.faults.size(), 2u);
    EXPECT_EQ(explanation.faults[0].need, FaultNeed::Need::needed);
    EXPECT_EQ(explanation.faults[0].without, Holds::holds);
    EXPECT_EQ(explanation.faults[1].need, FaultNeed::Need::not_needed);
    EXPECT_EQ(explanation.faults[1].without, Holds::violated);
}

TEST(Explain, SaysThatItsBudgetEnded) {
    const Told story = told(case_of("crash-before-xack"), {.trials = 3});
    EXPECT_EQ(story.explanation.trials, 3u);
    EXPECT_EQ(story.explanation.extent, Explanation::Extent::budget_ended);
    EXPECT_LE(story.explanation.variations, 1u);
}

TEST(Explain, ComesToAnEndWhereAVariationDoesNot) {
    // Acknowledged before the work and published again for ever, were it not capped.
    const Told story = told(case_of("publish-before-insert"));
    EXPECT_EQ(story.explanation.extent, Explanation::Extent::complete);
}

TEST(Knobs, AreThePoliciesAndAmountsOfASystemButNotItsWorld) {
    const std::vector<Knob> knobs = knobs_of(Scenario{});
    EXPECT_THAT(knobs, Contains(Field(&Knob::path, "worker.claim")));
    EXPECT_THAT(knobs, Contains(Field(&Knob::path, "worker.idle_threshold")));
    EXPECT_THAT(knobs, Contains(Field(&Knob::path, "broker.appendfsync")));
    EXPECT_THAT(knobs, Not(Contains(Field(&Knob::path, "worker.work_time"))));
    EXPECT_THAT(knobs, Not(Contains(Field(&Knob::path, "network.latency"))));
}

TEST(Knobs, EachWordOfAPolicyIsASettingThatIsAccepted) {
    for (const Knob& knob : knobs_of(Scenario{}))
        for (const std::string_view word : knob.words) {
            Scenario scenario = find_story("standard").value();
            EXPECT_NO_THROW(apply_setting(scenario, knob.set_to(word))) << knob.set_to(word);
        }
}

TEST(WithoutFaults, KeepsTheOthersInTheirOrder) {
    const sim::FaultPlan all = {{sim::AtInstant{sim::at(1s)}, sim::Reset{}, "worker-1"},
                                {sim::AtInstant{sim::at(2s)}, sim::Reset{}, "worker-1"},
                                {sim::AtInstant{sim::at(3s)}, sim::Reset{}, "worker-1"}};
    EXPECT_THAT(without_faults(all, {0, 2}), testing::ElementsAre(all[1]));
    EXPECT_THAT(without_faults(all, {0, 1, 2}), IsEmpty());
}

}  // namespace
}  // namespace redeliver::scenarios
