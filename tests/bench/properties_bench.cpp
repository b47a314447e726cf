// What judging costs: ledger, promises and rare paths over the steps of a trial like `standard`.

#include <benchmark/benchmark.h>

#include <vector>

#include "model/operations.h"
#include "model/steps.h"
#include "model/subjects.h"
#include "properties/jury.h"
#include "properties/ledger.h"
#include "properties/rare_paths.h"
#include "sim/recorder.h"

namespace redeliver::properties {
namespace {

using model::Operation;
using sim::Name;
using sim::NodeId;
using sim::Step;
using sim::Subject;

constexpr NodeId user{0}, gateway{1}, broker{2}, database{3}, first_worker{5};
constexpr Name runs_stream{1}, dead_stream{2}, workers_group{3}, reason{4};

/// Writes down a trial as the simulated system would: each request with its sending, answer and
/// arrival, each run with its whole biography.
class Scribe {
public:
    History steps;

    template <sim::Payload P>
    void note(NodeId actor, Subject subject, const P& what) {
        Step step;
        step.at = sim::at(std::chrono::milliseconds{steps.size()});
        step.number = static_cast<sim::StepNumber>(steps.size() + 1);
        step.actor = actor;
        step.subject = subject;
        step.carry(what);
        steps.push_back(step);
    }

    template <class Effect>
    void request(NodeId client, NodeId server, Subject subject, Operation operation,
                 Effect effect) {
        const auto kind = model::number(operation);
        note(client, subject, sim::Sent{.operation = kind, .server = server, .occurrence = 1});
        effect();
        note(server, subject,
             sim::Replied{.operation = kind, .client = client, .occurrence = 1, .content = 7});
        note(client, subject, sim::Arrived{.operation = kind, .server = server, .occurrence = 1});
    }
    void request(NodeId client, NodeId server, Subject subject, Operation operation) {
        request(client, server, subject, operation, [] {});
    }
};

NodeId worker(std::uint32_t number) {
    return NodeId{
        static_cast<std::uint16_t>(static_cast<std::uint16_t>(first_worker) + number % 3)};
}
Name consumer(NodeId node) { return Name{10 + static_cast<std::uint32_t>(node)}; }

void submit(Scribe& scribe, std::uint32_t number, model::Content content) {
    const Subject run = model::run_of(number);
    scribe.note(
        user, run,
        model::Submitted{.attempt = 1, .session = number % 4, .content = content, .failures = 0});
    scribe.request(user, gateway, run, Operation::submit, [&] {
        scribe.request(gateway, database, run, Operation::insert_run, [&] {
            scribe.note(gateway, run, model::Accepted{.intention = run, .session = number % 4});
        });
        scribe.request(gateway, broker, run, Operation::xadd, [&] {
            scribe.note(gateway, run, model::Added{.entry = {number, 0, runs_stream}});
        });
    });
    scribe.note(user, run,
                model::Answered{.run = run, .attempt = 1, .answer = model::Answer::accepted});
}

void poll(Scribe& scribe, NodeId node) {
    scribe.request(node, broker, sim::subject_of(node), Operation::xautoclaim);
}

void work(Scribe& scribe, std::uint32_t number, NodeId node, std::uint32_t delivery,
          model::WorkResult result) {
    const Subject run = model::run_of(number);
    scribe.request(node, database, run, Operation::select_run);
    scribe.note(node, run, model::WorkStarted{.consumer = consumer(node), .execution = delivery});
    scribe.note(
        node, run,
        model::WorkFinished{.consumer = consumer(node), .execution = delivery, .result = result});
}

void store_and_acknowledge(Scribe& scribe, std::uint32_t number, NodeId node) {
    const Subject run = model::run_of(number);
    scribe.request(node, database, run, Operation::begin);
    scribe.request(node, database, run, Operation::mark_done);
    scribe.request(node, database, run, Operation::insert_reply);
    scribe.request(node, database, run, Operation::commit, [&] {
        scribe.note(
            node, run,
            model::StatusChanged{
                .from = model::Status::pending, .to = model::Status::done, .reason = Name::none});
        scribe.note(node, run, model::ReplyStored{.seq = 1, .session = number % 4});
    });
    scribe.request(node, broker, run, Operation::xack, [&] {
        scribe.note(node, run,
                    model::Acknowledged{.entry = {number, 0, runs_stream},
                                        .group = workers_group,
                                        .owner = consumer(node),
                                        .delivery_count = 1});
    });
}

void read_new(Scribe& scribe, std::uint32_t number, NodeId node) {
    scribe.request(node, broker, sim::subject_of(node), Operation::xreadgroup, [&] {
        scribe.note(node, model::run_of(number),
                    model::Delivered{.entry = {number, 0, runs_stream},
                                     .group = workers_group,
                                     .consumer = consumer(node),
                                     .delivery_count = 1});
    });
}

void claim(Scribe& scribe, std::uint32_t number, NodeId from, NodeId to, std::uint32_t delivery) {
    scribe.request(to, broker, sim::subject_of(to), Operation::xautoclaim, [&] {
        scribe.note(to, model::run_of(number),
                    model::Claimed{.entry = {number, 0, runs_stream},
                                   .from = consumer(from),
                                   .to = consumer(to),
                                   .delivery_count = delivery,
                                   .idle_time_ms = 30'000});
    });
}

/// A crash after the work: another worker claims the entry and does it again.
void crash_and_recover(Scribe& scribe, std::uint32_t number) {
    const NodeId dead = worker(number);
    const NodeId heir = worker(number + 1);
    scribe.note(dead, sim::subject_of(dead), sim::Crashed{.of = sim::CrashOf::process});
    scribe.note(dead, sim::subject_of(dead), sim::Restarted{});
    claim(scribe, number, dead, heir, 2);
    work(scribe, number, heir, 2, model::WorkResult::succeeded);
    store_and_acknowledge(scribe, number, heir);
}

void fail_thrice(Scribe& scribe, std::uint32_t number) {
    const Subject run = model::run_of(number);
    for (std::uint32_t delivery = 2; delivery <= 3; ++delivery) {
        claim(scribe, number, worker(number), worker(number), delivery);
        work(scribe, number, worker(number), delivery, model::WorkResult::failed);
        scribe.note(worker(number), run,
                    model::Judged{.delivery_count = delivery,
                                  .threshold = 3,
                                  .as = delivery < 3 ? model::Judged::As::healthy
                                                     : model::Judged::As::poison});
    }
    scribe.note(worker(number), run,
                model::StatusChanged{
                    .from = model::Status::pending, .to = model::Status::failed, .reason = reason});
    scribe.note(worker(number), run, model::DeadLettered{.entry = {number, 0, dead_stream}});
    scribe.note(worker(number), run,
                model::Acknowledged{.entry = {number, 0, runs_stream},
                                    .group = workers_group,
                                    .owner = consumer(worker(number)),
                                    .delivery_count = 3});
}

/// One run in twelve is poison, one meets a crash.
History trial(std::uint32_t runs) {
    Scribe scribe;
    for (std::uint32_t number = 1; number <= runs; ++number) {
        const bool is_poison = number % 12 == 5;
        submit(scribe, number, is_poison ? model::Content::poison : model::Content::healthy);
        poll(scribe, worker(number));
        read_new(scribe, number, worker(number));
        work(scribe, number, worker(number), 1,
             is_poison ? model::WorkResult::failed : model::WorkResult::succeeded);
        if (is_poison) {
            fail_thrice(scribe, number);
        } else if (number % 12 == 7) {
            crash_and_recover(scribe, number);
        } else {
            store_and_acknowledge(scribe, number, worker(number));
        }
    }
    return scribe.steps;
}

/// Hands each step to a sink that wants its kind, as a recorder does.
void show(const History& steps, sim::StepSink& sink, sim::KindMask kinds) {
    for (const Step& step : steps)
        if (((kinds >> step.kind) & 1) != 0) sink.observe(step);
}

void report(benchmark::State& state, const History& steps) {
    const auto shown = static_cast<std::int64_t>(steps.size());
    state.SetItemsProcessed(state.iterations() * shown);
    state.counters["steps"] = static_cast<double>(shown);
    state.counters["time_per_step"] =
        benchmark::Counter(static_cast<double>(state.iterations() * shown),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

Jury all_promises() {
    Jury jury;
    for (const PromiseInfo& info : promises()) jury.add(make_property(info.name, {}));
    return jury;
}

void judge_with_ledger(benchmark::State& state) {
    const History steps = trial(static_cast<std::uint32_t>(state.range(0)));
    Ledger ledger;
    for (auto _ : state) {
        ledger.clear();
        show(steps, ledger, Ledger::kinds);
        benchmark::DoNotOptimize(ledger.totals());
    }
    report(state, steps);
}

void judge_with_rare_paths(benchmark::State& state) {
    const History steps = trial(static_cast<std::uint32_t>(state.range(0)));
    RarePaths paths;
    for (auto _ : state) {
        paths.start({.broker = broker, .database = database});
        show(steps, paths, RarePaths::kinds);
        benchmark::DoNotOptimize(paths.counts());
    }
    report(state, steps);
}

void judge_with_all_promises(benchmark::State& state) {
    const History steps = trial(static_cast<std::uint32_t>(state.range(0)));
    Jury jury = all_promises();
    for (auto _ : state) {
        jury.reset();
        show(steps, jury, Jury::observes());
        benchmark::DoNotOptimize(jury.conclude(sim::Ending::settled));
    }
    report(state, steps);
}

/// Whatever a trial at ledger level pays for being judged.
void judge_with_everything(benchmark::State& state) {
    const History steps = trial(static_cast<std::uint32_t>(state.range(0)));
    Ledger ledger;
    RarePaths paths;
    Jury jury = all_promises();
    for (auto _ : state) {
        ledger.clear();
        paths.start({.broker = broker, .database = database});
        jury.reset();
        show(steps, ledger, Ledger::kinds);
        show(steps, paths, RarePaths::kinds);
        show(steps, jury, Jury::observes());
        benchmark::DoNotOptimize(ledger.totals());
        benchmark::DoNotOptimize(jury.conclude(sim::Ending::settled));
    }
    report(state, steps);
}

BENCHMARK(judge_with_ledger)->Arg(12)->Arg(100'000);
BENCHMARK(judge_with_rare_paths)->Arg(12)->Arg(100'000);
BENCHMARK(judge_with_all_promises)->Arg(12)->Arg(100'000);
BENCHMARK(judge_with_everything)->Arg(12)->Arg(100'000);

}  // namespace
}  // namespace redeliver::properties
