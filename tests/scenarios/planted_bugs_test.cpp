// The catalogue of mistakes, and letting strategies look for them.

#include "scenarios/bugs/planted_bug.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "scenarios/explore/bug_bench.h"
#include "scenarios/explore/hunt.h"
#include "scenarios/explore/hunters.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/json/codec.h"
#include "tests/source_root.h"

namespace redeliver::scenarios {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const PlantedBug& bug_named(std::string_view name) {
    return *std::ranges::find(planted_bugs(), name, &PlantedBug::name);
}

/// A catalogue of one bug in the base two-messages, whose members are these.
std::vector<PlantedBug> read_one(const std::string& members) {
    const std::string text = R"({"bugs": [{"name": "b", "mistake": "A mistake.", )" + members +
                             R"(, "breaks": "no_run_lost", "needs": "one_fault"}]})";
    return read_planted_bugs(text, "bugs.json", bug_bases());
}

std::string complaint_of(const std::string& members) {
    try {
        read_one(members);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "none";
}

TEST(PlantedBugs, AreFiftyAtLeast) { EXPECT_GE(planted_bugs().size(), 50u); }

TEST(PlantedBugs, DifferFromTheRightSystemInOneValue) {
    for (const PlantedBug& bug : planted_bugs()) {
        const std::vector<Knob> right = knobs_of(bug.right);
        const std::vector<Knob> wrong = knobs_of(bug.wrong);
        ASSERT_EQ(right.size(), wrong.size());
        std::vector<std::string> differing;
        for (std::size_t knob = 0; knob < right.size(); ++knob)
            if (right[knob].value != wrong[knob].value) differing.push_back(right[knob].path);
        EXPECT_THAT(differing, ElementsAre(bug.planted.substr(0, bug.planted.find('='))))
            << bug.name;

        Scenario repaired = bug.wrong;
        apply_setting(repaired, bug.taken_back);
        EXPECT_EQ(write_scenario(repaired), write_scenario(bug.right)) << bug.name;
    }
}

TEST(PlantedBugs, SayTheMistakeInOneSentence) {
    for (const PlantedBug& bug : planted_bugs()) {
        EXPECT_EQ(std::ranges::count(bug.mistake, '.'), 1) << bug.name;
        EXPECT_TRUE(bug.mistake.ends_with('.')) << bug.name;
    }
}

TEST(PlantedBugs, AreSmall) {
    for (const PlantedBug& bug : planted_bugs()) {
        EXPECT_LE(bug.right.workload.messages.size(), 4u) << bug.name;
        EXPECT_EQ(bug.right.workload.runs, 0u) << bug.name;
        EXPECT_TRUE(bug.right.faults.pinned.empty()) << bug.name;
    }
}

TEST(PlantedBugs, MustChangeOneValueOfTheSystem) {
    EXPECT_THAT(complaint_of(R"("base": "two-messages", "set": "worker.claim=abandoned_first")"),
                HasSubstr("/bugs/0/set: found 'worker.claim=abandoned_first', which is what the "
                          "right system has"));
    EXPECT_THAT(complaint_of(R"("base": "two-messages", "set": "quiet=90s")"),
                HasSubstr("/bugs/0/set: found 'quiet=90s', wanted is a policy"));
    EXPECT_THAT(complaint_of(R"("base": "two-messages", "set": "worker.claim=nver")"),
                HasSubstr("'never'"));
    EXPECT_THAT(
        complaint_of(R"("base": "two-messages", "given": ["worker"], "set": "worker.batch=2")"),
        HasSubstr("/bugs/0/given"));
}

TEST(PlantedBugs, NameABaseThereIs) {
    EXPECT_THAT(complaint_of(R"("base": "two-massages", "set": "worker.batch=2")"),
                HasSubstr("two-messages"));
    EXPECT_THAT(complaint_of(R"("set": "worker.batch=2")"), HasSubstr("base"));
}

TEST(PlantedBugs, HaveDifferentNames) {
    const std::string bug = R"({"name": "b", "mistake": "A mistake.", "base": "two-messages", )"
                            R"("set": "worker.batch=2", "breaks": "no_run_lost", )"
                            R"("needs": "one_fault"})";
    const std::string text = R"({"bugs": [)" + bug + ", " + bug + "]}";
    EXPECT_THROW(read_planted_bugs(text, "bugs.json", bug_bases()), BadInput);
}

TEST(Hunt, EndsAtTheFirstCaseThatTheRightSystemStands) {
    const PlantedBug& bug = bug_named("ack-before-work");
    TrialRunner runner;
    const auto strategy = find_hunter("enumerate-1")->strategy(bug.wrong, 1);

    const HuntResult hunted = hunt(runner, bug, *strategy, 10'000);

    ASSERT_TRUE(hunted.found);
    EXPECT_EQ(hunted.found->plan.faults.size(), 1u);
    EXPECT_TRUE(shows(runner, bug, *hunted.found));
    Case repaired = *hunted.found;
    apply_setting(repaired.scenario, bug.taken_back);
    EXPECT_FALSE(shows(runner, bug, repaired));
}

TEST(Hunt, TakesNothingThatBreaksEitherWay) {
    // Without anybody who publishes again, a gateway that dies loses runs in both systems.
    PlantedBug harmless = bug_named("no-republisher");
    harmless.right = harmless.wrong;
    harmless.taken_back = harmless.planted;
    TrialRunner runner;
    const auto strategy = find_hunter("random")->strategy(harmless.wrong, 1);

    const HuntResult hunted = hunt(runner, harmless, *strategy, 300);

    EXPECT_EQ(hunted.trials, 300u);
    EXPECT_FALSE(hunted.found);
}

TEST(Hunt, CountsTheAttemptsInWhichABugShows) {
    const PlantedBug& bug = bug_named("ack-never");
    TrialRunner runner;
    const auto calm = fault_free_seeds(bug.wrong, 1);
    EXPECT_EQ(count_shown(runner, bug, *calm, 20).shown, 20u);
    const PlantedBug& hidden = bug_named("ack-before-work");
    const auto calm_again = fault_free_seeds(hidden.wrong, 1);
    EXPECT_EQ(count_shown(runner, hidden, *calm_again, 20).shown, 0u);
}

TEST(Hunt, CountsWhatBreaksEitherWayApart) {
    PlantedBug harmless = bug_named("ack-never");
    harmless.taken_back = harmless.planted;
    TrialRunner runner;
    const auto calm = fault_free_seeds(harmless.wrong, 1);
    const Counted counted = count_shown(runner, harmless, *calm, 20);
    EXPECT_EQ(counted.shown, 0u);
    EXPECT_EQ(counted.broken, 20u);
}

BugBench benched(const PlantedBug& bug, std::uint32_t jobs) {
    return bench_bugs({.bugs = {&bug},
                       .hunters = {find_hunter("random"), find_hunter("enumerate-1")},
                       .repeats = 2,
                       .trials = 500,
                       .counted_seeds = 50,
                       .jobs = jobs});
}

TEST(BugBench, IsTheSameWhateverTheNumberOfJobs) {
    const PlantedBug& bug = bug_named("ack-before-work");
    const BugBench one = benched(bug, 1);
    const BugBench two = benched(bug, 2);
    ASSERT_EQ(one.bugs.front().huntings.size(), 2u);
    for (std::size_t hunter = 0; hunter < 2; ++hunter) {
        const Hunting& alone = one.bugs.front().huntings[hunter];
        const Hunting& together = two.bugs.front().huntings[hunter];
        EXPECT_GT(alone.median_trials, 0u);
        EXPECT_EQ(alone.median_trials, together.median_trials);
        EXPECT_EQ(alone.small->steps, together.small->steps);
    }
    EXPECT_GT(one.bugs.front().shown_at_random, 0u);
    EXPECT_EQ(one.bugs.front().shown_at_random, two.bugs.front().shown_at_random);
}

TEST(BugBench, HoldsTheCatalogueToItsWord) {
    PlantedBug bug = bug_named("ack-before-work");
    EXPECT_THAT(benched(bug, 1).bugs.front().complaints, ElementsAre());

    bug.needs = Needs::two_faults;
    EXPECT_THAT(benched(bug, 1).bugs.front().complaints, ElementsAre("shows with a single fault"));
    bug.needs = Needs::no_fault;
    EXPECT_THAT(benched(bug, 1).bugs.front().complaints,
                ElementsAre("shows without faults in 0 seeds only"));

    PlantedBug free = bug_named("ack-never");
    free.needs = Needs::schedule;
    EXPECT_THAT(benched(free, 1).bugs.front().complaints,
                ElementsAre("shows without faults in 50 seeds: no rare order"));
    EXPECT_FALSE(benched(free, 1).is_as_it_should_be());
}

TEST(BugBench, SaysWhatNobodyFound) {
    PlantedBug harmless = bug_named("ack-before-work");
    harmless.taken_back = harmless.planted;
    EXPECT_THAT(benched(harmless, 1).bugs.front().complaints,
                ElementsAre("was not found", "was not found by every single fault"));
}

/// `one fault`, as the page says it.
std::string needs_text(Needs needs) {
    switch (needs) {
    case Needs::no_fault: return "no fault";
    case Needs::one_fault: return "one fault";
    case Needs::two_faults: return "two faults";
    case Needs::schedule: return "schedule";
    }
    return "?";
}

TEST(PlantedBugs, AreAllOnTheirPage) {
    std::ostringstream page;
    page << std::ifstream(house::source_root() / "docs/planted-bugs.md").rdbuf();
    for (const PlantedBug& bug : planted_bugs()) {
        EXPECT_THAT(page.str(), HasSubstr("| `" + bug.name + "` | `" + bug.breaks + "` | " +
                                          needs_text(bug.needs) + " |"));
        EXPECT_THAT(page.str(), HasSubstr(bug.mistake));
    }
    const auto rows = std::ranges::count(page.str(), '\n');
    EXPECT_GT(rows, static_cast<std::ptrdiff_t>(planted_bugs().size()));
}

}  // namespace
}  // namespace redeliver::scenarios
