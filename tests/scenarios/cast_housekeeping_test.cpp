// The republisher and the pruner.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using worlds::Trial;

Scenario publish_lost(Republish policy) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.republisher.republish = policy;
    scenario.faults.pinned = {worlds::crash_at(Operation::xadd, "run-1", Point::before_send)};
    return scenario;
}

TEST(RepublishPolicy, NeverLeavesARowThatWasNotPublished) {
    EXPECT_EQ(Trial(publish_lost(Republish::never)).total("lost"), 1u);
}

TEST(RepublishPolicy, ByAgePublishesWhatIsPendingForTooLong) {
    const Trial trial(publish_lost(Republish::by_age));
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.reached("republished"), 1u);
    const sim::Step& added = trial.step<model::Added>(model::run_of(1));
    EXPECT_GT(added.at, sim::at(30s));
    EXPECT_LT(added.at, sim::at(36s));  // The age and one interval.
}

TEST(RepublishPolicy, ByAgeWhenIdleHealsTheSameHole) {
    EXPECT_EQ(Trial(publish_lost(Republish::by_age_when_idle)).total("replies"), 1u);
}

/// An operator empties the stream while the one worker is busy with its first entry, and run-2 and
/// run-3 are in it unread.
Scenario trimmed_unread(Republish policy) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.system.republisher.republish = policy;
    scenario.system.worker.batch = 1;
    scenario.system.worker.work_time = sim::fixed(5s);
    scenario.faults.until = 4s;
    scenario.faults.pinned = {
        {sim::AtInstant{sim::at(3s)}, sim::Order{"XTRIM koda:runs MAXLEN 0", {}}, "redis"}};
    return scenario;
}

TEST(RepublishPolicy, ByAgeWhenIdleTrustsALagThatCountsWhatWasTrimmed) {
    const Trial trial(trimmed_unread(Republish::by_age_when_idle));
    EXPECT_EQ(trial.reached("trimmed_unread"), 2u);
    EXPECT_EQ(trial.total("lost"), 2u);
}

TEST(RepublishPolicy, ByAgeWhenReadGoesByTheIds) {
    const Trial trial(trimmed_unread(Republish::by_age_when_read));
    EXPECT_EQ(trial.reached("trimmed_unread"), 2u);
    EXPECT_EQ(trial.total("replies"), 3u);
}

TEST(RepublishPolicy, ByAgeWhenReadHealsALostPublish) {
    EXPECT_EQ(Trial(publish_lost(Republish::by_age_when_read)).total("replies"), 1u);
}

/// A worker makes run-1 running and dies of it; nobody claims the entry for a long time.
Scenario running_and_abandoned(Republish policy) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.republisher.republish = policy;
    scenario.system.worker.deduplicate = Deduplicate::state_machine;
    scenario.system.worker.idle_threshold = 100s;
    scenario.faults.pinned = {worlds::crash_at(Operation::work, "run-1", Point::middle)};
    return scenario;
}

TEST(RepublishPolicy, ByAgeLeavesRunningRunsAlone) {
    EXPECT_EQ(Trial(running_and_abandoned(Republish::by_age)).total("published"), 1u);
}

TEST(RepublishPolicy, UnfinishedByAgePublishesRunningRunsToo) {
    const Trial trial(running_and_abandoned(Republish::unfinished_by_age));
    EXPECT_GT(trial.step<model::Added>(model::run_of(1), 2).at, sim::at(30s));
    EXPECT_LT(trial.step<model::Added>(model::run_of(1), 2).at, sim::at(36s));
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(RepublishPolicy, UnfinishedByAgeLeavesSettledRunsAlone) {
    Scenario scenario = worlds::calm(1, 2);
    scenario.system.republisher.republish = Republish::unfinished_by_age;
    scenario.workload.messages[1].at = sim::at(60s);  // Long after the first is done.
    EXPECT_EQ(Trial(scenario).total("published"), 2u);
}

/// One worker needs 80 s for four messages that come at once.
Scenario backlog(Republish policy) {
    Scenario scenario = worlds::calm(1, 4);
    scenario.system.republisher.republish = policy;
    scenario.system.worker.work_time = sim::fixed(20s);
    scenario.system.worker.idle_threshold = 100s;
    return scenario;
}

TEST(RepublishPolicy, ByAgePublishesAMereBacklogAgain) {
    const Trial trial(backlog(Republish::by_age));
    EXPECT_GT(trial.total("published"), 4u);
    EXPECT_EQ(trial.total("replies"), 4u);
}

TEST(RepublishPolicy, ByAgeWhenIdleLeavesABacklogAlone) {
    const Trial trial(backlog(Republish::by_age_when_idle));
    EXPECT_EQ(trial.total("published"), 4u);
    EXPECT_EQ(trial.total("replies"), 4u);
}

TEST(RepublishPolicy, ByAgeWhenReadLeavesABacklogAlone) {
    EXPECT_EQ(Trial(backlog(Republish::by_age_when_read)).total("published"), 4u);
}

/// A worker dies over run-1 and comes back with another name; the pruner is quicker than the claim.
Scenario old_name_holds_an_entry(Prune policy) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.worker.consumer_names = ConsumerNames::random;
    scenario.system.pruner = {.prune = policy, .idle = 15s, .interval = 5s};
    scenario.faults.pinned = {worlds::crash_at(Operation::work, "run-1", Point::middle)};
    return scenario;
}

TEST(PrunePolicy, NeverKeepsDeadNames) {
    const Trial trial(old_name_holds_an_entry(Prune::never));
    EXPECT_EQ(trial.count<model::ConsumerDeleted>(), 0u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(PrunePolicy, IdleDropsWhatADeadNameHolds) {
    const Trial trial(old_name_holds_an_entry(Prune::idle));
    EXPECT_EQ(trial.count<model::ConsumerDeleted>(), 1u);
    EXPECT_EQ(trial.reached("pending_dropped_with_consumer"), 1u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

TEST(PrunePolicy, IdleWithoutPendingWaitsUntilTheEntryIsClaimed) {
    Scenario scenario = old_name_holds_an_entry(Prune::idle_without_pending);
    // So that the trial is still going on when the name is free.
    scenario.workload.messages.push_back({.number = 2, .session = 2, .at = sim::at(60s)});
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_EQ(trial.count<model::PendingDropped>(), 0u);
    // The dead name, and the living worker's too: Redis 7.0 sees no consumer that polls in vain.
    EXPECT_EQ(trial.count<model::ConsumerDeleted>(), 2u);
}

}  // namespace
}  // namespace redeliver::scenarios
