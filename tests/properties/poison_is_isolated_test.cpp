#include "properties/poison_is_isolated.h"

#include <gmock/gmock.h>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using As = model::Judged::As;

/// The steps of a story so far, to which others are added.
std::vector<Step> operator+(std::vector<Step> begun, const std::vector<Step>& more) {
    begun.insert(begun.end(), more.begin(), more.end());
    return begun;
}

/// `run-6` is poison and has been delivered three times, to worker 1 the last time.
const std::vector<Step> three_deliveries = {submitted(run(6), Content::poison),
                                            accepted(run(6)),
                                            added(run(6), 10),
                                            delivered(run(6), 10, worker_1, 1),
                                            judged(run(6), worker_1, 1, As::healthy),
                                            claimed(run(6), 10, worker_1, worker_2, 2),
                                            judged(run(6), worker_2, 2, As::healthy),
                                            claimed(run(6), 10, worker_2, worker_1, 3)};

const std::vector<Step> isolation = {failed(run(6)), dead_lettered(run(6), 500),
                                     acknowledged(run(6), 10, worker_1)};

TEST(PoisonIsIsolated, HoldsWhenTheThirdDeliveryDeadLettersAcknowledgesAndFails) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison)} + isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.holds, Holds::holds);
    EXPECT_EQ(verdict.excused, 0u);
}

TEST(PoisonIsIsolated, IsBrokenByADeadLetterBeforeTheThreshold) {
    const auto steps = history(
        {submitted(run(6)), accepted(run(6)), added(run(6), 10), delivered(run(6), 10, worker_1, 1),
         claimed(run(6), 10, worker_1, worker_2, 2), dead_lettered(run(6), 500)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 6u);
    EXPECT_EQ(verdict.evidence, "was dead-lettered after 2 deliveries, 3 are the threshold");
}

/// Its judge died before the letter, and an operator destroyed the group: the next one counts
/// from 1.
TEST(PoisonIsIsolated, HoldsWhenAGroupThatCountsAnewIsGivenWhatHadBeenJudgedBefore) {
    const auto judged_before =
        three_deliveries + std::vector{judged(run(6), worker_1, 3, As::poison), failed(run(6)),
                                       crashed(worker_1), delivered(run(6), 10, worker_2, 1)};
    const std::vector<Step> letter = {dead_lettered(run(6), 500),
                                      acknowledged(run(6), 10, worker_2)};

    EXPECT_EQ(judge(PoisonIsIsolated{}, history(judged_before + letter)).holds, Holds::holds);
}

TEST(PoisonIsIsolated, TakesTheThresholdFromTheTerms) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison)} + isolation);

    EXPECT_EQ(judge(PoisonIsIsolated{{.poison_threshold = 4}}, steps).evidence,
              "was dead-lettered after 3 deliveries, 4 are the threshold");
}

TEST(PoisonIsIsolated, IsBrokenByASecondDeadLetter) {
    const auto steps =
        history(three_deliveries + isolation + std::vector{dead_lettered(run(6), 600)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.step, 12u);
    EXPECT_EQ(verdict.evidence, "has 2 dead letters");
}

TEST(PoisonIsIsolated, IsBrokenWhenAJudgedDeliveryAtTheThresholdComesToNothing) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison),
                                           claimed(run(6), 10, worker_1, worker_2, 4),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.step, 11u);
    EXPECT_EQ(verdict.evidence, "was judged poison at delivery 3, yet not dead-lettered then");
}

TEST(PoisonIsIsolated, IsBrokenByAWorkerThatFindsPoisonHealthyAtTheThreshold) {
    const auto steps =
        history(three_deliveries + std::vector{judged(run(6), worker_1, 3, As::healthy, 5)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.step, 9u);
    EXPECT_EQ(verdict.evidence, "was judged healthy at delivery 3");
}

TEST(PoisonIsIsolated, GoesByThePendingListWhereAWorkerCountsForItself) {
    const auto steps =
        history(three_deliveries + std::vector{judged(run(6), worker_1, 1, As::healthy)});
    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence, "was judged healthy at delivery 3");

    // Which of two entries a count is of is not known.
    const auto twice = history(three_deliveries +
                               std::vector{added(run(6), 20), delivered(run(6), 20, worker_1, 1),
                                           judged(run(6), worker_1, 1, As::healthy)} +
                               isolation);
    EXPECT_EQ(judge(PoisonIsIsolated{}, twice).evidence, "is dead-lettered, but still pending");

    // Of whoever had it earlier no more is known than what it says.
    const auto late = history(three_deliveries +
                              std::vector{judged(run(6), worker_2, 2, As::healthy),
                                          judged(run(6), worker_1, 3, As::poison)} +
                              isolation);
    EXPECT_EQ(judge(PoisonIsIsolated{}, late).holds, Holds::holds);
}

/// What cuts worker 1 short after it has judged `run-6`.
class PoisonCutShort : public testing::TestWithParam<Step> {};

TEST_P(PoisonCutShort, ExcusesAndCountsTheDelivery) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison), GetParam(),
                                           claimed(run(6), 10, worker_1, worker_2, 4),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
    EXPECT_EQ(verdict.excused, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    ByAFault, PoisonCutShort,
    testing::Values(crashed(worker_1), lost(run(6), worker_1, Operation::xadd_dead),
                    refused(run(6), worker_1, Operation::xadd_dead),
                    cut(run(6), worker_1, Operation::xadd_dead),
                    stalled(run(6), worker_1, Operation::xadd_dead),
                    lost(sim::subject_of(worker_1), worker_1, Operation::xautoclaim),
                    step(worker_1, run(6), model::StatementFailed{.state = 0})));

/// What happens elsewhere and excuses nothing.
class PoisonNotCutShort : public testing::TestWithParam<Step> {};

TEST_P(PoisonNotCutShort, StaysBroken) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison), GetParam(),
                                           claimed(run(6), 10, worker_1, worker_2, 4),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).holds, Holds::violated);
}

INSTANTIATE_TEST_SUITE_P(BySomethingElse, PoisonNotCutShort,
                         testing::Values(crashed(worker_2), lost(run(7), worker_1, Operation::xack),
                                         lost(run(6), worker_2, Operation::xadd_dead),
                                         step(worker_2, run(6), model::StatementFailed{})));

Step ordered(std::int64_t lasts) {
    return step(broker, sim::subject_of(broker),
                sim::Disturbed{.what = sim::Disturbed::What::ordered, .amount = lasts});
}

Step order_over() {
    return step(broker, sim::subject_of(broker),
                sim::Disturbed{.what = sim::Disturbed::What::order_over});
}

/// Two workers judge `run-6` one after the other, the first of them between these steps.
Verdict judged_between(const std::vector<Step>& before, const std::vector<Step>& after) {
    const auto first =
        three_deliveries + before + std::vector{judged(run(6), worker_1, 3, As::poison)} + after;
    return judge(PoisonIsIsolated{}, history(first +
                                             std::vector{claimed(run(6), 10, worker_1, worker_2, 4),
                                                         judged(run(6), worker_2, 4, As::poison)} +
                                             isolation));
}

TEST(PoisonIsIsolated, ExcusesWhoeverActsWhileAServerIsToldToRefuse) {
    EXPECT_EQ(judged_between({ordered(2)}, {order_over()}).excused, 1u);
    EXPECT_EQ(judged_between({ordered(2)}, {order_over()}).holds, Holds::holds);
    const std::vector<Step> under_way = {sent(run(6), worker_1, Operation::watch), ordered(2),
                                         arrived(run(6), worker_1, Operation::watch), order_over()};
    EXPECT_EQ(judged_between({}, under_way).holds, Holds::holds);
}

TEST(PoisonIsIsolated, DoesNotExcuseByAnOrderThatIsOverOrLastsNoTimeOrComesLater) {
    EXPECT_EQ(judged_between({ordered(2), order_over()}, {}).holds, Holds::violated);
    EXPECT_EQ(judged_between({ordered(2), crashed(broker)}, {}).holds, Holds::violated);
    EXPECT_EQ(judged_between({ordered(0)}, {}).holds, Holds::violated);
    EXPECT_EQ(judged_between({}, {ordered(2)}).holds, Holds::violated);
}

/// An operator deletes the consumer between the mark and the dead letter.
TEST(PoisonIsIsolated, ExcusesALetterThatWentWithItsEntryOnlyWhereThatIsAgreed) {
    const auto steps =
        history(three_deliveries +
                std::vector{judged(run(6), worker_1, 3, As::poison), failed(run(6)),
                            dropped_pending(run(6), 10, worker_1,
                                            model::PendingDropped::Cause::consumer_deleted)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence,
              "is poison, but is in no dead-letter stream");
    const Verdict agreed = judge(PoisonIsIsolated{{.excuse = Terms::Excuse::forgotten}}, steps);
    EXPECT_EQ(agreed.holds, Holds::holds);
    EXPECT_EQ(agreed.excused, 1u);
}

TEST(PoisonIsIsolated, ExcusesADeliveryThatIsClaimedAwayWhileItsWorkerActsOnIt) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison),
                                           sent(run(6), worker_1, Operation::exec),
                                           claimed(run(6), 10, worker_1, worker_2, 4),
                                           arrived(run(6), worker_1, Operation::exec),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

TEST(PoisonIsIsolated, ExcusesADeliveryThatIsClaimedAwayWhileItsCountIsRead) {
    const auto steps = history(three_deliveries +
                               std::vector{claimed(run(6), 10, worker_1, worker_2, 4),
                                           judged(run(6), worker_1, 3, As::poison),
                                           sent(run(6), worker_1, Operation::mark_failed),
                                           arrived(run(6), worker_1, Operation::mark_failed),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
    EXPECT_EQ(verdict.excused, 1u);
}

TEST(PoisonIsIsolated, DoesNotExcuseAWorkerThatHadItsAnswerAndDidNothingMore) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison),
                                           sent(run(6), worker_1, Operation::mark_failed),
                                           arrived(run(6), worker_1, Operation::mark_failed),
                                           claimed(run(6), 10, worker_1, worker_2, 4),
                                           judged(run(6), worker_2, 4, As::poison)} +
                               isolation);

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).holds, Holds::violated);
}

TEST(PoisonIsIsolated, DoesNotBlameTwoWorkersThatJudgeOneDelivery) {
    const auto steps = history(three_deliveries +
                               std::vector{judged(run(6), worker_1, 3, As::poison),
                                           judged(run(6), worker_2, 3, As::poison)} +
                               isolation);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

TEST(PoisonIsIsolated, IsOwedADeadLetterByPoisonThatWasDelivered) {
    const auto steps = history(three_deliveries);

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.breach, Breach::owed);
    EXPECT_EQ(verdict.step, 8u);
    EXPECT_EQ(verdict.evidence, "is poison, but is in no dead-letter stream");
}

TEST(PoisonIsIsolated, IsOwedAnAcknowledgement) {
    const auto steps =
        history(three_deliveries + std::vector{failed(run(6)), dead_lettered(run(6), 500)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence, "is dead-lettered, but still pending");
}

TEST(PoisonIsIsolated, IsOwedAFailedRun) {
    const auto steps = history(three_deliveries + std::vector{dead_lettered(run(6), 500),
                                                              acknowledged(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence, "is dead-lettered, but has not failed");
}

TEST(PoisonIsIsolated, IsOwedAReason) {
    const auto steps = history(three_deliveries + std::vector{failed(run(6), Name::none),
                                                              dead_lettered(run(6), 500),
                                                              acknowledged(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence,
              "is dead-lettered, but has failed without a reason");
}

TEST(PoisonIsIsolated, HoldsAMessageThatKillsToTheSameEnd) {
    const std::vector<Step> killed_thrice = {submitted(run(6), Content::killer),
                                             accepted(run(6)),
                                             added(run(6), 10),
                                             delivered(run(6), 10, worker_1, 1),
                                             crashed(worker_1),
                                             claimed(run(6), 10, worker_1, worker_2, 2),
                                             crashed(worker_2),
                                             claimed(run(6), 10, worker_2, worker_1, 3),
                                             crashed(worker_1),
                                             claimed(run(6), 10, worker_1, worker_2, 4)};

    EXPECT_EQ(judge(PoisonIsIsolated{}, history(killed_thrice)).evidence,
              "is poison, but is in no dead-letter stream");

    const auto steps = history(killed_thrice + isolation);
    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

TEST(PoisonIsIsolated, GrantsAKillerTheLargerThresholdOfItsWorkers) {
    const std::vector<Step> found_healthy = {submitted(run(6), Content::killer), accepted(run(6)),
                                             added(run(6), 10), delivered(run(6), 10, worker_1, 4),
                                             judged(run(6), worker_1, 4, As::healthy, 10)};

    const auto steps = history(found_healthy + isolation);
    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

TEST(PoisonIsIsolated, CountsTheDeliveriesThatAKillerCutShort) {
    const auto steps =
        history({submitted(run(6), Content::killer), accepted(run(6)), added(run(6), 10),
                 delivered(run(6), 10, worker_1, 3), crashed(worker_1),
                 claimed(run(6), 10, worker_1, worker_2, 4), crashed(worker_2),
                 claimed(run(6), 10, worker_2, worker_1, 5), failed(run(6)),
                 dead_lettered(run(6), 500), acknowledged(run(6), 10, worker_1)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);

    EXPECT_EQ(verdict.holds, Holds::holds);
    EXPECT_EQ(verdict.excused, 2u);
}

TEST(PoisonIsIsolated, DemandsNoRowOfARunThatWasNeverAccepted) {
    const auto steps = history({added(run(6), 10), delivered(run(6), 10, worker_1, 3),
                                dead_lettered(run(6), 500), acknowledged(run(6), 10, worker_1)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

TEST(PoisonIsIsolated, DemandsNothingOfPoisonThatNoWorkerEverGot) {
    const auto steps = history({submitted(run(6), Content::poison), accepted(run(6))});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).holds, Holds::vacuous);
}

TEST(PoisonIsIsolated, IsVacuousWithoutPoisonAndDeadLetters) {
    const auto steps = history({submitted(run(6)), accepted(run(6)), added(run(6), 10),
                                delivered(run(6), 10, worker_1, 3)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).holds, Holds::vacuous);
}

TEST(PoisonIsIsolated, IsInconclusiveWhenTheTrialIsCutOffBeforeTheEnd) {
    EXPECT_EQ(judge(PoisonIsIsolated{}, history(three_deliveries), sim::Ending::out_of_steps).holds,
              Holds::inconclusive);
}

TEST(PoisonIsIsolated, ExcusesADeadLetterThatTheBrokerForgotOnlyWhereThatIsAgreed) {
    const auto steps =
        history(three_deliveries + isolation + std::vector{broker_forgot_dead_letter(run(6), 500)});

    EXPECT_EQ(judge(PoisonIsIsolated{}, steps).evidence,
              "is poison, but is in no dead-letter stream");

    const Verdict excused = judge(PoisonIsIsolated{{.excuse = Terms::Excuse::forgotten}}, steps);
    EXPECT_EQ(excused.holds, Holds::holds);
    EXPECT_EQ(excused.excused, 1u);
}

TEST(PoisonIsIsolated, LetsADeadLetterBeAddedAgainThatTheBrokerForgot) {
    const auto steps =
        history(three_deliveries + isolation +
                std::vector{broker_forgot_dead_letter(run(6), 500), dead_lettered(run(6), 600)});

    const Verdict verdict = judge(PoisonIsIsolated{}, steps);
    EXPECT_EQ(verdict.holds, Holds::holds) << verdict.evidence;
}

}  // namespace
}  // namespace redeliver::properties
