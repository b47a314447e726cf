// Many trials of one story: their sums, and how they are judged against what was expected.

#include "scenarios/explore/campaign.h"
#include "sim/fault_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/catalog/catalog.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using testing::IsEmpty;

const PromiseResult& promise(const StoryResult& story, std::string_view name) {
    return *std::ranges::find(story.promises, name, &PromiseResult::name);
}

/// Half of the seeds lose run-1: a random crash of a worker that acknowledges first.
Scenario lossy() {
    Scenario scenario = worlds::calm(1, 3);
    scenario.system.worker.acknowledge = AcknowledgePolicy::before_work;
    scenario.system.worker.work_time = sim::uniform(20ms, 200ms);
    scenario.faults.random = {{FaultKind::crash_worker, {1, 2}}};
    return scenario;
}

bool has(const StoryResult& story, Surprise what, std::string_view name) {
    return std::ranges::any_of(story.surprises, [&](const SurpriseReport& surprise) {
        return surprise.what == what && surprise.name == name;
    });
}

TEST(Campaign, ComesToTheSameWithOneThreadAndWithTwo) {
    const Scenario standard = *find_story("standard");
    const StoryResult one = run_story(standard, {.seeds = 300, .jobs = 1});
    const StoryResult two = run_story(standard, {.seeds = 300, .jobs = 2});

    EXPECT_EQ(one.fingerprint, two.fingerprint);
    EXPECT_EQ(one.distinct_behaviours, two.distinct_behaviours);
    for (std::size_t index = 0; index < one.promises.size(); ++index) {
        EXPECT_EQ(one.promises[index].violated, two.promises[index].violated);
        EXPECT_EQ(one.promises[index].first_violating_seed,
                  two.promises[index].first_violating_seed);
    }
}

TEST(Campaign, IsTheSumOfItsHalves) {
    const Scenario scenario = lossy();
    const StoryResult whole = run_story(scenario, {.first_seed = 1, .seeds = 130});
    const StoryResult first = run_story(scenario, {.first_seed = 1, .seeds = 70});
    const StoryResult second = run_story(scenario, {.first_seed = 71, .seeds = 60});

    EXPECT_EQ(whole.fingerprint, first.fingerprint + second.fingerprint);
    EXPECT_EQ(promise(whole, "no_run_lost").violated,
              promise(first, "no_run_lost").violated + promise(second, "no_run_lost").violated);
    for (std::size_t index = 0; index < whole.reached.size(); ++index)
        EXPECT_EQ(whole.reached[index].count,
                  first.reached[index].count + second.reached[index].count);
}

TEST(Campaign, NamesTheFirstViolatingSeed) {
    const Scenario scenario = lossy();
    const StoryResult story = run_story(scenario, {.seeds = 100});
    const auto first = promise(story, "no_run_lost").first_violating_seed;
    ASSERT_TRUE(first);
    TrialRunner runner;
    for (std::uint64_t seed = 1; seed <= *first; ++seed) {
        const TrialResult result =
            runner.run(scenario, plan_of(runner, scenario, seed), seed, Level::ledger);
        const auto lost = std::ranges::find(result.verdicts, "no_run_lost", &PromiseVerdict::name);
        EXPECT_EQ(lost->verdict.holds == properties::Holds::violated, seed == *first);
    }
}

TEST(Campaign, IsWrongWhenAPromiseThatWasToHoldBreaks) {
    Scenario scenario = lossy();
    scenario.expect.holds = {"no_run_lost"};
    const StoryResult story = run_story(scenario, {.seeds = 50});
    EXPECT_TRUE(has(story, Surprise::promise_broken, "no_run_lost"));
    EXPECT_TRUE(story.is_wrong());
}

TEST(Campaign, IsAsExpectedWhenAPromiseThatWasToBreakDoesInOneSeed) {
    Scenario scenario = lossy();
    scenario.expect.breaks = {"no_run_lost"};
    const StoryResult story = run_story(scenario, {.seeds = 50});
    EXPECT_THAT(story.surprises, IsEmpty());
}

TEST(Campaign, WantsAPinnedPromiseToBreakInEverySeed) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.worker.acknowledge = AcknowledgePolicy::before_work;
    scenario.system.worker.work_time = sim::uniform(20ms, 200ms);
    scenario.faults.pinned = {{sim::AtInstant{sim::at(200ms)}, sim::Crash{}, "worker-1"}};
    scenario.expect.breaks = {"no_run_lost"};

    const StoryResult story = run_story(scenario, {.seeds = 50});

    // Sometimes the work is done by then.
    ASSERT_GT(promise(story, "no_run_lost").violated, 0u);
    ASSERT_LT(promise(story, "no_run_lost").violated, 50u);
    EXPECT_TRUE(has(story, Surprise::promise_unbroken, "no_run_lost"));
}

TEST(Campaign, IsIncompleteWhenAPathIsNotReached) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.expect.reaches = {"dead_lettered"};
    const StoryResult story = run_story(scenario, {.seeds = 5});
    EXPECT_TRUE(has(story, Surprise::path_unreached, "dead_lettered"));
    EXPECT_FALSE(story.is_wrong());
}

TEST(Campaign, IsIncompleteWhenAPromiseWasNeverPutToTheTest) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.expect.holds = {"poison_is_isolated"};
    EXPECT_TRUE(
        has(run_story(scenario, {.seeds = 5}), Surprise::promise_vacuous, "poison_is_isolated"));
}

TEST(Campaign, IsWrongWhenATotalIsAnotherNumber) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.expect.totals = {{"replies", 4}};
    const StoryResult story = run_story(scenario, {.seeds = 5});
    ASSERT_TRUE(has(story, Surprise::total_differs, "replies"));
    EXPECT_EQ(story.surprises.front().detail, "expected 4, found 3");
    EXPECT_TRUE(story.is_wrong());
}

TEST(Campaign, IsIncompleteWhenItsSeedsHardlyDiffer) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.faults.random = {{FaultKind::clock_step, {0, 0}}};
    EXPECT_TRUE(has(run_story(scenario, {.seeds = 100}), Surprise::too_few_behaviours, "calm"));
}

TEST(Campaign, IsWrongWhenTheTwinBreaksThePromiseAsWell) {
    Scenario scenario = *find_story("ack-before-work");
    ASSERT_FALSE(scenario.expect.breaks.empty());
    ASSERT_TRUE(run_story(scenario, {.seeds = 10}).as_expected());

    scenario.repaired_by = Twin{"ack-before-work", "/system/worker/acknowledge"};

    EXPECT_TRUE(has(run_story(scenario, {.seeds = 10}), Surprise::not_repaired,
                    scenario.expect.breaks.front()));
}

TEST(Campaign, SaysThatThereIsNoSuchTwin) {
    Scenario scenario = *find_story("ack-before-work");
    scenario.repaired_by = Twin{"no-such-story", ""};
    EXPECT_TRUE(has(run_story(scenario, {.seeds = 3}), Surprise::not_repaired, "no-such-story"));
}

TEST(Campaign, ReportsProgressUpToTheEnd) {
    std::vector<std::uint64_t> seen;
    run_story(worlds::calm(1, 1),
              {.seeds = 130, .progress = [&](std::uint64_t done) { seen.push_back(done); }});
    ASSERT_FALSE(seen.empty());
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), 130u);
}

TEST(Campaign, PassesOnWhatATrialThrows) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.faults.pinned = {worlds::crash_at(Operation::xack, "run-1", Point::before_send)};
    scenario.faults.pinned.front().target = "worker-9";
    EXPECT_THROW(run_story(scenario, {.seeds = 70, .jobs = 2}), sim::PlanError);
}

}  // namespace
}  // namespace redeliver::scenarios
