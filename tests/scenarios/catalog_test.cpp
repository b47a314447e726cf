#include "scenarios/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/parse.h"
#include "scenarios/json/pointer.h"
#include "scenarios/json/value.h"

namespace redeliver::scenarios {
namespace {

using json::Value;
using testing::Contains;
using testing::IsEmpty;
using testing::IsSupersetOf;

/// Every value of a story but those in which a mistake and its repaired twin may differ, by JSON
/// pointer.
void flatten(const Value& value, const std::string& pointer,
             std::map<std::string, std::string>& all) {
    if (value.children.empty()) all[pointer] = json::describe(value);
    std::size_t index = 0;
    for (const Value& child : value.children)
        flatten(child,
                pointer + (value.kind == Value::Kind::list ? json::pointer_token(index++)
                                                           : json::pointer_token(child.key)),
                all);
}

std::map<std::string, std::string> values_of(const Scenario& scenario) {
    Value whole = json::parse(write_scenario(scenario), scenario.name);
    std::erase_if(whole.children, [](const Value& member) {
        static const std::set<std::string> own = {"name", "story", "expect", "repaired_by",
                                                  "seeds"};
        return own.contains(member.key);
    });
    std::map<std::string, std::string> all;
    flatten(whole, "", all);
    return all;
}

std::vector<std::string> differing_pointers(const Scenario& one, const Scenario& other) {
    const auto ours = values_of(one);
    const auto theirs = values_of(other);
    std::vector<std::string> differing;
    for (const auto& [pointer, value] : ours) {
        const auto found = theirs.find(pointer);
        if (found == theirs.end() || found->second != value) differing.push_back(pointer);
    }
    for (const auto& [pointer, value] : theirs)
        if (!ours.contains(pointer)) differing.push_back(pointer);
    return differing;
}

TEST(Catalogue, HasTheStoriesThatOthersReferTo) {
    for (const char* const name :
         {"lab-check", "crash-before-xack", "ack-before-work", "no-reply-key",
          "poison-to-dead-letter", "order-breaks-in-a-group", "standard", "long"})
        EXPECT_TRUE(find_story(name)) << name;
    EXPECT_FALSE(find_story("crash-before-xak"));
    EXPECT_GE(story_names().size(), 25u);
}

TEST(Catalogue, TellsEachStoryInOneToThreeSentences) {
    for (const Scenario& story : all_stories()) {
        const auto sentences = std::ranges::count(story.story, '.');
        EXPECT_TRUE(story.story.ends_with('.')) << story.name;
        EXPECT_GE(sentences, 1) << story.name;
        EXPECT_LE(story.story.size(), 260u) << story.name;
    }
}

TEST(Catalogue, ExpectsSomethingOfEveryStory) {
    for (const Scenario& story : all_stories())
        EXPECT_FALSE(story.expect.holds.empty() && story.expect.breaks.empty()) << story.name;
}

TEST(Catalogue, GivesEveryMistakeATwinThatDiffersInOneValueOnly) {
    for (const Scenario& story : all_stories()) {
        if (!story.repaired_by) {
            EXPECT_THAT(story.expect.breaks, IsEmpty()) << story.name << " is never repaired";
            continue;
        }
        const auto twin = find_story(story.repaired_by->scenario);
        ASSERT_TRUE(twin) << story.name;
        for (const std::string& pointer : differing_pointers(story, *twin))
            // A distribution is one value, however it is written.
            EXPECT_TRUE(pointer == story.repaired_by->differs ||
                        pointer.starts_with(story.repaired_by->differs + "/"))
                << story.name << " and " << twin->name << " differ in " << pointer;
        EXPECT_THAT(differing_pointers(story, *twin), testing::Not(IsEmpty())) << story.name;
    }
}

TEST(Catalogue, LetsTheTwinKeepWhatTheMistakeBreaks) {
    for (const Scenario& story : all_stories()) {
        if (!story.repaired_by) continue;
        EXPECT_THAT(find_story(story.repaired_by->scenario)->expect.holds,
                    IsSupersetOf(story.expect.breaks))
            << story.name;
    }
}

TEST(Catalogue, FiresItsPinnedFaults) {
    TrialRunner runner;
    for (const Scenario& story : all_stories()) {
        if (story.faults.pinned.empty()) continue;
        const Plan plan = plan_of(runner, story, 1);
        const TrialResult result = runner.run(story, plan, 1, Level::fingerprint);
        EXPECT_LT(result.inert_faults.size(), story.faults.pinned.size()) << story.name;
    }
}

/// The frozen stories are for measuring; `redeliver run` tries them at length.
TEST(Catalogue, ComesOutAsExpected) {
    for (const Scenario& story : all_stories()) {
        if (story.name == "standard" || story.name == "long") continue;
        const StoryResult result = run_story(story, {.seeds = std::min(story.seeds, 20u)});
        for (const SurpriseReport& surprise : result.surprises)
            ADD_FAILURE() << story.name << ": " << surprise.name << " (" << surprise.detail << ")";
    }
}

}  // namespace
}  // namespace redeliver::scenarios
