#include "reports/documents.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/build_info.h"
#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using Json = nlohmann::json;
using scenarios::Expected;

scenarios::StoryResult story_result() {
    scenarios::StoryResult result;
    result.name = "crash-before-xack";
    result.first_seed = 18446744073709551000u;
    result.seeds = 200;
    result.fingerprint = 0xabc;
    result.distinct_behaviours = 5;
    result.promises = {{.name = "no_run_lost",
                        .expected = Expected::holds,
                        .held = 190,
                        .violated = 10,
                        .excused = 3,
                        .first_violating_seed = 18446744073709551001u}};
    result.reached = {{"order_broken", 4}};
    result.surprises = {
        {scenarios::Surprise::promise_broken, "no_run_lost", "", 18446744073709551001u}};
    return result;
}

TEST(RunDocument, HoldsWhatTheStoriesCameTo) {
    const Json document = Json::parse(run_document({story_result()}));
    EXPECT_EQ(document["as_expected"], false);
    const Json& story = document["stories"][0];
    EXPECT_EQ(story["name"], "crash-before-xack");
    EXPECT_EQ(story["seeds"], 200);
    EXPECT_EQ(story["fingerprint"], "0000000000000abc");
    const Json& promise = story["promises"][0];
    EXPECT_EQ(promise["expected"], "holds");
    EXPECT_EQ(promise["verdicts"]["held"], 190);
    EXPECT_EQ(promise["verdicts"]["violated"], 10);
    EXPECT_EQ(promise["excused"], 3);
    EXPECT_EQ(promise["first_violating_seed"].get<std::uint64_t>(), 18446744073709551001u);
    EXPECT_EQ(story["reached"][0]["count"], 4);
    EXPECT_EQ(story["surprises"][0]["what"], "promise_broken");
}

TEST(RunDocument, OfNothingIsAsExpected) {
    EXPECT_EQ(Json::parse(run_document({})),
              (Json{{"as_expected", true}, {"stories", Json::array()}}));
}

TEST(RunDocument, IsAsciiWhateverANameHolds) {
    scenarios::StoryResult result = story_result();
    result.name = "\x1b[2J \xc2\x9b \x7f \xff";
    for (const char c : run_document({result}))
        EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << static_cast<int>(c);
}

TEST(ReplayDocument, HoldsEveryStepWithItsEdgesAndWords) {
    scenarios::Scenario scenario;
    scenario.name = "crash-before-xack";
    scenarios::Plan plan;
    plan.faults = {
        {.when = sim::AtStep{.operation = "XACK", .subject = "run-6"}, .what = sim::Crash{}}};
    scenarios::TrialResult result;
    result.verdicts = {broken_at_second_work()};
    result.totals = {{"executions", 2}};
    result.recording = std::make_unique<scenarios::Recording>(crash_story());
    const Json document = Json::parse(replay_document({scenario, plan, 7, result}, {}));

    EXPECT_EQ(document["seed"], 7);
    EXPECT_EQ(document["diverges"], nullptr);
    EXPECT_EQ(document["faults"][0]["fired"], true);
    EXPECT_EQ(document["totals"]["executions"], 2);
    EXPECT_EQ(document["verdicts"][0]["step"], 15);
    EXPECT_EQ(document["verdicts"][0]["why"], Json::array({5, 6, 7, 8, 10, 14, 15}));
    ASSERT_EQ(document["steps"].size(), 20u);
    const Json& claim = document["steps"][13];
    EXPECT_EQ(claim["kind"], "Claimed");
    EXPECT_EQ(claim["cause"], 13);
    EXPECT_EQ(claim["previous"], 11);
    EXPECT_EQ(claim["actor"], "worker-2");
    EXPECT_EQ(claim["what"], "XAUTOCLAIM");
    EXPECT_EQ(claim["at_us"], 31002000);
    EXPECT_EQ(document["steps"][0]["cause"], nullptr);
}

TEST(StateDocument, MarksChangesWithTheOldValue) {
    scenarios::StateChange change;
    change.texts = empty_recording();
    change.before.broker.strings["mark:run-6"] = {.value = "worker-1", .expires_at = {}};
    change.after.broker.strings["mark:run-6"] = {.value = "worker-2", .expires_at = {}};
    change.step.number = 3;
    change.step.kind = sim::Restarted::kind;
    const Json document = Json::parse(state_document(change));
    const Json& row = document["tables"][0]["rows"][0];
    EXPECT_EQ(row["change"], "changed");
    EXPECT_EQ(row["values"]["value"], "worker-2");
    EXPECT_EQ(row["was"]["value"], "worker-1");
}

TEST(VersionDocument, NamesTheBuild) {
    const Json document = Json::parse(version_document());
    EXPECT_EQ(document["version"], scenarios::build_info().version);
    EXPECT_EQ(document["commit"], scenarios::build_info().commit);
}

}  // namespace
}  // namespace redeliver::reports
