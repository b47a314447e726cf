// `redeliver report` is judged by what it writes, and its commands are carried out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Report : public testing::Test {
protected:
    Finished report(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "report");
        return run_program({.arguments = arguments, .folder = folder_.path()});
    }

    Json replay(const std::string& command) const {
        std::istringstream in(command);
        std::vector<std::string> words;
        for (std::string word; in >> word;) words.push_back(word);
        EXPECT_EQ(words.at(0), "redeliver");
        words.erase(words.begin());
        words.emplace_back("--json");
        return Json::parse(run_program({.arguments = words, .folder = folder_.path()}).out);
    }

    Json head(const std::string& trace) const {
        const std::string text = text_of(folder_.path() / trace);
        return Json::parse(text.substr(0, text.find('\n')));
    }

    std::string text(const std::string& file) const { return text_of(folder_.path() / file); }
    const TemporaryFolder& folder() const { return folder_; }

private:
    TemporaryFolder folder_;
};

TEST_F(Report, WritesThePageTheTraceAndTheCase) {
    const Finished finished = report({"crash-before-xack", "--out", "page"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.out, "page/case.json\npage/trace.jsonl\npage/report.html\n");
    EXPECT_THAT(folder().files(),
                ElementsAre("page/case.json", "page/report.html", "page/trace.jsonl"));
}

TEST_F(Report, OfATraceIsThatOfItsCase) {
    report({"crash-before-xack", "--out", "one", "--format", "html,json"});
    const Finished finished =
        report({"one/trace.jsonl", "--out", "other", "--format", "json,html"});
    EXPECT_EQ(finished.out, "other/trace.json\nother/report.html\n") << finished.err;
    EXPECT_EQ(text("other/report.html"), text("one/report.html"));
    EXPECT_EQ(text("other/trace.json"), text("one/trace.json"));
}

TEST_F(Report, OfACaseIsOfTheTrialThatItHolds) {
    report({"order-breaks-in-a-group", "--seed", "3", "--out", "one"});
    report({"one/case.json", "--out", "other"});
    EXPECT_EQ(head("other/trace.jsonl")["fingerprint"], head("one/trace.jsonl")["fingerprint"]);
    EXPECT_EQ(head("one/trace.jsonl")["seed"], 3);
}

TEST_F(Report, KeepsNeighboursThatWereReallyRun) {
    report({"crash-before-xack", "--out", "page"});
    const Json neighbours = head("page/trace.jsonl")["neighbours"];
    EXPECT_GE(neighbours.size(), 20u);
    EXPECT_LE(neighbours.size(), 60u);
    std::size_t kept = 0;
    for (std::size_t each = 0; each < neighbours.size(); each += 7) {
        const Json trial = replay(neighbours[each]["command"]);
        for (const Json& verdict : trial["verdicts"])
            EXPECT_EQ(neighbours[each]["verdicts"][verdict["promise"]], verdict["verdict"])
                << neighbours[each]["title"];
        EXPECT_EQ(neighbours[each]["totals"]["executions"], trial["totals"]["executions"]);
        EXPECT_EQ(neighbours[each]["steps"], trial["steps"].size());
        if (neighbours[each]["verdicts"]["work_is_executed_once"] == "holds") ++kept;
    }
    EXPECT_GT(kept, 0u) << "turning a knob changes the verdict";
}

TEST_F(Report, SaysOfEachFaultWhetherItIsNeeded) {
    report({"crash-before-xack", "--out", "page"});
    const Json fault = head("page/trace.jsonl")["faults"][0];
    EXPECT_EQ(fault["need"], "needed");
    const Json without = replay(fault["command"]);
    for (const Json& verdict : without["verdicts"]) {
        if (verdict["promise"] != "work_is_executed_once") continue;
        EXPECT_EQ(verdict["verdict"], "holds");
    }
}

TEST_F(Report, OfATrialInWhichNothingBreaksExplainsNothing) {
    report({"standard", "--out", "page"});
    EXPECT_FALSE(head("page/trace.jsonl").contains("explanation"));
}

TEST_F(Report, RefusesWhatItCannotUse) {
    report({"tiny", "--out", "page"});
    const auto refused = [&](const std::vector<std::string>& arguments) {
        const Finished finished = report(arguments);
        EXPECT_EQ(finished.exit_code, 64);
        EXPECT_EQ(finished.out, "");
        return finished.err;
    };
    EXPECT_THAT(refused({"tiny", "--out", "x", "--format", "pdf"}),
                AllOf(HasSubstr("--format: found 'pdf'"), HasSubstr("'html'")));
    EXPECT_THAT(refused({"page/trace.jsonl", "--out", "x", "--seed", "3"}),
                HasSubstr("page/trace.jsonl is a trace"));
    EXPECT_THAT(refused({"page/case.json", "--out", "x", "--seed", "3"}),
                HasSubstr("holds its own seed"));
    EXPECT_THAT(refused({"nothing.jsonl", "--out", "x"}), HasSubstr("nothing.jsonl"));
    EXPECT_THAT(refused({"page/case.json", "--out", ""}), HasSubstr("allowed is a folder"));
    EXPECT_THAT(folder().files(), Not(IsSupersetOf({"x/report.html"})));
}

}  // namespace
}  // namespace redeliver::cli
