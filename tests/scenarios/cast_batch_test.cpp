// Workers that store what they read at a time in one transaction, and the deadlocks that brings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/catalog/catalog.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using worlds::Trial;

/// While run-1 is worked on for 1 s, run-2 and run-3 come and are one batch.
Scenario batch_of_two(CommitUnit commit) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.system.worker.commit = commit;
    scenario.workload.messages[0].work_time = 1s;
    return scenario;
}

sim::Instant stored(const Trial& trial, std::uint32_t message) {
    return trial.step<model::ReplyStored>(model::run_of(message)).at;
}

TEST(CommitUnit, EachStoresReplyAfterReply) {
    const Trial trial(batch_of_two(CommitUnit::each));
    EXPECT_EQ(trial.total("replies"), 3u);
    EXPECT_LT(stored(trial, 2), stored(trial, 3));
}

TEST(CommitUnit, BatchStoresAllRepliesAtOnce) {
    const Trial trial(batch_of_two(CommitUnit::batch));
    EXPECT_EQ(trial.total("replies"), 3u);
    EXPECT_EQ(stored(trial, 2), stored(trial, 3));
    EXPECT_TRUE(trial.keeps("no_acknowledgement_before_effect"));
}

TEST(CommitUnit, BatchStoresNothingOfAWorkerThatDiesWithinIt) {
    Scenario scenario = batch_of_two(CommitUnit::batch);
    scenario.faults.pinned = {
        worlds::crash_at(Operation::insert_reply, "run-3", Point::after_reply)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("rolled_back"), 1u);
    EXPECT_GT(stored(trial, 2), sim::at(30s));  // Claimed, and worked on again.
    EXPECT_EQ(trial.total("executions"), 5u);
    EXPECT_EQ(trial.total("replies"), 3u);
}

TEST(CommitUnit, BatchLeavesOutWhatFailsOrIsDone) {
    Scenario scenario = batch_of_two(CommitUnit::batch);
    scenario.workload.messages[1].content = model::Content::poison;
    scenario.quiet = 600s;
    const Trial trial(scenario);
    EXPECT_LT(stored(trial, 3), sim::at(2s));
    EXPECT_TRUE(trial.keeps("poison_is_isolated"));
    EXPECT_EQ(trial.total("replies"), 2u);
}

/// Two workers have run-3 and run-4 in their batches, in opposite order.
Scenario opposite_batches() { return *find_story("deadlock-redelivered"); }

TEST(LockOrder, AsReadEndsInADeadlockThatKillsOneTransaction) {
    const Trial trial(opposite_batches());
    EXPECT_EQ(trial.reached("deadlocked"), 1u);
    EXPECT_EQ(trial.total("replies"), 7u);
    EXPECT_EQ(trial.total("duplicated"), 0u);
}

TEST(LockOrder, ByIdLetsOneWaitForTheOther) {
    Scenario scenario = opposite_batches();
    scenario.system.worker.lock_order = LockOrder::by_id;
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("deadlocked"), 0u);
    EXPECT_EQ(trial.reached("rolled_back"), 0u);
    EXPECT_EQ(trial.total("replies"), 7u);
}

TEST(DeadlockTimeout, IsHowLongTheyStandStill) {
    Scenario scenario = opposite_batches();
    const sim::Instant usual = stored(Trial(scenario), 4);
    scenario.system.database.deadlock_timeout = 3s;
    EXPECT_EQ(stored(Trial(scenario), 4) - usual, 2s);
}

TEST(OnFailure, AcknowledgeSwallowsTheErrorOfABatch) {
    Scenario scenario = opposite_batches();
    scenario.system.worker.on_failure = OnFailure::acknowledge;
    EXPECT_TRUE(Trial(scenario).breaks("no_acknowledgement_before_effect"));
}

}  // namespace
}  // namespace redeliver::scenarios
