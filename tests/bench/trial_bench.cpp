#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"

// What whole trials cost: `standard` in trials per second, `long` in messages per second.
namespace redeliver::scenarios {
namespace {

void standard(benchmark::State& state) {
    const Scenario scenario = find_story("standard").value();
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 0);
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    for (auto _ : state) {
        ++seed;
        const Plan plan = expand(scenario, book, seed);
        steps += runner.run(scenario, plan, seed, static_cast<Level>(state.range(0))).steps;
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["steps/trial"] =
        static_cast<double>(steps) / static_cast<double>(state.iterations());
}

void long_trial(benchmark::State& state) {
    Scenario scenario = find_story("long").value();
    scenario.system.worker.count = static_cast<std::uint32_t>(state.range(0));
    const Plan plan{.messages = draw_messages(scenario, 1), .faults = {}};
    TrialRunner runner;
    std::uint64_t events = 0;
    for (auto _ : state) events += runner.run(scenario, plan, 1, Level::ledger).events;
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(plan.messages.size()));
    state.counters["events/message"] =
        static_cast<double>(events) /
        static_cast<double>(state.iterations() * static_cast<std::int64_t>(plan.messages.size()));
}

BENCHMARK(standard)
    ->ArgName("level")
    ->Arg(static_cast<int>(Level::fingerprint))
    ->Arg(static_cast<int>(Level::ledger))
    ->Arg(static_cast<int>(Level::everything))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(long_trial)->ArgName("workers")->Arg(8)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace redeliver::scenarios
