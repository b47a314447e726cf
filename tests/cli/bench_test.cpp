#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;

const std::vector<std::string> one_bug = {"bench",     "--bugs", "--only", "ack-before-work",
                                          "--repeats", "2",      "--jobs", "1",
                                          "--trials",  "500"};

std::vector<std::string> one_bug_with(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = one_bug;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Bench, ShowsWhatEachStrategyTook) {
    const Finished finished = run_program({.arguments = one_bug});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out, AllOf(HasSubstr("ack-before-work"), HasSubstr("one fault"),
                                    HasSubstr("enumerate-1"), HasSubstr("1 of 1 bug found")));
}

TEST(Bench, KeepsACaseThatReplaysAndThatTheRightSystemStands) {
    const TemporaryFolder folder;
    run_program({.arguments = one_bug_with({"--out", "found"}), .folder = folder.path()});
    EXPECT_THAT(folder.files(),
                IsSupersetOf({"found/ack-before-work/case.json", "found/report.json"}));
    const std::vector<std::string> replay = {"replay", "found/ack-before-work/case.json", "--json"};
    const auto verdict = [&](const std::vector<std::string>& arguments) {
        const Json document =
            Json::parse(run_program({.arguments = arguments, .folder = folder.path()}).out);
        for (const Json& promise : document["verdicts"])
            if (promise["promise"] == "no_run_lost") return promise["verdict"].get<std::string>();
        return std::string("not judged");
    };
    EXPECT_EQ(verdict(replay), "violated");
    std::vector<std::string> repaired = replay;
    repaired.insert(repaired.end(), {"--set", "worker.acknowledge=after_work"});
    EXPECT_EQ(verdict(repaired), "holds");
}

TEST(Bench, AsMarkdownIsAPage) {
    const Finished finished = run_program({.arguments = one_bug_with({"--markdown"})});
    EXPECT_THAT(finished.out,
                HasSubstr("\n| bug | breaks | needs | random | swarm | priority | mutate | "
                          "enumerate-1 |"));
    EXPECT_THAT(finished.out, AllOf(HasSubstr("| `ack-before-work` | `no_run_lost` | one fault |"),
                                    HasSubstr(" ms | ")));
}

TEST(Bench, WithoutAFindEndsWithOne) {
    // The first seed shows nothing.
    const Finished finished =
        run_program({.arguments = {"bench", "--bugs", "--only", "check-then-insert", "--strategy",
                                   "random", "--trials", "1", "--repeats", "1", "--jobs", "1"}});
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_THAT(finished.out, HasSubstr("check-then-insert was not found"));
}

}  // namespace
}  // namespace redeliver::cli
