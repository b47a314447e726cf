#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A repaired story turned back into the mistake: XACK before the work.
const std::vector<std::string> turned_back = {"run",     "ack-after-work",
                                              "--seeds", "2",
                                              "--jobs",  "1",
                                              "--set",   "worker.acknowledge=before_work"};

TEST(Run, EndsWith0WhenAStoryDoesAsItSays) {
    const Finished finished =
        run_program({.arguments = {"run", "crash-before-xack", "--seeds", "3", "--jobs", "1"}});
    EXPECT_EQ(finished.exit_code, 0) << finished.out;
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out, AllOf(HasSubstr("crash-before-xack"), HasSubstr("as expected"),
                                    HasSubstr("work_is_executed_once breaks 3/3"),
                                    HasSubstr("1 story, 3 trials, all as expected")));
}

TEST(Run, EndsWith1AndSaysWhyWhenARepairIsTurnedBack) {
    const Finished finished = run_program({.arguments = turned_back});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out,
                AllOf(HasSubstr("FAIL: "), HasSubstr("FAIL  ack-after-work  seed 1"),
                      HasSubstr("no_run_lost was to hold and broke in 2 of 2 seeds"),
                      HasSubstr("      shrunk      1 fault, 3 → 1 message"),
                      HasSubstr("crashes while it deals with run-2"),
                      HasSubstr("      needed      fault 1: "),
                      HasSubstr("      passes      --set worker.acknowledge=after_work"),
                      HasSubstr("      last chance step "),
                      HasSubstr("same seed   redeliver replay ack-after-work --seed 1 --set "
                                "worker.acknowledge=before_work")));
    EXPECT_THAT(finished.out, Not(HasSubstr("same trial")));
}

TEST(Run, EndsWith2WhenSomethingWasNotShown) {
    const TemporaryFolder folder;
    const std::string story = folder.write("calm.json", R"({
        "name": "calm", "story": "Nothing happens.", "workload": {"runs": 1},
        "expect": {"holds": ["no_run_lost"], "reaches": ["claimed_from_a_dead_worker"]}})");
    const Finished finished = run_program({.arguments = {"run", story, "--seeds", "2"}});
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_THAT(finished.out, AllOf(HasSubstr("UNPROVEN: "), HasSubstr("UNPROVEN  calm"),
                                    HasSubstr("claimed_from_a_dead_worker")));
}

TEST(Run, PrintsOnlySurprisesAndTheLastLineWhenQuiet) {
    const Finished finished = run_program(
        {.arguments = {"run", "crash-before-xack", "--seeds", "2", "--jobs", "1", "--quiet"}});
    EXPECT_EQ(std::ranges::count(finished.out, '\n'), 1) << finished.out;
    EXPECT_THAT(finished.out, HasSubstr("1 story, 2 trials, all as expected"));
}

TEST(Run, WritesNothingUnlessToldWhere) {
    const TemporaryFolder folder;
    run_program({.arguments = turned_back, .folder = folder.path()});
    EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Run, WritesTheReportAndACasePerUnexpectedSeed) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = turned_back;
    arguments.insert(arguments.end(), {"--out", "found"});
    const Finished finished = run_program({.arguments = arguments, .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(
        folder.files(),
        ElementsAre("found/ack-after-work/1/case.json", "found/ack-after-work/1/report.html",
                    "found/ack-after-work/1/shrunk.json", "found/ack-after-work/1/trace.jsonl",
                    "found/report.json"));
    EXPECT_THAT(finished.out, HasSubstr("open        found/ack-after-work/1/report.html#step="));
    EXPECT_THAT(finished.out,
                HasSubstr("same trial  redeliver replay found/ack-after-work/1/case.json"));

    const Finished replayed = run_program(
        {.arguments = {"replay", "found/ack-after-work/1/case.json"}, .folder = folder.path()});
    EXPECT_EQ(replayed.exit_code, 1);
    EXPECT_THAT(replayed.out, HasSubstr("same fingerprint as recorded"));

    const Finished shrunk = run_program(
        {.arguments = {"replay", "found/ack-after-work/1/shrunk.json"}, .folder = folder.path()});
    EXPECT_THAT(shrunk.out, AllOf(HasSubstr("same fingerprint as recorded"),
                                  HasSubstr("broke      exactly_one_reply")));
}

TEST(Run, NamesTheCommandThatExplains) {
    const Finished finished = run_program({.arguments = turned_back});
    const std::string command =
        "redeliver explain ack-after-work --seed 1 --set "
        "worker.acknowledge=before_work --promise exactly_one_reply";
    ASSERT_THAT(finished.out, HasSubstr("explain     " + command + "\n"));
    const TemporaryFolder folder;
    const Finished explained = run_program(
        {.arguments = {"explain", "ack-after-work", "--seed", "1", "--set",
                       "worker.acknowledge=before_work", "--promise", "exactly_one_reply"},
         .folder = folder.path()});
    EXPECT_EQ(explained.exit_code, 1);
    EXPECT_THAT(explained.out, HasSubstr("seed 1: exactly_one_reply breaks"));
}

TEST(Run, WritesNothingIntoTheFolderButTheReportWhenAllIsAsExpected) {
    const TemporaryFolder folder;
    run_program({.arguments = {"run", "crash-before-xack", "--seeds", "1", "--out", "found"},
                 .folder = folder.path()});
    EXPECT_THAT(folder.files(), ElementsAre("found/report.json"));
}

TEST(Run, RunsAFileLikeAStoryOfTheCatalogue) {
    const TemporaryFolder folder;
    const std::string story = folder.write("mine.json", R"({
        "name": "mine", "story": "One message, no fault.", "workload": {"runs": 1},
        "expect": {"holds": ["exactly_one_reply"]}})");
    const Finished finished = run_program({.arguments = {"run", story, "--seeds", "2"}});
    EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("mine "));
}

TEST(Run, AgreesOnTheFingerprintWhateverTheJobs) {
    const auto fingerprint = [](const std::string& jobs) {
        const Finished finished = run_program(
            {.arguments = {"run", "standard", "--seeds", "130", "--jobs", jobs, "--json"}});
        return Json::parse(finished.out)["stories"][0]["fingerprint"].get<std::string>();
    };
    EXPECT_EQ(fingerprint("1"), fingerprint("2"));
}

TEST(Run, CountsSeedsFromWhereItIsTold) {
    const Finished finished =
        run_program({.arguments = {"run", "crash-before-xack", "--from", "18446744073709551613",
                                   "--seeds", "2", "--jobs", "1", "--json"}});
    const Json story = Json::parse(finished.out)["stories"][0];
    EXPECT_EQ(story["first_seed"].get<std::uint64_t>(), 18446744073709551613u);
    EXPECT_EQ(story["promises"].size() > 0, true);
    EXPECT_EQ(finished.exit_code, 0);
}

TEST(Run, AsJsonEndsLikeTheTextDoes) {
    std::vector<std::string> arguments = turned_back;
    arguments.push_back("--json");
    const Finished finished = run_program({.arguments = arguments});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_EQ(Json::parse(finished.out)["as_expected"], false);
}

TEST(Run, ShowsItsProgressOnATerminalAndTakesItAway) {
    const Finished finished =
        run_program({.arguments = {"run", "standard", "--seeds", "2000", "--jobs", "1"},
                     .environment = {"LC_ALL=C.UTF-8", "TERM=xterm"},
                     .output = StandardOutput::terminal});
    EXPECT_THAT(finished.out,
                AllOf(HasSubstr("of 2,000 trials"), HasSubstr("s left"), HasSubstr("\r\x1b[K")));
}

TEST(Run, HasNoColourOnATerminalWithNoColor) {
    const std::vector<std::string> arguments = {"run", "crash-before-xack", "--seeds", "1",
                                                "--quiet"};
    const auto out = [&](const std::string& variable) {
        return run_program({.arguments = arguments,
                            .environment = {"TERM=xterm", variable},
                            .output = StandardOutput::terminal})
            .out;
    };
    EXPECT_THAT(out("LC_ALL=C.UTF-8"), HasSubstr("\x1b[32mall as expected"));
    EXPECT_THAT(out("NO_COLOR=1"), Not(HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace redeliver::cli
