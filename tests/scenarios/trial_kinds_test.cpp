// Every kind of step counts: judged again without the steps of one kind, some trial has another
// total, verdict or rare path; or, for the few kinds that only tell the story, another fingerprint.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "properties/jury.h"
#include "properties/ledger.h"
#include "properties/rare_paths.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/chat_world.h"
#include "scenarios/node_names.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

/// Kinds that nobody judges by: they say how something came about, to readers and to the
/// fingerprint. The last step of all says why a trial ended, which a jury is told separately.
/// `Arrived` ends what a judge of poison has under way, which only a
/// history written by hand shows (tests/properties/poison_is_isolated_test.cpp).
const std::set<sim::StepKind> told_only = {
    sim::FaultFired::kind,     sim::Arrived::kind,   sim::Healed::kind,
    sim::Concluded::kind,      sim::Replied::kind,   sim::PartitionHealed::kind,
    sim::AnsweredNobody::kind, model::Decided::kind, model::ConsumerDeleted::kind};

std::vector<sim::StepKind> all_kinds() {
    std::vector<sim::StepKind> kinds;
    for (sim::StepKind kind = 1; kind <= model::last_kind; ++kind)
        if (!model::kind_text(kind).empty()) kinds.push_back(kind);
    return kinds;
}

/// What can be observed of a trial besides its steps.
struct Observed {
    std::vector<std::uint64_t> totals;
    std::vector<std::uint32_t> paths;
    std::vector<std::pair<properties::Holds, sim::StepNumber>> verdicts;
    std::vector<std::uint32_t> excused;
    bool operator==(const Observed&) const = default;
};

/// Folds histories as a trial does, leaving out the steps of one kind.
class Judge {
public:
    explicit Judge(const Scenario& scenario) {
        const properties::Terms terms = {
            .poison_threshold = scenario.system.worker.poison_threshold,
            .stream_bound = scenario.stream_bound,
            .excuse = scenario.expect.excuse};
        for (const properties::PromiseInfo& promise : properties::promises())
            jury_.add(properties::make_property(promise.name, terms));
    }

    Observed without(std::optional<sim::StepKind> kind, const TrialResult& trial) {
        ledger_.clear();
        paths_.start({.broker = broker_node, .database = database_node});
        jury_.reset();
        for (const sim::Step& step : trial.recording->steps) {
            if (kind == step.kind) continue;
            ledger_.observe(step);
            paths_.observe(step);
            jury_.observe(step);
        }
        return observed(trial.ending);
    }

private:
    Observed observed(sim::Ending ending) {
        Observed seen;
        const properties::Totals totals = ledger_.totals();
        for (const properties::NamedTotal& total : properties::named_totals())
            seen.totals.push_back(totals.*total.value);
        seen.paths.assign(paths_.counts().begin(), paths_.counts().end());
        for (const properties::Verdict& verdict : jury_.conclude(ending)) {
            // What is owed names the last step on its subject, of whatever kind.
            const bool is_done = verdict.breach == properties::Breach::done;
            seen.verdicts.emplace_back(verdict.holds, is_done ? verdict.step : sim::no_step);
            seen.excused.push_back(verdict.excused);
        }
        return seen;
    }

    properties::Ledger ledger_;
    properties::RarePaths paths_;
    properties::Jury jury_;
};

/// Trials of all stories but the long one, which has nothing that the others lack.
class StepKinds : public testing::Test {
protected:
    struct Witness {
        Scenario scenario;
        TrialResult trial;
        std::set<sim::StepKind> kinds;
    };

    static void SetUpTestSuite() {
        witnesses_ = std::make_unique<std::vector<Witness>>();
        TrialRunner runner;
        for (const Scenario& story : all_stories()) {
            if (story.name == "long") continue;
            const std::uint64_t seeds = story.name == "standard" ? 40 : 1;
            for (std::uint64_t seed = 1; seed <= seeds; ++seed)
                add(runner, story, plan_of(runner, story, seed), seed);
        }
        add_overtaken_judges(runner);
    }
    /// Poison that one worker is about to move, or still works on, when another is given it.
    static void add_overtaken_judges(TrialRunner& runner) {
        Scenario story = worlds::calm(2, 1);
        story.workload.messages[0].content = model::Content::poison;
        story.faults.until = 200s;
        sim::AtStep third_work =
            worlds::step_of(model::Operation::work, "run-1", sim::Point::end, 3);
        story.faults.pinned = {{third_work, sim::Pause{40s}}};
        add(runner, story, plan_of(runner, story, 1), 1);
        story.system.worker.idle_threshold = 100ms;
        story.system.worker.block = 100ms;
        story.system.worker.short_circuit = ShortCircuit::always_work;
        story.faults.pinned = {
            worlds::drop_at(model::Operation::exec, "run-1", sim::Point::before_send)};
        add(runner, story, plan_of(runner, story, 1), 1);
    }
    static void TearDownTestSuite() { witnesses_.reset(); }

    static void add(TrialRunner& runner, const Scenario& story, const Plan& plan,
                    std::uint64_t seed) {
        Witness witness{story, runner.run(story, plan, seed, Level::everything), {}};
        for (const sim::Step& step : witness.trial.recording->steps)
            witness.kinds.insert(step.kind);
        witnesses_->push_back(std::move(witness));
    }

    static bool is_missed(sim::StepKind kind) {
        return std::ranges::any_of(*witnesses_, [&](const Witness& witness) {
            if (!witness.kinds.contains(kind)) return false;
            Judge judge(witness.scenario);
            return judge.without({}, witness.trial) != judge.without(kind, witness.trial);
        });
    }

    static std::unique_ptr<std::vector<Witness>> witnesses_;
};
std::unique_ptr<std::vector<StepKinds::Witness>> StepKinds::witnesses_;

TEST_F(StepKinds, AllOccurInTheCatalogue) {
    for (const sim::StepKind kind : all_kinds())
        EXPECT_TRUE(std::ranges::any_of(
            *witnesses_, [&](const Witness& witness) { return witness.kinds.contains(kind); }))
            << "no story has a step " << model::kind_text(kind);
}

TEST_F(StepKinds, AreMissedByTotalsVerdictsOrRarePathsWhenSuppressed) {
    for (const sim::StepKind kind : all_kinds()) {
        if (told_only.contains(kind)) continue;
        EXPECT_TRUE(is_missed(kind)) << "nobody misses " << model::kind_text(kind);
    }
}

/// A kind that is judged by after all does not belong in the list.
TEST_F(StepKinds, AreOnlyToldWhenNobodyJudgesByThem) {
    for (const sim::StepKind kind : told_only)
        EXPECT_FALSE(is_missed(kind)) << model::kind_text(kind) << " is judged by";
}

TEST_F(StepKinds, AllMoveTheFingerprint) {
    for (const Witness& witness : *witnesses_) {
        const auto& hashes = witness.trial.step_hashes;
        for (std::size_t index = 1; index < hashes.size(); ++index)
            if (hashes[index] == hashes[index - 1])
                ADD_FAILURE() << model::kind_text(witness.trial.recording->steps[index].kind)
                              << " left the fingerprint as it was";
    }
}

TEST_F(StepKinds, AreJudgedAsTheTrialJudgedThem) {
    for (const Witness& witness : *witnesses_) {
        const Observed again = Judge(witness.scenario).without({}, witness.trial);
        ASSERT_EQ(again.verdicts.size(), witness.trial.verdicts.size());
        for (std::size_t index = 0; index < again.verdicts.size(); ++index)
            EXPECT_EQ(again.verdicts[index].first, witness.trial.verdicts[index].verdict.holds)
                << witness.scenario.name << ' ' << witness.trial.verdicts[index].name;
        for (std::size_t index = 0; index < again.totals.size(); ++index)
            EXPECT_EQ(again.totals[index], witness.trial.totals[index].value)
                << witness.scenario.name << ' ' << witness.trial.totals[index].name;
    }
}

}  // namespace
}  // namespace redeliver::scenarios
