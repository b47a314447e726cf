// What `redeliver explain` says is read from its answer alone, and its commands are carried out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The words of a command that needs no quotes, after `redeliver`.
std::vector<std::string> words_after_program(const std::string& command) {
    std::istringstream in(command);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    EXPECT_EQ(words.at(0), "redeliver");
    words.erase(words.begin());
    return words;
}

class ExplainedBy : public testing::TestWithParam<std::vector<std::string>> {
protected:
    void SetUp() override {
        const Finished finished = explained({"--json", "--out", "small.json"});
        ASSERT_NE(finished.out, "") << finished.err;
        document_ = Json::parse(finished.out);
    }

    Finished explained(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments = GetParam();
        arguments.insert(arguments.begin(), "explain");
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program({.arguments = arguments, .folder = folder_.path()});
    }

    /// The trial that a command shows.
    Json carried_out(const std::string& command) const {
        std::vector<std::string> arguments = words_after_program(command);
        arguments.emplace_back("--json");
        return Json::parse(run_program({.arguments = arguments, .folder = folder_.path()}).out);
    }

    std::string verdict(const Json& trial) const {
        for (const Json& each : trial["verdicts"])
            if (each["promise"] == document_["promise"]["name"]) return each["verdict"];
        return "";
    }

    const Json& document() const { return document_; }

private:
    TemporaryFolder folder_;
    Json document_;
};

TEST_P(ExplainedBy, ACaseOfAtMostTwoFaultsAndTwoMessagesThatBreaksThePromise) {
    const Json& shrunk = document()["shrunk"];
    EXPECT_EQ(shrunk["minimality"], "one_minimal");
    EXPECT_LE(shrunk["after"]["faults"], 2);
    EXPECT_LE(shrunk["after"]["messages"], 2);
    const Json trial = carried_out(shrunk["command"]);
    EXPECT_EQ(verdict(trial), "violated");
    EXPECT_EQ(trial["diverges"], Json());
    EXPECT_EQ(trial["fingerprint"], shrunk["fingerprint"]);
}

/// Everything that the steps go back to, themselves included.
std::set<std::uint64_t> ancestors(const Json& trial, std::vector<Json> next) {
    std::map<std::uint64_t, Json> steps;
    for (const Json& step : trial["steps"]) steps[step["number"].get<std::uint64_t>()] = step;
    std::set<std::uint64_t> met;
    while (!next.empty()) {
        const Json edge = next.back();
        next.pop_back();
        if (edge.is_null()) continue;
        const auto number = edge.get<std::uint64_t>();
        if (!met.insert(number).second) continue;
        next.push_back(steps.at(number)["cause"]);
        next.push_back(steps.at(number)["previous"]);
    }
    return met;
}

TEST_P(ExplainedBy, ThreeToSevenSentencesAboutWhatTheBreachGoesBackTo) {
    const Json trial = carried_out(document()["shrunk"]["command"]);
    const std::string evidence = document()["promise"]["evidence"];
    // From the breach, from what the needed faults did, and from other runs that it is about.
    std::vector<Json> from = {document()["sentences"].back()["step"]};
    for (const Json& sentence : document()["sentences"]) {
        const std::string text = sentence["text"];
        const bool is_effect = text.find("fault ") != std::string::npos;
        bool is_of_another_run = false;
        for (const Json& step : trial["steps"])
            if (step["number"] == sentence["step"])
                is_of_another_run = evidence.find(step.value("subject", "-")) != std::string::npos;
        if (is_effect || is_of_another_run) from.push_back(sentence["step"]);
    }
    const std::set<std::uint64_t> allowed = ancestors(trial, from);

    EXPECT_GE(document()["sentences"].size(), 3u);
    EXPECT_LE(document()["sentences"].size(), 7u);
    for (const Json& sentence : document()["sentences"])
        EXPECT_TRUE(allowed.contains(sentence["step"].get<std::uint64_t>())) << sentence;
    EXPECT_THAT(std::string(document()["sentences"].back()["text"]),
                AllOf(HasSubstr(std::string(document()["promise"]["name"])),
                      HasSubstr(std::string(document()["promise"]["subject"]))));
}

TEST_P(ExplainedBy, CommandsThatShowEachFaultNeeded) {
    for (const Json& fault : document()["faults"]) {
        SCOPED_TRACE(fault.dump());
        EXPECT_EQ(fault["need"], "needed");  // None is left over in a case that is 1-minimal.
        EXPECT_EQ(verdict(carried_out(fault["command"])), fault["without"]);
    }
}

TEST_P(ExplainedBy, CommandsThatShowEachVariationPass) {
    for (const Json& variation : document()["variations"]["passing"]) {
        SCOPED_TRACE(variation.dump());
        EXPECT_EQ(verdict(carried_out(variation["command"])), "holds");
    }
}

TEST_P(ExplainedBy, ACommandThatShowsTheLastChanceAndNoneAfterIt) {
    const Json& chance = document()["last_chance"];
    EXPECT_EQ(chance["search"], "every_step");
    if (!chance.contains("after")) {
        EXPECT_EQ(chance["back_to"], 1);
        return;
    }
    EXPECT_EQ(chance["back_to"], chance["after"]);
    EXPECT_THAT(verdict(carried_out(chance["command"])), AnyOf("holds", "vacuous"));
    const auto seed = document()["seed"].get<std::uint64_t>();
    for (std::uint64_t future = seed; future < seed + 8; ++future) {
        const std::string later = document()["shrunk"]["command"].get<std::string>() +
                                  " --branch-after " +
                                  std::to_string(chance["after"].get<std::uint64_t>() + 1) +
                                  " --branch-seed " + std::to_string(future);
        EXPECT_EQ(verdict(carried_out(later)), "violated") << later;
    }
}

TEST_P(ExplainedBy, ACommandUnderEachLineThatSaysWhatIsNeededOrPasses) {
    const Finished finished = explained({"--out", "text.json"});
    std::istringstream text(finished.out);
    std::set<std::string> without_command;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("needed") || line.starts_with("passes")) {
            EXPECT_THAT(without_command, IsEmpty());
            without_command = {line};
        } else if (line.find("redeliver replay text.json") != std::string::npos) {
            without_command.clear();
        }
    }
    EXPECT_THAT(without_command, IsEmpty());
}

TEST_P(ExplainedBy, TheNamesThatActorsHave) {
    const bool is_renamed = std::ranges::count(GetParam(), "worker.name=mill") > 0;
    const std::string text = explained({"--out", "text.json"}).out + document().dump();
    const std::regex usual("(user|gateway|worker|relay)-[0-9]");
    const std::regex other("(caller|door|mill|carrier)-[0-9]");
    EXPECT_EQ(std::regex_search(text, usual), !is_renamed) << text;
    EXPECT_EQ(std::regex_search(text, other), is_renamed) << text;
}

using Arguments = std::vector<std::string>;

std::vector<Arguments> stories() {
    return {{"crash-before-xack"},
            {"ack-before-work"},
            {"check-then-insert"},
            {"pool-leaks"},
            {"publish-lost"},
            {"deliveries-are-not-failures"},
            {"order-breaks-in-a-group"},
            {"failover-forgets-a-run"},
            {"operator-deletes-a-consumer"},
            {"relays-overtake-each-other"},
            {"standard", "--seed", "1", "--set", "worker.deduplicate=none", "--set",
             "database.unique_reply=absent"}};
}

std::vector<Arguments> renamed_stories() {
    std::vector<Arguments> all = stories();
    for (Arguments& arguments : all)
        for (const char* const name :
             {"users.name=caller", "gateway.name=door", "worker.name=mill", "relay.name=carrier"})
            arguments.insert(arguments.end(), {"--set", name});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Stories, ExplainedBy, testing::ValuesIn(stories()));
INSTANTIATE_TEST_SUITE_P(RenamedStories, ExplainedBy, testing::ValuesIn(renamed_stories()));

TEST(Explain, EndsAsExpectedWhereTheStoryExpectsTheBreach) {
    const TemporaryFolder folder;
    const Finished finished =
        run_program({.arguments = {"explain", "crash-before-xack", "--out", "found/small.json"},
                     .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(
        finished.out,
        AllOf(HasSubstr("work_is_executed_once breaks"), HasSubstr("1-minimal"), HasSubstr("run-2"),
              HasSubstr("--without-fault 1"), HasSubstr("--set worker.short_circuit=skip_done")));
    EXPECT_THAT(finished.out, HasSubstr("redeliver replay found/small.json --without-fault 1"));
    EXPECT_THAT(folder.files(), testing::ElementsAre("found/small.json"));
}

TEST(Explain, EndsNotAsExpectedWhereThePromiseWasToHold) {
    const TemporaryFolder folder;
    const Finished finished = run_program(
        {.arguments = {"explain", "ack-after-work", "--set", "worker.acknowledge=before_work"},
         .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out, HasSubstr("exactly_one_reply breaks"));
}

TEST(Explain, EndsInconclusivelyWhereNothingBroke) {
    const TemporaryFolder folder;
    const Finished finished =
        run_program({.arguments = {"explain", "done-run-is-skipped"}, .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("nothing to explain"));
    EXPECT_THAT(folder.files(), testing::IsEmpty());
}

TEST(Explain, EndsInconclusivelyWhereItsBudgetEnds) {
    const TemporaryFolder folder;
    const Finished finished =
        run_program({.arguments = {"explain", "reference-numbers", "--budget-trials", "5"},
                     .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.out, HasSubstr("the budget ended after 5"));
}

TEST(Explain, WritesNothingAndGivesNoCommandsUnlessItIsTold) {
    const TemporaryFolder folder;
    const auto explain = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"explain", "crash-before-xack"});
        return run_program({.arguments = more, .folder = folder.path()}).out;
    };
    const std::string text = explain({});
    const Json document = Json::parse(explain({"--json"}));
    const Json kept = Json::parse(explain({"--json", "--out", "small.json"}));

    EXPECT_THAT(text, AllOf(HasSubstr("--out FILE"), Not(HasSubstr("redeliver replay"))));
    EXPECT_THAT(document.dump(), Not(HasSubstr("\"command\"")));
    EXPECT_FALSE(document["shrunk"].contains("file"));
    EXPECT_EQ(document["sentences"], kept["sentences"]);
    EXPECT_EQ(kept["shrunk"]["file"], "small.json");
    EXPECT_THAT(folder.files(), testing::ElementsAre("small.json"));
}

TEST(Explain, TakesThePromiseThatItIsAskedFor) {
    const TemporaryFolder folder;
    const Finished finished =
        run_program({.arguments = {"explain", "no-reply-key", "--promise", "work_is_executed_once"},
                     .folder = folder.path()});
    EXPECT_THAT(finished.out, HasSubstr("work_is_executed_once breaks"));
}

TEST(Explain, RefusesAPromiseThatThereIsNot) {
    const Finished finished =
        run_program({.arguments = {"explain", "no-reply-key", "--promise", "no_run_lots"}});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("no_run_lost"));
}

TEST(Explain, DoesNotWriteOverTheCaseThatItExplains) {
    const TemporaryFolder folder;
    run_program(
        {.arguments = {"explain", "ack-never", "--out", "case.json"}, .folder = folder.path()});
    const Finished finished = run_program(
        {.arguments = {"explain", "case.json", "--out", "case.json"}, .folder = folder.path()});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("written over"));
}

TEST(Explain, MakesAShrunkCaseNoSmaller) {
    const TemporaryFolder folder;
    run_program(
        {.arguments = {"explain", "ack-never", "--out", "case.json"}, .folder = folder.path()});
    const Json again = Json::parse(
        run_program({.arguments = {"explain", "case.json", "--out", "again.json", "--json"},
                     .folder = folder.path()})
            .out);
    EXPECT_EQ(again["shrunk"]["before"], again["shrunk"]["after"]);
}

TEST(Replay, LeavesOutTheFaultsThatItIsTold) {
    const Json trial = Json::parse(
        run_program({.arguments = {"replay", "pool-leaks", "--without-fault", "1", "--json"}}).out);
    EXPECT_EQ(trial["faults"].size(), 1u);
    const Finished none =
        run_program({.arguments = {"replay", "pool-leaks", "--without-fault", "3"}});
    EXPECT_EQ(none.exit_code, 64);
    EXPECT_THAT(none.err, HasSubstr("the plan has 2 faults"));
}

TEST(Replay, TakesAnotherFutureAfterAStep) {
    const auto trial = [](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"replay", "crash-before-xack", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return Json::parse(run_program({.arguments = arguments}).out);
    };
    const Json whole = trial({});
    const Json calm = trial({"--branch-after", "40"});
    const Json other = trial({"--branch-after", "40", "--branch-seed", "2"});

    for (std::size_t step = 0; step < 40; ++step) {
        EXPECT_EQ(whole["steps"][step], calm["steps"][step]);
        EXPECT_EQ(whole["steps"][step], other["steps"][step]);
    }
    EXPECT_EQ(whole["totals"]["executions"], 4);
    EXPECT_EQ(calm["totals"]["executions"], 3);  // The crash lapsed.
    EXPECT_NE(calm["fingerprint"], other["fingerprint"]);
}

TEST(Replay, RefusesToBranchAfterAStepThatThereIsNot) {
    const Finished finished =
        run_program({.arguments = {"replay", "crash-before-xack", "--branch-after", "100000"}});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err,
                HasSubstr("--branch-after: found '100000', allowed is a step from 1"));
}

}  // namespace
}  // namespace redeliver::cli
