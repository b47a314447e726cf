// A trial is a pure function of (scenario, plan, seed).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/case.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/json/codec.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Content;
using model::Operation;
using sim::Point;

/// A trial in which every kind of fault fires and every kind of message is sent.
struct Eventful {
    Scenario scenario = worlds::calm(3, 0);
    Plan plan;

    Eventful() {
        scenario.system.users.count = 2;
        scenario.system.gateway.count = 2;
        scenario.system.worker.work_time = sim::uniform(20ms, 200ms);
        scenario.system.network.latency = sim::uniform(200us, 2ms);
        scenario.system.republisher.republish = Republish::by_age_when_idle;
        plan.messages = {
            {.number = 1, .user = 1, .session = 1, .at = sim::at(100ms)},
            {.number = 2, .user = 2, .session = 2, .at = sim::at(200ms), .work_time = 300ms},
            {.number = 3,
             .user = 1,
             .session = 1,
             .at = sim::at(300ms),
             .content = Content::poison},
            {.number = 4,
             .user = 2,
             .session = 2,
             .at = sim::at(400ms),
             .content = Content::flaky,
             .failures = 1},
            {.number = 5, .user = 1, .session = 3, .at = sim::at(500ms), .submissions = 2}};
        plan.faults = {
            worlds::crash_at(Operation::xack, "run-1", Point::before_send, 1s),
            {sim::AtStep{.operation = "work", .subject = "run-2", .point = Point::middle},
             sim::Pause{500ms}},
            worlds::drop_at(Operation::submit, "run-5", Point::after_apply),
            {sim::AtInstant{sim::at(350ms)}, sim::Reset{}, "worker-1"},
            {sim::AtInstant{sim::at(150ms)}, sim::Slow{.percent = 300, .lasts = 1s}, "worker-2"},
            {sim::AtInstant{sim::at(200ms)}, sim::Partition{.to = "redis", .lasts = 2s},
             "worker-3"},
            {sim::AtInstant{sim::at(600ms)}, sim::ClockStep{.by = -1s}, "postgres"},
            {sim::AtInstant{sim::at(700ms)}, sim::Failover{.lag = 300ms}, "redis"}};
    }

    TrialResult run(Level level = Level::ledger) const {
        return TrialRunner().run(scenario, plan, 7, level);
    }
};

TEST(TrialDeterminism, HasAnExampleInWhichEveryFaultFires) {
    EXPECT_THAT(Eventful().run().inert_faults, testing::IsEmpty());
}

TEST(TrialDeterminism, GivesOneFingerprintAtEveryLevelAndInEveryRunner) {
    const Eventful eventful;
    TrialRunner runner;
    const std::uint64_t fingerprint = eventful.run(Level::everything).fingerprint;
    for (const Level level : {Level::fingerprint, Level::ledger, Level::everything})
        EXPECT_EQ(runner.run(eventful.scenario, eventful.plan, 7, level).fingerprint, fingerprint);
}

TEST(TrialDeterminism, GivesTheSameForEveryStoryTwice) {
    TrialRunner one;
    TrialRunner other;
    for (const Scenario& story : all_stories()) {
        if (story.name == "long") continue;
        const TrialResult first = one.run(story, plan_of(one, story, 3), 3, Level::everything);
        const TrialResult second = other.run(story, plan_of(other, story, 3), 3, Level::ledger);
        EXPECT_EQ(first.fingerprint, second.fingerprint) << story.name;
        EXPECT_EQ(first.behaviour, second.behaviour) << story.name;
        EXPECT_EQ(first.end, second.end) << story.name;
    }
}

TEST(TrialDeterminism, DoesNotDependOnWhatActorsAreCalled) {
    TrialRunner runner;
    for (const Scenario& story : all_stories()) {
        if (story.name == "long") continue;
        Scenario renamed = story;
        for (const char* const setting :
             {"users.name=caller", "gateway.name=door", "worker.name=mill", "relay.name=carrier"})
            apply_setting(renamed, setting);
        for (const std::uint64_t seed : {1u, 2u}) {
            SCOPED_TRACE(story.name + ", seed " + std::to_string(seed));
            const TrialResult one =
                runner.run(story, plan_of(runner, story, seed), seed, Level::ledger);
            const TrialResult other =
                runner.run(renamed, plan_of(runner, renamed, seed), seed, Level::ledger);
            EXPECT_EQ(one.steps, other.steps);
            EXPECT_EQ(one.end, other.end);
            for (std::size_t each = 0; each < one.verdicts.size(); ++each)
                EXPECT_EQ(one.verdicts[each].verdict.holds, other.verdicts[each].verdict.holds)
                    << one.verdicts[each].name;
            EXPECT_NE(one.fingerprint, other.fingerprint);
        }
    }
}

TEST(TrialDeterminism, IsNotTouchedByAThousandEarlierTrials) {
    const Eventful eventful;
    const std::uint64_t fresh = eventful.run().fingerprint;
    TrialRunner runner;
    const Scenario standard = *find_story("standard");
    const AddressBook book = runner.address_book(standard, 0);
    for (std::uint64_t seed = 1; seed <= 1'000; ++seed)
        runner.run(standard, expand(standard, book, seed), seed, Level::ledger);

    EXPECT_EQ(runner.run(eventful.scenario, eventful.plan, 7, Level::ledger).fingerprint, fresh);
}

TEST(TrialDeterminism, IsADifferentTrialForEverySeed) {
    const Eventful eventful;
    TrialRunner runner;
    EXPECT_NE(runner.run(eventful.scenario, eventful.plan, 8, Level::ledger).fingerprint,
              eventful.run().fingerprint);
}

// ------------------------------------------------------------------ every field of a plan matters

struct Alteration {
    const char* name;
    void (*alter)(Plan&);
};

template <class What>
What& what(Plan& plan, std::size_t fault) {
    return std::get<What>(plan.faults[fault].what);
}
sim::AtStep& step(Plan& plan, std::size_t fault) {
    return std::get<sim::AtStep>(plan.faults[fault].when);
}

const Alteration alterations[] = {
    {"number", [](Plan& plan) { plan.messages[4].number = 6; }},
    {"user", [](Plan& plan) { plan.messages[1].user = 1; }},
    {"session", [](Plan& plan) { plan.messages[1].session = 9; }},
    {"at", [](Plan& plan) { plan.messages[1].at += 1us; }},
    {"content", [](Plan& plan) { plan.messages[2].content = Content::healthy; }},
    {"failures", [](Plan& plan) { plan.messages[3].failures = 2; }},
    {"submissions", [](Plan& plan) { plan.messages[4].submissions = 3; }},
    {"work_time", [](Plan& plan) { plan.messages[1].work_time = 301ms; }},
    {"no_work_time", [](Plan& plan) { plan.messages[1].work_time = {}; }},
    {"a_message_less", [](Plan& plan) { plan.messages.pop_back(); }},
    {"operation", [](Plan& plan) { step(plan, 0).operation = "COMMIT"; }},
    {"subject", [](Plan& plan) { step(plan, 0).subject = "run-2"; }},
    {"occurrence", [](Plan& plan) { step(plan, 0).occurrence = 2; }},
    {"point", [](Plan& plan) { step(plan, 0).point = Point::before_apply; }},
    {"node", [](Plan& plan) { step(plan, 0).node = "gateway-1"; }},
    {"instant", [](Plan& plan) { plan.faults[3].when = sim::AtInstant{sim::at(351ms)}; }},
    {"target", [](Plan& plan) { plan.faults[3].target = "worker-2"; }},
    {"crash_of", [](Plan& plan) { what<sim::Crash>(plan, 0).of = sim::CrashOf::machine; }},
    {"restart_after", [](Plan& plan) { what<sim::Crash>(plan, 0).restart_after += 1us; }},
    {"pause", [](Plan& plan) { what<sim::Pause>(plan, 1).lasts += 1us; }},
    {"slow_percent", [](Plan& plan) { what<sim::Slow>(plan, 4).percent += 1; }},
    {"slow_lasts", [](Plan& plan) { what<sim::Slow>(plan, 4).lasts += 1us; }},
    {"partition_to", [](Plan& plan) { what<sim::Partition>(plan, 5).to = "postgres"; }},
    {"partition_lasts", [](Plan& plan) { what<sim::Partition>(plan, 5).lasts += 1us; }},
    {"clock_step", [](Plan& plan) { what<sim::ClockStep>(plan, 6).by += 1us; }},
    {"lag", [](Plan& plan) { what<sim::Failover>(plan, 7).lag += 1us; }},
    {"kind", [](Plan& plan) { plan.faults[3].what = sim::Pause{1s}; }},
    {"a_fault_less", [](Plan& plan) { plan.faults.erase(plan.faults.begin() + 2); }}};

class PlanFields : public testing::TestWithParam<Alteration> {};

TEST_P(PlanFields, ChangeTheFingerprint) {
    Eventful altered;
    GetParam().alter(altered.plan);
    EXPECT_NE(altered.run().fingerprint, Eventful().run().fingerprint);
}

INSTANTIATE_TEST_SUITE_P(TrialDeterminism, PlanFields, testing::ValuesIn(alterations),
                         [](const auto& each) { return std::string{each.param.name}; });

// ------------------------------------------------------------------ cases

TEST(TrialCase, ReplaysFromItsFileWithoutADifference) {
    const Eventful eventful;
    const TrialResult result = eventful.run(Level::everything);
    const std::string file = write_case(make_case(eventful.scenario, eventful.plan, 7, result));

    const Case read = read_case(file, "eventful.json");
    const TrialResult replayed =
        TrialRunner().run(read.scenario, read.plan, read.seed, Level::everything);

    EXPECT_EQ(read.plan, eventful.plan);
    EXPECT_EQ(read.fingerprint, result.fingerprint);
    EXPECT_FALSE(compare(read, replayed));
}

TEST(TrialCase, SaysAtWhichStepAReplayFirstDiffers) {
    const Eventful eventful;
    const TrialResult result = eventful.run(Level::everything);
    Case recorded = make_case(eventful.scenario, eventful.plan, 7, result);
    ASSERT_GT(recorded.step_hashes.size(), 200u);
    for (std::size_t index = 122; index < recorded.step_hashes.size(); ++index)
        recorded.step_hashes[index] ^= 1;
    recorded.fingerprint ^= 1;

    const auto divergence = compare(recorded, result);

    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->first, 123u);
    EXPECT_TRUE(divergence->is_exact);
}

TEST(TrialCase, SaysThatAReplayEndsEarlier) {
    const Eventful eventful;
    const TrialResult result = eventful.run(Level::everything);
    Case recorded = make_case(eventful.scenario, eventful.plan, 7, result);
    recorded.step_hashes.push_back(1);
    recorded.fingerprint ^= 1;

    EXPECT_EQ(compare(recorded, result)->first, result.steps + 1);
}

TEST(TrialCase, DivergesWhereAFaultWasTakenAway) {
    Eventful eventful;
    const TrialResult result = eventful.run(Level::everything);
    const Case recorded = make_case(eventful.scenario, eventful.plan, 7, result);
    eventful.plan.faults.erase(eventful.plan.faults.begin());  // The crash before the XACK.
    const TrialResult altered = eventful.run(Level::everything);

    const auto divergence = compare(recorded, altered);

    ASSERT_TRUE(divergence);
    const sim::Step& there = result.recording->steps[divergence->first - 1];
    EXPECT_EQ(there.kind, sim::FaultFired::kind);
}

TEST(TrialCase, NamesACheckpointBeyondTheHashedSteps) {
    Scenario scenario = worlds::calm(2, 0);
    scenario.workload.runs = 600;
    TrialRunner runner;
    const Plan plan = plan_of(runner, scenario, 1);
    const TrialResult result = runner.run(scenario, plan, 1, Level::everything);
    Case recorded = make_case(scenario, plan, 1, result);
    ASSERT_GE(recorded.checkpoints.size(), 2u);
    recorded.checkpoints[1] ^= 1;
    recorded.fingerprint ^= 1;

    const auto divergence = compare(recorded, result);

    ASSERT_TRUE(divergence);
    EXPECT_FALSE(divergence->is_exact);
    EXPECT_EQ(divergence->first, 2 * hashed_steps + 1);
}

}  // namespace
}  // namespace redeliver::scenarios
