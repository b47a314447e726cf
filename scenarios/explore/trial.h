#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/database/snapshot.h"
#include "model/redis/snapshot.h"
#include "properties/property.h"
#include "properties/verdict.h"
#include "scenarios/case.h"
#include "scenarios/node_names.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"
#include "sim/happenings.h"
#include "sim/names.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// How much of a trial is kept. The fingerprint is the same at every level.
enum class Level : std::uint8_t {
    fingerprint,  ///< nothing but the hashes: no promise is judged
    ledger,       ///< promises, totals and rare paths
    everything,   ///< the steps as well, with the texts to read them
    branchings    ///< and a digest of the state at each branching point of a schedule
};

/// The steps of a trial and the texts of their numbers.
struct Recording {
    properties::History steps;
    std::vector<std::string> names;       ///< By sim::Name, from 1; [0] is empty.
    std::vector<std::string> nodes;       ///< By sim::NodeId.
    std::vector<Role> roles = {};         ///< Of the nodes.
    std::vector<std::string> operations;  ///< By sim::OperationKind.
    std::vector<sim::Series> series;

    std::string_view text(sim::Name name) const;
    /// `worker-1`; `the world` for none.
    std::string_view text(sim::NodeId node) const;
    Role role(sim::NodeId node) const;
    /// `run-6`, or a node's name; empty for none.
    std::string text(sim::Subject subject) const;
};

struct PromiseVerdict {
    std::string_view name;  ///< Of properties::promises(): outlives everything.
    properties::Verdict verdict;
};

struct ReachedPath {
    std::string_view name;  ///< Of properties::rare_paths().
    std::uint64_t count = 0;
};

/// A total of the ledger, such as `replies`.
struct Total {
    std::string_view name;
    std::uint64_t value = 0;
};

/// What a trial came to.
struct TrialResult {
    std::uint64_t fingerprint = 0;
    std::uint64_t behaviour = 0;
    sim::Ending ending = sim::Ending::settled;
    sim::Instant end{};
    std::uint64_t events = 0;
    std::uint32_t steps = 0;
    std::vector<PromiseVerdict> verdicts;  ///< In the order of properties::promises().
    std::vector<ReachedPath> reached;      ///< All rare paths, in their order.
    std::vector<Total> totals;             ///< In the order of the ledger.
    /// What was not taken in the default order, for a plan with a schedule: a schedule of these
    /// does the same. Then how many steps there were that could be exchanged.
    std::vector<sim::Pick> picks;
    std::uint32_t scheduled_steps = 0;
    /// Level branchings only; with states from the last pick of the plan on.
    std::vector<sim::Scheduler::Branching> branchings;
    std::vector<std::uint32_t> inert_faults;  ///< Positions in the plan of faults that never fired.
    /// Of those that fired and because of which the state was otherwise.
    std::vector<std::uint32_t> effective_faults;
    std::vector<std::uint32_t> step_hashes;  ///< As in Case; level everything only.
    std::vector<std::uint32_t> checkpoints;
    std::unique_ptr<Recording> recording;  ///< Level everything only.
};

/// All tables at one moment.
struct StateSnapshot {
    sim::StepNumber after = sim::no_step;  ///< The step whose effects are in.
    sim::Instant at{};
    model::redis::Snapshot broker;
    model::database::Snapshot database;
};

/// The state before and after one step, to mark what it changed.
struct StateChange {
    StateSnapshot before;
    StateSnapshot after;
    sim::Step step;
    Recording texts;  ///< Without steps.
};

/// What is there when a trial has ended, read from the models and the users and from no step.
struct FinalState {
    model::redis::Snapshot broker;
    model::database::Snapshot database;
    std::vector<sim::Subject> told;  ///< Ids that users read in gateways' answers, in that order.
};

/// Where a trial leaves its plan and its seed: after a step it goes on without what is left of the
/// faults, and with what this seed draws.
struct Branch {
    sim::StepNumber after = sim::no_step;
    std::uint64_t seed = 1;
};

class ChatWorld;
class Counterpart;
class Witness;

/// Runs trials one after the other in one thread, and keeps between them what is costly to make:
/// stacks, tables, folds.
class TrialRunner {
public:
    TrialRunner();
    ~TrialRunner();
    TrialRunner(TrialRunner&&) noexcept;

    /// From now on, trials of `run` end inconclusively after so many events. See CappedTrials.
    void cap(std::uint64_t events);

    /// Throws sim::PlanError for a fault that names what the scenario does not have.
    TrialResult run(const Scenario& scenario, const Plan& plan, std::uint64_t seed, Level level);

    /// As `run`, but it takes another future after a step; as `run` if it has no such step.
    TrialResult run_branch(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                           const Branch& branch, Level level);

    /// The tables around a step; nothing when the trial has no such step.
    std::optional<StateChange> state_at(const Scenario& scenario, const Plan& plan,
                                        std::uint64_t seed, sim::StepNumber step);

    /// Shows the tables of a trial: once before its first step, then after each step with which a
    /// server may have changed something. `texts` is without steps and names.
    using StateVisitor = std::function<void(const StateSnapshot&, const Recording& texts)>;
    void visit_states(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                      const StateVisitor& visit);

    /// What a trial leaves behind. Throws sim::PlanError as `run` does.
    FinalState final_state(const Scenario& scenario, const Plan& plan, std::uint64_t seed);

    /// As `run` with every promise judged, but the actors talk to a real broker.
    TrialResult run_against(Counterpart& broker, const Scenario& scenario, const Plan& plan,
                            std::uint64_t seed);

    /// As `run` with every promise judged; the witness hears what the database is sent.
    TrialResult run_before(Witness& witness, const Scenario& scenario, const Plan& plan,
                           std::uint64_t seed);

    /// The operations of a trial without faults.
    AddressBook address_book(const Scenario& scenario, std::uint64_t seed);

private:
    struct Kept;
    TrialResult run(ChatWorld& chat, const Scenario& scenario, const Plan& plan, Level level);

    std::unique_ptr<Kept> kept_;
};

/// While it lives, trials of a runner end inconclusively after so many events: for whoever tries
/// variations of a system, some of which never come to rest.
class CappedTrials {
public:
    CappedTrials(TrialRunner& runner, std::uint64_t events) : runner_(runner) {
        runner_.cap(events);
    }
    ~CappedTrials() { runner_.cap(sim::World::Budget{}.events); }
    CappedTrials(const CappedTrials&) = delete;
    CappedTrials& operator=(const CappedTrials&) = delete;

private:
    TrialRunner& runner_;
};

/// The case of a trial: what a file needs to replay it.
Case make_case(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
               const TrialResult& result);

/// Where a replayed trial first differs from what a case recorded; nothing if it does not.
struct Divergence {
    sim::StepNumber first = sim::no_step;  ///< The step, or the last step known to agree plus one.
    bool is_exact = true;                  ///< False when only a checkpoint disagreed.
};
std::optional<Divergence> compare(const Case& recorded, const TrialResult& replayed);

}  // namespace redeliver::scenarios
