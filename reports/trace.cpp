#include "reports/trace.h"

#include <algorithm>

#include "model/subjects.h"
#include "properties/ledger.h"
#include "properties/rare_paths.h"
#include "reports/describe.h"
#include "reports/document_words.h"
#include "reports/faults.h"
#include "reports/plain_tables.h"
#include "reports/sentences.h"
#include "reports/words.h"
#include "scenarios/build_info.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/node_names.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;
using sim::Step;

std::int64_t microseconds(sim::Instant instant) { return instant.time_since_epoch().count(); }

std::string_view word(Mark mark) {
    switch (mark) {
    case Mark::none: return "";
    case Mark::crash: return "crash";
    case Mark::restart: return "restart";
    case Mark::pause: return "pause";
    case Mark::resume: return "resume";
    case Mark::lost: return "lost";
    case Mark::partition: return "partition";
    case Mark::heal: return "heal";
    case Mark::claim: return "claim";
    case Mark::stored: return "stored";
    case Mark::absorbed: return "absorbed";
    case Mark::forgot: return "forgot";
    case Mark::set_aside: return "set_aside";
    case Mark::broken: return "broken";
    }
    return "";
}

std::string_view word(model::Content content) {
    switch (content) {
    case model::Content::healthy: return "healthy";
    case model::Content::poison: return "poison";
    case model::Content::killer: return "killer";
    case model::Content::flaky: return "flaky";
    }
    return "";
}

std::string_view word(model::Status status) {
    switch (status) {
    case model::Status::none: return "none";
    case model::Status::pending: return "pending";
    case model::Status::running: return "running";
    case model::Status::done: return "done";
    case model::Status::failed: return "failed";
    }
    return "";
}

// ------------------------------------------------------------------ steps

std::string peer_of(const Recording& recording, const Step& step) {
    const auto text = [&](sim::NodeId node) { return std::string(recording.text(node)); };
    if (const auto* const sent = step.as<sim::Sent>()) return text(sent->server);
    if (const auto* const replied = step.as<sim::Replied>()) return text(replied->client);
    if (const auto* const arrived = step.as<sim::Arrived>()) return text(arrived->server);
    if (const auto* const lost = step.as<sim::Lost>()) return text(lost->server);
    if (const auto* const refused = step.as<sim::Refused>()) return text(refused->server);
    if (const auto* const dropped = step.as<sim::Dropped>()) return text(dropped->receiver);
    if (const auto* const reset = step.as<sim::ConnectionReset>()) return text(reset->server);
    if (const auto* const cut = step.as<sim::Partitioned>()) return text(cut->to);
    if (const auto* const healed = step.as<sim::PartitionHealed>()) return text(healed->to);
    if (const auto* const nobody = step.as<sim::AnsweredNobody>()) return text(nobody->client);
    return {};
}

std::string entry_text(const model::EntryKey& entry) {
    return std::to_string(entry.ms) + "-" + std::to_string(entry.seq);
}

std::optional<TraceDelivery> delivery_of(const Recording& recording, const Step& step) {
    const auto text = [&](sim::Name name) { return std::string(recording.text(name)); };
    if (const auto* const given = step.as<model::Delivered>())
        return TraceDelivery{entry_text(given->entry), text(given->consumer), "",
                             given->delivery_count};
    if (const auto* const read = step.as<model::Reread>())
        return TraceDelivery{entry_text(read->entry), text(read->consumer), "",
                             read->delivery_count};
    if (const auto* const claimed = step.as<model::Claimed>())
        return TraceDelivery{entry_text(claimed->entry), text(claimed->to), text(claimed->from),
                             claimed->delivery_count, claimed->idle_time_ms};
    if (const auto* const done = step.as<model::Acknowledged>())
        return TraceDelivery{entry_text(done->entry), text(done->owner), "", done->delivery_count};
    return {};
}

std::uint32_t execution_of(const Step& step) {
    if (const auto* const started = step.as<model::WorkStarted>()) return started->execution;
    if (const auto* const finished = step.as<model::WorkFinished>()) return finished->execution;
    return 0;
}

// ------------------------------------------------------------------ tables

const PlainTable* find_table(const std::vector<PlainTable>& tables, const std::string& title) {
    const auto found = std::ranges::find(tables, title, &PlainTable::title);
    return found == tables.end() ? nullptr : &*found;
}

/// Both are sorted in the same way, by a first cell that is unique.
std::vector<RowChange> row_changes(const PlainTable& before, const PlainTable& after) {
    using Kind = RowChange::Kind;
    const auto has = [](const PlainTable& table, const std::string& key) {
        return std::ranges::any_of(table.rows, [&](const auto& row) { return row.front() == key; });
    };
    std::vector<RowChange> changes;
    std::uint32_t place = 0;
    auto old = before.rows.begin();
    const auto erase_gone = [&] {
        for (; old != before.rows.end() && !has(after, old->front()); ++old)
            changes.push_back({Kind::erase, place, {}});
    };
    for (const auto& row : after.rows) {
        erase_gone();
        if (old != before.rows.end() && old->front() == row.front()) {
            if (*old != row) changes.push_back({Kind::replace, place, row});
            ++old;
        } else {
            changes.push_back({Kind::insert, place, row});
        }
        ++place;
    }
    erase_gone();
    return changes;
}

std::vector<TableChange> table_changes(const std::vector<PlainTable>& before,
                                       const std::vector<PlainTable>& after) {
    using Kind = TableChange::Kind;
    std::vector<TableChange> changes;
    for (const PlainTable& table : before)
        if (find_table(after, table.title) == nullptr)
            changes.push_back(
                {.kind = Kind::drop, .title = table.title, .columns = {}, .rows = {}});
    for (std::uint32_t place = 0; place < after.size(); ++place) {
        const PlainTable& table = after[place];
        const PlainTable* const was = find_table(before, table.title);
        TableChange change{
            .kind = was == nullptr ? Kind::create : Kind::change,
            .title = table.title,
            .place = was == nullptr ? place : 0,
            .columns = {},
            .rows =
                row_changes(was == nullptr ? PlainTable{table.title, table.columns} : *was, table)};
        if (was == nullptr)
            for (const auto& column : table.columns) change.columns.push_back(column.name);
        if (was == nullptr || !change.rows.empty()) changes.push_back(std::move(change));
    }
    return changes;
}

void add_tables(scenarios::TrialRunner& runner, const Trial& trial, Trace& trace) {
    std::vector<PlainTable> before;
    runner.visit_states(trial.scenario, trial.plan, trial.seed,
                        [&](const scenarios::StateSnapshot& state, const Recording& texts) {
                            std::vector<PlainTable> after = plain_tables(state, texts, Idle::since);
                            auto& changes = state.after == sim::no_step
                                                ? trace.tables
                                                : trace.steps.at(state.after - 1).tables;
                            changes = table_changes(before, after);
                            before = std::move(after);
                        });
}

/// How the broker's clock goes, from what was done to it.
std::vector<TraceClock> clock_of_broker(const Recording& recording) {
    const auto drifted = [](std::int64_t at, std::int64_t ppm) {
        const std::int64_t scaled = at * ppm;
        return scaled >= 0 ? scaled / 1'000'000 : -((999'999 - scaled) / 1'000'000);
    };
    std::vector<TraceClock> clock = {{}};
    for (const Step& step : recording.steps) {
        if (step.actor != scenarios::broker_node) continue;
        TraceClock next = clock.back();
        next.from = step.number;
        const std::int64_t at = microseconds(step.at);
        if (const auto* const stepped = step.as<sim::ClockStepped>()) {
            next.ahead_us += stepped->by;
        } else if (const auto* const disturbed = step.as<sim::Disturbed>()) {
            using What = sim::Disturbed::What;
            if (disturbed->what == What::clock_drift) {
                next.gains_ppm = disturbed->amount;
            } else if (disturbed->what == What::drift_over) {
                next.gains_ppm = 0;
            } else {
                continue;
            }
            // It goes on from where it is.
            next.ahead_us += drifted(at, clock.back().gains_ppm) - drifted(at, next.gains_ppm);
        } else {
            continue;
        }
        clock.push_back(next);
    }
    return clock;
}

// ------------------------------------------------------------------ what came of it

TracePromise promise_of(const Trial& trial, const scenarios::PromiseVerdict& each,
                        const std::optional<WhyBroken>& why) {
    const Recording& recording = *trial.result.recording;
    const properties::Verdict& verdict = each.verdict;
    TracePromise promise{
        .name = std::string(each.name),
        .sentence = "",
        .expected = std::string(document_word(expectation_of(trial.scenario, each.name))),
        .verdict = std::string(properties::text(verdict.holds)),
        .excused = verdict.excused,
        .subject = "",
        .evidence = "",
        .why = {}};
    for (const properties::PromiseInfo& info : properties::promises())
        if (info.name == each.name) promise.sentence = info.promise;
    if (verdict.holds != properties::Holds::violated) return promise;
    promise.step = verdict.step;
    promise.at_us = microseconds(verdict.at);
    promise.subject = recording.text(verdict.subject);
    promise.evidence = verdict.evidence;
    const bool is_explained = why && why->promise == each.name;
    const scenarios::Explanation nothing;
    for (const Sentence& sentence :
         sentences(trial, each, is_explained ? why->explanation : nothing))
        promise.why.push_back({sentence.step, microseconds(sentence.at), sentence.text});
    return promise;
}

TraceRun run_of(const Recording& recording, const properties::Ledger& ledger, sim::Subject run,
                const properties::Biography& life) {
    const properties::Intention* const intention = ledger.find_intention(run);
    TraceRun result{.run = recording.text(run),
                    .intention = recording.text(life.intention),
                    .session = life.session,
                    .content = intention == nullptr ? "" : std::string(word(intention->content)),
                    .status = std::string(word(life.status)),
                    .reason = std::string(recording.text(life.reason)),
                    .accepted = life.was_accepted,
                    .told = life.was_told,
                    .forgotten = life.was_forgotten,
                    .counts = {}};
    result.counts = {{"attempts", intention == nullptr ? 0 : intention->attempts},
                     {"replies", life.replies},
                     {"effects", life.effects},
                     {"absorbed", life.absorbed},
                     {"executions", life.executions},
                     {"failures", life.failures},
                     {"publications", life.publications},
                     {"deliveries", life.deliveries},
                     {"claims", life.claims},
                     {"acknowledgements", life.acknowledgements},
                     {"dead_letters", life.dead_letters},
                     {"removals", life.removals},
                     {"dropped", life.dropped}};
    return result;
}

void add_runs(const Recording& recording, Trace& trace) {
    properties::Ledger ledger;
    for (const Step& step : recording.steps) ledger.observe(step);
    ledger.for_each([&](sim::Subject run, const properties::Biography& life) {
        // Numbers that no run has are blank.
        const properties::Intention* const intention = ledger.find_intention(run);
        const bool is_blank = !life.was_accepted && life.publications + life.deliveries == 0 &&
                              (intention == nullptr || intention->attempts == 0);
        if (!is_blank) trace.runs.push_back(run_of(recording, ledger, run, life));
    });
}

std::string_view word(scenarios::Role role) {
    using scenarios::Role;
    switch (role) {
    case Role::broker: return "broker";
    case Role::database: return "database";
    case Role::gateway: return "gateway";
    case Role::worker: return "worker";
    case Role::user: return "user";
    case Role::republisher: return "republisher";
    case Role::pruner: return "pruner";
    case Role::relay: return "relay";
    case Role::nobody: return "nobody";
    }
    return "";
}

}  // namespace

TraceStep trace_step(const Recording& recording, const Step& step) {
    Line line = describe(recording, step);
    const auto* const fired = step.as<sim::FaultFired>();
    return {.number = step.number,
            .at_us = microseconds(step.at),
            .kind = std::string(model::kind_text(step.kind)),
            .actor = step.actor == sim::NodeId::none ? "" : std::string(recording.text(step.actor)),
            .incarnation = step.incarnation,
            .subject = recording.text(step.subject),
            .cause = step.cause,
            .previous = step.previous,
            .mark = std::string(word(line.mark)),
            .what = std::move(line.what),
            .about = std::move(line.about),
            .how = std::move(line.detail),
            .peer = peer_of(recording, step),
            .fault = fired == nullptr ? 0 : fired->fault + 1,
            .execution = execution_of(step),
            .is_shown = is_shown(recording, step),
            .delivery = delivery_of(recording, step),
            .tables = {}};
}

const TracePromise* Trace::first_broken() const {
    const TracePromise* first = nullptr;
    for (const TracePromise& promise : promises) {
        if (promise.verdict != "violated" || promise.expected == "nothing") continue;
        const auto rank = [&](const TracePromise& each) {
            const bool is_explained = explanation && explanation->promise == each.name;
            return std::pair(is_explained ? 0 : each.expected == "holds" ? 1 : 2, each.step);
        };
        if (first == nullptr || rank(promise) < rank(*first)) first = &promise;
    }
    return first;
}

Trace trace_of(scenarios::TrialRunner& runner, const Trial& trial,
               const std::optional<WhyBroken>& why) {
    const Recording& recording = *trial.result.recording;
    const scenarios::BuildInfo& build = scenarios::build_info();
    const Judgement judgement = judge(trial);
    Trace trace{.story = trial.scenario.name,
                .sentence = trial.scenario.story,
                .seed = trial.seed,
                .build = std::string(build.version) + " " + std::string(build.commit),
                .fingerprint = trial.result.fingerprint,
                .outcome = std::string(document_word(judgement.outcome)),
                .complaints = judgement.complaints,
                .ending = std::string(document_word(trial.result.ending)),
                .end_us = microseconds(trial.result.end),
                .heal_us = trial.scenario.faults.until.count(),
                .idle_us = trial.scenario.system.worker.idle_threshold.count(),
                .deliveries = trial.scenario.system.worker.poison_threshold,
                .nodes = {},
                .broker_clock = clock_of_broker(recording),
                .faults = {},
                .promises = {},
                .totals = {},
                .runs = {},
                .reached = {},
                .knobs = {},
                .commands = {},
                .explanation = {},
                .neighbours = {},
                .tables = {},
                .steps = {}};
    for (const std::string& node : recording.nodes)
        trace.nodes.push_back({node, std::string(word(role_of(trial.scenario.system, node)))});
    for (std::uint32_t fault = 0; fault < trial.plan.faults.size(); ++fault)
        trace.faults.push_back({.number = fault + 1,
                                .text = fault_text(trial.plan.faults[fault]),
                                .fired = std::ranges::count(trial.result.inert_faults, fault) == 0,
                                .need = "",
                                .command = ""});
    for (const auto& each : trial.result.verdicts)
        trace.promises.push_back(promise_of(trial, each, why));
    for (const auto& total : trial.result.totals)
        trace.totals[std::string(total.name)] = total.value;
    const auto& paths = properties::rare_paths();
    for (std::size_t path = 0; path < paths.size(); ++path)
        trace.reached.push_back({std::string(paths[path].name), std::string(paths[path].meaning),
                                 trial.result.reached[path].count});
    for (const scenarios::Knob& knob : scenarios::knobs_of(trial.scenario)) {
        TraceKnob& added = trace.knobs.emplace_back(TraceKnob{knob.path, knob.value, {}});
        for (const std::string_view each : knob.words) added.words.emplace_back(each);
    }
    for (const Step& step : recording.steps) trace.steps.push_back(trace_step(recording, step));
    add_runs(recording, trace);
    add_tables(runner, trial, trace);
    return trace;
}

}  // namespace redeliver::reports
