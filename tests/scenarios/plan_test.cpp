// A seed is expanded into an explicit plan, of which every element is drawn by itself.

#include "scenarios/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "scenarios/catalog/catalog.h"
#include "tests/scenarios/trial_worlds.h"

namespace redeliver::scenarios {
namespace {

using model::Content;
using testing::IsEmpty;
using testing::SizeIs;

constexpr FaultKind all_fault_kinds[] = {FaultKind::crash_worker, FaultKind::crash_gateway,
                                         FaultKind::crash_broker, FaultKind::crash_database,
                                         FaultKind::lose_broker,  FaultKind::fail_over_broker,
                                         FaultKind::pause_worker, FaultKind::slow_worker,
                                         FaultKind::lose_request, FaultKind::lose_reply,
                                         FaultKind::reset,        FaultKind::partition,
                                         FaultKind::clock_step,   FaultKind::fail_over_database};

Scenario busy() {
    Scenario scenario = worlds::calm(3, 0);
    scenario.system.users.count = 4;
    scenario.system.gateway.count = 2;
    scenario.system.republisher.republish = Republish::by_age_when_idle;
    scenario.workload.runs = 12;
    scenario.workload.poison = 1;
    scenario.workload.flaky = 1;
    return scenario;
}

Scenario with_every_fault() {
    Scenario scenario = busy();
    for (const FaultKind kind : all_fault_kinds) scenario.faults.random[kind] = {1, 2};
    return scenario;
}

bool contains(const sim::FaultPlan& whole, const sim::FaultPlan& part) {
    return std::ranges::all_of(part, [&](const sim::Fault& fault) {
        return std::ranges::count(whole, fault) >= std::ranges::count(part, fault);
    });
}

TEST(PlanExpansion, IsAPureFunction) {
    const Scenario scenario = with_every_fault();
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 0);
    for (std::uint64_t seed = 1; seed <= 50; ++seed)
        EXPECT_EQ(expand(scenario, book, seed), expand(scenario, book, seed));
    EXPECT_NE(expand(scenario, book, 1), expand(scenario, book, 2));
}

TEST(PlanExpansion, DrawsEachKindOfFaultByItself) {
    const Scenario whole = with_every_fault();
    TrialRunner runner;
    const AddressBook book = runner.address_book(whole, 0);
    for (const FaultKind removed : all_fault_kinds) {
        Scenario without = whole;
        without.faults.random.erase(removed);
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            EXPECT_TRUE(
                contains(expand(whole, book, seed).faults, expand(without, book, seed).faults));
    }
}

TEST(PlanExpansion, KeepsTheFaultsOfAKindWhenOneMoreIsWanted) {
    Scenario scenario = busy();
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 0);
    for (const FaultKind kind : all_fault_kinds) {
        scenario.faults.random = {{kind, {2, 2}}};
        const sim::FaultPlan two = expand(scenario, book, 5).faults;
        scenario.faults.random = {{kind, {3, 3}}};
        const sim::FaultPlan three = expand(scenario, book, 5).faults;
        ASSERT_THAT(two, SizeIs(2));
        ASSERT_THAT(three, SizeIs(3));
        EXPECT_TRUE(contains(three, two));
    }
}

TEST(PlanExpansion, PutsThePinnedFaultsFirst) {
    Scenario scenario = with_every_fault();
    scenario.faults.pinned = {
        worlds::crash_at(model::Operation::xack, "run-1", sim::Point::before_send)};
    TrialRunner runner;
    const Plan plan = plan_of(runner, scenario, 3);
    ASSERT_FALSE(plan.faults.empty());
    EXPECT_EQ(plan.faults.front(), scenario.faults.pinned.front());
}

TEST(PlanExpansion, LeavesOutFaultsThatCanStrikeNowhere) {
    Scenario scenario = busy();
    scenario.workload.runs = 0;
    scenario.system.worker.count = 0;
    scenario.system.republisher.republish = Republish::never;
    scenario.faults.random = {{FaultKind::crash_worker, {1, 1}}, {FaultKind::crash_gateway, {1, 1}},
                              {FaultKind::crash_broker, {1, 1}}, {FaultKind::pause_worker, {1, 1}},
                              {FaultKind::lose_reply, {1, 1}},   {FaultKind::clock_step, {1, 1}}};

    const Plan plan = expand(scenario, AddressBook{}, 1);

    ASSERT_THAT(plan.faults, SizeIs(1));
    EXPECT_TRUE(std::holds_alternative<sim::ClockStep>(plan.faults.front().what));
}

TEST(PlanExpansion, DrawsAsManyFaultsAsTheIntensitySays) {
    Scenario scenario = busy();
    scenario.faults.random = {{FaultKind::lose_request, {1, 3}}};
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 0);
    std::map<std::size_t, int> seeds_by_count;
    for (std::uint64_t seed = 1; seed <= 300; ++seed)
        ++seeds_by_count[expand(scenario, book, seed).faults.size()];
    EXPECT_THAT(seeds_by_count, SizeIs(3));
    for (const std::size_t count : {1u, 2u, 3u}) EXPECT_GT(seeds_by_count[count], 50);
}

/// A fault that rarely strikes makes a story that rarely shows anything.
TEST(PlanExpansion, DrawsFaultsOfEveryKindThatMostlyFire) {
    Scenario scenario = busy();
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 0);
    for (const FaultKind kind : all_fault_kinds) {
        scenario.faults.random = {{kind, {1, 1}}};
        std::uint64_t drawn = 0;
        std::uint64_t fired = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const Plan plan = expand(scenario, book, seed);
            const TrialResult result = runner.run(scenario, plan, seed, Level::fingerprint);
            drawn += plan.faults.size();
            fired += plan.faults.size() - result.inert_faults.size();
        }
        std::printf("fault kind %2d: %3d of %3d drawn ones fired\n", static_cast<int>(kind),
                    static_cast<int>(fired), static_cast<int>(drawn));
        EXPECT_EQ(drawn, 200u) << static_cast<int>(kind);
        EXPECT_GE(2 * fired, drawn) << static_cast<int>(kind);
    }
}

// ------------------------------------------------------------------ the workload

TEST(PlanWorkload, KeepsTheInstantsOfOthersWhenARunIsAdded) {
    Scenario scenario = busy();
    const auto twelve = draw_messages(scenario, 4);
    scenario.workload.runs = 13;
    const auto thirteen = draw_messages(scenario, 4);
    ASSERT_THAT(twelve, SizeIs(12));
    ASSERT_THAT(thirteen, SizeIs(13));
    for (std::size_t index = 0; index < twelve.size(); ++index) {
        EXPECT_EQ(twelve[index].at, thirteen[index].at);
        EXPECT_EQ(twelve[index].session, thirteen[index].session);
        EXPECT_EQ(twelve[index].user, thirteen[index].user);
    }
}

TEST(PlanWorkload, DoesNotDependOnTheFaults) {
    EXPECT_EQ(draw_messages(with_every_fault(), 9), draw_messages(busy(), 9));
}

TEST(PlanWorkload, GivesEachSpecialContentToDifferentMessages) {
    Scenario scenario = busy();
    scenario.workload.poison = 2;
    scenario.workload.killers = 1;
    scenario.workload.flaky = 3;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        std::map<Content, int> contents;
        for (const Message& message : draw_messages(scenario, seed)) ++contents[message.content];
        EXPECT_EQ(contents[Content::poison], 2);
        EXPECT_EQ(contents[Content::killer], 1);
        EXPECT_EQ(contents[Content::flaky], 3);
        EXPECT_EQ(contents[Content::healthy], 6);
    }
}

TEST(PlanWorkload, GivesASessionToOneUserOnly) {
    const Scenario scenario = busy();
    std::map<std::uint32_t, std::uint32_t> user_of;
    for (const Message& message : draw_messages(scenario, 2)) {
        const auto [known, is_new] = user_of.try_emplace(message.session, message.user);
        EXPECT_TRUE(is_new || known->second == message.user);
        EXPECT_LE(message.user, scenario.system.users.count);
    }
}

TEST(PlanWorkload, PutsExplicitMessagesInThePlaceOfDrawnOnes) {
    Scenario scenario = busy();
    scenario.workload.messages = {{.number = 5, .session = 9, .at = sim::at(7s)}};
    const auto messages = draw_messages(scenario, 1);
    ASSERT_THAT(messages, SizeIs(12));
    EXPECT_EQ(messages.front(), scenario.workload.messages.front());
    EXPECT_EQ(std::ranges::count(messages, 5u, &Message::number), 1);
}

TEST(PlanWorkload, SubmitsSoManyMessagesTwice) {
    Scenario scenario = busy();
    scenario.workload.duplicates = 3;
    EXPECT_EQ(std::ranges::count(draw_messages(scenario, 1), 2u, &Message::submissions), 3);
}

// ------------------------------------------------------------------ the address book

TEST(AddressBook, HoldsTheStepsOfATrialWithoutFaults) {
    const Scenario scenario = worlds::calm(1, 1);
    TrialRunner runner;
    const AddressBook book = runner.address_book(scenario, 1);
    const auto has = [&](model::Operation operation) {
        return std::ranges::any_of(book.entries, [&](const AddressEntry& entry) {
            return entry.address.operation == model::number(operation) &&
                   entry.address.subject == model::run_of(1) && entry.address.occurrence == 1;
        });
    };
    for (const model::Operation operation :
         {model::Operation::submit, model::Operation::insert_run, model::Operation::xadd,
          model::Operation::work, model::Operation::insert_reply, model::Operation::commit,
          model::Operation::xack})
        EXPECT_TRUE(has(operation)) << model::text(operation);
    EXPECT_GT(book.end, sim::at(150ms));
}

TEST(AddressBook, IgnoresTheFaultsOfTheScenario) {
    Scenario scenario = worlds::calm(1, 1);
    TrialRunner runner;
    const std::size_t calm = runner.address_book(scenario, 1).entries.size();
    scenario.faults.pinned = {
        worlds::crash_at(model::Operation::xack, "run-1", sim::Point::before_send)};
    EXPECT_EQ(runner.address_book(scenario, 1).entries.size(), calm);
}

}  // namespace
}  // namespace redeliver::scenarios
