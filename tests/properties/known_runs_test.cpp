#include "properties/known_runs.h"

#include <gmock/gmock.h>

#include "properties/one_run_per_intention.h"
#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;
using What = model::DatabaseForgot::What;

const Terms excusing = {.excuse = Terms::Excuse::forgotten};

// ------------------------------------------------------------------ one_run_per_intention

TEST(OneRunPerIntention, IsBrokenByASecondRowForOneMessage) {
    const History steps =
        history({submitted(run(6)), accepted(run(6)), retried(run(6)), accepted(run(6, 2))});

    const Verdict verdict = judge(OneRunPerIntention{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 4u);
    EXPECT_EQ(verdict.subject, run(6, 2));
    EXPECT_EQ(verdict.evidence, "was accepted for the same message as run-6");
}

TEST(OneRunPerIntention, HoldsWhenTheKeyKeepsTheRetryOut) {
    const History steps = history({submitted(run(6)), accepted(run(6)), retried(run(6)),
                                   submission_absorbed(run(6, 2), run(6))});

    EXPECT_EQ(judge(OneRunPerIntention{}, steps).holds, Holds::holds);
}

TEST(OneRunPerIntention, IsVacuousWhenNothingWasSubmittedTwice) {
    const History steps = history({submitted(run(6)), accepted(run(6)), submitted(run(7))});

    EXPECT_EQ(judge(OneRunPerIntention{}, steps).holds, Holds::vacuous);
}

TEST(OneRunPerIntention, ExcusesTheRowThatReplacesAForgottenOne) {
    const History steps =
        history({submitted(run(6)), accepted(run(6)), database_forgot(run(6), What::run),
                 retried(run(6)), accepted(run(6, 2))});

    EXPECT_EQ(judge(OneRunPerIntention{}, steps).holds, Holds::violated);
    EXPECT_EQ(judge(OneRunPerIntention{excusing}, steps).holds, Holds::holds);
    EXPECT_EQ(judge(OneRunPerIntention{excusing}, steps).excused, 1u);
}

// ------------------------------------------------------------------ answered_runs_exist

TEST(AnsweredRunsExist, IsBrokenByAnIdWithoutARow) {
    const History steps = history({submitted(run(6)), answered(run(6), run(6)), accepted(run(6))});

    const Verdict verdict = judge(AnsweredRunsExist{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 2u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "has no row, but was told to a user");
}

TEST(AnsweredRunsExist, IsBrokenByADuplicateThatIsNone) {
    const History steps =
        history({accepted(run(6, 2)), answered(run(6), run(6), Answer::duplicate)});

    EXPECT_EQ(judge(AnsweredRunsExist{}, steps).subject, run(6));
}

TEST(AnsweredRunsExist, IsBrokenByAnAnswerWithoutAnId) {
    const History steps = history({answered(run(6), Subject::none)});

    EXPECT_EQ(judge(AnsweredRunsExist{}, steps).evidence, "was taken, but the user was told no id");
}

TEST(AnsweredRunsExist, HoldsWhenTheRowWasThere) {
    const History steps = history({accepted(run(6)), answered(run(6), run(6))});

    EXPECT_EQ(judge(AnsweredRunsExist{}, steps).holds, Holds::holds);
}

TEST(AnsweredRunsExist, IsVacuousWhenUsersWereToldNoId) {
    const History steps = history({answered(run(6), Subject::none, Answer::rejected)});

    EXPECT_EQ(judge(AnsweredRunsExist{}, steps).holds, Holds::vacuous);
}

TEST(AnsweredRunsExist, ExcusesARowThatWasLostBeforeOrAfterTheAnswer) {
    const History before =
        history({accepted(run(6)), database_forgot(run(6), What::run), answered(run(6), run(6))});
    const History after =
        history({accepted(run(6)), answered(run(6), run(6)), database_forgot(run(6), What::run)});

    EXPECT_EQ(judge(AnsweredRunsExist{}, before).step, 3u);
    EXPECT_EQ(judge(AnsweredRunsExist{}, after).step, 3u);
    EXPECT_EQ(judge(AnsweredRunsExist{excusing}, before).excused, 1u);
    EXPECT_EQ(judge(AnsweredRunsExist{excusing}, after).excused, 1u);
    EXPECT_EQ(judge(AnsweredRunsExist{excusing}, after).holds, Holds::holds);
}

TEST(AnsweredRunsExist, DoesNotMindALostStatus) {
    const History steps = history({accepted(run(6)), answered(run(6), run(6)),
                                   database_forgot(run(6), What::status, Status::pending)});

    EXPECT_EQ(judge(AnsweredRunsExist{}, steps).holds, Holds::holds);
}

// ------------------------------------------------------------------ published_runs_exist

TEST(PublishedRunsExist, IsBrokenByAnIdThatAWorkerDoesNotFind) {
    const History steps = history(
        {added(run(6), 10), delivered(run(6), 10, worker_1), run_unknown(run(6), worker_1)});

    const Verdict verdict = judge(PublishedRunsExist{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, run(6));
}

TEST(PublishedRunsExist, HoldsWhenWorkersFindTheirRuns) {
    const History steps = history({accepted(run(6)), delivered(run(6), 10, worker_1)});

    EXPECT_EQ(judge(PublishedRunsExist{}, steps).holds, Holds::holds);
}

TEST(PublishedRunsExist, IsVacuousWithoutDeliveries) {
    EXPECT_EQ(judge(PublishedRunsExist{}, history({added(run(6), 10)})).holds, Holds::vacuous);
}

TEST(PublishedRunsExist, ExcusesARowThatTheDatabaseForgot) {
    const History steps =
        history({accepted(run(6)), delivered(run(6), 10, worker_1),
                 database_forgot(run(6), What::run), run_unknown(run(6), worker_1)});

    EXPECT_EQ(judge(PublishedRunsExist{}, steps).holds, Holds::violated);
    EXPECT_EQ(judge(PublishedRunsExist{excusing}, steps).holds, Holds::holds);
}

}  // namespace
}  // namespace redeliver::properties
