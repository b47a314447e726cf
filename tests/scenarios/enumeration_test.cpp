// Every fault at every step: what "all" means, counted without the enumerator.

#include "scenarios/explore/enumeration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "scenarios/catalog/catalog.h"
#include "scenarios/node_names.h"
#include "tests/scenarios/exploration_systems.h"

namespace redeliver::scenarios {
namespace {

using model::Operation;
using sim::Point;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::TestWithParam;
using testing::Values;

/// A trial without faults, by nothing but the runner.
Recording without_faults(Scenario scenario) {
    scenario.faults.random.clear();
    scenario.faults.pinned.clear();
    TrialRunner runner;
    const Plan plan{.messages = draw_messages(scenario, 1), .faults = {}};
    return std::move(*runner.run(scenario, plan, 1, Level::everything).recording);
}

/// How many single faults there are, from the steps and from docs/explore.md alone.
///
/// Of a request: at each of 4 points 6 kinds of the client, one more of a worker and of a user, and
/// 6 of its connections; a loss at 3 of them; and at 2 of them 3 kinds of any server, 6 more of
/// broker and database, and what others tell these: 6 to the broker, 2 to the database. In work: 8
/// kinds of the worker and 3 of its connections, at each of 3 points.
std::uint64_t faults_counted_by_hand(const Recording& recording) {
    std::uint64_t faults = 0;
    for (const sim::Step& step : recording.steps) {
        const std::string_view who = recording.text(step.actor);
        if (const auto* const sent = step.as<sim::Sent>()) {
            const bool is_told = who.starts_with("worker-") || who.starts_with("user-");
            faults += 4 * (6 + (is_told ? 1 : 0) + 6) + 3;
            if (sent->server == broker_node)
                faults += 2 * (9 + 6);
            else if (sent->server == database_node)
                faults += 2 * (9 + 2);
            else
                faults += 2 * 3;
        }
        if (step.as<model::WorkStarted>() != nullptr) faults += 3 * (8 + 3);
    }
    return faults;
}

TEST(Enumeration, TriesAsManySingleFaultsAsAreCountedByHand) {
    const Scenario story = *find_story("crash-before-xack");
    const Exploration all = worlds::explored(story, {});

    EXPECT_EQ(all.scope.folded_polls, 0u);
    EXPECT_EQ(all.scope.end, Scope::End::reached);
    EXPECT_EQ(all.scope.singles, faults_counted_by_hand(without_faults(story)));
    EXPECT_EQ(all.scope.singles_tried, all.scope.singles);
    EXPECT_EQ(all.tried, all.scope.singles);
}

TEST(Enumeration, TakesTheStorysOwnFaultsAway) {
    Scenario story = *find_story("crash-before-xack");
    const Exploration pinned = worlds::explored(story, {});
    story.faults.pinned.clear();
    const Exploration calm = worlds::explored(story, {});

    EXPECT_EQ(pinned.fingerprint, calm.fingerprint);
}

TEST(Enumeration, StrikesWithEveryFaultButWhereTheTrialEndsFirst) {
    const Exploration all = worlds::explored(worlds::calm(1, 2), {});
    std::set<std::string> inert;
    for (const auto& [tried, tally] : all.tallies)
        if (tally.struck < tally.tried)
            inert.insert(std::string(text(static_cast<Operation>(tried.operation))) + " " +
                         std::string(text(tried.point)));

    // The last poll is on its way when all is done.
    EXPECT_THAT(inert, ElementsAre("XAUTOCLAIM after_apply", "XAUTOCLAIM after_reply",
                                   "XAUTOCLAIM before_apply"));
}

TEST(Enumeration, CoversEveryOperationThatAnActorCanPerform) {
    std::set<std::string> absent;
    for (const std::string& operation : model::operation_texts()) absent.insert(operation);
    for (const Scenario& design : worlds::every_design()) {
        const std::vector<Site> sites = sites_of(BaseTrial(design, 1).recording());
        for (const Single& single : singles_at(sites, {Mishap::crash}))
            absent.erase(
                std::string(text(static_cast<Operation>(sites[single.site].address.operation))));
    }

    // These four are commands of the broker that no client interface has a call for.
    EXPECT_THAT(absent, ElementsAre("DEL", "XCLAIM", "XLEN", "XTRIM", "none"));
}

TEST(Enumeration, TriesEveryKindOfFault) {
    Scenario leased = worlds::calm(1, 1);
    leased.system.worker.deduplicate = Deduplicate::lease;
    const Exploration all = worlds::explored(leased, {});
    std::set<Mishap> absent;
    for (const MishapInfo& info : mishaps()) absent.insert(info.mishap);
    for (const auto& [tried, tally] : all.tallies)
        if (tally.struck > 0) absent.erase(tried.mishap);

    EXPECT_THAT(absent, IsEmpty());
}

TEST(Enumeration, LeavesOutLeasesWhereThereAreNone) {
    const Exploration all = worlds::explored(worlds::calm(1, 1), {});
    for (const auto& [tried, tally] : all.tallies)
        EXPECT_FALSE(tried.mishap == Mishap::under_lease || tried.mishap == Mishap::over_lease);
}

TEST(Enumeration, TellsNobodyWhatItWouldNotUnderstand) {
    const Recording recording = without_faults(worlds::one_of_each());
    const std::vector<Site> sites = sites_of(recording);
    for (const Single& single : singles_at(sites, {Mishap::redeploy, Mishap::resubmit})) {
        const std::string_view who = recording.text(sites[single.site].performer);
        EXPECT_TRUE(who.starts_with(single.mishap == Mishap::redeploy ? "worker-" : "user-"))
            << who;
    }
}

TEST(Enumeration, ComesToTheSameWithOneThreadAndWithTwo) {
    const EnumerationOptions pairs{.faults = 2, .mishaps = {Mishap::crash}};
    const Exploration one = worlds::explored(worlds::hasty(1), pairs, 1);
    const Exploration two = worlds::explored(worlds::hasty(1), pairs, 2);

    EXPECT_GT(one.scope.pairs_tried, 100u);
    EXPECT_EQ(one.fingerprint, two.fingerprint);
    EXPECT_EQ(one.new_behaviours, two.new_behaviours);
    for (std::size_t index = 0; index < one.promises.size(); ++index) {
        EXPECT_EQ(one.promises[index].violated, two.promises[index].violated);
        ASSERT_EQ(one.promises[index].first.has_value(), two.promises[index].first.has_value());
        if (!one.promises[index].first) continue;
        EXPECT_EQ(one.promises[index].first->attempt, two.promises[index].first->attempt);
    }
}

TEST(Enumeration, StopsWhereItsBudgetEndsAndSaysSo) {
    const Scenario story = worlds::calm(1, 1);
    const auto strategy = enumerate(story, {});
    const Exploration some = explore(story, *strategy, {.trials = 100});

    EXPECT_EQ(some.tried, 100u);
    EXPECT_EQ(some.scope.singles_tried, 100u);
    EXPECT_EQ(some.scope.end, Scope::End::ahead);
}

TEST(Sites, FoldAStretchOfIdlePollsIntoItsFirst) {
    // The one message comes after 20 s, in which the worker claims and reads every 5 s.
    Scenario quiet = worlds::calm(1, 1);
    quiet.workload.messages[0].at = sim::at(19s);
    const Recording recording = without_faults(quiet);
    const auto claims = [](const std::vector<Site>& sites) {
        std::vector<std::uint32_t> found;
        for (const Site& site : sites)
            if (site.address.operation == model::number(Operation::xautoclaim))
                found.push_back(site.stands_for);
        return found;
    };

    // At 0, 5, 10 and 15 s; and once the message is done.
    EXPECT_THAT(claims(all_sites_of(recording)), ElementsAre(1, 1, 1, 1, 1));
    EXPECT_THAT(claims(sites_of(recording)), ElementsAre(4, 1));
}

TEST(Sites, StandTogetherForEveryRequestAndEveryPieceOfWork) {
    const Recording recording = without_faults(worlds::one_of_each());
    std::uint64_t operations = 0;
    for (const sim::Step& step : recording.steps)
        operations +=
            step.as<sim::Sent>() || step.as<sim::Refused>() || step.as<model::WorkStarted>();
    std::uint64_t represented = 0;
    for (const Site& site : sites_of(recording)) represented += site.stands_for;

    EXPECT_GT(operations, 100u);
    EXPECT_EQ(represented, operations);
}

struct Breaches {
    std::set<worlds::Breach> found;
    Scope scope;
};

Breaches breaches_of(const Scenario& scenario, const EnumerationOptions& options) {
    const auto strategy = enumerate(scenario, options);
    Breaches breaches{.found = worlds::breaches_of(*strategy), .scope = {}};
    breaches.scope = strategy->scope();
    return breaches;
}

class PairsOf : public TestWithParam<std::vector<Mishap>> {};

TEST_P(PairsOf, FindTheSameBreachesPrunedAndUnpruned) {
    using Pruning = EnumerationOptions::Pruning;
    Scenario two = worlds::hasty(2);
    two.system.worker.count = 1;
    two.system.worker.short_circuit = ShortCircuit::always_work;
    two.system.worker.status_changes = StatusChanges::unconditional;
    EnumerationOptions options{.faults = 2, .mishaps = GetParam()};
    const Breaches pruned = breaches_of(two, options);
    options.pruning = Pruning::off;
    const Breaches unpruned = breaches_of(two, options);

    EXPECT_GT(pruned.scope.firsts_unchanged + pruned.scope.firsts_inert, 0u);
    EXPECT_GT(pruned.scope.pairs_inert, 0u);
    EXPECT_LT(pruned.scope.pairs_tried, unpruned.scope.pairs_tried);
    EXPECT_GT(pruned.found.size(), 5u);
    EXPECT_EQ(pruned.found, unpruned.found);
}

INSTANTIATE_TEST_SUITE_P(All, PairsOf,
                         Values(std::vector<Mishap>{Mishap::crash, Mishap::reset},
                                // What explore pairs when it is not told otherwise.
                                std::vector<Mishap>{Mishap::crash, Mishap::lose_request,
                                                    Mishap::lose_reply, Mishap::crash_server},
                                std::vector<Mishap>{Mishap::crash_server, Mishap::limit_memory,
                                                    Mishap::trim_stream, Mishap::delete_consumer,
                                                    Mishap::destroy_group}),
                         [](const auto& each) {
                             std::string name;
                             for (const Mishap mishap : each.param)
                                 name += std::string(info_of(mishap).name) + "_";
                             return name + "pairs";
                         });

TEST(Pairs, FindWhatNoSingleFaultDoes) {
    // With a retry that lasts, only a message whose two attempts are both lost is given up.
    Scenario stubborn = worlds::calm(1, 1);
    stubborn.system.users.attempts = 2;
    const std::vector<Mishap> losses = {Mishap::lose_request};
    const auto gave_up = [&](std::uint32_t faults) {
        const Exploration result =
            worlds::explored(stubborn, {.faults = faults, .mishaps = losses});
        return std::ranges::find(result.promises, "no_user_gives_up", &ExploredPromise::name)
            ->violated;
    };

    EXPECT_EQ(gave_up(1), 0u);
    EXPECT_GT(gave_up(2), 0u);
}

}  // namespace
}  // namespace redeliver::scenarios
