#include "reports/why.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Why, LeadsFromTheBreachBackToTheCrash) {
    // Worked and stored (6, 8), crashed (10), claimed (14), worked again (15).
    EXPECT_THAT(why(crash_story(), broken_at_second_work().verdict),
                ElementsAre(5, 6, 7, 8, 10, 14, 15));
}

TEST(Why, NamesTheFaultAsTheRoot) {
    EXPECT_EQ(root_of(crash_story(), broken_at_second_work().verdict), 9u);
}

TEST(Why, IsEmptyForAPromiseThatHolds) {
    EXPECT_THAT(why(crash_story(), {.holds = properties::Holds::holds}), IsEmpty());
}

TEST(Why, IsEmptyWhenNoStepIsNamed) {
    EXPECT_THAT(why(crash_story(), {.holds = properties::Holds::violated}), IsEmpty());
}

TEST(Why, TellsTheDecisionAndTheEndOfWhatIsStillOwed) {
    using namespace model;
    scenarios::Recording r = empty_recording();
    const auto run = run_of(1);
    const EntryKey entry{990, 0, stream_name};
    add(r, 1s, worker_1, run,
        Delivered{
            .entry = entry, .group = group_name, .consumer = worker_1_name, .delivery_count = 1});
    add(r, 1s, worker_1, run, Decided{.policy = 2, .value = 1}, {.cause = 1, .previous = 1});
    add(r, 1s, worker_1, run,
        Acknowledged{
            .entry = entry, .group = group_name, .owner = worker_1_name, .delivery_count = 1},
        {.cause = 2, .previous = 2});
    add(r, 2s, worker_1, run, sim::FaultFired{.fault = 0}, {.cause = 3, .previous = 3});
    add(r, 2s, worker_1, subject_of(worker_1), sim::Crashed{.of = sim::CrashOf::process},
        {.cause = 4});
    add(r, 2s, worker_1, run,
        sim::Cut{
            .operation = number(Operation::work), .phase = sim::CutAt::working, .occurrence = 1},
        {.cause = 5, .previous = 4});
    add(r, 90s, sim::NodeId::none, sim::Subject::none,
        sim::Concluded{.ending = static_cast<std::uint32_t>(sim::Ending::quiet), .state = 1});
    const properties::Verdict owed{.holds = properties::Holds::violated,
                                   .breach = properties::Breach::owed,
                                   .step = 6,
                                   .at = sim::at(2s),
                                   .subject = run,
                                   .evidence = "is neither done nor failed"};
    EXPECT_THAT(why(r, owed), ElementsAre(1, 2, 3, 5, 7));
    EXPECT_EQ(root_of(r, owed), 4u);
}

TEST(Why, StaysWithTheMessageThatTheBreachIsAbout) {
    scenarios::Recording r = crash_story();
    const auto other = add(r, 31008ms, worker_2, model::run_of(7),
                           model::WorkStarted{.consumer = worker_2_name, .execution = 1});
    const auto again =
        add(r, 31009ms, worker_2, model::run_of(7),
            model::WorkStarted{.consumer = worker_2_name, .execution = 2}, {.previous = other});
    const properties::Verdict verdict{.holds = properties::Holds::violated,
                                      .step = again,
                                      .at = sim::at(31009ms),
                                      .subject = model::run_of(7)};
    EXPECT_THAT(why(r, verdict), ElementsAre(other, again));
}

}  // namespace
}  // namespace redeliver::reports
