#include "sim/agenda.h"

#include <map>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "sim/ensure.h"

namespace redeliver::sim {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

Agenda::Event event_at(Duration instant, std::uint32_t index) {
    return {.at = at(instant), .index = index};
}

std::vector<std::uint32_t> take_all(Agenda& agenda) {
    std::vector<std::uint32_t> taken;
    while (!agenda.empty()) taken.push_back(agenda.take_next().index);
    return taken;
}

TEST(Agenda, TakesTheEarliestEventFirst) {
    Agenda agenda;
    for (const std::uint32_t second : {3u, 1u, 2u})
        agenda.schedule(event_at(seconds{second}, second));
    EXPECT_THAT(take_all(agenda), ElementsAre(1, 2, 3));
}

TEST(Agenda, BreaksTiesInTimeByPriorityAndThenByOrderOfScheduling) {
    Agenda agenda;
    agenda.schedule(event_at(seconds{1}, 10), 1);
    agenda.schedule(event_at(seconds{1}, 20), 0);
    agenda.schedule(event_at(seconds{1}, 30), 1);
    agenda.schedule(event_at(seconds{1}, 40), 0);
    EXPECT_THAT(take_all(agenda), ElementsAre(20, 40, 10, 30));
}

TEST(Agenda, PutsAnEarlierInstantBeforeABetterPriority) {
    Agenda agenda;
    agenda.schedule(event_at(seconds{2}, 2), 0);
    agenda.schedule(event_at(seconds{1}, 1), 9);
    EXPECT_THAT(take_all(agenda), ElementsAre(1, 2));
}

TEST(Agenda, ShrinksAtOnceWhenAnEventIsCancelled) {
    Agenda agenda;
    agenda.schedule(event_at(seconds{1}, 1));
    const auto unwanted = agenda.schedule(event_at(seconds{2}, 2));
    EXPECT_TRUE(agenda.cancel(unwanted));
    EXPECT_EQ(agenda.size(), 1u);
    EXPECT_THAT(take_all(agenda), ElementsAre(1));
}

TEST(Agenda, HandleOfATakenEventNamesNothingEvenWhenItsSlotIsUsedAgain) {
    Agenda agenda;
    const auto taken = agenda.schedule(event_at(seconds{1}, 1));
    agenda.take_next();
    agenda.schedule(event_at(seconds{2}, 2));
    EXPECT_FALSE(agenda.cancel(taken));
    EXPECT_EQ(agenda.size(), 1u);
}

TEST(Agenda, CancelsAnEventOnlyOnce) {
    Agenda agenda;
    const auto handle = agenda.schedule(event_at(seconds{1}, 1));
    EXPECT_TRUE(agenda.cancel(handle));
    EXPECT_FALSE(agenda.cancel(handle));
}

TEST(Agenda, DefaultHandleNamesNothing) {
    Agenda agenda;
    agenda.schedule(event_at(seconds{1}, 1));
    EXPECT_FALSE(agenda.cancel({}));
}

TEST(Agenda, EventIsDueByItsOwnInstantAndNotBefore) {
    Agenda agenda;
    EXPECT_FALSE(agenda.has_event_due_by(Instant::max()));
    agenda.schedule(event_at(seconds{2}, 1));
    EXPECT_FALSE(agenda.has_event_due_by(at(seconds{1})));
    EXPECT_TRUE(agenda.has_event_due_by(at(seconds{2})));
}

TEST(Agenda, ForgetsEverythingWhenCleared) {
    Agenda agenda;
    const auto forgotten = agenda.schedule(event_at(seconds{1}, 1));
    agenda.clear();
    EXPECT_TRUE(agenda.empty());
    EXPECT_FALSE(agenda.cancel(forgotten));
}

TEST(Agenda, RefusesToTakeFromAnEmptyOne) {
    Agenda agenda;
    EXPECT_THROW(agenda.take_next(), HarnessError);
}

/// The specification: events sorted by what the agenda promises, with the handles to cancel them.
using SortedEvents = std::map<std::tuple<Instant, std::uint16_t, std::uint32_t>, Agenda::Handle>;

void schedule_in_both(Agenda& agenda, SortedEvents& specified, std::uint32_t index) {
    const auto instant = at(Duration{*rc::gen::inRange(0, 5)});
    const auto priority = *rc::gen::inRange<std::uint16_t>(0, 3);
    specified[{instant, priority, index}] =
        agenda.schedule({.at = instant, .index = index}, priority);
}

void cancel_in_both(Agenda& agenda, SortedEvents& specified) {
    const auto which = *rc::gen::inRange<std::size_t>(0, specified.size());
    const auto chosen = std::next(specified.begin(), static_cast<std::ptrdiff_t>(which));
    RC_ASSERT(agenda.cancel(chosen->second));
    specified.erase(chosen);
}

void take_from_both(Agenda& agenda, SortedEvents& specified) {
    const auto taken = agenda.take_next();
    const auto& [instant, priority, index] = specified.begin()->first;
    RC_ASSERT(taken.at == instant);
    RC_ASSERT(taken.index == index);
    specified.erase(specified.begin());
}

RC_GTEST_PROP(Agenda, BehavesLikeASortedMap, ()) {
    Agenda agenda;
    SortedEvents specified;
    const auto actions = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
    for (std::uint32_t index = 0; index < actions.size(); ++index) {
        if (specified.empty() || actions[index] < 2) {
            schedule_in_both(agenda, specified, index);
        } else if (actions[index] == 2) {
            cancel_in_both(agenda, specified);
        } else {
            take_from_both(agenda, specified);
        }
        RC_ASSERT(agenda.size() == specified.size());
    }
    while (!specified.empty()) take_from_both(agenda, specified);
    RC_ASSERT(agenda.empty());
}

}  // namespace
}  // namespace redeliver::sim
