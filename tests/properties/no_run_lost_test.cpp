#include "properties/no_run_lost.h"

#include <gmock/gmock.h>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using What = model::DatabaseForgot::What;

TEST(NoRunLost, HoldsWhenEveryAcceptedRunEndsDoneOrFailed) {
    const History steps =
        history({accepted(run(1)), became(run(1), Status::done), accepted(run(2)), failed(run(2))});

    EXPECT_EQ(judge(NoRunLost{}, steps).holds, Holds::holds);
}

TEST(NoRunLost, IsBrokenByARunThatStaysPending) {
    const History steps = history(
        {accepted(run(6)), added(run(6), 10), accepted(run(7)), became(run(7), Status::done)});

    const Verdict verdict = judge(NoRunLost{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.breach, Breach::owed);
    EXPECT_EQ(verdict.step, 2u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "is still pending");
}

TEST(NoRunLost, IsBrokenByARunThatStaysRunning) {
    const History steps = history({accepted(run(6)), became(run(6), Status::running)});

    EXPECT_EQ(judge(NoRunLost{}, steps).evidence, "is still running");
}

TEST(NoRunLost, IsVacuousWhenNothingWasAccepted) {
    EXPECT_EQ(judge(NoRunLost{}, history({submitted(run(1))})).holds, Holds::vacuous);
}

TEST(NoRunLost, IsInconclusiveWhenTheTrialIsCutOff) {
    EXPECT_EQ(judge(NoRunLost{}, history({accepted(run(1))}), sim::Ending::out_of_time).holds,
              Holds::inconclusive);
}

TEST(NoRunLost, IsBrokenByARowThatIsGoneUnlessLossesAreExcused) {
    const History steps = history(
        {accepted(run(6)), became(run(6), Status::done), database_forgot(run(6), What::run)});

    EXPECT_EQ(judge(NoRunLost{}, steps).evidence, "was accepted, but its row is gone");

    const Verdict excused = judge(NoRunLost{{.excuse = Terms::Excuse::forgotten}}, steps);
    EXPECT_EQ(excused.holds, Holds::holds);
    EXPECT_EQ(excused.excused, 1u);
}

TEST(NoRunLost, IsOwedTheEndThatALossUndid) {
    const History steps = history({accepted(run(6)), became(run(6), Status::done),
                                   database_forgot(run(6), What::status, Status::pending)});

    EXPECT_EQ(judge(NoRunLost{}, steps).evidence, "is still pending");
}

TEST(NoRunLost, DoesNotMindTheReplyThatALossTook) {
    const History steps = history({accepted(run(6)), replied(run(6)), became(run(6), Status::done),
                                   database_forgot(run(6), What::reply)});

    EXPECT_EQ(judge(NoRunLost{}, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
