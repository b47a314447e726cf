// Every violation in the catalogue can be explained: the edges lead back to a fault or a decision.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "reports/why.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"

namespace redeliver::reports {
namespace {

/// For measuring: it takes long and breaks nothing.
constexpr std::string_view measuring_story = "long";

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, LeadsFromEveryViolationBackToAFaultOrADecision) {
    const scenarios::Scenario scenario = scenarios::find_story(GetParam()).value();
    scenarios::TrialRunner runner;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto result = runner.run(scenario, plan_of(runner, scenario, seed), seed,
                                       scenarios::Level::everything);
        for (const auto& [promise, verdict] : result.verdicts) {
            if (verdict.holds != properties::Holds::violated) continue;
            EXPECT_NE(root_of(*result.recording, verdict), sim::no_step)
                << promise << ", seed " << seed << ", step " << verdict.step;
            const auto told = why(*result.recording, verdict);
            EXPECT_GE(told.size(), fewest_reasons) << promise << ", seed " << seed;
            EXPECT_LE(told.size(), most_reasons) << promise << ", seed " << seed;
        }
    }
}

std::vector<std::string> stories() {
    std::vector<std::string> names;
    for (const std::string_view name : scenarios::story_names())
        if (name != measuring_story) names.emplace_back(name);
    return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Stories, Catalogue, testing::ValuesIn(stories()), test_name);

}  // namespace
}  // namespace redeliver::reports
