// Poison, killers and what a crash between the actions on them leaves behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Content;
using model::Operation;
using sim::Point;
using worlds::Trial;

Scenario with_content(Content content) {
    Scenario scenario = worlds::calm(2, 2);
    scenario.workload.messages[0].content = content;
    return scenario;
}

TEST(JudgePoisonPolicy, AfterFailureIsolatesAtTheThreshold) {
    Scenario scenario = with_content(Content::poison);
    scenario.system.worker.judge_poison = JudgePoison::after_failure;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 4u);  // Three times run-1 and once run-2.
    EXPECT_EQ(trial.total("dead_lettered"), 1u);
    EXPECT_EQ(trial.total("failed"), 1u);
    EXPECT_TRUE(trial.keeps("poison_is_isolated"));
}

TEST(JudgePoisonPolicy, AfterFailureNeverSeesWhatKillsItsWorker) {
    Scenario scenario = with_content(Content::killer);
    scenario.system.worker.judge_poison = JudgePoison::after_failure;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("dead_lettered"), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
    EXPECT_GT(trial.reached("killer_struck"), 3u);
}

TEST(JudgePoisonPolicy, BeforeAndAfterIsolatesAKillerBeyondItsThreshold) {
    Scenario scenario = with_content(Content::killer);
    scenario.system.worker.killer_threshold = 4;
    const Trial trial(scenario);
    EXPECT_EQ(trial.reached("killer_struck"), 4u);
    EXPECT_EQ(trial.total("dead_lettered"), 1u);
    EXPECT_EQ(trial.total("failed"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(JudgePoisonPolicy, NeverLetsPoisonComeBackForEver) {
    Scenario scenario = with_content(Content::poison);
    scenario.system.worker.judge_poison = JudgePoison::never;
    const Trial trial(scenario);
    EXPECT_GT(trial.total("executions"), 4u);
    EXPECT_EQ(trial.total("dead_lettered"), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
}

Scenario counted_by_its_worker() {
    Scenario scenario = worlds::calm(1, 1);
    scenario.workload.messages[0].content = Content::poison;
    scenario.system.worker.judge_poison = JudgePoison::by_own_count;
    return scenario;
}

TEST(JudgePoisonPolicy, ByOwnCountIsolatesWhatOneWorkerHasFailedOnOftenEnough) {
    const Trial trial(counted_by_its_worker());
    EXPECT_EQ(trial.total("executions"), 3u);
    EXPECT_TRUE(trial.keeps("poison_is_isolated"));
}

TEST(JudgePoisonPolicy, ByOwnCountBeginsAnewWithTheProcess) {
    Scenario scenario = counted_by_its_worker();
    scenario.faults.pinned = {
        {sim::AtInstant{sim::at(1s)}, sim::Crash{.restart_after = 2s}, "worker-1"}};
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 4u);
    EXPECT_EQ(trial.verdict("poison_is_isolated").evidence, "was judged healthy at delivery 3");
}

TEST(PoisonThreshold, IsTheDeliveryAtWhichPoisonIsIsolated) {
    Scenario scenario = with_content(Content::poison);
    scenario.system.worker.poison_threshold = 5;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 6u);
    EXPECT_TRUE(trial.keeps("poison_is_isolated"));
}

/// What there is of a poison message in the end.
struct Left {
    std::uint64_t dead_letters;
    std::uint64_t failed;
    std::uint64_t pending;
    bool operator==(const Left&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Left& left) {
        return out << left.dead_letters << " dead letters, " << left.failed << " failed, "
                   << left.pending << " pending";
    }
};

Left left_of(const Trial& trial) {
    return {.dead_letters = trial.total("dead_lettered"),
            .failed = trial.total("failed"),
            .pending = trial.total("pending")};
}

struct Actions {
    const char* name;
    PoisonActions policy;
    std::optional<Operation> dies_before;
    Left left;
};

/// Nobody dies, or whoever isolates dies right before it sends this request; its peer goes on.
const Actions cases[] = {
    {"add_ack_mark", PoisonActions::add_ack_mark, {}, {1, 1, 0}},
    {"add_ack_mark_dying_before_add", PoisonActions::add_ack_mark, Operation::xadd_dead, {1, 1, 0}},
    {"add_ack_mark_dying_before_ack", PoisonActions::add_ack_mark, Operation::xack, {2, 1, 0}},
    {"add_ack_mark_dying_before_mark",
     PoisonActions::add_ack_mark,
     Operation::mark_failed,
     {1, 0, 0}},
    {"mark_add_ack", PoisonActions::mark_add_ack, {}, {1, 1, 0}},
    {"mark_add_ack_dying_before_add", PoisonActions::mark_add_ack, Operation::xadd_dead, {0, 1, 0}},
    {"mark_add_ack_dying_before_ack", PoisonActions::mark_add_ack, Operation::xack, {1, 1, 0}},
    {"ack_add_mark", PoisonActions::ack_add_mark, {}, {1, 1, 0}},
    {"ack_add_mark_dying_before_add", PoisonActions::ack_add_mark, Operation::xadd_dead, {0, 0, 0}},
    {"ack_add_mark_dying_before_mark",
     PoisonActions::ack_add_mark,
     Operation::mark_failed,
     {1, 0, 0}},
    {"atomic", PoisonActions::atomic, {}, {1, 1, 0}},
    {"atomic_dying_before_mark", PoisonActions::atomic, Operation::mark_failed, {1, 1, 0}},
    {"atomic_dying_before_watch", PoisonActions::atomic, Operation::watch, {1, 1, 0}},
    {"atomic_dying_before_exec", PoisonActions::atomic, Operation::exec, {1, 1, 0}},
    {"add_without_ack", PoisonActions::add_without_ack, {}, {1, 1, 0}},
    {"ack_without_add", PoisonActions::ack_without_add, {}, {0, 1, 0}}};

class PoisonActionsPolicy : public testing::TestWithParam<Actions> {};

TEST_P(PoisonActionsPolicy, LeavesBehind) {
    Scenario scenario = with_content(Content::poison);
    scenario.faults.until = 200s;
    scenario.system.worker.poison_actions = GetParam().policy;
    if (GetParam().dies_before)
        scenario.faults.pinned = {
            worlds::crash_at(*GetParam().dies_before, "run-1", Point::before_send)};

    const Trial trial(scenario);

    EXPECT_THAT(trial.result().inert_faults, testing::IsEmpty());
    EXPECT_EQ(left_of(trial), GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(Cast, PoisonActionsPolicy, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string{each.param.name}; });

/// Without the short cut past failed runs, what was not acknowledged is copied again and again.
TEST(PoisonActionsWithoutAck, CopiesTheMessageAtEveryDelivery) {
    Scenario scenario = with_content(Content::poison);
    scenario.system.worker.poison_actions = PoisonActions::add_without_ack;
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    const Trial trial(scenario);
    EXPECT_GT(trial.total("dead_lettered"), 1u);
    EXPECT_EQ(trial.total("pending"), 1u);
}

TEST(PoisonActionsAtomic, MovesAMessageOnceThoughTheAnswerIsLost) {
    Scenario scenario = with_content(Content::poison);
    scenario.faults.until = 200s;
    scenario.faults.pinned = {worlds::drop_at(Operation::exec, "run-1", Point::after_apply)};
    const Trial trial(scenario);
    EXPECT_EQ(left_of(trial), (Left{1, 1, 0}));
}

TEST(DeadLetter, SaysWhatItWasAndWhy) {
    const Trial trial(with_content(Content::poison));
    const auto& dead = trial.left().broker.streams.at("koda:runs:dead").entries;
    ASSERT_EQ(dead.size(), 1u);
    EXPECT_EQ(dead[0].body.value_of("runId"), "run-1");
    EXPECT_EQ(dead[0].body.value_of("deliveries"), "3");
    EXPECT_EQ(dead[0].body.value_of("reason"), "poison after 3 deliveries");
    EXPECT_FALSE(dead[0].body.value_of("originalId").empty());
}

}  // namespace
}  // namespace redeliver::scenarios
