#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;

/// A world that has one node, with this clock, and runs until `until`.
struct Clock {
    StackPool stacks;
    World world{configuration(), stacks};
    NodeId node;

    Clock(Duration offset, std::int32_t drift_ppm, Duration until)
        : node(world.add_node(
              {.name = "alice", .clock_offset = offset, .clock_drift_ppm = drift_ppm})) {
        world.spawn(node, [until](Process& self) { self.sleep_until(at(until)); });
        world.run(NeverEnds{});
    }
};

TEST(WallClock, OfAnExactNodeShowsTheInstantSinceTheFirstOfJanuary) {
    const Clock clock{0s, 0, 5s};
    EXPECT_EQ(clock.world.wall_now(clock.node), wall_start + 5s);
}

TEST(WallClock, IsOffsetAndDrifts) {
    const Clock fast{-2s, 1000, 10s};
    EXPECT_EQ(fast.world.wall_now(fast.node), wall_start - 2s + 10s + 10ms);
    const Clock late{2s, -1000, 10s};
    EXPECT_EQ(late.world.wall_now(late.node), wall_start + 2s + 10s - 10ms);
}

TEST(WallClock, StepMovesOneNodeOnly) {
    Stage stage;
    stage.run({at_instant(5ms, ClockStep{.by = -3s}, "broker")}, 10ms);
    EXPECT_EQ(stage.world.wall_now(stage.broker), wall_start + 10ms - 3s);
    EXPECT_EQ(stage.world.wall_now(stage.alice), wall_start + 10ms);
}

RC_GTEST_PROP(WallClock, InstantOfIsTheFirstAtWhichTheClockShowsEnough, ()) {
    const Duration offset{*rc::gen::inRange<std::int64_t>(-5'000'000, 5'000'000)};
    const auto drift = *rc::gen::inRange(-200'000, 200'000);
    const Duration until{*rc::gen::inRange<std::int64_t>(1, 100'000'000)};
    const Clock now{offset, drift, until};
    const WallTime shown = now.world.wall_now(now.node);
    const Instant first = now.world.instant_of(now.node, shown);
    RC_ASSERT(first <= at(until));
    const Clock then{offset, drift, first.time_since_epoch()};
    RC_ASSERT(then.world.wall_now(then.node) >= shown);
    const Clock before{offset, drift, first.time_since_epoch() - Duration{1}};
    RC_ASSERT(before.world.wall_now(before.node) < shown || first == at(0s));
}

TEST(WallClock, ServiceMeetsADeadlineEarlierAfterAStepForwards) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, ClockStep{.by = 4ms}, "broker")});
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "5ms clock stepped"));
    EXPECT_THAT(stage.log, ElementsAre("8ms gets 7"));
}

TEST(WallClock, ServiceMeetsADeadlineLaterAfterAStepBackwards) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, ClockStep{.by = -20ms}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("32ms gets 7"));
}

}  // namespace
}  // namespace redeliver::sim
