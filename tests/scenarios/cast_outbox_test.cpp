// The outbox: gateways that leave publishing to relays, and the relays.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using worlds::Trial;

/// A relay polls every 100 ms.
Scenario with_outbox(std::uint32_t messages, PublishOrder publish = PublishOrder::outbox) {
    Scenario scenario = worlds::calm(1, messages);
    scenario.system.gateway.publish = publish;
    return scenario;
}

std::size_t rows_of(const Trial& trial, std::string_view table) {
    const auto& tables = trial.left().database.tables;
    const auto found = std::ranges::find(tables, table, &model::database::Snapshot::Table::name);
    return found == tables.end() ? 0 : found->rows.size();
}

sim::Instant added(const Trial& trial, std::uint32_t message, std::size_t which = 1) {
    return trial.step<model::Added>(model::run_of(message), which).at;
}

// ------------------------------------------------------------------ gateways

TEST(Outbox, PublishesEachRunOnceAndIsEmptyInTheEnd) {
    const Trial trial(with_outbox(3));
    EXPECT_EQ(trial.total("published"), 3u);
    EXPECT_EQ(trial.total("replies"), 3u);
    EXPECT_EQ(trial.left().database.tables.size(), 3u);
    EXPECT_EQ(rows_of(trial, "outbox"), 0u);
}

TEST(Outbox, IsNoTableOfSystemsThatPublishThemselves) {
    EXPECT_EQ(Trial(worlds::calm(1, 1)).left().database.tables.size(), 2u);
}

TEST(Outbox, AnswersASecondSubmissionWithTheFirstRun) {
    Scenario scenario = with_outbox(1);
    scenario.workload.messages[0].submissions = 2;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("accepted"), 1u);
    EXPECT_EQ(trial.total("published"), 1u);
    EXPECT_EQ(trial.left().told, (std::vector{model::run_of(1), model::run_of(1)}));
}

Scenario gateway_dies_between_run_and_row(PublishOrder publish) {
    Scenario scenario = with_outbox(1, publish);
    scenario.faults.pinned = {
        worlds::crash_at(Operation::insert_outbox, "run-1", Point::before_send)};
    return scenario;
}

TEST(Outbox, LeavesNothingOfARunWhoseGatewayDiesBeforeTheCommit) {
    const Trial trial(gateway_dies_between_run_and_row(PublishOrder::outbox));
    EXPECT_EQ(trial.reached("rolled_back"), 1u);
    EXPECT_EQ(trial.total("accepted"), 1u);
    // Of a later attempt, which made up an id of its own.
    EXPECT_THAT(trial.left().told, testing::ElementsAre(testing::Ne(model::run_of(1))));
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(OutboxApart, LeavesARunThatNoRelayLearnsOf) {
    const Trial trial(gateway_dies_between_run_and_row(PublishOrder::outbox_apart));
    EXPECT_EQ(trial.reached("insert_without_publish"), 1u);
    EXPECT_EQ(trial.reached("answered_as_duplicate"), 1u);
    EXPECT_EQ(trial.total("published"), 0u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

TEST(OutboxApart, PublishesAsLongAsNothingHappens) {
    const Trial trial(with_outbox(2, PublishOrder::outbox_apart));
    EXPECT_EQ(trial.total("published"), 2u);
    EXPECT_EQ(trial.total("replies"), 2u);
}

TEST(Outbox, PublishesARunWhoseCommitWasNotAnswered) {
    Scenario scenario = with_outbox(1);
    scenario.faults.pinned = {worlds::drop_at(Operation::commit, "run-1", Point::after_apply)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("commit_answer_lost"), 1u);
    EXPECT_EQ(trial.reached("answered_as_duplicate"), 1u);
    EXPECT_EQ(trial.total("published"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

// ------------------------------------------------------------------ relays

/// The only message is worked on for so long that a second entry comes meanwhile.
Scenario relay_dies(OutboxRemoval remove, Operation operation, Point point) {
    Scenario scenario = with_outbox(1);
    scenario.system.relay.remove = remove;
    scenario.workload.messages[0].work_time = 5s;
    scenario.faults.pinned = {worlds::crash_at(operation, "run-1", point)};
    return scenario;
}

TEST(OutboxRemoval, AfterPublishMakesUpForARelayThatDiesBeforeItPublishes) {
    const Trial trial(
        relay_dies(OutboxRemoval::after_publish, Operation::xadd, Point::before_send));
    EXPECT_EQ(trial.total("published"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(OutboxRemoval, AfterPublishPublishesTwiceWhenARelayDiesBeforeItCommits) {
    const Trial trial(
        relay_dies(OutboxRemoval::after_publish, Operation::delete_outbox, Point::after_reply));
    EXPECT_EQ(trial.total("published"), 2u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(rows_of(trial, "outbox"), 0u);
}

TEST(OutboxRemoval, BeforePublishLosesTheRunOfARelayThatDiesInBetween) {
    const Trial trial(
        relay_dies(OutboxRemoval::before_publish, Operation::xadd, Point::before_send));
    EXPECT_EQ(trial.total("published"), 0u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

TEST(OutboxRemoval, BeforePublishKeepsTheRowOfARelayThatDiesBeforeItCommits) {
    const Trial trial(
        relay_dies(OutboxRemoval::before_publish, Operation::delete_outbox, Point::after_reply));
    EXPECT_EQ(trial.total("published"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(Relay, KeepsTheRowsThatItCannotPublish) {
    Scenario scenario = with_outbox(1);
    scenario.faults.pinned = {{sim::AtInstant{sim::at(50ms)},
                               sim::Crash{.of = sim::CrashOf::process, .restart_after = 3s},
                               "redis"}};
    const Trial trial(scenario);
    EXPECT_GT(added(trial, 1), sim::at(3s));
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(Relay, ReadsOnWithoutAPauseWhileThereIsMore) {
    Scenario scenario = with_outbox(3);
    for (Message& message : scenario.workload.messages) message.at = sim::at(100ms);
    scenario.system.users.count = 3;
    for (Message& message : scenario.workload.messages) message.user = message.number;
    scenario.system.relay.interval = 10s;
    scenario.system.relay.batch = 1;
    const Trial trial(scenario);
    EXPECT_GT(added(trial, 1), sim::at(10s));
    EXPECT_LT(added(trial, 3), sim::at(10s + 100ms));
}

/// The relay that reads run-1 is paused over it for 3 s; run-2 comes meanwhile.
Scenario two_relays(OutboxLock lock) {
    Scenario scenario = with_outbox(2);
    scenario.system.worker.work_time = sim::fixed(5s);
    scenario.system.relay.count = 2;
    scenario.system.relay.lock = lock;
    scenario.workload.messages[1].at = sim::at(1s);
    scenario.faults.pinned = {
        {worlds::step_of(Operation::xadd, "run-1", Point::before_send), sim::Pause{3s}}};
    return scenario;
}

TEST(OutboxLock, SkipLockedPublishesOnceAndGoesOnWithOtherRows) {
    const Trial trial(two_relays(OutboxLock::skip_locked));
    EXPECT_EQ(trial.total("published"), 2u);
    EXPECT_GT(added(trial, 1), sim::at(3s));
    EXPECT_LT(added(trial, 2), sim::at(2s));
}

TEST(OutboxLock, ForUpdatePublishesOnceAndHoldsUpEveryRow) {
    const Trial trial(two_relays(OutboxLock::for_update));
    EXPECT_EQ(trial.total("published"), 2u);
    EXPECT_GT(added(trial, 1), sim::at(3s));
    EXPECT_GT(added(trial, 2), sim::at(3s));
}

TEST(OutboxLock, NonePublishesTwice) {
    const Trial trial(two_relays(OutboxLock::none));
    EXPECT_EQ(trial.total("published"), 3u);
    EXPECT_LT(added(trial, 1), sim::at(1s));
    EXPECT_GT(added(trial, 1, 2), sim::at(3s));
    EXPECT_EQ(trial.total("replies"), 2u);
}

}  // namespace
}  // namespace redeliver::scenarios
