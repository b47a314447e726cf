#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scenarios/build_info.h"
#include "scenarios/catalog/catalog.h"
#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Help, TeachesWithExamplesAndExitCodes) {
    const Finished finished = run_program({.arguments = {"--help"}});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out,
                AllOf(HasSubstr("redeliver replay crash-before-xack --seed 7"),
                      HasSubstr("Exit codes:"), HasSubstr("70  "), HasSubstr("README.md")));
}

TEST(Help, OfEachCommandExplainsItsOptions) {
    EXPECT_THAT(run_program({.arguments = {"run", "--help"}}).out,
                AllOf(HasSubstr("--seeds"), HasSubstr("--set PATH=VALUE"), HasSubstr("Examples:")));
    EXPECT_THAT(run_program({.arguments = {"replay", "--help"}}).out,
                AllOf(HasSubstr("--at STEP"), HasSubstr("--all"), HasSubstr("marks")));
    EXPECT_EQ(run_program({.arguments = {"list", "--help"}}).exit_code, 0);
    EXPECT_EQ(run_program({.arguments = {"version", "--help"}}).exit_code, 0);
}

TEST(Version, IsTheOneThatCasesRecord) {
    const Finished finished = run_program({.arguments = {"version"}});
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_THAT(finished.out,
                StartsWith("redeliver " + std::string(scenarios::build_info().version)));
    const Json document = Json::parse(run_program({.arguments = {"version", "--json"}}).out);
    EXPECT_EQ(document["compiler"], scenarios::build_info().compiler);
}

TEST(List, ShowsEveryStoryWithItsSentence) {
    const Finished finished = run_program({.arguments = {"list"}});
    EXPECT_EQ(finished.exit_code, 0);
    for (const std::string_view name : scenarios::story_names())
        EXPECT_THAT(finished.out, HasSubstr(std::string(name) + "  "));
    EXPECT_THAT(finished.out, HasSubstr("A worker dies"));
}

TEST(List, AsJsonHoldsEveryStory) {
    const Json document = Json::parse(run_program({.arguments = {"list", "--json"}}).out);
    ASSERT_EQ(document["stories"].size(), scenarios::story_names().size());
    for (const Json& story : document["stories"]) EXPECT_FALSE(story["story"].empty());
}

TEST(List, ShowsTheWordsThatStoriesAreWrittenWith) {
    EXPECT_THAT(run_program({.arguments = {"list", "--promises"}}).out,
                HasSubstr("exactly_one_reply"));
    EXPECT_THAT(run_program({.arguments = {"list", "--paths"}}).out,
                HasSubstr("claimed_from_a_dead_worker"));
    EXPECT_THAT(run_program({.arguments = {"list", "--faults"}}).out,
                HasSubstr("fail_over_broker"));
    const Json document =
        Json::parse(run_program({.arguments = {"list", "--faults", "--json"}}).out);
    EXPECT_EQ(document["faults"].size(), 30u);
}

}  // namespace
}  // namespace redeliver::cli
