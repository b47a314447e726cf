// Plans that grow out of plans which reached something.

#include "scenarios/explore/mutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/seeded.h"
#include "scenarios/json/codec.h"
#include "tests/scenarios/exploration_systems.h"

namespace redeliver::scenarios {
namespace {

Exploration mutated(const Scenario& story, std::uint64_t trials, std::uint32_t jobs = 1) {
    const auto strategy = mutate(story, {});
    return explore(story, *strategy, {.trials = trials, .jobs = jobs});
}

std::ptrdiff_t rare_paths_in(const Exploration& result) {
    return std::ranges::count_if(result.reached, [](const auto& path) { return path.count > 0; });
}

TEST(Mutation, ReachesMoreRarePathsThanAsManyRandomSeeds) {
    const Scenario standard = find_story("standard").value();
    const Exploration mutants = mutated(standard, 1'000);
    const Exploration seeds = explore(standard, *random_seeds(standard, 1), {.trials = 1'000});

    EXPECT_GT(rare_paths_in(mutants), rare_paths_in(seeds) + 2);
}

TEST(Mutation, SaysWhereItsPlansComeFrom) {
    const Exploration result = mutated(find_story("standard").value(), 1'200);
    const Corpus& corpus = result.scope.corpus;

    // The first of them, and then one in eight.
    EXPECT_EQ(corpus.seeds, first_seeds + (1'200 - first_seeds) / seeds_one_in);
    EXPECT_EQ(corpus.seeds + corpus.mutations, result.tried);
    EXPECT_GT(corpus.from_paths, 10u);
    // Nearly every plan of this story behaves like no other.
    EXPECT_EQ(corpus.from_behaviours - corpus.dropped, most_behaviours);
    EXPECT_EQ(result.scope.strikes, Scope::Strikes::of_strategy);
}

TEST(Mutation, MakesPlansThatCanBeWrittenAndRead) {
    const Scenario story = find_story("crash-before-xack").value();
    const auto strategy = mutate(story, {});
    TrialRunner runner;
    std::size_t schedules = 0;
    std::size_t faults = 0;
    for (int each = 0; each < 800; ++each) {
        const Attempt attempt = strategy->next().value();
        const TrialResult result =
            runner.run(strategy->scenario(), attempt.plan, attempt.seed, Level::ledger);
        strategy->learn(attempt, result);
        const Case made = make_case(strategy->scenario(), attempt.plan, attempt.seed, result);
        ASSERT_EQ(read_case(write_case(made), "made").plan, attempt.plan);
        schedules += attempt.plan.schedule.is_none() ? 0 : 1;
        faults = std::max(faults, attempt.plan.faults.size());
    }
    EXPECT_GT(schedules, 50u);
    EXPECT_GT(faults, 3u);
}

TEST(Mutation, ComesToTheSameWithOneThreadAndWithTwo) {
    const Scenario story = find_story("crash-before-xack").value();
    EXPECT_EQ(mutated(story, 700, 1).fingerprint, mutated(story, 700, 2).fingerprint);
}

}  // namespace
}  // namespace redeliver::scenarios
