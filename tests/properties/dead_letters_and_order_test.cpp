#include <gmock/gmock.h>

#include "properties/nothing_healthy_is_dead_lettered.h"
#include "properties/replies_keep_session_order.h"
#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using What = model::DatabaseForgot::What;

const Terms excusing = {.excuse = Terms::Excuse::forgotten};

TEST(NothingHealthyIsDeadLettered, IsBrokenByAHealthyMessage) {
    const History steps = history({submitted(run(6)), added(run(6), 10),
                                   delivered(run(6), 10, worker_1), dead_lettered(run(6), 500)});

    const Verdict verdict = judge(NothingHealthyIsDeadLettered{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 4u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "is healthy, but was dead-lettered");
}

TEST(NothingHealthyIsDeadLettered, CountsAMessageThatFailsTooSeldomAsHealthy) {
    const auto dies_after = [](std::uint8_t failures) {
        return history({submitted(run(6), Content::flaky, failures), dead_lettered(run(6), 500)});
    };

    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, dies_after(2)).holds, Holds::violated);
    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, dies_after(3)).holds, Holds::vacuous);
    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{{.poison_threshold = 4}}, dies_after(3)).holds,
              Holds::violated);
}

TEST(NothingHealthyIsDeadLettered, KnowsTheMessageBehindASecondRunOfIt) {
    const History steps = history({submitted(run(6)), dead_lettered(run(6, 2), 500)});

    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, steps).subject, run(6, 2));
}

TEST(NothingHealthyIsDeadLettered, HoldsWhenOnlyPoisonIs) {
    const History steps = history({submitted(run(1)), delivered(run(1), 10, worker_1),
                                   submitted(run(2), Content::poison), dead_lettered(run(2), 500),
                                   submitted(run(3), Content::killer), dead_lettered(run(3), 600)});

    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, steps).holds, Holds::holds);
}

TEST(NothingHealthyIsDeadLettered, IsVacuousWhenNothingHealthyWasDelivered) {
    const History steps = history({submitted(run(2), Content::poison),
                                   delivered(run(2), 10, worker_1), dead_lettered(run(2), 500)});

    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, steps).holds, Holds::vacuous);
}

TEST(NothingHealthyIsDeadLettered, ExcusesARunThatTheBrokerForgotBefore) {
    const History steps =
        history({submitted(run(6)), delivered(run(6), 10, worker_1),
                 broker_forgot(run(6), 10, model::BrokerForgot::What::acknowledgement),
                 dead_lettered(run(6), 500)});

    EXPECT_EQ(judge(NothingHealthyIsDeadLettered{}, steps).holds, Holds::violated);

    const Verdict excused = judge(NothingHealthyIsDeadLettered{excusing}, steps);
    EXPECT_EQ(excused.holds, Holds::holds);
    EXPECT_EQ(excused.excused, 1u);
}

// ------------------------------------------------------------------ order

TEST(RepliesKeepSessionOrder, IsBrokenByAReplyThatWasOvertakenInItsSession) {
    const History steps =
        history({accepted(run(5), 1), accepted(run(6), 1), replied(run(6), 1), replied(run(5), 1)});

    const Verdict verdict = judge(RepliesKeepSessionOrder{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 4u);
    EXPECT_EQ(verdict.subject, run(5));
    EXPECT_EQ(verdict.evidence, "was answered after run-6, which came later");
}

TEST(RepliesKeepSessionOrder, GoesByTheOrderOfAcceptanceNotByNumbers) {
    const History steps =
        history({accepted(run(6), 1), accepted(run(5), 1), replied(run(6), 1), replied(run(5), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::holds);
}

TEST(RepliesKeepSessionOrder, DoesNotCompareSessions) {
    const History steps =
        history({accepted(run(5), 1), accepted(run(6), 2), replied(run(6), 2), replied(run(5), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::vacuous);
}

TEST(RepliesKeepSessionOrder, DoesNotMindARunThatGetsNoReply) {
    const History steps = history({accepted(run(4), 1), accepted(run(5), 1), accepted(run(6), 1),
                                   replied(run(4), 1), failed(run(5)), replied(run(6), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::holds);
}

TEST(RepliesKeepSessionOrder, LeavesASecondReplyToAnotherPromise) {
    const History steps = history({accepted(run(5), 1), accepted(run(6), 1), replied(run(5), 1),
                                   replied(run(6), 1), replied(run(5), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::holds);
}

TEST(RepliesKeepSessionOrder, IsVacuousWithASingleReply) {
    const History steps = history({accepted(run(5), 1), accepted(run(6), 1), replied(run(6), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::vacuous);
}

TEST(RepliesKeepSessionOrder, ExcusesAReplyThatHadToBeStoredAgain) {
    const History steps =
        history({accepted(run(5), 1), accepted(run(6), 1), replied(run(5), 1), replied(run(6), 1),
                 database_forgot(run(5), What::reply), replied(run(5), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).step, 6u);
    EXPECT_EQ(judge(RepliesKeepSessionOrder{excusing}, steps).excused, 1u);
}

TEST(RepliesKeepSessionOrder, DoesNotBlameARunForAReplyThatIsNoLongerThere) {
    const History steps =
        history({accepted(run(4), 1), accepted(run(5), 1), accepted(run(6), 1), replied(run(4), 1),
                 replied(run(6), 1), database_forgot(run(6), What::reply), replied(run(5), 1),
                 replied(run(6), 1)});

    EXPECT_EQ(judge(RepliesKeepSessionOrder{}, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
