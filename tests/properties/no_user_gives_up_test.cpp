#include "properties/no_user_gives_up.h"

#include <gmock/gmock.h>

#include "tests/properties/story.h"

namespace redeliver::properties {
namespace {

using namespace story;

TEST(NoUserGivesUp, HoldsWhenEveryUserIsAnsweredInTheEnd) {
    const History steps = history({submitted(run(6)), submitted(run(6)), answered(run(6), run(6))});

    EXPECT_EQ(judge(NoUserGivesUp{}, steps).holds, Holds::holds);
}

TEST(NoUserGivesUp, IsBrokenByTheLastAttempt) {
    const History steps = history({submitted(run(6)), submitted(run(7)), gave_up(run(6))});

    const Verdict verdict = judge(NoUserGivesUp{}, steps);

    EXPECT_EQ(verdict.holds, Holds::violated);
    EXPECT_EQ(verdict.breach, Breach::done);
    EXPECT_EQ(verdict.step, 3u);
    EXPECT_EQ(verdict.subject, run(6));
    EXPECT_EQ(verdict.evidence, "was given up by its user after 4 attempts");
}

TEST(NoUserGivesUp, IsVacuousWhenNothingWasSubmitted) {
    EXPECT_EQ(judge(NoUserGivesUp{}, history({accepted(run(6))})).holds, Holds::vacuous);
}

}  // namespace
}  // namespace redeliver::properties
