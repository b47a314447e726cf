// Workers that keep second replies out with a mark, a state machine or a lease. The tables have no
// unique key on replies here, and a change to done does not ask what the status was, so that
// nothing else does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/database/chat_schema.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using By = model::KeptOut::By;
using testing::ElementsAre;
using worlds::Trial;

const sim::Subject run_1 = model::run_of(1);

Scenario guarded_by(Deduplicate policy) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.faults.until = 90s;
    scenario.system.worker.deduplicate = policy;
    scenario.system.worker.status_changes = StatusChanges::unconditional;
    scenario.system.worker.timeout = 20s;  // Nobody gives up waiting for another's transaction.
    scenario.system.database.unique_reply = UniqueKey::absent;
    return scenario;
}

Scenario crashing_at(Deduplicate policy, Operation operation, Point point) {
    Scenario scenario = guarded_by(policy);
    scenario.faults.pinned = {worlds::crash_at(operation, "run-1", point)};
    return scenario;
}

/// Long enough for the other worker to claim the entry and to come as far.
Scenario pausing_before(Deduplicate policy, Operation operation) {
    Scenario scenario = guarded_by(policy);
    scenario.faults.pinned = {
        {worlds::step_of(operation, "run-1", Point::before_send), sim::Pause{40s}}};
    return scenario;
}

std::size_t kept_out(const Trial& trial, By by) {
    return trial.count<model::KeptOut>([&](const model::KeptOut& kept) { return kept.by == by; });
}

std::vector<std::string> table_names(const Trial& trial) {
    std::vector<std::string> names;
    for (const auto& table : trial.left().database.tables) names.push_back(table.name);
    return names;
}

const model::database::Snapshot::Table& table(const Trial& trial, std::string_view name) {
    const auto& tables = trial.left().database.tables;
    return *std::ranges::find(tables, name, &model::database::Snapshot::Table::name);
}

/// What a worker asks the database between being given the run and acknowledging it.
std::vector<std::string_view> statements_about_run_1(const Trial& trial) {
    std::vector<std::string_view> statements;
    const sim::Step& given = trial.step<model::Delivered>(run_1);
    for (const sim::Step& step : trial.result().recording->steps)
        if (const auto* const sent = step.as<sim::Sent>())
            if (step.actor == given.actor && step.subject == run_1)
                statements.push_back(model::text(static_cast<Operation>(sent->operation)));
    return statements;
}

// ------------------------------------------------------------------ tables

TEST(OptionalTables, AreThereForThoseWhoUseThem) {
    EXPECT_THAT(table_names(Trial(guarded_by(Deduplicate::none))), ElementsAre("runs", "messages"));
    EXPECT_THAT(table_names(Trial(guarded_by(Deduplicate::state_machine))),
                ElementsAre("runs", "messages"));
    EXPECT_THAT(table_names(Trial(guarded_by(Deduplicate::processed_after))),
                ElementsAre("runs", "messages", "processed_messages"));
    EXPECT_THAT(table_names(Trial(guarded_by(Deduplicate::lease_without_fencing))),
                ElementsAre("runs", "messages", "leases"));
}

TEST(OptionalTables, HoldNoRepliesToTheLedger) {
    for (const Deduplicate policy : {Deduplicate::processed_messages, Deduplicate::lease}) {
        const Trial trial(guarded_by(policy));
        EXPECT_EQ(trial.total("replies"), 1u);
        EXPECT_EQ(trial.total("absorbed"), 0u);
    }
}

TEST(OptionalTables, ForgetNoRepliesInALoss) {
    for (const Deduplicate policy : {Deduplicate::processed_messages, Deduplicate::lease}) {
        Scenario scenario = guarded_by(policy);
        scenario.system.database.synchronous_commit = SynchronousCommit::off;
        scenario.faults.pinned = {{worlds::step_of(Operation::commit, "run-1", Point::after_reply),
                                   sim::Crash{.of = sim::CrashOf::machine, .restart_after = 1s},
                                   "postgres"}};
        const Trial trial(scenario);
        EXPECT_EQ(trial.reached("machine_lost"), 1u);
        using What = model::DatabaseForgot::What;
        EXPECT_LE(trial.count<model::DatabaseForgot>([](const model::DatabaseForgot& forgot) {
            return forgot.what == What::reply;
        }),
                  1u);
        EXPECT_EQ(trial.total("replies"), table(trial, "messages").rows.size());
    }
}

// ------------------------------------------------------------------ processed messages

TEST(ProcessedMessages, AreMarkedInTheTransactionOfTheReply) {
    const Trial trial(guarded_by(Deduplicate::processed_messages));
    EXPECT_THAT(statements_about_run_1(trial),
                ElementsAre("SELECT run", "BEGIN", "INSERT mark", "UPDATE done", "INSERT reply",
                            "COMMIT", "XACK"));
    EXPECT_EQ(table(trial, "processed_messages").rows.size(), 1u);
}

TEST(ProcessedMessages, LoseTheirMarkWithTheTransaction) {
    const Trial trial(
        crashing_at(Deduplicate::processed_messages, Operation::insert_reply, Point::before_send));
    EXPECT_EQ(trial.reached("rolled_back"), 1u);
    EXPECT_EQ(kept_out(trial, By::mark), 0u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(ProcessedMessages, AreAcknowledgedUnderTheirMark) {
    Scenario scenario =
        crashing_at(Deduplicate::processed_messages, Operation::commit, Point::after_apply);
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(kept_out(trial, By::mark), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(ProcessedMessages, WaitForAMarkThatIsNotCommitted) {
    const Trial trial(pausing_before(Deduplicate::processed_messages, Operation::commit));
    const sim::Step& stored = trial.step<model::ReplyStored>(run_1);
    const sim::Step& refused = trial.step<model::KeptOut>(run_1);
    EXPECT_NE(refused.actor, stored.actor);
    EXPECT_EQ(refused.at, stored.at + 1ms);  // The wait ends with the commit; 1 ms is the wire.
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(ProcessedMessages, StoreWhatAnotherMarkedAndRolledBack) {
    Scenario scenario = guarded_by(Deduplicate::processed_messages);
    scenario.system.worker.idle_threshold = 10s;
    scenario.workload.messages[0].work_time = 12s;  // Both work on it.
    // The first has inserted its mark and is held up; it dies while the other waits for that mark.
    scenario.faults.pinned = {
        {worlds::step_of(Operation::insert_reply, "run-1", Point::before_send), sim::Pause{60s}},
        {sim::AtInstant{sim::at(30s)}, sim::Crash{.restart_after = 60s}, "worker-1"}};
    const Trial trial(scenario);
    const sim::Step& stored = trial.step<model::ReplyStored>(run_1);
    EXPECT_EQ(trial.step<model::WorkStarted>(run_1, 1).actor,
              trial.step<model::RolledBack>(run_1).actor);
    EXPECT_EQ(trial.step<model::WorkStarted>(run_1, 2).actor, stored.actor);
    EXPECT_LT(trial.step<model::WorkFinished>(run_1, 2).at, sim::at(29s));  // Then it waits.
    EXPECT_GT(stored.at, sim::at(30s));
    EXPECT_EQ(kept_out(trial, By::mark), 0u);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(ProcessedBefore, LosesWhatWasMarkedAndNotStored) {
    const Trial trial(
        crashing_at(Deduplicate::processed_before, Operation::insert_reply, Point::before_send));
    EXPECT_EQ(kept_out(trial, By::mark), 1u);
    EXPECT_EQ(trial.total("lost"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(ProcessedAfter, StoresAgainWhatWasStoredAndNotMarked) {
    Scenario scenario =
        crashing_at(Deduplicate::processed_after, Operation::insert_mark, Point::before_send);
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    EXPECT_EQ(Trial(scenario).total("replies"), 2u);
}

TEST(ProcessedAfter, FindsTheMarkOfWhoStored) {
    Scenario scenario =
        crashing_at(Deduplicate::processed_after, Operation::xack, Point::before_send);
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(kept_out(trial, By::mark), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

// ------------------------------------------------------------------ state machine

TEST(StateMachine, GoesFromPendingByRunningToDone) {
    const Trial trial(guarded_by(Deduplicate::state_machine));
    EXPECT_THAT(statements_about_run_1(trial),
                ElementsAre("SELECT run", "UPDATE running", "BEGIN", "UPDATE done", "INSERT reply",
                            "COMMIT", "XACK"));
    EXPECT_EQ(trial.step<model::StatusChanged>(run_1, 1).as<model::StatusChanged>()->to,
              model::Status::running);
    EXPECT_EQ(trial.step<model::StatusChanged>(run_1, 2).as<model::StatusChanged>()->to,
              model::Status::done);
}

TEST(StateMachine, TakesOverARunningRunThatComesAgain) {
    const Trial trial(crashing_at(Deduplicate::state_machine, Operation::work, Point::middle));
    EXPECT_EQ(trial.reached("running_run_taken_over"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(StateMachine, LeavesARunningRunAloneThatWasPublishedTwice) {
    Scenario scenario = guarded_by(Deduplicate::state_machine);
    scenario.workload.messages[0].work_time = 3s;
    scenario.system.worker.batch = 1;
    scenario.system.republisher = {.republish = Republish::by_age, .age = 1s, .interval = 500ms};
    // The row is pending and its entry unread while the workers are not there.
    scenario.faults.pinned = {
        {sim::AtInstant{sim::at(50ms)}, sim::Crash{.restart_after = 2s}, "worker-1"},
        {sim::AtInstant{sim::at(50ms)}, sim::Crash{.restart_after = 2s}, "worker-2"}};
    const Trial trial(scenario);
    EXPECT_GE(trial.reached("republished"), 1u);
    EXPECT_GE(kept_out(trial, By::status), 1u);
    EXPECT_EQ(trial.total("executions"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(StateMachine, RollsBackTheSlowerOfTwoThatWork) {
    Scenario scenario = pausing_before(Deduplicate::state_machine, Operation::commit);
    scenario.workload.messages[0].work_time = 35s;  // The entry is claimed after 30 s.
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("worked_on_by_two_at_once"), 1u);
    EXPECT_EQ(kept_out(trial, By::status), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(StateMachineUnchecked, StoresWhatItsUpdateDidNotMatch) {
    Scenario scenario = pausing_before(Deduplicate::state_machine_unchecked, Operation::commit);
    scenario.workload.messages[0].work_time = 35s;
    EXPECT_EQ(Trial(scenario).total("replies"), 2u);
}

TEST(StateMachineStuck, AcknowledgesARunThatNobodyWorksOnAnyMore) {
    const Trial trial(
        crashing_at(Deduplicate::state_machine_stuck, Operation::work, Point::middle));
    EXPECT_EQ(trial.total("lost"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
    EXPECT_TRUE(trial.breaks("no_run_lost"));
}

// ------------------------------------------------------------------ leases

TEST(Lease, IsTakenBeforeTheWorkAndCheckedWithTheReply) {
    const Trial trial(guarded_by(Deduplicate::lease));
    EXPECT_THAT(statements_about_run_1(trial),
                ElementsAre("SELECT run", "INSERT lease", "SELECT run", "BEGIN", "SELECT lease",
                            "UPDATE done", "INSERT reply", "COMMIT", "XACK"));
    EXPECT_EQ(trial.step<model::LeaseTaken>(run_1).as<model::LeaseTaken>()->token, 1u);
}

TEST(Lease, IsTakenOverWithTheNextTokenOnceItHasExpired) {
    const Trial trial(crashing_at(Deduplicate::lease, Operation::work, Point::middle));
    EXPECT_EQ(trial.step<model::LeaseTaken>(run_1, 2).as<model::LeaseTaken>()->token, 2u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(Lease, KeepsOthersOutWhileItLasts) {
    Scenario scenario = crashing_at(Deduplicate::lease, Operation::work, Point::middle);
    scenario.system.worker.lease_time = 50s;  // The entry comes back after 30 s, and 30 s later.
    const Trial trial(scenario);
    EXPECT_EQ(kept_out(trial, By::lease), 1u);
    EXPECT_GT(trial.step<model::LeaseTaken>(run_1, 2).at,
              trial.step<model::LeaseTaken>(run_1, 1).at + 50s);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(Lease, ExpiresByTheClockOfTheServer) {
    Scenario scenario = crashing_at(Deduplicate::lease, Operation::work, Point::middle);
    scenario.system.worker.lease_time = 50s;
    scenario.faults.pinned.push_back(
        {sim::AtInstant{sim::at(10s)}, sim::ClockStep{30s}, "postgres"});
    const Trial trial(scenario);
    EXPECT_EQ(kept_out(trial, By::lease), 0u);
    EXPECT_LT(trial.step<model::LeaseTaken>(run_1, 2).at,
              trial.step<model::LeaseTaken>(run_1, 1).at + 50s);
}

TEST(Lease, ShowsWhoeverGetsItWhatItsHolderHasDone) {
    Scenario scenario = crashing_at(Deduplicate::lease, Operation::xack, Point::before_send);
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("lease_taken_over"), 1u);
    EXPECT_EQ(trial.total("executions"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(Lease, FencesOffWhoHasLostIt) {
    const Trial trial(pausing_before(Deduplicate::lease, Operation::begin));
    EXPECT_EQ(trial.reached("lease_taken_over"), 1u);
    EXPECT_EQ(kept_out(trial, By::fence), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(LeaseWithoutFencing, LetsWhoHasLostItStoreASecondReply) {
    const Trial trial(pausing_before(Deduplicate::lease_without_fencing, Operation::begin));
    EXPECT_EQ(trial.reached("lease_taken_over"), 1u);
    EXPECT_EQ(trial.total("replies"), 2u);
}

TEST(LeaseRenewedBlindly, IsTakenBackFromWhoeverHasItNow) {
    const Trial trial(pausing_before(Deduplicate::lease_renewed_blindly, Operation::begin));
    EXPECT_EQ(kept_out(trial, By::fence), 0u);
    EXPECT_EQ(trial.total("replies"), 2u);
    // Each takes it once and renews it once.
    EXPECT_EQ(trial.count<model::LeaseTaken>(), 4u);
}

}  // namespace
}  // namespace redeliver::scenarios
