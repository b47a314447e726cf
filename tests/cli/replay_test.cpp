#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/source_root.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Json replayed(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "replay");
    arguments.push_back("--json");
    return Json::parse(run_program({.arguments = arguments}).out);
}

/// The number of the first step of a kind about a run.
std::uint32_t step_of(const Json& document, const std::string& kind, const std::string& run) {
    for (const Json& step : document["steps"])
        if (step["kind"] == kind && step["about"] == run) return step["number"];
    return 0;
}

TEST(Replay, ShowsWorkCrashClaimSecondWorkAbsorbed) {
    const Finished finished =
        run_program({.arguments = {"replay", "crash-before-xack", "--seed", "7"}});
    EXPECT_EQ(finished.exit_code, 0) << finished.out;
    const std::vector<std::string> in_order = {"crash-before-xack, seed 7",
                                               "fault 1  fired  before XACK for run-2 is sent",
                                               "work starts",
                                               "stored, seq 1",
                                               "✂ crash",
                                               "before its XACK was sent, fault 1",
                                               "↻ restart",
                                               "⇉ XAUTOCLAIM",
                                               "from worker-",
                                               "breaks work_is_executed_once",
                                               "○ INSERT reply",
                                               "held ",
                                               "broke      work_is_executed_once",
                                               "fingerprint"};
    std::size_t at = 0;
    for (const std::string& words : in_order) {
        const std::size_t found = finished.out.find(words, at);
        ASSERT_NE(found, std::string::npos) << words << "\nin\n" << finished.out;
        at = found + words.size();
    }
}

// Made again, when the story or the engine has changed on purpose, by
//   LC_ALL=C.UTF-8 redeliver replay crash-before-xack --seed 7 > tests/cli/crash-before-xack.txt
TEST(Replay, PrintsTheTimelineThatWeKnow) {
    std::ifstream file(house::source_root() / "tests/cli/crash-before-xack.txt");
    const std::string known{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(run_program({.arguments = {"replay", "crash-before-xack", "--seed", "7"}}).out,
              known);
}

TEST(Replay, IsTheSameEveryTime) {
    const Call call{.arguments = {"replay", "standard", "--seed", "3", "--all"}};
    EXPECT_EQ(run_program(call).out, run_program(call).out);
}

TEST(Replay, FallsBackToAsciiWhereTheLocaleIsNotUtf8) {
    const Finished finished =
        run_program({.arguments = {"replay", "crash-before-xack"}, .environment = {"LC_ALL=C"}});
    EXPECT_THAT(finished.out, HasSubstr("! crash"));
    EXPECT_TRUE(std::ranges::all_of(finished.out, [](unsigned char c) { return c < 0x80; }));
}

TEST(Replay, ShowsRequestsAndPollsOnlyWhenAsked) {
    const std::string brief = run_program({.arguments = {"replay", "crash-before-xack"}}).out;
    const std::string all =
        run_program({.arguments = {"replay", "crash-before-xack", "--all"}}).out;
    EXPECT_THAT(brief, AllOf(HasSubstr("idle polls in"), Not(HasSubstr("sent to redis"))));
    EXPECT_THAT(all, AllOf(HasSubstr("sent to redis"), Not(HasSubstr("idle polls in"))));
}

TEST(Replay, AsJsonHoldsEveryStepWithAnEarlierCause) {
    const Json document = replayed({"crash-before-xack", "--seed", "7"});
    EXPECT_EQ(document["story"], "crash-before-xack");
    EXPECT_EQ(document["outcome"], "as_expected");
    ASSERT_GT(document["steps"].size(), 50u);
    for (const Json& step : document["steps"]) {
        if (step["cause"].is_number()) {
            EXPECT_LT(step["cause"], step["number"]);
        }
    }
}

TEST(Replay, AtAStepMarksWhatItChanged) {
    const Json document = replayed({"crash-before-xack", "--seed", "7"});
    const std::string claim = std::to_string(step_of(document, "Claimed", "run-2"));
    const Finished finished =
        run_program({.arguments = {"replay", "crash-before-xack", "--seed", "7", "--at", claim}});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(finished.out, AllOf(HasSubstr("XAUTOCLAIM run-2"), HasSubstr("pending list of"),
                                    HasSubstr("\n~ "), HasSubstr(" [worker-"), HasSubstr("2 [1]"),
                                    HasSubstr("table runs")));
}

TEST(Replay, AtTheStepThatAcceptsARunMarksItsRowAsAdded) {
    const Json document = replayed({"crash-before-xack"});
    const std::string step = std::to_string(step_of(document, "Accepted", "run-1"));
    const Json state = replayed({"crash-before-xack", "--at", step});
    bool found = false;
    for (const Json& table : state["tables"])
        for (const Json& row : table["rows"])
            found = found || (table["title"] == "table runs" && row["change"] == "added" &&
                              row["values"]["run_id"] == "run-1");
    EXPECT_TRUE(found) << state.dump(2);
}

TEST(Replay, TakesSettingsAndJudgesByThem) {
    const Finished finished = run_program(
        {.arguments = {"replay", "ack-after-work", "--set", "worker.acknowledge=before_work"}});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out, HasSubstr("FAIL       no_run_lost was expected to hold and broke\n"));
}

class ReplayCase : public testing::Test {
protected:
    ReplayCase() {
        run_program({.arguments = {"run", "ack-after-work", "--seeds", "1", "--jobs", "1", "--set",
                                   "worker.acknowledge=before_work", "--out", "found"},
                     .folder = folder.path()});
    }

    Finished replay(const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments = {"replay", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run_program({.arguments = arguments, .folder = folder.path()});
    }

    Json read() const {
        return Json::parse(
            run_program({.arguments = {"replay", path, "--json"}, .folder = folder.path()}).out);
    }

    const TemporaryFolder folder;
    const std::string path = "found/ack-after-work/1/case.json";
};

TEST_F(ReplayCase, SaysThatItWentAsRecorded) {
    const Finished finished = replay();
    EXPECT_EQ(finished.exit_code, 1);  // It records a broken promise.
    EXPECT_THAT(finished.out, HasSubstr("recording  same fingerprint as recorded by build "));
    EXPECT_EQ(read()["diverges"], nullptr);
}

TEST_F(ReplayCase, SaysWhereItFirstDiffersFromAnEditedRecording) {
    Json recorded = Json::parse(std::ifstream(folder.path() / path));
    recorded["build"] = "0.0.1 cafe";
    recorded["fingerprint"] = "0123456789abcdef";
    recorded["plan"]["messages"][0]["at"] = "7ms";
    std::ofstream(folder.path() / path) << recorded.dump();
    const Finished finished = replay();
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out, AllOf(HasSubstr("DIFFERS from the recording first at step "),
                                    HasSubstr("recorded by build 0.0.1 cafe, this is build")));
    const Json document = read();
    EXPECT_EQ(document["diverges"]["first_step"], step_of(document, "Submitted", "run-1"));
}

TEST_F(ReplayCase, RefusesAnotherSeed) {
    const Finished finished = replay({"--seed", "2"});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("holds its own seed, 1"));
}

TEST_F(ReplayCase, DoesNotCompareWhatASettingChanged) {
    const Finished finished = replay({"--set", "worker.acknowledge=after_work"});
    EXPECT_EQ(finished.exit_code, 0) << finished.out;
    EXPECT_THAT(finished.out, Not(HasSubstr("recording  ")));
}

TEST_F(ReplayCase, CannotBeRunAsAStory) {
    const Finished finished = run_program({.arguments = {"run", path}, .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("is a case, not a story: redeliver replay " + path));
}

}  // namespace
}  // namespace redeliver::cli
