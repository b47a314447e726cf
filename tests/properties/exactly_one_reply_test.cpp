#include "properties/exactly_one_reply.h"

#include <gmock/gmock.h>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using What = model::DatabaseForgot::What;

const Terms excusing = {.excuse = Terms::Excuse::forgotten};

TEST(ExactlyOneReply, HoldsForARepliedAndForAFailedRun) {
    const History steps = history({accepted(run(1)), replied(run(1)), became(run(1), Status::done),
                                   accepted(run(2)), failed(run(2))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).holds, Holds::holds);
}

TEST(ExactlyOneReply, IsBrokenByTheSecondReplyWhenItIsStored) {
    const History steps =
        history({accepted(run(6)), replied(run(6)), became(run(6), Status::done), replied(run(6))});

    const Verdict verdict = judge(ExactlyOneReply{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.breach, Breach::done);
    EXPECT_EQ(verdict.step, 4u);
    EXPECT_EQ(verdict.at, sim::at(std::chrono::seconds{4}));
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "has 2 replies");
}

TEST(ExactlyOneReply, IsBrokenByTheRowOfARunThatHasTwoRepliesAlready) {
    const History steps = history({replied(run(6)), replied(run(6)), accepted(run(6))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).step, 3u);
}

TEST(ExactlyOneReply, IsOwedAReplyAfterTheLastStepOfTheRun) {
    const History steps =
        history({accepted(run(6)), added(run(6), 10), delivered(run(6), 10, worker_1),
                 accepted(run(7)), replied(run(7))});

    const Verdict verdict = judge(ExactlyOneReply{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.breach, Breach::owed);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "has no reply");
}

TEST(ExactlyOneReply, CountsTheOtherRunsThatAreOwedOne) {
    const History steps = history({accepted(run(1)), accepted(run(2)), accepted(run(3))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).evidence, "has no reply (and 2 more like it)");
}

TEST(ExactlyOneReply, IsBrokenByARunThatEndsFailedAndReplied) {
    const History steps = history({accepted(run(6)), replied(run(6)), failed(run(6))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).evidence, "has failed and has a reply");
}

TEST(ExactlyOneReply, LetsARunBeFailedForAWhileOnItsWayToAReply) {
    const History steps =
        history({accepted(run(6)), failed(run(6)), replied(run(6)), became(run(6), Status::done)});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).holds, Holds::holds);
}

TEST(ExactlyOneReply, IsBrokenByAFailureWithoutAReason) {
    const History steps = history({accepted(run(6)), failed(run(6), Name::none)});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).evidence, "has failed without a reason");
}

TEST(ExactlyOneReply, IsVacuousWhenNothingWasAccepted) {
    EXPECT_EQ(judge(ExactlyOneReply{}, history({submitted(run(1))})).holds, Holds::vacuous);
}

TEST(ExactlyOneReply, IsInconclusiveWhenATrialThatStillOwesAReplyIsCutOff) {
    const History steps = history({accepted(run(6))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps, sim::Ending::out_of_steps).holds,
              Holds::inconclusive);
    EXPECT_EQ(judge(ExactlyOneReply{}, steps, sim::Ending::out_of_time).holds, Holds::inconclusive);
    EXPECT_EQ(judge(ExactlyOneReply{}, steps, sim::Ending::drained).holds, Holds::violated);
}

TEST(ExactlyOneReply, StaysBrokenByASecondReplyWhenTheTrialIsCutOff) {
    const History steps = history({accepted(run(6)), replied(run(6)), replied(run(6))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps, sim::Ending::out_of_steps).holds, Holds::violated);
}

TEST(ExactlyOneReply, ExcusesAReplyThatTheDatabaseForgotOnlyWhereThatIsAgreed) {
    const History steps =
        history({accepted(run(6)), replied(run(6)), database_forgot(run(6), What::reply)});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).evidence, "has no reply");

    const Verdict excused = judge(ExactlyOneReply{excusing}, steps);
    EXPECT_EQ(excused.holds, Holds::holds);
    EXPECT_EQ(excused.excused, 1u);
}

TEST(ExactlyOneReply, ExcusesNoOtherRunThanTheOneForgotten) {
    const History steps =
        history({accepted(run(6)), database_forgot(run(6), What::run), accepted(run(7))});

    const Verdict verdict = judge(ExactlyOneReply{excusing}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.subject, run(7));
    EXPECT_EQ(verdict.excused, 1u);
}

TEST(ExactlyOneReply, DoesNotExcuseABreachBeforeTheLoss) {
    const History steps = history(
        {accepted(run(6)), replied(run(6)), replied(run(6)), database_forgot(run(6), What::reply)});

    EXPECT_EQ(judge(ExactlyOneReply{excusing}, steps).step, 3u);
}

TEST(ExactlyOneReply, CountsAReplyStoredAgainAfterALossAsOne) {
    const History steps = history(
        {accepted(run(6)), replied(run(6)), database_forgot(run(6), What::reply), replied(run(6))});

    EXPECT_EQ(judge(ExactlyOneReply{}, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
