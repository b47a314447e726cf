// Connections to the database: a gateway's pool, the server's limit, and its timeouts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/database/events.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using worlds::Trial;

/// Each message from a user of its own, all to one gateway with four handlers.
Scenario pooled(std::uint32_t messages, std::uint32_t pool) {
    Scenario scenario = worlds::calm(1, messages);
    scenario.system.users.count = messages;
    for (Message& message : scenario.workload.messages) message.user = message.number;
    scenario.system.gateway.pool = pool;
    return scenario;
}

std::size_t rejections(const Trial& trial) { return trial.reached("submission_rejected"); }

// ------------------------------------------------------------------ the pool

Scenario all_at_once(std::uint32_t pool) {
    Scenario scenario = pooled(3, pool);
    for (Message& message : scenario.workload.messages) message.at = sim::at(100ms);
    scenario.system.database.connection_limit = 2;  // One of them for the worker.
    return scenario;
}

TEST(Pool, ServesAllHandlersOverItsConnections) {
    const Trial trial(all_at_once(1));
    EXPECT_EQ(rejections(trial), 0u);
    EXPECT_EQ(trial.total("replies"), 3u);
}

TEST(Pool, OfSizeZeroGivesEachHandlerAConnectionOfItsOwn) {
    // The third handler is refused, and the worker after it.
    const Trial trial(all_at_once(0));
    EXPECT_GT(rejections(trial), 0u);
    EXPECT_EQ(trial.total("replies"), 0u);
}

/// The answer to run-1 is lost, so that its handler holds the only connection until 1.1 s.
Scenario first_request_hangs(Duration pool_timeout) {
    Scenario scenario = pooled(3, 1);
    scenario.system.gateway.pool_timeout = pool_timeout;
    scenario.faults.pinned = {worlds::drop_at(Operation::insert_run, "run-1", Point::before_apply)};
    return scenario;
}

TEST(PoolTimeout, RejectsWhoeverWaitsForLonger) {
    const Trial trial(first_request_hangs(300ms));
    const sim::Step& answered = trial.step<model::Answered>(model::run_of(2));
    EXPECT_EQ(answered.as<model::Answered>()->answer, model::Answer::rejected);
    EXPECT_GT(answered.at, sim::at(500ms));
    EXPECT_LT(answered.at, sim::at(510ms));
    EXPECT_TRUE(trial.keeps("no_user_gives_up"));
    EXPECT_EQ(trial.total("replies"), 3u);
}

TEST(PoolTimeout, LetsTheOthersWaitInTurn) {
    const Trial trial(first_request_hangs(2s));
    EXPECT_EQ(rejections(trial), 1u);  // Of run-1 itself.
    const sim::Instant second = trial.step<model::Accepted>(model::run_of(2)).at;
    EXPECT_GT(second, sim::at(1s));
    EXPECT_LT(second, trial.step<model::Accepted>(model::run_of(3)).at);
}

TEST(GiveBack, AlwaysKeepsThePoolWhole) {
    Scenario scenario = first_request_hangs(300ms);
    EXPECT_TRUE(Trial(scenario).keeps("no_user_gives_up"));
}

TEST(GiveBack, UnlessFailedLosesAConnectionWithEachFailure) {
    Scenario scenario = first_request_hangs(300ms);
    scenario.system.gateway.give_back = GiveBack::unless_failed;
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("user_gave_up"), 3u);
    EXPECT_EQ(trial.total("accepted"), 0u);
}

TEST(Pool, IsWholeAgainAfterItsGatewayDied) {
    Scenario scenario = pooled(2, 1);
    scenario.workload.messages[1].at = sim::at(5s);
    scenario.system.gateway.give_back = GiveBack::unless_failed;
    scenario.faults.pinned = {
        worlds::crash_at(Operation::insert_run, "run-1", Point::after_apply, 1s)};
    const Trial trial(scenario);
    EXPECT_TRUE(trial.keeps("no_user_gives_up"));
    EXPECT_EQ(trial.total("accepted"), 2u);
}

// ------------------------------------------------------------------ the server

TEST(ConnectionLimit, MakesWhatARefusedWorkerAsksAFailureAndNoUnknownRun) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.database.connection_limit = 1;  // The gateway's handler has it.
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("accepted"), 1u);
    EXPECT_EQ(trial.reached("run_unknown"), 0u);
    EXPECT_EQ(trial.total("executions"), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
}

/// worker-1 is paused in the transaction that stores the reply; its peer waits for the run's row.
Scenario paused_over_a_lock() {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.timeout = 5s;
    scenario.faults.until = 60s;
    scenario.faults.pinned = {
        {worlds::step_of(Operation::insert_reply, "run-1", Point::before_send), sim::Pause{50s}}};
    return scenario;
}

std::size_t rollbacks_after_errors(const Trial& trial) {
    return trial.count<model::RolledBack>([](const model::RolledBack& rolled_back) {
        return static_cast<model::database::RolledBack::Reason>(rolled_back.reason) ==
               model::database::RolledBack::Reason::error;
    });
}

TEST(LockTimeout, EndsAWaitWithAnErrorThatTheWorkerSurvives) {
    Scenario scenario = paused_over_a_lock();
    scenario.system.database.lock_timeout = 1s;
    const Trial trial(scenario);
    EXPECT_EQ(rollbacks_after_errors(trial), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(StatementTimeout, EndsAWaitWithAnErrorThatTheWorkerSurvives) {
    Scenario scenario = paused_over_a_lock();
    scenario.system.database.statement_timeout = 1s;
    const Trial trial(scenario);
    EXPECT_EQ(rollbacks_after_errors(trial), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(LockTimeout, OfZeroIsForEver) {
    EXPECT_EQ(rollbacks_after_errors(Trial(paused_over_a_lock())), 0u);
}

// ------------------------------------------------------------------ failover

Scenario failed_over(Replication replication, SynchronousCommit commit) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.database.replication = replication;
    scenario.system.database.synchronous_commit = commit;
    scenario.faults.pinned = {{worlds::step_of(Operation::submit, "run-1", Point::after_reply),
                               sim::Failover{50ms}, "postgres"}};
    return scenario;
}

TEST(Replication, AsynchronousForgetsTheNewestCommits) {
    const Trial trial(failed_over(Replication::asynchronous, SynchronousCommit::on));
    EXPECT_EQ(trial.count<model::DatabaseForgot>(), 1u);
    EXPECT_TRUE(trial.breaks("answered_runs_exist"));
}

TEST(Replication, SynchronousForgetsNothing) {
    const Trial trial(failed_over(Replication::synchronous, SynchronousCommit::on));
    EXPECT_EQ(trial.reached("failed_over"), 1u);
    EXPECT_EQ(trial.count<model::DatabaseForgot>(), 0u);
}

TEST(Replication, SynchronousIsNothingToCommitsThatDoNotWait) {
    const Trial trial(failed_over(Replication::synchronous, SynchronousCommit::off));
    EXPECT_EQ(trial.count<model::DatabaseForgot>(), 1u);
}

}  // namespace
}  // namespace redeliver::scenarios
