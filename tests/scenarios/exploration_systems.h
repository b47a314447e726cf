#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "scenarios/explore/enumeration.h"
#include "scenarios/explore/exploration.h"
#include "tests/scenarios/trial_worlds.h"

/// Systems that explorations are tried on.
namespace redeliver::scenarios::worlds {

/// Two workers who wait for nothing long, so that trials are short.
inline Scenario hasty(std::uint32_t messages) {
    Scenario scenario = calm(2, messages);
    scenario.system.worker.idle_threshold = 3s;
    scenario.system.worker.block = 1s;
    scenario.faults.until = 5s;
    scenario.quiet = 6s;
    return scenario;
}

/// A message of each kind: healthy, submitted twice, flaky, poison, and one that kills its worker.
inline Scenario one_of_each() {
    Scenario scenario = hasty(5);
    scenario.system.worker.killer_threshold = 2;
    auto& messages = scenario.workload.messages;
    messages[1].submissions = 2;
    messages[2].content = Content::flaky;
    messages[2].failures = 1;
    messages[3].content = Content::poison;
    messages[4].content = Content::killer;
    return scenario;
}

/// Reference designs that together use every request that an actor can send.
inline std::vector<Scenario> every_design() {
    std::vector<Scenario> all(6, one_of_each());
    System& housekept = all[0].system;
    housekept.worker.poison_actions = PoisonActions::add_ack_mark;
    housekept.worker.consumer_names = ConsumerNames::random;
    housekept.worker.on_start = OnStart::own_history;
    housekept.republisher = {.republish = Republish::by_age_when_idle, .age = 2s, .interval = 1s};
    housekept.pruner = {.prune = Prune::idle_without_pending, .idle = 2s, .interval = 1s};
    System& marked = all[1].system;
    marked.worker.deduplicate = Deduplicate::processed_after;
    marked.gateway.publish = PublishOrder::outbox;
    System& leased = all[2].system;
    leased.worker.deduplicate = Deduplicate::lease;
    leased.worker.lease_time = 1s;
    System& stepwise = all[3].system;
    stepwise.worker.deduplicate = Deduplicate::state_machine;
    // Longer than the idle threshold: two work on it, and one of them is too late.
    all[3].workload.messages[0].work_time = 5s;
    all[4].system.republisher = {.republish = Republish::by_age, .age = 30s, .interval = 1s};
    all[4].system.worker.deduplicate = Deduplicate::setnx_before_work;
    all[5].system.worker.deduplicate = Deduplicate::check_then_insert;
    return all;
}

inline Exploration explored(const Scenario& scenario, const EnumerationOptions& options,
                            std::uint32_t jobs = 1) {
    const auto strategy = enumerate(scenario, options);
    return explore(scenario, *strategy, {.jobs = jobs});
}

/// A promise that broke, and what kind of step about whom broke it first.
using Breach = std::tuple<std::string_view, sim::StepKind, sim::Subject>;

/// Adds those of a trial whose steps were kept.
inline void add_breaches(const TrialResult& result, std::set<Breach>& breaches) {
    for (const auto& [name, verdict] : result.verdicts) {
        if (verdict.holds != properties::Holds::violated) continue;
        const sim::Step& step = result.recording->steps.at(verdict.step - 1);
        breaches.insert({name, step.kind, step.subject});
    }
}

/// What the attempts of a strategy break, so many of them at most.
inline std::set<Breach> breaches_of(Strategy& strategy, std::optional<std::uint64_t> most = {}) {
    std::set<Breach> breaches;
    TrialRunner runner;
    const Level level = std::max(Level::everything, strategy.level());
    for (std::uint64_t tried = 0; !most || tried < *most; ++tried) {
        const auto attempt = strategy.next();
        if (!attempt) break;
        const TrialResult result =
            runner.run(strategy.scenario(), attempt->plan, attempt->seed, level);
        strategy.learn(*attempt, result);
        add_breaches(result, breaches);
    }
    return breaches;
}

}  // namespace redeliver::scenarios::worlds
