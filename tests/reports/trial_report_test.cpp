#include "reports/trial_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using namespace std::chrono_literals;
using properties::Holds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TrialReport : public testing::Test {
protected:
    TrialReport() {
        scenario.name = "crash-before-xack";
        scenario.story = "A worker dies between its work and its XACK.";
        scenario.faults.pinned = {fault};
        scenario.expect = {.holds = {"no_run_lost"},
                           .breaks = {"work_is_executed_once"},
                           .reaches = {},
                           .totals = {}};
        plan.faults = {
            fault,
            {.when = sim::AtInstant{sim::at(9s)}, .what = sim::Reset{}, .target = "worker-2"}};
        result.fingerprint = 0xabc;
        result.end = sim::at(31007ms);
        result.steps = 20;
        result.inert_faults = {1};
        result.totals = {{"accepted", 1}, {"executions", 2}, {"lost", 0}};
        result.reached = {{"crash_between_work_and_xack", 1}, {"order_broken", 0}};
        result.verdicts = {{"no_run_lost", {.holds = Holds::holds}},
                           broken_at_second_work(),
                           {"poison_is_isolated", {.holds = Holds::vacuous}}};
        result.recording = std::make_unique<scenarios::Recording>(crash_story());
    }

    const sim::Fault fault{.when = sim::AtStep{.operation = "XACK", .subject = "run-6"},
                           .what = sim::Crash{.restart_after = 60s}};
    scenarios::Scenario scenario;
    scenarios::Plan plan;
    scenarios::TrialResult result;
    Trial trial{scenario, plan, 7, result};
};

TEST_F(TrialReport, HeadingMarksEachFaultFiredOrInert) {
    EXPECT_EQ(trial_heading(trial, {}),
              "crash-before-xack, seed 7\n"
              "  A worker dies between its work and its XACK.\n"
              "  fault 1  fired  before XACK for run-6 is sent: crash whoever does it, restart "
              "after 60s\n"
              "  fault 2  inert  at 9s: reset the connections of worker-2\n");
}

TEST_F(TrialReport, VerdictsSayWhatHeldBrokeAndWasNotTested) {
    EXPECT_EQ(trial_verdicts(trial, {}),
              "held       no_run_lost\n"
              "broke      work_is_executed_once at 31.003s, step 15: run-6 is worked on a second "
              "time; the story\n"
              "           expects it\n"
              "vacuous    poison_is_isolated\n"
              "totals     accepted 1, executions 2\n"
              "reached    crash_between_work_and_xack 1\n"
              "end        settled at 31.007s after 20 steps, fingerprint 0000000000000abc\n");
}

TEST_F(TrialReport, VerdictsCountWhatWasExcused) {
    result.verdicts[0].verdict.excused = 2;
    EXPECT_THAT(trial_verdicts(trial, {}), HasSubstr("excused    no_run_lost 2 times\n"));
}

TEST_F(TrialReport, JudgesAnExpectedBreachAsExpected) {
    EXPECT_EQ(judge(trial).outcome, Judgement::Outcome::as_expected);
    EXPECT_THAT(judge(trial).complaints, IsEmpty());
}

TEST_F(TrialReport, JudgesABrokenPromiseThatWasToHoldAsWrong) {
    scenario.expect = {
        .holds = {"work_is_executed_once"}, .breaks = {}, .reaches = {}, .totals = {}};
    EXPECT_EQ(judge(trial).outcome, Judgement::Outcome::wrong);
    EXPECT_THAT(judge(trial).complaints,
                ElementsAre("work_is_executed_once was expected to hold and broke"));
}

TEST_F(TrialReport, JudgesAPinnedBreachThatDidNotHappenAsWrong) {
    result.verdicts[1].verdict = {.holds = Holds::holds};
    EXPECT_EQ(judge(trial).outcome, Judgement::Outcome::wrong);
    scenario.faults.random = {{scenarios::FaultKind::reset, {.least = 0, .most = 1}}};
    EXPECT_EQ(judge(trial).outcome, Judgement::Outcome::as_expected);
}

TEST_F(TrialReport, JudgesAnotherTotalAsWrong) {
    scenario.expect.totals = {{"executions", 1}};
    EXPECT_THAT(judge(trial).complaints, ElementsAre("executions: expected 1, found 2"));
}

TEST_F(TrialReport, JudgesATrialThatRanIntoACapAsInconclusive) {
    result.ending = sim::Ending::out_of_steps;
    EXPECT_EQ(judge(trial).outcome, Judgement::Outcome::inconclusive);
}

TEST_F(TrialReport, MakesAStrangersStoryHarmless) {
    scenario.story = "Ends\x1b[31m badly.\r\nAnd lies.";
    result.verdicts[1].verdict.evidence = "\x1b[2J";
    for (const char c : trial_heading(trial, {}) + trial_verdicts(trial, {}))
        EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace redeliver::reports
