#include "reports/story_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redeliver::reports {
namespace {

using scenarios::Expected;
using scenarios::Surprise;
using testing::HasSubstr;

scenarios::Scenario story(std::string name) {
    scenarios::Scenario scenario;
    scenario.name = std::move(name);
    scenario.expect.reaches = {"claimed_from_a_dead_worker"};
    return scenario;
}

scenarios::StoryResult result(std::string name) {
    scenarios::StoryResult result;
    result.name = std::move(name);
    result.seeds = 200;
    result.fingerprint = 3;
    result.distinct_behaviours = 187;
    result.promises = {{.name = "no_run_lost", .expected = Expected::holds, .held = 200},
                       {.name = "work_is_executed_once",
                        .expected = Expected::breaks,
                        .violated = 200,
                        .first_violating_seed = 1}};
    result.reached = {{"claimed_from_a_dead_worker", 200}};
    result.seconds = 0.016;
    return result;
}

TEST(StoryLines, AlignUnderTheirHeading) {
    const StoryLines lines({story("crash-before-xack"), story("short")}, 200, {});
    EXPECT_EQ(lines.heading() +
                  lines.line(story("crash-before-xack"), result("crash-before-xack")) +
                  lines.line(story("short"), result("short")),
              "story              seeds  behaviours  trials/s  paths  outcome\n"
              "crash-before-xack    200         187    12,500    1/1  as expected: "
              "work_is_executed_once breaks 200/200, 1 holds\n"
              "short                200         187    12,500    1/1  as expected: "
              "work_is_executed_once breaks 200/200, 1 holds\n");
}

TEST(StoryLines, SayInAWordThatAStoryIsWrong) {
    scenarios::StoryResult wrong = result("short");
    wrong.promises[0].violated = 12;
    wrong.surprises = {{Surprise::promise_broken, "no_run_lost", "in 12 of 200 seeds", 7}};
    const StoryLines lines({story("short")}, 200, {});
    EXPECT_THAT(lines.line(story("short"), wrong),
                HasSubstr("1/1  FAIL: no_run_lost broke 12/200\n"));
}

TEST(StoryLines, SayInAnotherWordThatSomethingWasNotShown) {
    scenarios::StoryResult open = result("short");
    open.reached[0].count = 0;
    open.surprises = {{Surprise::path_unreached, "claimed_from_a_dead_worker", "in 200 seeds", {}}};
    const StoryLines lines({story("short")}, 200, {});
    EXPECT_THAT(lines.line(story("short"), open),
                HasSubstr("0/1  UNPROVEN: claimed_from_a_dead_worker was not reached"));
}

TEST(StoryLines, FitTheTerminal) {
    const StoryLines lines({story("short")}, 200, {.width = 70});
    EXPECT_THAT(lines.line(story("short"), result("short")),
                HasSubstr("as expected: work_is_execu…\n"));
}

TEST(SummaryLine, CountsWhatWasRun) {
    RunTotals totals;
    totals.add(result("one"));
    totals.add(result("two"));
    totals.seconds = 12.34;
    EXPECT_EQ(summary_line(totals, {}),
              "2 stories, 400 trials, all as expected in 12.3 s, fingerprint 0000000000000006\n");
}

TEST(SummaryLine, CountsWhatIsWrongAndWhatIsUnproven) {
    RunTotals totals;
    scenarios::StoryResult wrong = result("one");
    wrong.surprises = {{Surprise::total_differs, "replies", "expected 3, found 4", 1}};
    scenarios::StoryResult open = result("two");
    open.surprises = {{Surprise::promise_vacuous, "no_run_lost", "", {}}};
    totals.add(wrong);
    totals.add(open);
    EXPECT_EQ(summary_line(totals, {}),
              "2 stories, 400 trials, 1 FAIL, 1 UNPROVEN in 0.0 s, fingerprint "
              "0000000000000006\n");
}

}  // namespace
}  // namespace redeliver::reports
