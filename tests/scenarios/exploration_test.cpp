// What a strategy's attempts come to, and the strategies that have no end.

#include "scenarios/explore/exploration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/seeded.h"

namespace redeliver::scenarios {
namespace {

TEST(RandomStrategy, ComesToWhatRunComesTo) {
    const Scenario standard = *find_story("standard");
    const StoryResult story = run_story(standard, {.first_seed = 5, .seeds = 300});
    const auto strategy = random_seeds(standard, 5);
    const Exploration exploration = explore(standard, *strategy, {.trials = 300});

    EXPECT_EQ(exploration.tried, 300u);
    EXPECT_EQ(exploration.new_behaviours.size(), story.distinct_behaviours);
    for (std::size_t index = 0; index < story.promises.size(); ++index) {
        EXPECT_EQ(exploration.promises[index].violated, story.promises[index].violated);
        EXPECT_EQ(exploration.promises[index].held, story.promises[index].held);
    }
}

TEST(SwarmStrategy, LeavesOutWholeKindsOfFaultAndKeepsTheOthersAsTheyWere) {
    const Scenario standard = *find_story("standard");
    const auto all = random_seeds(standard, 1);
    const auto some = swarm(standard, 1);
    std::size_t left_out = 0;
    for (int seed = 1; seed <= 100; ++seed) {
        const Plan full = all->next()->plan;
        const Plan partial = some->next()->plan;
        EXPECT_EQ(partial.messages, full.messages);
        for (const sim::Fault& fault : partial.faults)
            EXPECT_EQ(std::ranges::count(full.faults, fault) > 0, true) << seed;
        left_out += full.faults.size() - partial.faults.size();
        EXPECT_LE(partial.faults.size(), full.faults.size());
    }
    EXPECT_GT(left_out, 200u);
}

/// Attempts that all go the same way.
class SameAgain final : public Strategy {
public:
    explicit SameAgain(const Scenario& scenario)
        : scenario_(scenario),
          attempt_{.plan = {.messages = draw_messages(scenario, 1), .faults = {}}} {}
    const Scenario& scenario() const override { return scenario_; }
    std::optional<Attempt> next() override { return attempt_; }
    void learn(const Attempt&, const TrialResult&) override { ++learnt; }
    Scope scope() const override { return {}; }
    std::size_t learnt = 0;

private:
    const Scenario& scenario_;
    Attempt attempt_;
};

TEST(Exploration, SaysWhenNothingNewAppears) {
    const Scenario story = *find_story("crash-before-xack");
    SameAgain strategy(story);
    const Exploration exploration = explore(story, strategy, {.trials = 1'000});

    EXPECT_EQ(strategy.learnt, 1'000u);
    EXPECT_THAT(exploration.new_behaviours, testing::ElementsAre(1));
    EXPECT_EQ(exploration.new_of_late(), 0u);
}

TEST(Exploration, CountsNewBehavioursOfTheLastTenth) {
    Exploration exploration;
    exploration.tried = 100;
    exploration.new_behaviours = {1, 50, 90, 91, 100};

    EXPECT_EQ(exploration.new_of_late(), 2u);
}

TEST(Exploration, KeepsTheFirstPlanThatBreaksAPromise) {
    const Scenario story = *find_story("crash-before-xack");
    const auto strategy = random_seeds(story, 1);
    const Exploration exploration = explore(story, *strategy, {.trials = 3});
    const auto promise =
        std::ranges::find(exploration.promises, "work_is_executed_once", &ExploredPromise::name);

    EXPECT_EQ(promise->violated, 3u);
    ASSERT_TRUE(promise->first.has_value());
    EXPECT_EQ(promise->first->attempt, 1u);
    EXPECT_EQ(promise->first->plan.faults, story.faults.pinned);
}

}  // namespace
}  // namespace redeliver::scenarios
