// The headline promises, for whatever system, workload and faults RapidCheck thinks of. A property
// that fails names a seed and a case file; `redeliver replay FILE` tells its story.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <sstream>

#include "scenarios/json/codec.h"
#include "tests/scenarios/promise_systems.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using namespace promises;

std::uint64_t any_seed() { return *rc::gen::inRange<std::uint64_t>(1, 1'000'000); }

RC_GTEST_PROP(Promises, EveryAcceptedRunGetsExactlyOneReply, ()) {
    Scenario scenario = sound_system();
    scenario.workload.poison = *rc::gen::inRange(0u, 2u);
    const std::uint64_t seed = any_seed();
    require("exactly_one_reply", scenario, faulty_plan(scenario, seed, 1, 6), seed);
}

RC_GTEST_PROP(Promises, NoRunIsLost, ()) {
    Scenario scenario = sound_system();
    scenario.system.worker.mark_done =
        *rc::gen::element(MarkDone::with_reply, MarkDone::after_reply);
    scenario.workload.poison = *rc::gen::inRange(0u, 2u);
    scenario.workload.flaky = *rc::gen::inRange(0u, 2u);
    scenario.workload.killers = *rc::gen::inRange(0u, 2u);
    const std::uint64_t seed = any_seed();
    require("no_run_lost", scenario, faulty_plan(scenario, seed, 1, 6), seed);
}

RC_GTEST_PROP(Promises, PoisonIsIsolated, ()) {
    Scenario scenario = sound_system();
    scenario.workload.poison = *rc::gen::inRange(1u, 3u);
    scenario.workload.killers = *rc::gen::inRange(0u, 2u);
    const std::uint64_t seed = any_seed();
    require("poison_is_isolated", scenario, faulty_plan(scenario, seed, 1, 6), seed);
}

/// Deliveries are what killers are known by, and healthy messages are delivered too often as well:
/// in a batch with a killer, by restarts that read their own history, and while a half-open
/// session of the database holds the run's lock for the minute until the server notices. Where
/// there are killers a sound system has room for all of that.
RC_GTEST_PROP(Promises, NothingHealthyIsDeadLettered, ()) {
    Scenario scenario = sound_system();
    scenario.workload.poison = *rc::gen::inRange(0u, 2u);
    scenario.workload.killers = *rc::gen::inRange(0u, 2u);
    if (scenario.workload.killers > 0) {
        scenario.system.worker.batch = 1;
        scenario.system.worker.on_start = OnStart::nothing;
        scenario.system.worker.idle_threshold = 30s;
    }
    const std::uint64_t seed = any_seed();
    require("nothing_healthy_is_dead_lettered", scenario, faulty_plan(scenario, seed, 1, 6), seed);
}

TEST(Promises, AKillerTakesItsBatchAlongIntoTheDeadLetters) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.quiet = 600s;
    scenario.workload.messages[0].work_time = 2s;  // Meanwhile the others wait, and are one batch.
    scenario.workload.messages[1].content = model::Content::killer;
    scenario.system.worker.batch = 10;
    EXPECT_TRUE(worlds::Trial(scenario).breaks("nothing_healthy_is_dead_lettered"));
    scenario.system.worker.batch = 1;
    EXPECT_TRUE(worlds::Trial(scenario).keeps("nothing_healthy_is_dead_lettered"));
}

// ------------------------------------------------------------------ order

Scenario one_session(std::uint32_t workers, std::uint32_t messages) {
    Scenario scenario = worlds::calm(workers, 0);
    scenario.workload.runs = messages;
    scenario.workload.sessions = 1;
    scenario.system.worker.work_time = sim::uniform(20ms, 2s);
    return scenario;
}

RC_GTEST_PROP(Promises, OneWorkerWithoutFaultsKeepsTheOrderOfReplies, ()) {
    Scenario scenario = one_session(1, *rc::gen::inRange(2u, 10u));
    scenario.system.worker.batch = *rc::gen::inRange(1u, 11u);
    const std::uint64_t seed = any_seed();
    require("replies_keep_session_order", scenario,
            {.messages = draw_messages(scenario, seed), .faults = {}}, seed);
}

/// The fourth promise is that order breaks: no fault is needed, two workers are.
TEST(Promises, AGroupOfTwoWorkersBreaksTheOrderOfReplies) {
    const Scenario two = one_session(2, 6);
    std::uint64_t broken = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Plan plan{.messages = draw_messages(two, seed), .faults = {}};
        if (judge("replies_keep_session_order", two, plan, seed).holds !=
            properties::Holds::violated)
            continue;
        ++broken;
        Scenario alone = two;
        alone.system.worker.count = 1;
        EXPECT_EQ(judge("replies_keep_session_order", alone, plan, seed).holds,
                  properties::Holds::holds);
    }
    EXPECT_GT(broken, 0u);
}

// ------------------------------------------------------------------ a mistake is found

/// A property about a system that acknowledges before it works.
rc::detail::TestResult look_for_the_mistake() {
    return rc::detail::checkTestable([] {
        Scenario scenario = sound_system();
        scenario.system.worker.acknowledge = AcknowledgePolicy::before_work;
        scenario.system.republisher.republish = Republish::never;
        const std::uint64_t seed = any_seed();
        require("no_run_lost", scenario, faulty_plan(scenario, seed, 2, 6), seed);
    });
}

TEST(Promises, FindAMistakeAndLeaveACaseThatReplaysIt) {
    const rc::detail::TestResult found = look_for_the_mistake();
    ASSERT_TRUE(found.is<rc::detail::FailureResult>());
    const std::string said = found.get<rc::detail::FailureResult>().description;
    EXPECT_THAT(said, testing::HasSubstr("no_run_lost broke with seed"));
    EXPECT_THAT(said, testing::HasSubstr("redeliver replay " + case_file("no_run_lost")));

    std::stringstream text;
    text << std::ifstream(case_file("no_run_lost")).rdbuf();
    const Case read = read_case(text.str(), case_file("no_run_lost"));
    const TrialResult replayed =
        TrialRunner().run(read.scenario, read.plan, read.seed, Level::everything);

    EXPECT_FALSE(compare(read, replayed));
    EXPECT_EQ(judge("no_run_lost", read.scenario, read.plan, read.seed).holds,
              properties::Holds::violated);
    std::remove(case_file("no_run_lost").c_str());
}

}  // namespace
}  // namespace redeliver::scenarios
