#include <gmock/gmock.h>

#include "properties/no_acknowledgement_before_effect.h"
#include "properties/pending_list_drains.h"
#include "properties/stream_growth_is_bounded.h"
#include "properties/work_is_executed_once.h"
#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using DatabaseLost = model::DatabaseForgot::What;
using BrokerLost = model::BrokerForgot::What;

const Terms excusing = {.excuse = Terms::Excuse::forgotten};

// ------------------------------------------------------------------ work_is_executed_once

TEST(WorkIsExecutedOnce, IsBrokenByTheSecondExecutionAndCountsAll) {
    const History steps = history({work_started(run(5), worker_1), work_started(run(6), worker_1),
                                   work_started(run(6), worker_2), work_started(run(6), worker_1),
                                   work_started(run(5), worker_2)});

    const Verdict verdict = judge(WorkIsExecutedOnce{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "was worked on a second time; 3 too many in all");
}

TEST(WorkIsExecutedOnce, HoldsWhenEveryRunIsWorkedOnOnce) {
    const History steps = history({work_started(run(5), worker_1), work_started(run(6), worker_1)});

    EXPECT_EQ(judge(WorkIsExecutedOnce{}, steps).holds, Holds::holds);
}

TEST(WorkIsExecutedOnce, IsVacuousWithoutWork) {
    EXPECT_EQ(judge(WorkIsExecutedOnce{}, history({accepted(run(1))})).holds, Holds::vacuous);
}

TEST(WorkIsExecutedOnce, ExcusesARunThatIsPendingAgainAfterALoss) {
    const History steps = history({work_started(run(6), worker_1),
                                   broker_forgot(run(6), 10, BrokerLost::acknowledgement),
                                   work_started(run(6), worker_2)});

    EXPECT_EQ(judge(WorkIsExecutedOnce{}, steps).holds, Holds::violated);
    EXPECT_EQ(judge(WorkIsExecutedOnce{excusing}, steps).holds, Holds::holds);
    EXPECT_EQ(judge(WorkIsExecutedOnce{excusing}, steps).excused, 1u);
}

// ------------------------------------------------------------------ pending_list_drains

TEST(PendingListDrains, IsBrokenByAnEntryThatStaysPending) {
    const History steps = history({added(run(6), 10), delivered(run(6), 10, worker_1),
                                   claimed(run(6), 10, worker_1, worker_2, 2)});

    const Verdict verdict = judge(PendingListDrains{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.breach, Breach::owed);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "is on the pending list after 2 deliveries");
}

TEST(PendingListDrains, HoldsWhenEverythingDeliveredIsAcknowledged) {
    const History steps = history(
        {added(run(6), 10), delivered(run(6), 10, worker_1), acknowledged(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PendingListDrains{}, steps).holds, Holds::holds);
}

TEST(PendingListDrains, WantsEveryGroupToDrain) {
    const History steps = history({added(run(6), 10), delivered(run(6), 10, worker_1),
                                   delivered(run(6), 10, worker_2, 1, audit_group),
                                   acknowledged(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PendingListDrains{}, steps).holds, Holds::violated);
}

TEST(PendingListDrains, CountsADroppedRowAsGone) {
    const History steps = history(
        {added(run(6), 10), delivered(run(6), 10, worker_1),
         dropped_pending(run(6), 10, worker_1, model::PendingDropped::Cause::consumer_deleted)});

    EXPECT_EQ(judge(PendingListDrains{}, steps).holds, Holds::holds);
}

TEST(PendingListDrains, IsBrokenByAnEntryThatCarriesNoRun) {
    const History steps = history({delivered(Subject::none, 10, worker_1)});

    const Verdict verdict = judge(PendingListDrains{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.subject, Subject::none);
    EXPECT_EQ(verdict.step, 1u);
}

TEST(PendingListDrains, IsVacuousWithoutDeliveries) {
    EXPECT_EQ(judge(PendingListDrains{}, history({added(run(6), 10)})).holds, Holds::vacuous);
}

TEST(PendingListDrains, IsInconclusiveWhenTheTrialIsCutOff) {
    const History steps = history({added(run(6), 10), delivered(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PendingListDrains{}, steps, sim::Ending::out_of_time).holds,
              Holds::inconclusive);
}

TEST(PendingListDrains, ExcusesARowThatALossMadePendingAgain) {
    const History steps = history({added(run(6), 10), delivered(run(6), 10, worker_1),
                                   acknowledged(run(6), 10, worker_1),
                                   broker_forgot(run(6), 10, BrokerLost::acknowledgement)});

    EXPECT_EQ(judge(PendingListDrains{}, steps).holds, Holds::violated);
    EXPECT_EQ(judge(PendingListDrains{excusing}, steps).excused, 1u);
}

// ------------------------------------------------------------------ stream_growth_is_bounded

const Terms two_entries = {.stream_bound = 2};

TEST(StreamGrowthIsBounded, IsBrokenByTheEntryAboveTheBound) {
    const History steps = history({added(run(1), 10), added(run(2), 20), added(run(3), 30)});

    const Verdict verdict = judge(StreamGrowthIsBounded{two_entries}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, Subject::none);
    EXPECT_EQ(verdict.evidence, "the stream holds 3 entries, 2 are the bound");
}

TEST(StreamGrowthIsBounded, HoldsAtTheBound) {
    const History steps = history({added(run(1), 10), added(run(2), 20)});

    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, steps).holds, Holds::holds);
}

TEST(StreamGrowthIsBounded, LetsOneCommandAddAndTrim) {
    const History steps = history({added(run(1), 10), added(run(2), 20), added(run(3), 30),
                                   removed(run(1), 10), added(run(4), 40), removed(run(2), 20)});

    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, steps).holds, Holds::holds);
}

TEST(StreamGrowthIsBounded, DoesNotWaitForATrimmingThatComesLater) {
    History steps = history({added(run(1), 10), added(run(2), 20), added(run(3), 30),
                             accepted(run(4)), removed(run(1), 10)});

    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, steps).step, 3u);
}

TEST(StreamGrowthIsBounded, FollowsWhatALossAddsAndTakes) {
    const History shorter =
        history({added(run(1), 10), added(run(2), 20), broker_forgot(run(2), 20, BrokerLost::entry),
                 added(run(3), 30)});
    const History longer =
        history({added(run(1), 10), added(run(2), 20), removed(run(1), 10),
                 broker_forgot(run(1), 10, BrokerLost::removal), added(run(3), 30)});

    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, shorter).holds, Holds::holds);
    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, longer).holds, Holds::violated);
}

TEST(StreamGrowthIsBounded, DoesNotCountDeadLetters) {
    const History steps =
        history({added(run(1), 10), added(run(2), 20), dead_lettered(run(1), 500)});

    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, steps).holds, Holds::holds);
}

TEST(StreamGrowthIsBounded, IsVacuousWhenNothingWasAdded) {
    EXPECT_EQ(judge(StreamGrowthIsBounded{two_entries}, history({accepted(run(1))})).holds,
              Holds::vacuous);
}

// ------------------------------------------------------------------
// no_acknowledgement_before_effect

TEST(NoAcknowledgementBeforeEffect, IsBrokenByAnAcknowledgementOfAnUntouchedRun) {
    const History steps = history({accepted(run(6)), acknowledged(run(6), 10, worker_1),
                                   replied(run(6)), became(run(6), Status::done)});

    const Verdict verdict = judge(NoAcknowledgementBeforeEffect{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 2u);
    EXPECT_EQ(verdict.evidence, "was acknowledged before anything had come of it");
}

TEST(NoAcknowledgementBeforeEffect, AcceptsEachKindOfEffect) {
    const std::vector<Step> effects = {replied(run(6)), became(run(6), Status::done),
                                       failed(run(6)), dead_lettered(run(6), 500)};
    for (const Step& effect : effects) {
        const History steps =
            history({accepted(run(6)), effect, acknowledged(run(6), 10, worker_1)});

        EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{}, steps).holds, Holds::holds)
            << model::kind_text(effect.kind);
    }
}

TEST(NoAcknowledgementBeforeEffect, IsVacuousWithoutAcknowledgements) {
    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{}, history({replied(run(6))})).holds,
              Holds::vacuous);
}

TEST(NoAcknowledgementBeforeEffect, OwesNothingToAnEntryThatCarriesNoRun) {
    const History steps = history({acknowledged(Subject::none, 10, worker_1)});

    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{}, steps).holds, Holds::vacuous);
}

TEST(NoAcknowledgementBeforeEffect, IsBrokenByALossThatLeavesNothingOfAnAcknowledgedRun) {
    const History steps = history({accepted(run(6)), replied(run(6)), became(run(6), Status::done),
                                   acknowledged(run(6), 10, worker_1),
                                   database_forgot(run(6), DatabaseLost::status, Status::pending),
                                   database_forgot(run(6), DatabaseLost::reply)});

    const Verdict verdict = judge(NoAcknowledgementBeforeEffect{}, steps);

    EXPECT_EQ(verdict.step, 6u);
    EXPECT_EQ(verdict.evidence, "was acknowledged before what had come of it was durable");
    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{excusing}, steps).excused, 1u);
}

TEST(NoAcknowledgementBeforeEffect, HoldsWhenTheBrokerForgetsTheAcknowledgementAsWell) {
    const History steps =
        history({accepted(run(6)), replied(run(6)), acknowledged(run(6), 10, worker_1),
                 broker_forgot(run(6), 10, BrokerLost::acknowledgement),
                 database_forgot(run(6), DatabaseLost::reply)});

    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{}, steps).holds, Holds::holds);
}

TEST(NoAcknowledgementBeforeEffect, IsBrokenByAnAcknowledgementAfterTheEffectWasLost) {
    const History steps =
        history({accepted(run(6)), replied(run(6)), database_forgot(run(6), DatabaseLost::reply),
                 acknowledged(run(6), 10, worker_1)});

    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{}, steps).step, 4u);
    EXPECT_EQ(judge(NoAcknowledgementBeforeEffect{excusing}, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
