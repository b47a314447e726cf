#include "scenarios/explore/hunters.h"

#include <algorithm>

#include "scenarios/explore/enumeration.h"
#include "scenarios/explore/mutation.h"
#include "scenarios/explore/priority.h"
#include "scenarios/explore/seeded.h"

namespace redeliver::scenarios {

namespace {

std::unique_ptr<Strategy> singles(const Scenario& scenario, std::uint64_t seed) {
    return enumerate(scenario, {.faults = 1, .seed = seed, .mishaps = {}});
}

/// Other orders, each with a single fault somewhere: few of the bugs show without one.
std::unique_ptr<Strategy> priorities(const Scenario& scenario, std::uint64_t seed) {
    return prioritize(scenario, {.seed = seed, .faults = 1});
}

std::unique_ptr<Strategy> mutations(const Scenario& scenario, std::uint64_t seed) {
    return mutate(scenario, {.seed = seed});
}

/// Of the faults that cut the protocol somewhere, of a worker that does not notice it was away, and
/// of servers that forget.
std::unique_ptr<Strategy> pairs(const Scenario& scenario, std::uint64_t seed) {
    return enumerate(scenario, {.faults = 2,
                                .seed = seed,
                                .mishaps = {Mishap::crash, Mishap::long_pause, Mishap::lose_request,
                                            Mishap::lose_reply, Mishap::lose_server}});
}

constexpr auto endless = Hunter::Extent::endless;
constexpr auto complete = Hunter::Extent::complete;

const std::vector<Needs> any_bug = {Needs::no_fault, Needs::one_fault, Needs::two_faults,
                                    Needs::schedule};

}  // namespace

bool Hunter::hunts(Needs needs) const { return std::ranges::count(prey, needs) > 0; }

const std::vector<Hunter>& hunters() {
    static const std::vector<Hunter> table = {
        {"random", endless, any_bug, random_seeds},
        {"swarm", endless, any_bug, swarm},
        {"priority", endless, any_bug, priorities},
        {"mutate", endless, any_bug, mutations},
        {"enumerate-1", complete, any_bug, singles},
        {"enumerate-2", complete, {Needs::two_faults}, pairs},
    };
    return table;
}

const Hunter* find_hunter(std::string_view name) {
    const auto found = std::ranges::find(hunters(), name, &Hunter::name);
    return found == hunters().end() ? nullptr : &*found;
}

std::unique_ptr<Strategy> fault_free_seeds(const Scenario& scenario, std::uint64_t first_seed) {
    Scenario calm = scenario;
    calm.faults.random.clear();
    calm.faults.pinned.clear();
    return random_seeds(calm, first_seed);
}

}  // namespace redeliver::scenarios
