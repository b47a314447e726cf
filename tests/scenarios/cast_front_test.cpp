// Users, gateways and the database's keys: what each policy value does, in one short trial each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/services/broker_client.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using worlds::Trial;

std::size_t stream_length(const Trial& trial) {
    return trial.left().broker.streams.at(keys::runs).entries.size();
}

// ------------------------------------------------------------------ users

Scenario answer_lost(RetryKey key) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.users.retry_key = key;
    scenario.faults.pinned = {worlds::drop_at(Operation::submit, "run-1", Point::after_apply)};
    return scenario;
}

TEST(RetryKeyPolicy, SameLetsTheGatewayFindTheFirstAttempt) {
    const Trial trial(answer_lost(RetryKey::same));
    EXPECT_EQ(trial.total("attempted"), 2u);
    EXPECT_EQ(trial.total("accepted"), 1u);
    EXPECT_EQ(trial.total("refused"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.left().told, std::vector{model::run_of(1)});
}

TEST(RetryKeyPolicy, FreshMakesASecondRunOfOneIntention) {
    const Trial trial(answer_lost(RetryKey::fresh));
    EXPECT_EQ(trial.total("attempted"), 2u);
    EXPECT_EQ(trial.total("accepted"), 2u);
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_TRUE(trial.breaks("one_run_per_intention"));
}

TEST(User, WaitsForItsTimeoutAndThenForItsPauseBeforeItTriesAgain) {
    Scenario scenario = answer_lost(RetryKey::same);
    scenario.system.users.timeout = 2s;
    scenario.system.users.retry_after = 700ms;
    const Trial trial(scenario);
    EXPECT_EQ(trial.step<model::Submitted>(model::run_of(1), 1).at, sim::at(100ms));
    EXPECT_EQ(trial.step<model::Submitted>(model::run_of(1), 2).at, sim::at(2'800ms));
}

TEST(User, GivesUpAfterSoManyAttempts) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.users.attempts = 2;
    for (const std::uint32_t attempt : {1u, 2u})
        scenario.faults.pinned.push_back(
            {worlds::step_of(Operation::submit, "run-1", Point::before_send, attempt),
             sim::Drop{}});
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("attempted"), 2u);
    EXPECT_EQ(trial.total("accepted"), 0u);
    EXPECT_EQ(trial.count<model::GaveUp>(), 1u);
}

TEST(User, SubmitsAgainWhatWasAnsweredWhenItIsAsked) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages[0].submissions = 3;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("attempted"), 3u);
    EXPECT_EQ(trial.total("refused"), 2u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

// ------------------------------------------------------------------ gateways

TEST(PublishOrderPolicy, AfterInsertCommitsTheRowBeforeItPublishes) {
    const Trial trial(worlds::calm(1, 1));
    EXPECT_LT(trial.step<model::Accepted>(model::run_of(1)).number,
              trial.step<model::Added>(model::run_of(1)).number);
}

TEST(PublishOrderPolicy, BeforeInsertPublishesAnIdWithoutARow) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.gateway.publish = PublishOrder::before_insert;
    scenario.faults.pinned = {worlds::crash_at(Operation::insert_run, "run-1", Point::before_send)};
    const Trial trial(scenario);
    EXPECT_TRUE(trial.breaks("published_runs_exist"));
    EXPECT_GE(trial.reached("run_unknown"), 1u);
}

TEST(Gateway, AnswersWithTheExistingRunAndDoesNotPublishAgain) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages[0].submissions = 2;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("published"), 1u);
    EXPECT_EQ(trial.reached("answered_as_duplicate"), 1u);
    EXPECT_EQ(trial.left().told, (std::vector{model::run_of(1), model::run_of(1)}));
}

TEST(Gateway, LeavesARowThatNobodyPublishesWhenItDiesInBetween) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.faults.pinned = {worlds::crash_at(Operation::xadd, "run-1", Point::before_send)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("accepted"), 1u);
    EXPECT_EQ(trial.total("published"), 0u);
    EXPECT_EQ(trial.total("lost"), 1u);
    EXPECT_EQ(trial.reached("insert_without_publish"), 1u);
}

TEST(TrimPolicy, NeverKeepsWhatIsAcknowledged) {
    EXPECT_EQ(stream_length(Trial(worlds::calm(1, 3))), 3u);
}

TEST(TrimPolicy, ExactKeepsSoManyEntries) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.system.gateway.trim = TrimPolicy::maxlen_exact;
    scenario.system.gateway.max_length = 1;
    const Trial trial(scenario);
    EXPECT_EQ(stream_length(trial), 1u);
    EXPECT_EQ(trial.count<model::EntryRemoved>(), 2u);
    EXPECT_EQ(trial.total("replies"), 3u);
}

/// A node of a stream holds 100 entries, and only whole ones go.
TEST(TrimPolicy, ApproximateRemovesWholeNodesOnly) {
    Scenario scenario = worlds::calm(1, 0);
    scenario.workload.runs = 150;
    scenario.system.worker.work_time = sim::fixed(1ms);
    scenario.system.gateway.trim = TrimPolicy::maxlen_approximate;
    scenario.system.gateway.max_length = 20;
    EXPECT_EQ(stream_length(Trial(scenario)), 50u);
    scenario.workload.runs = 99;
    EXPECT_EQ(stream_length(Trial(scenario)), 99u);
}

// ------------------------------------------------------------------ keys

TEST(UniqueIdempotencyKey, AbsentMakesTwoRunsOfTwoSubmissions) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages[0].submissions = 2;
    scenario.system.database.unique_idempotency_key = UniqueKey::absent;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("accepted"), 2u);
    EXPECT_EQ(trial.total("refused"), 0u);
    EXPECT_EQ(trial.total("replies"), 2u);
}

Scenario worked_on_twice(UniqueKey key) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.database.unique_reply = key;
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    scenario.system.worker.status_changes = StatusChanges::unconditional;
    scenario.faults.pinned = {worlds::crash_at(Operation::xack, "run-1", Point::before_send)};
    return scenario;
}

TEST(UniqueReplyKey, PresentAbsorbsTheSecondReply) {
    const Trial trial(worked_on_twice(UniqueKey::present));
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("absorbed"), 1u);
    EXPECT_TRUE(trial.keeps("exactly_one_reply"));
}

TEST(UniqueReplyKey, AbsentStoresTheSecondReply) {
    const Trial trial(worked_on_twice(UniqueKey::absent));
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_EQ(trial.total("duplicated"), 1u);
    EXPECT_TRUE(trial.breaks("exactly_one_reply"));
}

}  // namespace
}  // namespace redeliver::scenarios
