#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstdio>
#include <memory>
#include <queue>
#include <vector>

#include "sim/fiber.h"
#include "sim/world.h"

// What an event of the engine costs: pop, switch to a process, switch back, push. Beside it the
// same with nothing but a binary heap and bare fibers, so that the ratio says what the engine adds.
namespace redeliver::sim {
namespace {

/// Different periods, so that the heap is really used.
Duration period(std::uint32_t process) { return Duration{1000 + process % 97}; }

void bare_loop(benchmark::State& state) {
    namespace context = boost::context;
    struct Due {
        std::int64_t at;
        std::uint64_t sequence;
        std::uint32_t process;
        bool operator<(const Due& other) const {
            return at != other.at ? at > other.at : sequence > other.sequence;
        }
    };
    const auto processes = static_cast<std::uint32_t>(state.range(0));
    StackPool stacks;
    std::vector<std::unique_ptr<Fiber>> fibers;
    std::vector<Fiber*> self(processes);
    bool is_over = false;
    struct Argument {
        Fiber* fiber;
        bool* is_over;
    };
    std::vector<Argument> arguments(processes);
    std::priority_queue<Due> heap;
    std::uint64_t sequence = 0;
    for (std::uint32_t process = 0; process < processes; ++process) {
        fibers.push_back(std::make_unique<Fiber>());
        arguments[process] = {fibers.back().get(), &is_over};
        fibers.back()->start(
            stacks,
            [](void* argument) {
                auto* const own = static_cast<Argument*>(argument);
                while (!*own->is_over) own->fiber->suspend();
            },
            &arguments[process]);
        heap.push({period(process).count(), sequence++, process});
    }
    for (auto _ : state) {
        const Due due = heap.top();
        heap.pop();
        fibers[due.process]->resume();
        heap.push({due.at + period(due.process).count(), sequence++, due.process});
    }
    is_over = true;
    for (auto& fiber : fibers) fiber->resume();
    state.SetItemsProcessed(state.iterations());
}

/// Lets a world run for as many events as one batch has.
class AfterEvents final : public Supervisor {
public:
    AfterEvents(const World& world, std::uint64_t events) : world_(world), events_(events) {}
    std::optional<Ending> ending(Instant) const override {
        if (world_.events() < events_) return {};
        return Ending::settled;
    }

private:
    const World& world_;
    std::uint64_t events_;
};

void engine_event(benchmark::State& state) {
    const auto processes = static_cast<std::uint32_t>(state.range(0));
    constexpr std::uint64_t batch = 1'000'000;
    StackPool stacks;
    for (auto _ : state) {
        state.PauseTiming();
        World::Configuration configuration{.operations = {"none"}, .series = {}, .network = {}};
        auto world = std::make_unique<World>(configuration, stacks);
        const NodeId node = world->add_node({.name = "node"});
        for (std::uint32_t process = 0; process < processes; ++process)
            world->spawn(node, [process](Process& self) {
                while (true) self.sleep_for(period(process));
            });
        // The first wake of each process is not measured.
        state.ResumeTiming();
        world->run(AfterEvents(*world, batch));
        state.PauseTiming();
        world.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

std::size_t resident_bytes() {
    std::size_t pages = 0;
    std::size_t resident = 0;
    if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%zu %zu", &pages, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void memory_per_sleeping_process(benchmark::State& state) {
    const auto processes = static_cast<std::uint32_t>(state.range(0));
    double bytes = 0;
    for (auto _ : state) {
        StackPool stacks;
        const std::size_t before = resident_bytes();
        World::Configuration configuration{.operations = {"none"}, .series = {}, .network = {}};
        World world(configuration, stacks);
        const NodeId node = world.add_node({.name = "node"});
        for (std::uint32_t process = 0; process < processes; ++process)
            world.spawn(node, [process](Process& self) {
                while (true) self.sleep_for(period(process));
            });
        world.run(AfterEvents(world, 2 * processes));
        bytes = static_cast<double>(resident_bytes() - before) / processes;
    }
    state.counters["bytes/process"] = bytes;
}

BENCHMARK(bare_loop)->Arg(10)->Arg(1'000)->Arg(10'000);
BENCHMARK(engine_event)->Arg(10)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(memory_per_sleeping_process)->Arg(10'000)->Iterations(1);

}  // namespace
}  // namespace redeliver::sim
