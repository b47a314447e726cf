// Workers: what each policy value does, in one short trial each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using testing::ElementsAre;
using worlds::Trial;

const sim::Subject run_1 = model::run_of(1);

/// What worker-1 of a calm system with one gateway asks first of all.
std::vector<std::string_view> first_requests(const Trial& trial, std::size_t count) {
    constexpr sim::NodeId worker_1{3};
    std::vector<std::string_view> operations;
    for (const sim::Step& step : trial.result().recording->steps)
        if (const auto* const sent = step.as<sim::Sent>())
            if (step.actor == worker_1 && operations.size() < count)
                operations.push_back(model::text(static_cast<Operation>(sent->operation)));
    return operations;
}

std::size_t requests(const Trial& trial, Operation operation) {
    return trial.count<sim::Sent>(
        [&](const sim::Sent& sent) { return sent.operation == model::number(operation); });
}

/// The worker dies before it acknowledges run-1, whose reply is stored.
Scenario crash_before_xack(std::uint32_t workers = 2) {
    Scenario scenario = worlds::calm(workers, 1);
    scenario.faults.pinned = {worlds::crash_at(Operation::xack, "run-1", Point::before_send)};
    return scenario;
}

Scenario crash_at_work(std::uint32_t workers = 2) {
    Scenario scenario = worlds::calm(workers, 1);
    scenario.faults.pinned = {worlds::crash_at(Operation::work, "run-1", Point::middle)};
    return scenario;
}

// ------------------------------------------------------------------ acknowledge

TEST(AcknowledgePolicy, AfterWorkAcknowledgesWhatIsStored) {
    const Trial trial(worlds::calm(1, 1));
    EXPECT_LT(trial.step<model::ReplyStored>(run_1).number,
              trial.step<model::Acknowledged>(run_1).number);
}

TEST(AcknowledgePolicy, BeforeWorkLosesWhatItsWorkerDiesOf) {
    Scenario scenario = crash_at_work();
    scenario.system.worker.acknowledge = AcknowledgePolicy::before_work;
    const Trial trial(scenario);
    EXPECT_LT(trial.step<model::Acknowledged>(run_1).number,
              trial.step<model::WorkStarted>(run_1).number);
    EXPECT_EQ(trial.total("lost"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(AcknowledgePolicy, NeverLeavesEveryEntryPending) {
    Scenario scenario = worlds::calm(1, 2);
    scenario.system.worker.acknowledge = AcknowledgePolicy::never;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_EQ(trial.total("acknowledged"), 0u);
    EXPECT_EQ(trial.total("pending"), 2u);
    EXPECT_EQ(trial.result().ending, sim::Ending::quiet);
}

/// The second and the third message come while the worker works on the first: it reads them
/// together.
Scenario two_at_a_time(AcknowledgePolicy policy) {
    Scenario scenario = worlds::calm(1, 3);
    scenario.workload.messages[1].at = sim::at(110ms);
    scenario.workload.messages[2].at = sim::at(120ms);
    scenario.system.worker.acknowledge = policy;
    scenario.system.worker.claim = ClaimPolicy::never;
    return scenario;
}

TEST(AcknowledgePolicy, LastOfBatchLeavesTheOthersPending) {
    const Trial trial(two_at_a_time(AcknowledgePolicy::last_of_batch));
    EXPECT_EQ(trial.total("replies"), 3u);
    EXPECT_EQ(trial.total("acknowledged"), 2u);
    EXPECT_EQ(trial.total("pending"), 1u);
    EXPECT_EQ(Trial(two_at_a_time(AcknowledgePolicy::after_work)).total("pending"), 0u);
}

TEST(AcknowledgePolicy, EachThenBatchClearsWhatFailed) {
    Scenario scenario = two_at_a_time(AcknowledgePolicy::each_then_batch);
    scenario.workload.messages[1].content = model::Content::flaky;
    scenario.workload.messages[1].failures = 1;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("replies"), 2u);
    EXPECT_EQ(trial.total("pending"), 0u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

// ------------------------------------------------------------------ claim

TEST(ThresholdUnit, SentAsSecondsTakesLiveWorkAway) {
    Scenario scenario = worlds::calm(2, 2);
    scenario.system.worker.block = 10ms;
    EXPECT_EQ(Trial(scenario).total("executions"), 2u);
    scenario.system.worker.threshold_unit = ThresholdUnit::sent_as_seconds;  // 30 ms
    EXPECT_GT(Trial(scenario).total("executions"), 2u);
}

TEST(ThresholdUnit, ReadAsSecondsClaimsNothingInTime) {
    Scenario scenario = crash_at_work();
    EXPECT_EQ(Trial(scenario).total("replies"), 1u);
    scenario.system.worker.threshold_unit = ThresholdUnit::read_as_seconds;
    const Trial trial(scenario);
    EXPECT_EQ(trial.count<model::Claimed>(), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

TEST(ClaimPolicy, AbandonedFirstClaimsBeforeItReads) {
    EXPECT_THAT(first_requests(Trial(worlds::calm(1, 1)), 3),
                ElementsAre("XGROUP CREATE", "XAUTOCLAIM", "XREADGROUP"));
}

TEST(ClaimPolicy, FreshFirstReadsBeforeItClaims) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.worker.claim = ClaimPolicy::fresh_first;
    EXPECT_THAT(first_requests(Trial(scenario), 4),
                ElementsAre("XGROUP CREATE", "XREADGROUP", "XAUTOCLAIM", "XREADGROUP"));
}

TEST(ClaimPolicy, NeverLeavesAnAbandonedEntryPending) {
    Scenario scenario = crash_at_work();
    scenario.system.worker.claim = ClaimPolicy::never;
    const Trial trial(scenario);
    EXPECT_EQ(requests(trial, Operation::xautoclaim), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

TEST(IdleThreshold, IsHowLongAnAbandonedEntryWaits) {
    Scenario scenario = crash_at_work();
    scenario.system.worker.idle_threshold = 12s;
    const Trial trial(scenario);
    const sim::Step& claimed = trial.step<model::Claimed>(run_1);
    EXPECT_GE(claimed.as<model::Claimed>()->idle_time_ms, 12'000u);
    EXPECT_LT(claimed.as<model::Claimed>()->idle_time_ms, 12'000u + 5'100u);  // And one BLOCK.
}

TEST(Batch, IsHowManyEntriesOneReadTakes) {
    Scenario scenario = worlds::calm(1, 5);
    for (Message& message : scenario.workload.messages) message.at = sim::at(100ms);
    scenario.workload.messages[0].work_time = 2s;
    scenario.system.worker.batch = 2;
    const Trial trial(scenario);
    // All of 2 to 5 wait while run-1 is worked on; then they are read two by two.
    EXPECT_EQ(trial.step<model::Delivered>(model::run_of(2)).at,
              trial.step<model::Delivered>(model::run_of(3)).at);
    EXPECT_LT(trial.step<model::WorkFinished>(model::run_of(3)).at,
              trial.step<model::Delivered>(model::run_of(4)).at);
}

// ------------------------------------------------------------------ deduplicate

Scenario worked_on_again(Deduplicate policy) {
    Scenario scenario = crash_before_xack();
    scenario.system.worker.deduplicate = policy;
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    scenario.system.worker.status_changes = StatusChanges::unconditional;
    return scenario;
}

TEST(DeduplicatePolicy, UniqueReplyAbsorbsInTheDatabase) {
    const Trial trial(worked_on_again(Deduplicate::unique_reply));
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.total("absorbed"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(DeduplicatePolicy, CheckThenInsertLooksFirst) {
    Scenario scenario = worked_on_again(Deduplicate::check_then_insert);
    scenario.system.database.unique_reply = UniqueKey::absent;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(requests(trial, Operation::select_reply), 2u);
    EXPECT_EQ(requests(trial, Operation::insert_reply), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(DeduplicatePolicy, NoneStoresASecondReply) {
    Scenario scenario = worked_on_again(Deduplicate::none);
    scenario.system.database.unique_reply = UniqueKey::absent;
    EXPECT_EQ(Trial(scenario).total("replies"), 2u);
}

TEST(DeduplicatePolicy, NoneFailsAtAUniqueKey) {
    const Trial trial(worked_on_again(Deduplicate::none));
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 1u);  // The error keeps it from being acknowledged, ever.
}

TEST(DeduplicatePolicy, SetnxBeforeWorkSkipsWhatIsMarked) {
    const Trial trial(worked_on_again(Deduplicate::setnx_before_work));
    EXPECT_EQ(trial.total("executions"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(DeduplicatePolicy, SetnxBeforeWorkLosesWhatWasMarkedAndNotDone) {
    Scenario scenario = crash_at_work();
    scenario.system.worker.deduplicate = Deduplicate::setnx_before_work;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("lost"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(DeduplicatePolicy, AMarkIsForgottenWhenItExpires) {
    Scenario scenario = worked_on_again(Deduplicate::setnx_before_work);
    scenario.system.database.unique_reply = UniqueKey::absent;
    scenario.system.worker.mark_expiry = 10s;  // The entry comes back after 30 s.
    EXPECT_EQ(Trial(scenario).total("executions"), 2u);
}

// ------------------------------------------------------------------ mark done

TEST(MarkDonePolicy, WithReplyCommitsBothAtOnce) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.faults.pinned = {worlds::crash_at(Operation::commit, "run-1", Point::before_send)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.count<model::StatusChanged>(), 1u);
    EXPECT_EQ(trial.step<model::StatusChanged>(run_1).at, trial.step<model::ReplyStored>(run_1).at);
}

TEST(MarkDonePolicy, BeforeReplyLosesTheReplyOfWhoDiesInBetween) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.mark_done = MarkDone::before_reply;
    scenario.faults.pinned = {
        worlds::crash_at(Operation::insert_reply, "run-1", Point::before_send)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("done"), 1u);
    EXPECT_EQ(trial.total("replies"), 0u);
    EXPECT_TRUE(trial.breaks("exactly_one_reply"));
}

TEST(MarkDonePolicy, AfterReplyWorksAgainForWhoDiesInBetween) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.mark_done = MarkDone::after_reply;
    scenario.faults.pinned = {worlds::crash_at(Operation::mark_done, "run-1", Point::before_send)};
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.total("absorbed"), 1u);
    EXPECT_EQ(trial.total("done"), 1u);
    EXPECT_TRUE(trial.keeps("exactly_one_reply"));
}

// ------------------------------------------------------------------ short circuit, failure

TEST(ShortCircuitPolicy, SkipDoneSavesTheSecondWork) {
    const Trial trial(crash_before_xack());
    EXPECT_EQ(trial.total("executions"), 1u);
    EXPECT_EQ(trial.count<model::ShortCircuited>(), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(ShortCircuitPolicy, AlwaysWorkPaysTwice) {
    Scenario scenario = crash_before_xack();
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    const Trial trial(scenario);
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

Scenario fails_once(OnFailure policy) {
    Scenario scenario = worlds::calm(1, 1);
    scenario.system.worker.on_failure = policy;
    scenario.workload.messages[0].content = model::Content::flaky;
    scenario.workload.messages[0].failures = 1;
    return scenario;
}

TEST(OnFailurePolicy, LeavePendingBringsTheMessageBack) {
    const Trial trial(fails_once(OnFailure::leave_pending));
    EXPECT_EQ(trial.total("executions"), 2u);
    EXPECT_EQ(trial.total("failures"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
}

TEST(OnFailurePolicy, AcknowledgeSwallowsTheError) {
    const Trial trial(fails_once(OnFailure::acknowledge));
    EXPECT_EQ(trial.total("executions"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
    EXPECT_EQ(trial.total("lost"), 1u);
}

// ------------------------------------------------------------------ names, start, status

Scenario restarts_without_claims(ConsumerNames names, OnStart start) {
    Scenario scenario = crash_at_work(1);
    scenario.system.worker.claim = ClaimPolicy::never;
    scenario.system.worker.consumer_names = names;
    scenario.system.worker.on_start = start;
    return scenario;
}

TEST(OnStartPolicy, OwnHistoryFindsWhatTheOldProcessHeld) {
    const Trial trial(restarts_without_claims(ConsumerNames::stable, OnStart::own_history));
    EXPECT_EQ(trial.count<model::Reread>(), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("pending"), 0u);
}

TEST(OnStartPolicy, NothingLeavesItToTheClaims) {
    const Trial trial(restarts_without_claims(ConsumerNames::stable, OnStart::nothing));
    EXPECT_EQ(trial.count<model::Reread>(), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
}

/// The first message fails and stays pending, and the worker dies of the second.
Scenario restarts_with_two_pending(OnStart start) {
    Scenario scenario = worlds::calm(1, 2);
    scenario.workload.messages[0].content = model::Content::flaky;
    scenario.workload.messages[0].failures = 1;
    scenario.system.worker.batch = 1;
    scenario.system.worker.claim = ClaimPolicy::never;
    scenario.system.worker.idle_threshold = 1s;
    scenario.system.worker.on_start = start;
    scenario.faults.pinned = {worlds::crash_at(Operation::work, "run-2", Point::middle)};
    return scenario;
}

TEST(OnStartPolicy, OwnHistoryGoesOnToTheLastPage) {
    EXPECT_EQ(Trial(restarts_with_two_pending(OnStart::own_history)).total("pending"), 0u);
    EXPECT_EQ(Trial(restarts_with_two_pending(OnStart::own_history_once)).total("pending"), 1u);
}

TEST(OnStartPolicy, AbandonedFollowsTheCursor) {
    Scenario scenario = restarts_with_two_pending(OnStart::abandoned);
    scenario.system.worker.consumer_names = ConsumerNames::random;
    const Trial trial(scenario);
    EXPECT_EQ(trial.count<model::Claimed>(), 2u);
    EXPECT_EQ(trial.total("pending"), 0u);

    scenario.system.worker.on_start = OnStart::abandoned_once;
    EXPECT_EQ(Trial(scenario).total("pending"), 1u);
}

TEST(ConsumerNamesPolicy, RandomOrphansWhatTheOldNameHeld) {
    const Trial trial(restarts_without_claims(ConsumerNames::random, OnStart::own_history));
    EXPECT_EQ(trial.count<model::Reread>(), 0u);
    EXPECT_EQ(trial.total("pending"), 1u);
    const auto& group = trial.left().broker.streams.at("koda:runs").groups.front();
    ASSERT_EQ(group.consumers.size(), 2u);
    for (const auto& consumer : group.consumers)
        EXPECT_TRUE(consumer.name.starts_with("worker-1-")) << consumer.name;
}

TEST(ConsumerNamesPolicy, RandomIsRecoveredByAClaim) {
    Scenario scenario = crash_at_work(1);
    scenario.system.worker.consumer_names = ConsumerNames::random;
    EXPECT_EQ(Trial(scenario).total("replies"), 1u);
}

/// Worker-1 stops before it stores its reply; meanwhile its peer takes the message for a killer.
Scenario settled_by_another(StatusChanges policy) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.status_changes = policy;
    scenario.system.worker.killer_threshold = 1;
    scenario.faults.until = 200s;
    scenario.faults.pinned = {
        {worlds::step_of(Operation::begin, "run-1", Point::before_send), sim::Pause{60s}}};
    return scenario;
}

TEST(StatusChangesPolicy, ConditionalLeavesASettledRunAlone) {
    const Trial trial(settled_by_another(StatusChanges::conditional));
    EXPECT_EQ(trial.total("failed"), 1u);
    EXPECT_EQ(trial.total("replies"), 0u);
    EXPECT_TRUE(trial.keeps("exactly_one_reply"));
}

TEST(StatusChangesPolicy, UnconditionalLetsTheLastOneWin) {
    const Trial trial(settled_by_another(StatusChanges::unconditional));
    EXPECT_EQ(trial.total("done"), 1u);
    EXPECT_EQ(trial.total("replies"), 1u);
    EXPECT_EQ(trial.total("dead_lettered"), 1u);
    const auto was_overwritten = [](const model::StatusChanged& change) {
        return change.from == model::Status::failed && change.to == model::Status::done;
    };
    EXPECT_EQ(trial.count<model::StatusChanged>(was_overwritten), 1u);
}

}  // namespace
}  // namespace redeliver::scenarios
