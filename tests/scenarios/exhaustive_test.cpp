// Every order of the steps of tiny systems: counted without the strategy, and compared with what
// others find.

#include "scenarios/explore/exhaustive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/priority.h"
#include "scenarios/explore/seeded.h"
#include "scenarios/json/codec.h"
#include "tests/scenarios/exploration_systems.h"

namespace redeliver::scenarios {
namespace {

using testing::IsSubsetOf;

/// One message and one worker: so little that orders can be tried without leaving any out.
Scenario one_message(const std::vector<std::string>& mistakes = {}) {
    Scenario scenario = find_story("tiny").value();
    scenario.system.users.count = 1;
    scenario.system.worker.count = 1;
    scenario.workload.messages.pop_back();
    for (const std::string& mistake : mistakes) apply_setting(scenario, mistake);
    return scenario;
}

/// Every order there is, each in a trial of its own, by nothing but the runner: whatever else could
/// come first after the last pick of a trial is a trial to come.
class BruteForce {
public:
    BruteForce(const Scenario& scenario, const ExhaustiveOptions& options)
        : scenario_(scenario), options_(options) {}

    void try_orders(const sim::FaultPlan& faults, std::vector<sim::Pick> picks = {}) {
        const Plan plan{.messages = draw_messages(scenario_, 1),
                        .faults = faults,
                        .schedule = {.slack = options_.slack, .picks = picks}};
        const TrialResult result = runner_.run(scenario_, plan, 1, Level::branchings);
        ++trials_;
        worlds::add_breaches(result, breaches_);
        if (faults.empty()) {
            add_faults(*result.recording);
            for (const auto& branching : result.branchings)
                if (branching.sight.state != 0) states_.insert(branching.sight.state);
        }
        const std::size_t first = picks.empty() ? 0 : picks.back().branching;
        for (std::size_t index = first; index < result.branchings.size(); ++index)
            for (std::uint32_t take = 1; take < result.branchings[index].options; ++take) {
                picks.push_back({static_cast<std::uint32_t>(index + 1), take});
                try_orders(faults, picks);
                picks.pop_back();
            }
    }

    /// And every order again with each single fault that had something to strike in any.
    void try_faults() {
        for (const sim::Fault& fault : std::vector<sim::Fault>(std::move(faults_)))
            try_orders({fault});
    }

    std::uint64_t trials() const { return trials_; }
    std::size_t states() const { return states_.size(); }
    const std::set<worlds::Breach>& breaches() const { return breaches_; }

private:
    void add_faults(const Recording& recording) {
        const std::vector<Site> sites = all_sites_of(recording);
        for (const Single& single : singles_at(sites, options_.mishaps)) {
            const sim::Fault fault =
                fault_at(sites[single.site], single.point, single.mishap, scenario_, recording);
            if (std::ranges::count(faults_, fault) == 0) faults_.push_back(fault);
        }
    }

    const Scenario& scenario_;
    ExhaustiveOptions options_;
    TrialRunner runner_;
    std::uint64_t trials_ = 0;
    std::set<std::uint64_t> states_;
    std::vector<sim::Fault> faults_;
    std::set<worlds::Breach> breaches_;
};

/// What every order breaks, by brute force and by the strategy.
struct Compared {
    BruteForce brute;
    Exploration strategy;
    std::set<worlds::Breach> breaches;
};

Compared compared(const Scenario& scenario, const ExhaustiveOptions& options) {
    Compared both{.brute = {scenario, options}, .strategy = {}, .breaches = {}};
    both.brute.try_orders({});
    if (options.faults > 0) both.brute.try_faults();
    both.strategy = explore(scenario, *exhaust(scenario, options), {});
    both.breaches = worlds::breaches_of(*exhaust(scenario, options));
    return both;
}

TEST(Exhaustive, MeetsEveryStateThatBruteForceMeets) {
    const Scenario scenario = one_message();
    const Compared both = compared(scenario, {.faults = 0});

    EXPECT_EQ(both.strategy.scope.end, Scope::End::reached);
    EXPECT_EQ(both.strategy.scope.orders.left, 0u);
    EXPECT_EQ(both.strategy.scope.orders.states, both.brute.states());
    EXPECT_LT(both.strategy.tried * 2, both.brute.trials());
}

TEST(Exhaustive, BreaksWhatBruteForceBreaks) {
    // Whoever gets no answer asks again, which is all that happens besides, so that orders are few.
    const std::string alone = "republisher.republish=never";
    std::size_t breaches = 0;
    for (const char* const mistake :
         {"worker.claim=abandoned_first", "worker.acknowledge=before_work",
          "gateway.publish=before_insert", "worker.acknowledge=never"}) {
        const Scenario scenario = one_message({alone, mistake});
        const Compared both = compared(scenario, {.faults = 1, .mishaps = {Mishap::lose_reply}});
        EXPECT_EQ(both.breaches, both.brute.breaches()) << mistake;
        EXPECT_LT(both.strategy.tried * 2, both.brute.trials()) << mistake;
        breaches += both.breaches.size();
    }
    EXPECT_GT(breaches, 5u);
}

/// The names of the promises.
std::set<std::string_view> promises_in(const std::set<worlds::Breach>& breaches) {
    std::set<std::string_view> names;
    for (const worlds::Breach& breach : breaches) names.insert(std::get<0>(breach));
    return names;
}

/// Of tiny with these settings: what every order breaks is what other strategies break by the same
/// kinds of fault, and of what they break it misses nothing.
void expect_agreement(const std::vector<std::string>& settings,
                      const std::vector<Mishap>& mishaps) {
    Scenario scenario = find_story("tiny").value();
    for (const std::string& setting : settings) apply_setting(scenario, setting);
    const auto all = worlds::breaches_of(*exhaust(scenario, {.mishaps = mishaps}));
    auto others = worlds::breaches_of(*enumerate(scenario, {.mishaps = mishaps}));
    others.merge(worlds::breaches_of(*random_seeds(scenario, 1), 10));
    for (const std::uint32_t faults : {0u, 1u})
        others.merge(worlds::breaches_of(
            *prioritize(scenario, {.faults = faults, .slack = simultaneous, .mishaps = mishaps}),
            2'000));

    EXPECT_FALSE(all.empty());
    EXPECT_THAT(others, IsSubsetOf(all));
    EXPECT_EQ(promises_in(others), promises_in(all));
}

TEST(Agreement, OfEveryOrderWithOtherStrategiesWhereNothingIsWrong) {
    expect_agreement({}, {Mishap::crash, Mishap::lose_reply});
}

TEST(Agreement, OfEveryOrderWithOtherStrategiesWithoutTheUniqueReply) {
    expect_agreement({"database.unique_reply=absent", "worker.deduplicate=none",
                      "worker.short_circuit=always_work", "worker.status_changes=unconditional"},
                     {Mishap::lose_reply});
}

TEST(Agreement, OfEveryOrderWithOtherStrategiesWhenAcknowledgedBeforeTheWork) {
    expect_agreement({"worker.acknowledge=before_work", "republisher.republish=never"},
                     {Mishap::crash});
}

TEST(Agreement, OfEveryOrderWithOtherStrategiesWhenPublishedBeforeTheInsert) {
    expect_agreement({"gateway.publish=before_insert"}, {Mishap::lose_reply});
}

TEST(Exhaustive, SaysWhatItHasNotTried) {
    const Scenario scenario = find_story("tiny").value();
    const auto strategy = exhaust(scenario, {.faults = 0});
    const Exploration some = explore(scenario, *strategy, {.trials = 100});

    EXPECT_EQ(some.tried, 100u);
    EXPECT_EQ(some.scope.end, Scope::End::ahead);
    EXPECT_GT(some.scope.orders.left, 0u);
}

TEST(Exhaustive, RefusesWhatIsNotTiny) {
    EXPECT_EQ(too_large(find_story("tiny").value(), 1), std::nullopt);
    EXPECT_EQ(too_large(find_story("standard").value(), 1),
              "found 2 gateways, allowed are 1: every order of more is too much to try; use a "
              "smaller story such as tiny, or --set gateway.count=1");
}

}  // namespace
}  // namespace redeliver::scenarios
