#include "reports/surprise_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "properties/property.h"
#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using scenarios::Expected;
using scenarios::Surprise;
using testing::HasSubstr;
using testing::Not;

class SurpriseBlock : public testing::Test {
protected:
    SurpriseBlock() {
        trial_result.verdicts = {broken_at_second_work()};
        trial_result.recording = std::make_unique<scenarios::Recording>(crash_story());
        story.name = "strict";
        story.first_seed = 5;
        story.seeds = 200;
        story.promises = {{.name = "work_is_executed_once",
                           .expected = Expected::holds,
                           .held = 188,
                           .violated = 12,
                           .first_violating_seed = 7}};
    }

    std::string block(const scenarios::SurpriseReport& surprise, const Trial* shown) const {
        const Replays replays{.by_seed = "redeliver replay strict --seed 7",
                              .by_file = "redeliver replay out/strict/7/case.json"};
        return surprise_block(std::vector{surprise}, story, shown, replays, {});
    }

    scenarios::Scenario scenario;
    scenarios::Plan plan;
    scenarios::TrialResult trial_result;
    scenarios::StoryResult story;
    Trial trial{scenario, plan, 7, trial_result};
};

TEST_F(SurpriseBlock, TellsABrokenPromiseInADozenLines) {
    const std::string text =
        block({Surprise::promise_broken, "work_is_executed_once", "", 7}, &trial);
    EXPECT_THAT(text, HasSubstr("FAIL  strict  seed 7  (the 3rd of 200)\n"
                                "      run-6 is worked on a second time: work_is_executed_once was "
                                "to hold and broke in 12 of 200\n"
                                "      seeds\n"
                                "      promise  "));
    EXPECT_THAT(text, HasSubstr("      why  0.992s  worker-1    XREADGROUP    run-6  990-0"));
    EXPECT_THAT(text, HasSubstr("✂ crash         run-6  before its XACK was sent, fault 1\n"));
    EXPECT_THAT(text, HasSubstr("      same trial  redeliver replay out/strict/7/case.json\n"
                                "      same seed   redeliver replay strict --seed 7\n"));
    EXPECT_LE(std::ranges::count(text, '\n'), 14);
}

TEST_F(SurpriseBlock, TellsOfAllThatOneSeedShowsButExplainsTheFirst) {
    const std::vector<scenarios::SurpriseReport> surprises = {
        {Surprise::promise_broken, "work_is_executed_once", "", 7},
        {Surprise::total_differs, "executions", "expected 1, found 2", 7}};
    const std::string text = surprise_block(surprises, story, &trial, {}, {});
    EXPECT_THAT(text, HasSubstr("      the total of executions differs: expected 1, found 2\n"));
    EXPECT_EQ(text.find("why"), text.rfind("why"));
}

TEST_F(SurpriseBlock, SaysThatAMistakeWasNotShown) {
    const std::string text =
        block({Surprise::promise_unbroken, "work_is_executed_once", "", {}}, nullptr);
    EXPECT_THAT(text, HasSubstr("FAIL  strict\n"));
    EXPECT_THAT(text, HasSubstr("work_is_executed_once was to break and broke in 12 of 200 seeds"));
}

TEST_F(SurpriseBlock, CallsWhatWasNotShownUnproven) {
    const std::string text = block({Surprise::path_unreached, "order_broken", "", {}}, nullptr);
    EXPECT_THAT(text, HasSubstr("UNPROVEN  strict\n"));
    EXPECT_THAT(text, HasSubstr("the rare path order_broken was to be reached"));
}

TEST_F(SurpriseBlock, HasASentenceForEverySurprise) {
    for (const Surprise what :
         {Surprise::promise_broken, Surprise::promise_unbroken, Surprise::not_repaired,
          Surprise::total_differs, Surprise::promise_vacuous, Surprise::path_unreached,
          Surprise::trial_inconclusive, Surprise::too_few_behaviours}) {
        const scenarios::SurpriseReport surprise{what, "a-name", "a detail", {}};
        EXPECT_GE(std::ranges::count(block(surprise, nullptr), '\n'), 3);
        EXPECT_FALSE(brief(surprise, story).empty());
    }
}

TEST_F(SurpriseBlock, PrintsNothingOfAStrangerThatATerminalWouldObey) {
    story.name = "\x1b[2Jname";
    trial_result.verdicts[0].verdict.evidence = "\x1b]0;title\x07";
    const std::string text =
        block({Surprise::promise_broken, "work_is_executed_once", "", 7}, &trial);
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace redeliver::reports
