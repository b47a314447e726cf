// The ledger is folded from the steps. Here what is there at the end of a trial is counted without
// them, in the tables, the streams, the pending lists and the users' notes, and must be the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/database/chat_schema.h"
#include "properties/ledger.h"
#include "properties/reconcile.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/services/broker_client.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

namespace chat = model::database::chat;
using properties::FinalFacts;
using testing::IsEmpty;

sim::Subject run_in(const model::database::Snapshot::Row& row, model::database::ColumnId column) {
    return sim::Subject{
        static_cast<std::uint32_t>(row[static_cast<std::size_t>(column)].integer())};
}

model::Status status_in(const model::database::Snapshot::Row& row) {
    switch (
        static_cast<chat::RunStatus>(row[static_cast<std::size_t>(chat::run::status)].integer())) {
    case chat::RunStatus::pending: return model::Status::pending;
    case chat::RunStatus::running: return model::Status::running;
    case chat::RunStatus::done: return model::Status::done;
    case chat::RunStatus::failed: return model::Status::failed;
    }
    return model::Status::none;
}

/// The label without the bit that marks a dead letter.
sim::Subject run_of_label(std::uint64_t label) {
    return sim::Subject{static_cast<std::uint32_t>(label)};
}

FinalFacts facts_of(const FinalState& state) {
    FinalFacts facts{.told = state.told};
    const auto& tables = state.database.tables;
    for (const auto& row : tables[static_cast<std::size_t>(chat::runs)].rows)
        facts.runs.push_back({run_in(row, chat::run::run_id), status_in(row)});
    for (const auto& row : tables[static_cast<std::size_t>(chat::messages)].rows)
        facts.replies.push_back(run_in(row, chat::message::run_id));
    for (const auto& [key, stream] : state.broker.streams) {
        auto& entries = key == keys::dead ? facts.dead_letters : facts.stream;
        for (const auto& entry : stream.entries) entries.push_back(run_of_label(entry.label));
        for (const auto& group : stream.groups)
            for (const auto& row : group.pending) facts.pending.push_back(run_of_label(row.label));
    }
    return facts;
}

properties::Ledger ledger_of(const TrialResult& result) {
    properties::Ledger ledger;
    for (const sim::Step& step : result.recording->steps) ledger.observe(step);
    return ledger;
}

/// Where the facts of a trial and its ledger differ, with the trial's name.
std::vector<std::string> differences(TrialRunner& runner, const Scenario& scenario,
                                     std::uint64_t seed) {
    const Plan plan = plan_of(runner, scenario, seed);
    const properties::Ledger ledger =
        ledger_of(runner.run(scenario, plan, seed, Level::everything));
    const FinalFacts facts = facts_of(runner.final_state(scenario, plan, seed));
    std::vector<std::string> lines = properties::disagreements(facts, ledger);
    if (lines.empty() && properties::reckon(facts) != properties::reckon(ledger))
        lines.push_back("the sums differ");
    for (std::string& line : lines)
        line = scenario.name + " seed " + std::to_string(seed) + ": " + line;
    return lines;
}

TEST(TrialReconciliation, FindsInTheTablesWhatTheLedgerSaysForEveryStory) {
    TrialRunner runner;
    for (const Scenario& story : all_stories())
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            if (story.name == "long" && seed > 1) continue;
            EXPECT_THAT(differences(runner, story, seed), IsEmpty());
        }
}

TEST(TrialReconciliation, HoldsForTheStandardStoryUnderEveryKindOfFault) {
    TrialRunner runner;
    const Scenario standard = *find_story("standard");
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        EXPECT_THAT(differences(runner, standard, seed), IsEmpty());
}

TEST(TrialReconciliation, CountsALostRunInTheTablesAlone) {
    Scenario scenario = worlds::calm(1, 2);
    scenario.system.worker.acknowledge = AcknowledgePolicy::before_work;
    scenario.faults.pinned = {
        worlds::crash_at(model::Operation::work, "run-2", sim::Point::middle)};
    TrialRunner runner;
    const Plan plan = plan_of(runner, scenario, 1);

    const auto found = properties::reckon(facts_of(runner.final_state(scenario, plan, 1)));

    EXPECT_EQ(found, (properties::Reckoning{.lost = 1, .rows = 2, .replies = 1, .entries = 2}));
}

TEST(TrialReconciliation, CountsADuplicatedReplyInTheTablesAlone) {
    Scenario scenario = worlds::calm(2, 1);
    scenario.system.worker.deduplicate = Deduplicate::none;
    scenario.system.worker.status_changes = StatusChanges::unconditional;
    scenario.system.worker.short_circuit = ShortCircuit::always_work;
    scenario.system.database.unique_reply = UniqueKey::absent;
    scenario.faults.pinned = {
        worlds::crash_at(model::Operation::xack, "run-1", sim::Point::before_send)};
    TrialRunner runner;
    const Plan plan = plan_of(runner, scenario, 1);

    const auto found = properties::reckon(facts_of(runner.final_state(scenario, plan, 1)));

    EXPECT_EQ(found,
              (properties::Reckoning{.duplicated = 1, .rows = 1, .replies = 2, .entries = 1}));
}

TEST(TrialReconciliation, LeavesTheFingerprintAsItIs) {
    TrialRunner runner;
    const Scenario story = *find_story("standard");
    const Plan plan = plan_of(runner, story, 4);
    const std::uint64_t before = runner.run(story, plan, 4, Level::ledger).fingerprint;
    runner.final_state(story, plan, 4);
    EXPECT_EQ(runner.run(story, plan, 4, Level::ledger).fingerprint, before);
}

}  // namespace
}  // namespace redeliver::scenarios
