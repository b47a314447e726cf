// Orders by drawn priorities: what they are, and what takes a depth to be found.

#include "scenarios/explore/priority.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/shrink.h"
#include "scenarios/json/codec.h"
#include "tests/scenarios/exploration_systems.h"
#include "tests/scenarios/shrunk_stories.h"
#include "tests/scenarios/single_changes.h"

namespace redeliver::scenarios {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

TEST(Priorities, AreAnOrderOfAllActorsAndOneChangeLessThanTheDepth) {
    const std::vector<std::string> actors = actors_of(find_story("tiny").value());
    EXPECT_THAT(actors, testing::ElementsAre("gateway-1", "worker-1", "worker-2", "user-1",
                                             "user-2", "republisher"));
    std::set<std::vector<std::string>> orders;
    std::set<std::uint32_t> changes;
    for (std::uint64_t number = 1; number <= 2'000; ++number) {
        const sim::Schedule drawn = draw_priorities(actors, 10, 3, 1, number);
        EXPECT_THAT(drawn.order, UnorderedElementsAreArray(actors));
        ASSERT_THAT(drawn.changes, AllOf(SizeIs(2), Each(AllOf(Ge(1u), Le(10u)))));
        orders.insert(drawn.order);
        changes.insert(drawn.changes.begin(), drawn.changes.end());
        EXPECT_EQ(drawn, draw_priorities(actors, 10, 3, 1, number));
    }

    // 720 orders of six, of which 2,000 draws miss 45 on average.
    EXPECT_GT(orders.size(), 640u);
    EXPECT_THAT(changes, SizeIs(10));
}

TEST(Priorities, StateTheOddsOfTheirDepth) {
    EXPECT_EQ((Priorities{.depth = 1, .actors = 6, .steps = 100}.one_in()), 6u);
    EXPECT_EQ((Priorities{.depth = 3, .actors = 6, .steps = 100}.one_in()), 60'000u);
    EXPECT_EQ((Priorities{.depth = 16, .actors = 6, .steps = 1'000'000}.one_in()),
              ~std::uint64_t{0});
}

/// One message whose entry is published twice while it is worked on: two workers check for a reply
/// and then insert one, each in a transaction of its own. It breaks when both check first.
Scenario check_then_insert() {
    Scenario scenario = find_story("tiny").value();
    scenario.workload.messages.pop_back();
    scenario.workload.messages[0].at = sim::at(95ms);
    for (const char* const setting :
         {"users.count=1", "republisher.age=1ms", "republisher.interval=10ms",
          "worker.deduplicate=check_then_insert", "worker.mark_done=after_reply",
          "worker.status_changes=unconditional", "database.unique_reply=absent"})
        apply_setting(scenario, setting);
    return scenario;
}

Exploration prioritized(const Scenario& scenario, std::uint32_t depth, std::uint64_t trials,
                        std::uint32_t jobs = 1) {
    const auto strategy = prioritize(scenario, {.depth = depth});
    return explore(scenario, *strategy, {.trials = trials, .jobs = jobs});
}

const ExploredPromise& replied(const Exploration& result) {
    return *std::ranges::find(result.promises, "exactly_one_reply", &ExploredPromise::name);
}

TEST(Priority, FindsAMistakeOfDepthTwoOnlyAtThatDepthAndAsOftenAsItSays) {
    const Scenario mistake = check_then_insert();
    const Exploration shallow = prioritized(mistake, 1, 1'000);
    const Exploration deep = prioritized(mistake, 2, 1'000);

    EXPECT_EQ(replied(shallow).violated, 0u);
    EXPECT_GE(replied(deep).violated * deep.scope.priorities.one_in(), deep.tried);
    EXPECT_EQ(deep.scope.priorities.actors, 5u);
    EXPECT_EQ(deep.scope.strikes, Scope::Strikes::of_strategy);
}

TEST(Priority, FindsItUnderAScheduleThatIsShrunkToThePicksItTakes) {
    const Scenario mistake = check_then_insert();
    const Finding found = replied(prioritized(mistake, 2, 1'000)).first.value();
    TrialRunner runner;
    const TrialResult result = runner.run(mistake, found.plan, found.seed, Level::everything);
    const auto shrunk = shrink(runner, make_case(mistake, found.plan, found.seed, result),
                               {.promise = "exactly_one_reply"});
    ASSERT_TRUE(shrunk);
    const Case& best = shrunk->best;
    ASSERT_TRUE(shrunk::breach(best, "exactly_one_reply"));

    EXPECT_THAT(best.plan.schedule.order, testing::IsEmpty());
    EXPECT_THAT(best.plan.schedule.picks, AllOf(SizeIs(Ge(1u)), SizeIs(Le(6u))));
    EXPECT_EQ(best.scenario.schedule, best.plan.schedule);
    const auto as_broken = shrunk::breach(best, "exactly_one_reply");
    for (const auto& [move, less] : shrunk::single_changes(best)) {
        SCOPED_TRACE(move);
        EXPECT_NE(shrunk::breach(less, "exactly_one_reply"), as_broken);
    }
}

TEST(Priority, DrawsASingleFaultToGoWithItWhereAsked) {
    const Scenario tiny = find_story("tiny").value();
    const auto strategy =
        prioritize(tiny, {.faults = 1, .mishaps = {Mishap::crash, Mishap::lose_reply}});
    std::set<Mishap> drawn;
    for (int each = 0; each < 100; ++each) {
        const Attempt attempt = strategy->next().value();
        ASSERT_THAT(attempt.plan.faults, SizeIs(1));
        drawn.insert(attempt.tried.value().mishap);
    }
    EXPECT_THAT(drawn, testing::ElementsAre(Mishap::crash, Mishap::lose_reply));
}

TEST(Priority, ComesToTheSameWithOneThreadAndWithTwo) {
    const Scenario tiny = find_story("tiny").value();
    EXPECT_EQ(prioritized(tiny, 3, 600, 1).fingerprint, prioritized(tiny, 3, 600, 2).fingerprint);
}

}  // namespace
}  // namespace redeliver::scenarios
