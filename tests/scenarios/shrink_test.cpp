// What the shrinker says is judged by loops that share nothing with it.

#include "scenarios/explore/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "scenarios/explore/round_times.h"
#include "tests/scenarios/shrunk_stories.h"
#include "tests/scenarios/single_changes.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using namespace std::chrono_literals;
using shrunk::breach;
using shrunk::case_of;
using shrunk::single_changes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Shrunk shrunk_case(const Case& broken, const ShrinkOptions& options = {}) {
    TrialRunner runner;
    return shrink(runner, broken, options).value();
}

struct Known {
    std::string_view story;
    std::string_view promise;
    std::size_t faults;
    std::size_t messages;
    std::vector<std::string> settings = {};
};

std::ostream& operator<<(std::ostream& out, const Known& known) {
    out << known.story;
    for (const std::string& setting : known.settings) out << ' ' << setting;
    return out;
}

/// The least numbers of faults and messages that break a promise in the same way: found by trying
/// all subsets of the faults with all subsets of the messages.
std::pair<std::size_t, std::size_t> true_minimum(const Case& broken, std::string_view promise) {
    const auto wanted = breach(broken, promise);
    const Plan& plan = broken.plan;
    std::pair<std::size_t, std::size_t> least = {plan.faults.size(), plan.messages.size()};
    for (std::uint32_t faults = 0; faults < 1u << plan.faults.size(); ++faults)
        for (std::uint32_t messages = 1; messages < 1u << plan.messages.size(); ++messages) {
            const std::pair<std::size_t, std::size_t> size = {std::popcount(faults),
                                                              std::popcount(messages)};
            if (size.first + size.second >= least.first + least.second) continue;
            Case part = broken;
            part.plan = {};
            for (std::size_t i = 0; i < plan.faults.size(); ++i)
                if ((faults >> i & 1) != 0) part.plan.faults.push_back(plan.faults[i]);
            for (std::size_t i = 0; i < plan.messages.size(); ++i)
                if ((messages >> i & 1) != 0) part.plan.messages.push_back(plan.messages[i]);
            if (breach(part, promise) == wanted) least = size;
        }
    return least;
}

/// The changes that leave a case as broken as it is: of one that is 1-minimal there are none.
std::vector<std::string> changes_that_help(const Case& best, std::string_view promise) {
    const auto as_broken = breach(best, promise);
    const auto breaks_another = [&](const Case& less) {
        return std::ranges::any_of(best.scenario.expect.holds, [&](const std::string& other) {
            return other != promise && breach(less, other);
        });
    };
    std::vector<std::string> helping;
    for (const auto& [move, less] : single_changes(best))
        if (breach(less, promise) == as_broken && !breaks_another(less)) helping.push_back(move);
    return helping;
}

class ShrunkStory : public testing::TestWithParam<Known> {};

TEST_P(ShrunkStory, IsAsSmallAsBruteForceFindsAndBreaksThePromiseInTheSameWay) {
    const Known& known = GetParam();
    const Case broken = case_of(known.story, 1, known.settings);
    const Shrunk result = shrunk_case(broken, {.promise = std::string(known.promise)});

    EXPECT_EQ(result.minimality, Minimality::one_minimal);
    EXPECT_EQ(breach(result.best, known.promise), breach(broken, known.promise));
    EXPECT_EQ(result.best.plan.faults.size(), known.faults);
    EXPECT_EQ(result.best.plan.messages.size(), known.messages);
    EXPECT_EQ(true_minimum(broken, known.promise), std::pair(known.faults, known.messages));
}

TEST_P(ShrunkStory, IsLeftByEverySingleMove) {
    const Known& known = GetParam();
    const Case best = shrunk_case(case_of(known.story, 1, known.settings),
                                  {.promise = std::string(known.promise)})
                          .best;
    EXPECT_THAT(changes_that_help(best, known.promise), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Catalogue, ShrunkStory,
    testing::Values(Known{"no-reply-key", "exactly_one_reply", 1, 1},
                    Known{"crash-before-xack", "work_is_executed_once", 1, 1},
                    Known{"ack-before-work", "no_run_lost", 1, 1},
                    Known{"ack-never", "pending_list_drains", 0, 1},
                    Known{"fresh-key-per-retry", "one_run_per_intention", 1, 1},
                    Known{"check-then-insert", "exactly_one_reply", 1, 1},
                    Known{"lease-without-fencing", "exactly_one_reply", 1, 1},
                    Known{"publish-lost", "no_run_lost", 1, 1},
                    Known{"pool-leaks", "no_user_gives_up", 2, 2},
                    Known{"poison-copied-twice", "poison_is_isolated", 1, 1},
                    Known{"deliveries-are-not-failures", "nothing_healthy_is_dead_lettered", 2, 1},
                    Known{"order-breaks-in-a-group", "replies_keep_session_order", 0, 2},
                    Known{"failover-forgets-a-run", "answered_runs_exist", 1, 1},
                    Known{"relay-removes-first", "no_run_lost", 1, 1},
                    Known{"relays-publish-twice", "work_is_executed_once", 1, 1},
                    Known{"running-run-is-forgotten", "no_run_lost", 2, 1},
                    Known{"pause-just-over-the-threshold", "work_is_executed_once", 1, 1},
                    // Drawn: single removals alone end at four messages.
                    Known{"reference-numbers", "work_is_executed_once", 0, 1}),
    [](const auto& test) {
        std::string name;
        for (const char letter : test.param.story)
            if (letter != '-') name += letter;
        return name;
    });

TEST(SingleChanges, FindWhatHelpsWhereACaseIsNotShrunk) {
    EXPECT_THAT(changes_that_help(case_of("crash-before-xack"), "work_is_executed_once"),
                testing::IsSupersetOf(
                    {"no message 1", "messages 2", "one gateway less", "one worker less"}));
}

TEST(Shrink, FindsTheOneFaultAndTheOneMessageAmongMany) {
    const Case broken =
        case_of("standard", 1, {"worker.deduplicate=none", "database.unique_reply=absent"});
    ASSERT_EQ(broken.plan.faults.size(), 5u);
    ASSERT_EQ(broken.plan.messages.size(), 12u);
    const Shrunk result = shrunk_case(broken, {.promise = "replies_keep_session_order"});

    EXPECT_EQ(result.minimality, Minimality::one_minimal);
    EXPECT_EQ(result.best.plan.faults.size(), 1u);
    EXPECT_EQ(result.best.plan.messages.size(), 2u);
    EXPECT_EQ(result.best.scenario.system.worker.count, 1u);
    EXPECT_EQ(breach(result.best, "replies_keep_session_order"),
              breach(broken, "replies_keep_session_order"));
}

TEST(Shrink, TriesEveryPairOfTheWholeCaseWhereMoreIsLeft) {
    const Case broken = case_of("batch-of-one", 8);
    const Shrunk result = shrunk_case(broken, {.promise = "replies_keep_session_order"});

    EXPECT_EQ(result.minimality, Minimality::one_minimal);
    EXPECT_GT(result.best.plan.messages.size(), 2u);
    EXPECT_EQ(result.choices, 20u + 190u);
    const auto as_broken = breach(broken, "replies_keep_session_order");
    for (std::size_t one = 0; one < broken.plan.messages.size(); ++one)
        for (std::size_t other = one; other < broken.plan.messages.size(); ++other) {
            Case pair = broken;
            pair.plan.messages = {broken.plan.messages[one]};
            if (other != one) pair.plan.messages.push_back(broken.plan.messages[other]);
            EXPECT_NE(breach(pair, "replies_keep_session_order"), as_broken);
        }
}

TEST(Shrink, LeavesChoicesAloneWhereTheMovesCameToFew) {
    EXPECT_EQ(shrunk_case(case_of("crash-before-xack")).choices, 0u);
}

TEST(Shrink, GivesACaseThatIsReadBackAndDoesWhatItSays) {
    const Case best = shrunk_case(case_of("crash-before-xack")).best;
    const Case read = read_case(write_case(best), "best");
    TrialRunner runner;
    const TrialResult replayed = runner.run(read.scenario, read.plan, read.seed, Level::everything);

    EXPECT_FALSE(compare(read, replayed));
    EXPECT_EQ(plan_of(runner, read.scenario, read.seed), read.plan);  // It is a story of its own.
    EXPECT_THAT(read.scenario.expect.breaks, ElementsAre("work_is_executed_once"));
}

TEST(Shrink, KeepsAPromiseThatWasToHoldAmongThose) {
    const Case broken = case_of("ack-after-work", 1, {"worker.acknowledge=before_work"});
    const Shrunk result = shrunk_case(broken);

    EXPECT_EQ(result.breakage.promise, "exactly_one_reply");
    EXPECT_THAT(result.best.scenario.expect.holds, testing::Contains("exactly_one_reply"));
}

TEST(Shrink, BreaksNoOtherPromiseThatWasToHoldAndDid) {
    const Case broken = case_of("crash-before-xack");
    const Case best = shrunk_case(broken).best;
    for (const std::string& promise : broken.scenario.expect.holds)
        EXPECT_FALSE(breach(best, promise)) << promise;
}

TEST(Shrink, SaysThatItsBudgetOfTrialsEndedAndKeepsTheBest) {
    const Case broken = case_of("reference-numbers");
    const Shrunk result = shrunk_case(broken, {.trials = 10});

    EXPECT_EQ(result.minimality, Minimality::budget_ended);
    EXPECT_EQ(result.trials, 10u);
    EXPECT_LT(result.best.plan.messages.size(), broken.plan.messages.size());
    EXPECT_EQ(breach(result.best, result.breakage.promise),
              breach(broken, result.breakage.promise));
}

TEST(Shrink, SaysThatItsTimeEnded) {
    const Shrunk result = shrunk_case(case_of("reference-numbers"), {.time = 0ms});

    EXPECT_EQ(result.minimality, Minimality::budget_ended);
    EXPECT_EQ(result.trials, 1u);
}

TEST(Shrink, ShowsEveryImprovementReadyToBeKept) {
    std::vector<Case> shown;
    const Shrunk result =
        shrunk_case(case_of("crash-before-xack"),
                    {.improved = [&](const Case& best) { shown.push_back(best); }});

    ASSERT_FALSE(shown.empty());
    for (const Case& each : shown)
        EXPECT_TRUE(breach(read_case(write_case(each), "shown"), "work_is_executed_once"));
    EXPECT_EQ(write_case(shown.back()), write_case(result.best));
}

TEST(Shrink, DoesTheSameTwice) {
    const Case broken = case_of("deliveries-are-not-failures");
    const Shrunk once = shrunk_case(broken);
    const Shrunk again = shrunk_case(broken);

    EXPECT_EQ(write_case(once.best), write_case(again.best));
    EXPECT_EQ(once.trials, again.trials);
}

TEST(Shrink, GivesNothingWhereNothingBroke) {
    TrialRunner runner;
    EXPECT_FALSE(shrink(runner, case_of("done-run-is-skipped"), {}));
    EXPECT_FALSE(shrink(runner, case_of("crash-before-xack"), {.promise = "exactly_one_reply"}));
}

TEST(Shrink, LeavesARunnerThatWaitsForLongTrialsAgain) {
    TrialRunner runner;
    ASSERT_TRUE(shrink(runner, case_of("ack-never"), {}));
    const Case longer = case_of("standard", 1, {"workload.runs=12000", "faults.random={}"});
    const TrialResult result =
        runner.run(longer.scenario, longer.plan, longer.seed, Level::fingerprint);
    EXPECT_GT(result.events, 200'000u);
    EXPECT_EQ(result.ending, sim::Ending::settled);
}

// ------------------------------------------------------------------ moves

std::vector<Plan> plans_after(const Case& from, MoveKind kind) {
    std::vector<Plan> plans;
    for (const Move& move : moves_of(from, kind)) {
        Case changed = from;
        move.make(changed);
        plans.push_back(changed.plan);
    }
    return plans;
}

Case calm_case(std::uint32_t workers, sim::FaultPlan faults) {
    Scenario scenario = worlds::calm(workers, 2);
    const Plan plan{.messages = scenario.workload.messages, .faults = std::move(faults)};
    return make_case(scenario, plan, 1, {});
}

TEST(Moves, DropAMessageTogetherWithTheFaultsThatNameItsRuns) {
    const Case from =
        calm_case(2, {worlds::crash_at(model::Operation::xack, "run-1", sim::Point::before_send),
                      worlds::crash_at(model::Operation::xack, "run-2b", sim::Point::before_send)});
    const std::vector<Plan> plans = plans_after(from, MoveKind::drop_message);

    ASSERT_EQ(plans.size(), 2u);
    EXPECT_EQ(plans[1].messages.size(), 1u);
    EXPECT_THAT(plans[1].faults, ElementsAre(from.plan.faults[0]));
}

/// The numbers of those that are left by each move.
std::set<std::set<std::uint32_t>> kept_messages(const Case& from, MoveKind kind) {
    std::set<std::set<std::uint32_t>> all;
    for (const Move& move : moves_of(from, kind)) {
        Case changed = from;
        move.make(changed);
        std::set<std::uint32_t> numbers;
        for (const Message& message : changed.plan.messages) numbers.insert(message.number);
        all.insert(numbers);
    }
    return all;
}

TEST(Moves, KeepOnlyOneMessageOrTwo) {
    Scenario scenario = worlds::calm(1, 4);
    const Case from =
        make_case(scenario, {.messages = scenario.workload.messages, .faults = {}}, 1, {});

    EXPECT_THAT(kept_messages(from, MoveKind::keep_few),
                UnorderedElementsAre(std::set{1u}, std::set{2u}, std::set{3u}, std::set{4u},
                                     std::set{1u, 2u}, std::set{1u, 3u}, std::set{1u, 4u},
                                     std::set{2u, 3u}, std::set{2u, 4u}, std::set{3u, 4u}));
}

TEST(Moves, KeepOnlyOneFaultOrTwo) {
    const auto reset = [](sim::Duration at) {
        return sim::Fault{sim::AtInstant{sim::at(at)}, sim::Reset{}, "worker-1"};
    };
    const Case from = calm_case(1, {reset(1s), reset(2s), reset(3s), reset(4s)});
    const std::vector<Plan> plans = plans_after(from, MoveKind::keep_few);

    ASSERT_EQ(plans.size(), 10u);
    EXPECT_THAT(plans[1].faults, ElementsAre(from.plan.faults[1]));
    EXPECT_THAT(plans[9].faults, ElementsAre(from.plan.faults[2], from.plan.faults[3]));
}

TEST(Moves, ChooseFromSixteenAtMost) {
    const auto moves = [](std::uint32_t messages) {
        Scenario scenario = worlds::calm(1, messages);
        return moves_of(
            make_case(scenario, {.messages = scenario.workload.messages, .faults = {}}, 1, {}),
            MoveKind::keep_few);
    };
    EXPECT_EQ(moves(16).size(), 16u + 120u);
    EXPECT_THAT(moves(17), IsEmpty());
    EXPECT_THAT(moves(2), IsEmpty());
}

TEST(Moves, DropNoActorThatThePlanNames) {
    const Case from = calm_case(4, {{sim::AtInstant{sim::at(1s)}, sim::Reset{}, "worker-3"}});
    std::vector<std::uint32_t> counts;
    for (const Move& move : moves_of(from, MoveKind::drop_actor)) {
        Case changed = from;
        move.make(changed);
        counts.push_back(changed.scenario.system.worker.count);
    }
    EXPECT_THAT(counts, ElementsAre(3u));
}

TEST(Moves, LeaveNothingToRoundInPlainNumbers) {
    const Case from = calm_case(1, {{sim::AtInstant{sim::at(0s)}, sim::Reset{}, "worker-1"}});
    EXPECT_THAT(plans_after(from, MoveKind::round_time), IsEmpty());
    EXPECT_THAT(plans_after(from, MoveKind::earlier_fault), IsEmpty());
    EXPECT_THAT(plans_after(from, MoveKind::plain_message), IsEmpty());
}

TEST(RoundTimes, HaveFewerDigitsAndLieNearby) {
    EXPECT_EQ(digits_of(2s), 1u);
    EXPECT_EQ(digits_of(1250ms), 3u);
    EXPECT_EQ(digits_of(0s), 0u);
    EXPECT_THAT(rounder_times(1'234'567us), ElementsAre(1s, 2s, 1200ms, 1300ms));
    EXPECT_THAT(rounder_times(-1500ms), ElementsAre(-1s, -2s));
    EXPECT_THAT(rounder_times(30s), IsEmpty());
}

TEST(RoundTimes, AreEarlierInStepsOfOneTwoFive) {
    EXPECT_THAT(earlier_times(7ms), ElementsAre(0ms, 1ms, 2ms, 5ms));
    EXPECT_THAT(earlier_times(0ms), IsEmpty());
}

TEST(RoundTimes, OfAPlanAreCountedAndChangedInOneOrder) {
    Plan plan{.messages = {{.number = 1, .at = sim::at(3s), .work_time = 4s}},
              .faults = {{sim::AtInstant{sim::at(1s)}, sim::Pause{2s}, "worker-1"}}};
    EXPECT_THAT(times_of(plan), ElementsAre(1s, 2s, 3s, 4s));
    set_time(plan, 2, 9s);
    EXPECT_THAT(times_of(plan), ElementsAre(1s, 2s, 9s, 4s));
}

}  // namespace
}  // namespace redeliver::scenarios
