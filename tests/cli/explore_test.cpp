#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

Finished explore(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explore");
    return run_program({.arguments = arguments});
}

/// The words of a command line as a shell would see them; it quotes with ' only.
std::vector<std::string> words(const std::string& command) {
    std::vector<std::string> found(1);
    bool is_quoted = false;
    for (const char c : command) {
        if (c == '\'') {
            is_quoted = !is_quoted;
        } else if (c == ' ' && !is_quoted) {
            found.emplace_back();
        } else {
            found.back() += c;
        }
    }
    return found;
}

TEST(Explore, EndsWith0WhenAStoryBreaksAsStatedAndSaysSo) {
    const Finished finished = explore({"crash-before-xack", "--strategy", "enumerate"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out,
                AllOf(HasSubstr("single faults were tried"),
                      HasSubstr("work_is_executed_once broke as stated"),
                      HasSubstr("at whoever performs the operation"), HasSubstr("after_apply")));
}

TEST(Explore, ExplainsWhatTheStoryIsAboutFirst) {
    const std::string out = explore({"crash-before-xack", "--only", "crash"}).out;
    const std::size_t stated = out.find("\nwork_is_executed_once\n  redeliver replay");
    const std::size_t besides = out.find("\nno_run_lost\n  redeliver replay");
    ASSERT_NE(stated, std::string::npos);
    ASSERT_NE(besides, std::string::npos);
    EXPECT_LT(stated, besides);
    EXPECT_THAT(out.substr(stated, besides - stated),
                AllOf(HasSubstr("  shrunk      1 fault, 3 → 1 message"),
                      HasSubstr("  needed      fault 1: at the start of work on run-1"),
                      HasSubstr("  last chance step ")));
}

TEST(Explore, NamesCommandsThatExplain) {
    const std::string out = explore({"crash-before-xack", "--only", "crash"}).out;
    const std::size_t begin = out.find("redeliver explain ");
    ASSERT_NE(begin, std::string::npos);
    std::vector<std::string> command = words(out.substr(begin, out.find('\n', begin) - begin));
    command.erase(command.begin());
    const TemporaryFolder folder;
    const Finished explained = run_program({.arguments = command, .folder = folder.path()});
    EXPECT_EQ(explained.exit_code, 0) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("work_is_executed_once breaks"));
}

TEST(Explore, WritesShrunkCasesBesideThoseThatItFound) {
    const TemporaryFolder folder;
    run_program({.arguments = {"explore", "crash-before-xack", "--only", "crash", "--out", "found"},
                 .folder = folder.path()});
    EXPECT_THAT(folder.files(),
                Contains("found/crash-before-xack/work_is_executed_once/shrunk.json"));
    const Finished replayed = run_program(
        {.arguments = {"replay", "found/crash-before-xack/work_is_executed_once/shrunk.json"},
         .folder = folder.path()});
    EXPECT_THAT(replayed.out, AllOf(HasSubstr("same fingerprint as recorded"),
                                    HasSubstr("broke      work_is_executed_once")));
}

TEST(Explore, SaysThatAllOfAllSingleFaultsWereTried) {
    const Json scope =
        Json::parse(explore({"crash-before-xack", "--only", "crash", "--json"}).out)["scope"];
    const auto all = scope["singles"].get<std::uint64_t>();
    EXPECT_EQ(scope["singles_tried"], all);
    EXPECT_EQ(scope["complete"], true);
    // In text, in one line whatever its width.
    EXPECT_THAT(explore({"crash-before-xack", "--only", "crash"}).out,
                HasSubstr("all " + std::to_string(all) + " of " + std::to_string(all) +
                          " single faults of 1 of 34 kinds (crash) were tried"));
}

TEST(Explore, EndsWith1WhenARepairedStoryDoesNotStandASingleFault) {
    // Nobody republishes: a gateway that dies between its insert and its XADD loses the run.
    const Finished finished = explore({"done-run-is-skipped", "--only", "crash"});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out, AllOf(HasSubstr("FAIL"), HasSubstr("no_run_lost was to hold")));
}

TEST(Explore, EndsWith2WhenItsBudgetEndsBeforeAllWasTried) {
    const Finished finished = explore({"standard", "--only", "crash", "--trials", "10"});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.out, HasSubstr("the budget ended before everything was tried"));
}

TEST(Explore, EndsWith0OnceAStoryBrokeAsStatedThoughItsBudgetEnds) {
    const Finished finished = explore({"crash-before-xack", "--trials", "500"});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(finished.out, AllOf(HasSubstr("work_is_executed_once broke as stated"),
                                    HasSubstr("the budget ended before everything was tried")));
    EXPECT_EQ(explore({"crash-before-xack", "--trials", "5"}).exit_code, 2) << "before it broke";
}

TEST(Explore, PrintsACommandThatShowsTheBreachAgain) {
    const Json document = Json::parse(explore({"crash-before-xack", "--only", "crash", "--set",
                                               "worker.idle_threshold=5s", "--json"})
                                          .out);
    const Json breach = document["breaches"].back();
    std::vector<std::string> command = words(breach["commands"][0]);
    ASSERT_EQ(command[0], "redeliver");
    command.erase(command.begin());
    command.push_back("--json");
    const Json replayed = Json::parse(run_program({.arguments = command}).out);

    std::vector<std::string> broken;
    for (const Json& verdict : replayed["verdicts"])
        if (verdict["verdict"] == "violated") broken.push_back(verdict["promise"]);
    EXPECT_THAT(broken, Contains(breach["promise"].get<std::string>()));
}

TEST(Explore, WritesACaseForEachPromiseThatBroke) {
    const TemporaryFolder folder;
    run_program({.arguments = {"explore", "crash-before-xack", "--only", "crash", "--out", "found"},
                 .folder = folder.path()});
    const std::string path = "found/crash-before-xack/work_is_executed_once/case.json";
    EXPECT_THAT(folder.files(), AllOf(Contains("found/report.json"), Contains(path)));

    const Finished replayed = run_program({.arguments = {"replay", path}, .folder = folder.path()});
    EXPECT_THAT(replayed.out, AllOf(HasSubstr("same fingerprint as recorded"),
                                    HasSubstr("broke      work_is_executed_once")));
}

TEST(Explore, WritesNothingUnlessToldWhere) {
    const TemporaryFolder folder;
    run_program({.arguments = {"explore", "crash-before-xack", "--only", "crash"},
                 .folder = folder.path()});
    EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Explore, TriesSeedsWithTheOtherStrategies) {
    for (const std::string strategy : {"random", "swarm"}) {
        const Json document = Json::parse(
            explore({"standard", "--strategy", strategy, "--trials", "300", "--json"}).out);
        EXPECT_EQ(document["tried"], 300);
        EXPECT_EQ(document["scope"], Json());
        EXPECT_NE(document["outcome"], "wrong");
    }
}

TEST(Explore, EndsWith2UnlessEveryFaultToldOftenEnough) {
    const auto random = [](const std::string& story, const std::string& least) {
        return explore({story, "--strategy", "random", "--trials", "300", "--minimum-hits", least});
    };
    const Finished few = random("standard", "300");
    EXPECT_EQ(few.exit_code, 2);
    EXPECT_THAT(few.out, AllOf(HasSubstr("effective hits"), HasSubstr("fewer than 300")));
    EXPECT_EQ(random("standard", "1").exit_code, 0);
    const Finished none = random("lab-check", "1");
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.out, HasSubstr("draws no faults"));
    EXPECT_EQ(explore({"standard", "--minimum-hits", "1"}).exit_code, 64);
}

TEST(Explore, RefusesWhatItDoesNotKnow) {
    const Finished strategy = explore({"standard", "--strategy", "enumarate"});
    EXPECT_EQ(strategy.exit_code, 64);
    EXPECT_THAT(strategy.err, HasSubstr("'enumarate'; nearest is 'enumerate'"));
    const Finished kind = explore({"standard", "--only", "crush"});
    EXPECT_EQ(kind.exit_code, 64);
    EXPECT_THAT(kind.err, HasSubstr("crash"));
    EXPECT_EQ(explore({"standard", "--faults", "3"}).exit_code, 64);
    EXPECT_EQ(explore({"standard", "--strategy", "random", "--faults", "1"}).exit_code, 64);
    EXPECT_EQ(explore({}).exit_code, 64);
}

TEST(Explore, ShowsItsProgressOnATerminal) {
    const Finished finished = run_program({.arguments = {"explore", "standard", "--only", "crash"},
                                           .environment = {"LC_ALL=C.UTF-8", "TERM=xterm"},
                                           .output = StandardOutput::terminal});
    EXPECT_THAT(finished.out, HasSubstr(" trials  "));
}

}  // namespace
}  // namespace redeliver::cli
