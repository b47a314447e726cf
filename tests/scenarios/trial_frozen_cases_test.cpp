// Regressions: every case file in tests/cases/ is replayed, must give its fingerprint, and must
// keep, break and reach what its scenario expects.
//
// After a change that is meant to change fingerprints, freeze them again with
//
//     REDELIVER_FREEZE=1 build/dev/scenarios_tests --gtest_filter='FrozenCases.*'
//
// which replays the plan of each file, still demands the expected verdicts, and writes the file
// with its new hashes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/json/codec.h"
#include "tests/scenarios/trial_worlds.h"
#include "tests/source_root.h"

namespace redeliver::scenarios {
namespace {

namespace fs = std::filesystem;
using properties::Holds;

std::vector<fs::path> case_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(house::source_root() / "tests" / "cases"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

Case read(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return read_case(text.str(), file.filename().string());
}

Holds verdict_of(const TrialResult& result, std::string_view promise) {
    return std::ranges::find(result.verdicts, promise, &PromiseVerdict::name)->verdict.holds;
}

void expect_what_the_scenario_does(const Scenario& scenario, const TrialResult& result) {
    for (const std::string& promise : scenario.expect.holds)
        EXPECT_EQ(verdict_of(result, promise), Holds::holds) << promise;
    for (const std::string& promise : scenario.expect.breaks)
        EXPECT_EQ(verdict_of(result, promise), Holds::violated) << promise;
    for (const std::string& path : scenario.expect.reaches)
        EXPECT_GT(std::ranges::find(result.reached, path, &ReachedPath::name)->count, 0u) << path;
    for (const auto& [name, value] : scenario.expect.totals)
        EXPECT_EQ(std::ranges::find(result.totals, name, &Total::name)->value, value) << name;
}

void freeze(const fs::path& file, const Case& frozen, const TrialResult& result) {
    std::ofstream(file) << write_case(make_case(frozen.scenario, frozen.plan, frozen.seed, result));
}

TEST(FrozenCases, ReplayToTheirFingerprintAndVerdicts) {
    const std::vector<fs::path> files = case_files();
    ASSERT_FALSE(files.empty());
    TrialRunner runner;
    for (const fs::path& file : files) {
        SCOPED_TRACE(file.filename().string());
        const Case frozen = read(file);
        const TrialResult result =
            runner.run(frozen.scenario, frozen.plan, frozen.seed, Level::everything);
        expect_what_the_scenario_does(frozen.scenario, result);
        if (std::getenv("REDELIVER_FREEZE") != nullptr) {
            freeze(file, frozen, result);
            continue;
        }
        const auto divergence = compare(frozen, result);
        EXPECT_FALSE(divergence) << "first at step " << divergence->first;
    }
}

}  // namespace
}  // namespace redeliver::scenarios
