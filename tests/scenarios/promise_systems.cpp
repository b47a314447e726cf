#include "tests/scenarios/promise_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/json/codec.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios::promises {

namespace {

using sim::Point;

std::uint64_t below(std::uint64_t limit) {
    return *rc::gen::inRange<std::uint64_t>(0, std::max<std::uint64_t>(limit, 1));
}

Duration up_to(Duration longest) {
    return Duration{static_cast<std::int64_t>(below(static_cast<std::uint64_t>(longest.count())))};
}

/// What keeps second replies out where neither a unique key nor a conditional change of the status
/// does.
void guard_replies_without_a_key(System& system) {
    system.worker.deduplicate = *rc::gen::element(Deduplicate::processed_messages,
                                                  Deduplicate::state_machine, Deduplicate::lease);
    system.worker.lease_time = *rc::gen::element<Duration>(1s, 8s, 20s);
    system.worker.status_changes = StatusChanges::unconditional;
    system.database.unique_reply = UniqueKey::absent;
}

System sound_policies() {
    System system;
    system.users.count = *rc::gen::inRange(1u, 4u);
    system.gateway.count = *rc::gen::inRange(1u, 3u);
    system.gateway.trim = *rc::gen::element(TrimPolicy::never, TrimPolicy::maxlen_exact,
                                            TrimPolicy::maxlen_approximate);
    Worker& worker = system.worker;
    worker.count = *rc::gen::inRange(1u, 4u);
    worker.claim = *rc::gen::element(ClaimPolicy::abandoned_first, ClaimPolicy::fresh_first);
    worker.idle_threshold = *rc::gen::element<Duration>(10s, 30s);
    worker.batch = *rc::gen::inRange(1u, 11u);
    worker.block = *rc::gen::element<Duration>(1s, 5s);
    worker.deduplicate =
        *rc::gen::element(Deduplicate::unique_reply, Deduplicate::check_then_insert);
    if (below(2) == 0) guard_replies_without_a_key(system);
    worker.short_circuit = *rc::gen::element(ShortCircuit::skip_done, ShortCircuit::always_work);
    worker.consumer_names = *rc::gen::element(ConsumerNames::stable, ConsumerNames::random);
    worker.on_start = *rc::gen::element(OnStart::nothing, OnStart::own_history);
    system.republisher.republish =
        *rc::gen::element(Republish::by_age_when_idle, Republish::by_age,
                          Republish::unfinished_by_age, Republish::by_age_when_read);
    system.pruner.prune = *rc::gen::element(Prune::never, Prune::idle_without_pending);
    system.broker.appendfsync =
        *rc::gen::element(Appendfsync::always, Appendfsync::everysec, Appendfsync::no);
    return system;
}

sim::What for_whoever_acts() {
    const Duration lasts = up_to(5s);
    switch (below(3)) {
    case 0: return sim::Crash{.restart_after = lasts};
    case 1: return sim::Pause{lasts};
    default: return sim::Drop{};
    }
}

sim::What for_a_server(bool is_broker) {
    const Duration lasts = up_to(3s);
    switch (below(is_broker ? 3 : 1)) {
    case 0: return sim::Crash{.restart_after = lasts};
    case 1: return sim::Crash{.of = sim::CrashOf::machine, .restart_after = lasts};
    default: return sim::Failover{up_to(500ms)};
    }
}

sim::What at_an_instant(const std::string& server) {
    switch (below(4)) {
    case 0: return sim::Reset{};
    case 1: return sim::Partition{.to = server, .lasts = up_to(5s)};
    case 2: return sim::Slow{.percent = *rc::gen::inRange(200u, 900u), .lasts = up_to(5s)};
    default: return sim::ClockStep{up_to(10s) - 5s};
    }
}

sim::Fault timed_fault(const Scenario& scenario, const AddressBook& book) {
    const std::string server = *rc::gen::element<std::string>("redis", "postgres");
    const sim::What what = at_an_instant(server);
    const bool is_of_server = std::holds_alternative<sim::ClockStep>(what);
    const std::string worker = "worker-" + std::to_string(1 + below(scenario.system.worker.count));
    return {sim::AtInstant{sim::Instant{up_to(book.end.time_since_epoch())}}, what,
            is_of_server ? server : worker};
}

sim::Fault fault_at_a_step(const Scenario& scenario, const AddressBook& book) {
    static const std::vector<sim::Series> series = model::run_series();
    const std::vector<std::string> names = node_names(scenario);
    const AddressEntry& entry = book.entries[below(book.entries.size())];
    const bool is_work = entry.server == sim::NodeId::none;
    const sim::Subject subject = entry.address.subject;
    sim::AtStep step{
        .operation =
            std::string{model::text(static_cast<model::Operation>(entry.address.operation))},
        .subject = model::is_run(subject) ? *sim::subject_text(series, subject)
                                          : names[sim::number_of(subject)],
        .occurrence = entry.address.occurrence};
    const bool is_servers = !is_work && entry.server <= database_node && below(2) == 1;
    if (is_servers) {
        step.point = *rc::gen::element(Point::before_apply, Point::after_apply);
        return {step, for_a_server(entry.server == broker_node),
                names[static_cast<std::size_t>(entry.server)]};
    }
    if (is_work) {
        step.point = *rc::gen::element(Point::start, Point::middle, Point::end);
        return {step, sim::Crash{.restart_after = up_to(5s)}};
    }
    const sim::What what = for_whoever_acts();
    step.point = std::holds_alternative<sim::Drop>(what)
                     ? *rc::gen::element(Point::before_send, Point::after_apply)
                     : *rc::gen::element(Point::before_send, Point::before_apply,
                                         Point::after_apply, Point::after_reply);
    return {step, what};
}

}  // namespace

Scenario sound_system() {
    Scenario scenario;
    scenario.name = "generated";
    scenario.story = "Whatever a correct system may be.";
    scenario.system = sound_policies();
    Workload& workload = scenario.workload;
    workload.runs = *rc::gen::inRange(3u, 9u);
    workload.sessions = *rc::gen::inRange(1u, 4u);
    workload.duplicates = *rc::gen::inRange(0u, 2u);
    // A killer is set aside after ten deliveries, each of which waits for the idle threshold.
    scenario.quiet = 600s;
    // What a loss has forgotten cannot be kept; it is counted.
    scenario.expect.excuse = properties::Terms::Excuse::forgotten;
    return scenario;
}

Plan faulty_plan(const Scenario& scenario, std::uint64_t seed, std::size_t least,
                 std::size_t most) {
    const AddressBook book = TrialRunner().address_book(scenario, seed);
    Plan plan{.messages = draw_messages(scenario, seed), .faults = {}};
    const std::size_t count = least + below(most - least + 1);
    while (plan.faults.size() < count)
        plan.faults.push_back(below(4) == 0 ? timed_fault(scenario, book)
                                            : fault_at_a_step(scenario, book));
    return plan;
}

properties::Verdict judge(std::string_view promise, const Scenario& scenario, const Plan& plan,
                          std::uint64_t seed) {
    const TrialResult result = TrialRunner().run(scenario, plan, seed, Level::ledger);
    return std::ranges::find(result.verdicts, promise, &PromiseVerdict::name)->verdict;
}

void require(std::string_view promise, const Scenario& scenario, const Plan& plan,
             std::uint64_t seed) {
    const properties::Verdict verdict = judge(promise, scenario, plan, seed);
    if (verdict.holds != properties::Holds::violated) return;
    const TrialResult result = TrialRunner().run(scenario, plan, seed, Level::everything);
    const std::string file = case_file(promise);
    std::ofstream(file) << write_case(make_case(scenario, plan, seed, result));
    const std::string subject = result.recording->text(verdict.subject);
    RC_FAIL(std::string{promise} + " broke with seed " + std::to_string(seed) + ": " + subject +
            " " + verdict.evidence + "\nreplay it with: redeliver replay " + file);
}

std::string case_file(std::string_view promise) {
    return testing::TempDir() + "promise-" + std::string{promise} + ".json";
}

}  // namespace redeliver::scenarios::promises
