// What breaks is shrunk and explained, and the sentences are held against what was found.

#include "reports/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "reports/why.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/explain.h"
#include "scenarios/explore/shrink.h"
#include "scenarios/json/codec.h"
#include "tests/reports/crash_story.h"
#include "tests/source_root.h"

namespace redeliver::reports {
namespace {

using scenarios::Case;
using scenarios::Explanation;
using scenarios::FaultNeed;
using scenarios::Level;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

/// Enough to try every fault and the repair.
constexpr scenarios::ExplainOptions brief = {.trials = 40};

struct Told {
    scenarios::Shrunk shrunk;
    Explanation explanation;
    std::string subject;
    std::vector<Sentence> sentences;
};

/// Nothing where no promise breaks.
std::optional<Told> told(const Case& broken) {
    scenarios::TrialRunner runner;
    auto shrunk = shrink(runner, broken, {.trials = 3'000});
    if (!shrunk) return {};
    const Case& best = shrunk->best;
    Explanation explanation = explain(runner, best, shrunk->breakage, brief);
    const auto result = runner.run(best.scenario, best.plan, best.seed, Level::everything);
    const auto verdict = std::ranges::find(result.verdicts, shrunk->breakage.promise,
                                           &scenarios::PromiseVerdict::name);
    auto all = sentences({best.scenario, best.plan, best.seed, result}, *verdict, explanation);
    std::string subject = result.recording->text(verdict->verdict.subject);
    return Told{*std::move(shrunk), std::move(explanation), std::move(subject), std::move(all)};
}

std::optional<Told> told(std::string_view story) {
    const scenarios::Scenario scenario = scenarios::find_story(story).value();
    scenarios::TrialRunner runner;
    const scenarios::Plan plan = plan_of(runner, scenario, 1);
    return told(make_case(scenario, plan, 1, runner.run(scenario, plan, 1, Level::everything)));
}

bool is_named(std::size_t fault, const std::vector<Sentence>& all) {
    const std::regex name("fault " + std::to_string(fault + 1) + "\\b");
    return std::ranges::any_of(
        all, [&](const Sentence& each) { return std::regex_search(each.text, name); });
}

void expect_an_account(const Told& story) {
    for (std::size_t fault = 0; fault < story.explanation.faults.size(); ++fault)
        EXPECT_TRUE(story.explanation.faults[fault].need == FaultNeed::Need::not_needed ||
                    is_named(fault, story.sentences))
            << "fault " << fault + 1;
    EXPECT_GE(story.sentences.size(), fewest_reasons);
    EXPECT_LE(story.sentences.size(), most_reasons);
    EXPECT_TRUE(std::ranges::is_sorted(story.sentences, {}, &Sentence::at));
    EXPECT_THAT(story.sentences.back().text,
                AllOf(HasSubstr(story.shrunk.breakage.promise), HasSubstr(story.subject)));
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(house::source_root() / "tests" / "cases"))
        names.push_back(entry.path().stem());
    std::ranges::sort(names);
    return names;
}

/// For measuring, or of so many messages that they take long to shrink.
bool is_long(std::string_view story) { return story == "long" || story == "fresh-first-starves"; }

std::vector<std::string> stories() {
    std::vector<std::string> names;
    for (const std::string_view name : scenarios::story_names())
        if (!is_long(name)) names.emplace_back(name);
    return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

class SentencesOfACase : public testing::TestWithParam<std::string> {};

TEST_P(SentencesOfACase, NameEveryFaultThatIsNeededAndTheRunThatBroke) {
    std::stringstream text;
    text
        << std::ifstream(house::source_root() / "tests" / "cases" / (GetParam() + ".json")).rdbuf();
    const auto story = told(scenarios::read_case(text.str(), GetParam()));
    ASSERT_TRUE(story || !GetParam().starts_with("audit-"));
    if (story) expect_an_account(*story);
}

INSTANTIATE_TEST_SUITE_P(Cases, SentencesOfACase, testing::ValuesIn(case_names()), test_name);

class SentencesOfAStory : public testing::TestWithParam<std::string> {};

TEST_P(SentencesOfAStory, NameEveryFaultThatIsNeededAndTheRunThatBroke) {
    if (const auto story = told(GetParam())) expect_an_account(*story);
}

INSTANTIATE_TEST_SUITE_P(Stories, SentencesOfAStory, testing::ValuesIn(stories()), test_name);

auto text_of(const std::string& words) { return Field(&Sentence::text, HasSubstr(words)); }

TEST(Sentences, NameThePolicyWhoseRepairIsTheNearestValueThatPasses) {
    EXPECT_THAT(told("fresh-key-per-retry").value().sentences,
                Contains(text_of("goes by users.retry_key = fresh for run-2; with same the promise "
                                 "holds.")));
}

TEST(Sentences, NameNoPolicyWhereWhatPassesIsNeitherARepairNorUsual) {
    // Of all values only another order of publishing passes, by other instants.
    EXPECT_THAT(told("done-with-reply").value().sentences, Not(Contains(text_of("goes by"))));
}

TEST(Sentences, TellOfTheRunThatWasAnsweredTooEarly) {
    EXPECT_THAT(told("order-breaks-in-a-group").value().sentences,
                testing::IsSupersetOf({text_of("run-2 is accepted"),
                                       text_of("worker-2 stores a reply to run-2"),
                                       text_of("stores a reply to run-1")}));
}

TEST(Sentences, GoBackFromAConnectionThatIsRefusedToTheCrashOfItsServer) {
    EXPECT_THAT(told("publish-lost").value().sentences,
                testing::IsSupersetOf({text_of("gateway-1 crashes"),
                                       text_of("user-1 cannot reach gateway-1 for its submit")}));
}

// ------------------------------------------------------------------ written by hand

TEST(Why, TellsOfAFaultThatNoEdgeLeadsTo) {
    using namespace std::chrono_literals;
    scenarios::Recording r = crash_story();
    const auto fired = add(r, 40s, worker_2, sim::Subject::none, sim::FaultFired{.fault = 1});
    const auto crash = add(r, 40s, worker_2, subject_of(worker_2),
                           sim::Crashed{.of = sim::CrashOf::process}, {.cause = fired});
    const properties::Verdict verdict = broken_at_second_work().verdict;

    EXPECT_THAT(why(r, verdict, {.faults = {1}}), Contains(crash));
    EXPECT_THAT(why(r, verdict, {.faults = {}}), Not(Contains(crash)));
    EXPECT_EQ(first_effect(r, 1), crash);
    EXPECT_EQ(first_effect(r, 2), sim::no_step);
}

}  // namespace
}  // namespace redeliver::reports
