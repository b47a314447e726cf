// What the servers forget: `appendfsync` against a lost machine and a killed process, a failover
// against its lag, and a commit that was not flushed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::BrokerForgot;
using model::Operation;
using sim::CrashOf;
using sim::Point;
using worlds::Trial;

std::size_t forgotten_entries(const Trial& trial) {
    return trial.count<BrokerForgot>(
        [](const BrokerForgot& forgot) { return forgot.what == BrokerForgot::What::entry; });
}

/// Messages at 100 ms and at 5 s; what strikes the broker does so when it has applied the second
/// XADD.
Scenario struck_at_the_second_message(sim::What what) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages.push_back({.number = 2, .session = 2, .at = sim::at(5s)});
    scenario.faults.pinned = {
        {worlds::step_of(Operation::xadd, "run-2", Point::after_apply), what, "redis"}};
    return scenario;
}

std::size_t forgotten_with(Appendfsync policy, CrashOf of) {
    Scenario scenario = struck_at_the_second_message(sim::Crash{.of = of});
    scenario.system.broker.appendfsync = policy;
    return forgotten_entries(Trial(scenario));
}

TEST(AppendfsyncPolicy, AlwaysForgetsNothing) {
    EXPECT_EQ(forgotten_with(Appendfsync::always, CrashOf::machine), 0u);
}

TEST(AppendfsyncPolicy, EverysecForgetsTheLastSecondOfALostMachine) {
    EXPECT_EQ(forgotten_with(Appendfsync::everysec, CrashOf::machine), 1u);
}

TEST(AppendfsyncPolicy, NoForgetsWhatTheKernelHadNotWritten) {
    EXPECT_EQ(forgotten_with(Appendfsync::no, CrashOf::machine), 2u);
}

TEST(AppendfsyncPolicy, IsNothingToAKilledProcess) {
    for (const Appendfsync policy : {Appendfsync::always, Appendfsync::everysec, Appendfsync::no})
        EXPECT_EQ(forgotten_with(policy, CrashOf::process), 0u);
}

std::size_t forgotten_with_lag(Duration lag) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages.push_back({.number = 2, .session = 2, .at = sim::at(1'500ms)});
    scenario.faults.pinned = {{sim::AtInstant{sim::at(2s)}, sim::Failover{lag}, "redis"}};
    return forgotten_entries(Trial(scenario));
}

TEST(Failover, ForgetsWhatTheReplicaHadNotCopied) {
    EXPECT_EQ(forgotten_with_lag(100ms), 0u);
    EXPECT_EQ(forgotten_with_lag(1s), 1u);
    EXPECT_EQ(forgotten_with_lag(2s), 2u);
}

/// The database is the source of truth, the stream a trigger.
TEST(Failover, LosesARunUnlessItIsRepublished) {
    Scenario scenario = struck_at_the_second_message(sim::Failover{.lag = 500ms});
    scenario.workload.messages[0].work_time = 10s;  // Nobody has read the second one yet.
    EXPECT_EQ(Trial(scenario).total("lost"), 1u);
    scenario.system.republisher.republish = Republish::by_age_when_idle;
    EXPECT_EQ(Trial(scenario).total("lost"), 0u);
}

Scenario database_machine_lost(SynchronousCommit policy) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.database.synchronous_commit = policy;
    scenario.faults.pinned = {{worlds::step_of(Operation::insert_run, "run-1", Point::after_apply),
                               sim::Crash{.of = CrashOf::machine}, "postgres"}};
    return scenario;
}

TEST(SynchronousCommitPolicy, OnKeepsEveryCommit) {
    const Trial trial(database_machine_lost(SynchronousCommit::on));
    EXPECT_EQ(trial.count<model::DatabaseForgot>(), 0u);
}

TEST(SynchronousCommitPolicy, OffForgetsTheNewestCommits) {
    const Trial trial(database_machine_lost(SynchronousCommit::off));
    EXPECT_EQ(trial.count<model::DatabaseForgot>(), 1u);
}

TEST(Broker, CreatesItsGroupAgainWhenAllWasForgotten) {
    Scenario scenario = struck_at_the_second_message(sim::Crash{.of = CrashOf::machine});
    scenario.system.broker.appendfsync = Appendfsync::no;
    scenario.system.republisher.republish = Republish::by_age_when_idle;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

}  // namespace
}  // namespace redeliver::scenarios
