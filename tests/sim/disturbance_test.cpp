// Half-open connections, delays, drifting clocks, orders; and which faults were in vain.

#include <gmock/gmock.h>

#include "sim/fault.h"
#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;
using testing::IsEmpty;

using Effective = std::vector<std::uint32_t>;

Effective effective(const Stage& stage) { return stage.world.faults().effective(); }

// ------------------------------------------------------------------ half-open connections

TEST(HalfOpen, OfTheClientIsUnknownToTheServerUntilItsKeepalive) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({while_asking(Point::before_apply, HalfOpen{})});
    EXPECT_THAT(stage.log, ElementsAre("1ms loses 7"));
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "60001ms ends 1"));
}

TEST(HalfOpen, OfTheServerIsNoticedByTheClientsDeadline) {
    Stage stage;
    stage.alice_asks_once(500ms);
    stage.run({while_asking(Point::after_apply, HalfOpen{}, "broker")});
    // The answer was on the wire already.
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "1ms ends 1"));
}

TEST(HalfOpen, OfTheServerResetsTheNextRequestOfThatSession) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7);
        stage.ask_for(self, 8);
        stage.ask_for(self, 9);
    };
    stage.run({while_asking(Point::after_reply, HalfOpen{}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7", "4ms loses 8", "6ms gets 9"));
}

TEST(HalfOpen, LeavesTheOtherConnectionsOfTheServerAlone) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1ms, HalfOpen{}, "carol")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
    EXPECT_THAT(effective(stage), IsEmpty());
}

// ------------------------------------------------------------------ latency and partitions

TEST(Latency, LengthensBothWaysWhileItLasts) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7);
        stage.ask_for(self, 8);
    };
    stage.run({at_instant(0ms, Latency{.by = 10ms, .lasts = 20ms}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("22ms gets 7", "24ms gets 8"));
    EXPECT_THAT(effective(stage), ElementsAre(0));
}

TEST(Latency, OfTwoAtOnceTheLongerCounts) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(0ms, Latency{.by = 10ms, .lasts = 1s}, "broker"),
               at_instant(0ms, Latency{.by = 4ms, .lasts = 1s}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("22ms gets 7"));
    EXPECT_THAT(effective(stage), ElementsAre(0));
}

TEST(Partition, OfBothWaysLetsNeitherRequestNorAnswerThrough) {
    for (const Point point : {Point::before_send, Point::after_apply}) {
        Stage stage;
        stage.alice_asks_once();
        stage.run({while_asking(point, Partition{.to = "broker", .lasts = 10s, .ways = Ways::both},
                                "alice")});
        const bool was_sent = point == Point::after_apply;
        EXPECT_EQ(stage.echo.log.empty(), !was_sent);
        EXPECT_EQ(stage.record.all<Partitioned>().size(), 2u);
        EXPECT_EQ(stage.record.all<PartitionHealed>().size(), 2u);
    }
}

// ------------------------------------------------------------------ clocks

TEST(ClockDrift, GainsWhileItLastsAndKeepsWhatItGained) {
    Stage stage;
    std::vector<Duration> ahead;
    stage.scripts[stage.alice] = [&](Process& self) {
        for (const Duration when : {1s, 2s, 5s}) {
            self.sleep_until(at(when));
            ahead.push_back(self.world().wall_now(stage.broker) - wall_start - when);
        }
    };
    stage.run({at_instant(1s, ClockDrift{.gains = 100ms, .lasts = 2s}, "broker")});
    EXPECT_THAT(ahead, ElementsAre(0ms, 100ms, 200ms));
    EXPECT_THAT(effective(stage), ElementsAre(0));
}

TEST(ClockDrift, LetsAServerMeetItsDeadlineEarlier) {
    Stage stage;
    stage.echo.thinks = 300ms;
    stage.alice_asks_once();
    stage.run({at_instant(0ms, ClockDrift{.gains = 500ms, .lasts = 1s}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("202ms gets 7"));
}

TEST(PlanError, WantsAClockToRunForwards) {
    Stage stage;
    EXPECT_THROW(stage.run({at_instant(0ms, ClockDrift{.gains = -600ms, .lasts = 1s}, "broker")}),
                 PlanError);
}

// ------------------------------------------------------------------ orders

/// Keeps a ledger of what it is told, and calls "nothing" no change.
struct Clerk : Obedient {
    World& world;
    std::vector<std::string> log = {};

    explicit Clerk(World& of) : world(of) {}
    bool understands(std::string_view words) const override { return words != "gibberish"; }
    bool obey(std::string_view words, Duration) override {
        log.push_back(told(world.now(), words));
        return words != "nothing";
    }
    void relent(std::string_view words) override {
        log.push_back(told(world.now(), "no more " + std::string(words)));
    }
};

struct Office : Stage {
    Clerk clerk{world};
    NodeId dave = world.add_node({.name = "dave", .obedient = &clerk});
};

TEST(Order, IsObeyedUntilItsTimeIsOver) {
    Office office;
    office.run({at_instant(2ms, Order{.words = "file", .lasts = 3ms}, "dave"),
                at_instant(4ms, Order{.words = "nothing"}, "dave")});
    EXPECT_THAT(office.clerk.log, ElementsAre("2ms file", "4ms nothing", "5ms no more file"));
    EXPECT_THAT(effective(office), ElementsAre(0));
}

TEST(Order, IsOverWhenTheFaultsAre) {
    Office office;
    office.run({at_instant(2ms, Order{.words = "file", .lasts = 1h}, "dave")}, 10ms);
    EXPECT_THAT(office.clerk.log, ElementsAre("2ms file", "10ms no more file"));
}

TEST(Order, ReachesAPausedNodeWhenItGoesOn) {
    Office office;
    office.run({at_instant(1ms, Pause{.lasts = 9ms}, "dave"),
                at_instant(2ms, Order{.words = "file"}, "dave")});
    EXPECT_THAT(office.clerk.log, ElementsAre("10ms file"));
    EXPECT_THAT(effective(office), ElementsAre(0, 1));
}

TEST(Order, IsForgottenByACrash) {
    Office office;
    office.run({at_instant(1ms, Order{.words = "file", .lasts = 9ms}, "dave"),
                at_instant(2ms, Crash{.restart_after = 3ms}, "dave"),
                at_instant(3ms, Order{.words = "file", .lasts = 1ms}, "dave")});
    EXPECT_THAT(office.clerk.log, ElementsAre("1ms file"));
    EXPECT_THAT(effective(office), ElementsAre(0, 1));
}

TEST(PlanError, WantsAnOrderThatItsTargetUnderstands) {
    Office office;
    EXPECT_THROW(office.run({at_instant(0ms, Order{.words = "gibberish"}, "dave")}), PlanError);
    Office another;
    EXPECT_THROW(another.run({at_instant(0ms, Order{.words = "file"}, "alice")}), PlanError);
    Office nobody;
    EXPECT_THROW(nobody.run({while_asking(Point::before_send, Order{.words = "file"})}), PlanError);
}

// ------------------------------------------------------------------ in vain

TEST(Effect, IsNoneOfACrashOfTheDead) {
    Stage stage;
    stage.run({at_instant(1ms, Crash{.restart_after = 9ms}, "alice"),
               at_instant(2ms, Crash{.restart_after = 9ms}, "alice"),
               at_instant(3ms, Failover{}, "broker")});
    EXPECT_THAT(effective(stage), ElementsAre(0, 2));
}

TEST(Effect, OfAPauseIsThatSomethingHadToWait) {
    Stage stage;
    stage.alice_asks_once();
    // Carol has nothing to do, and alice is paused for longer already.
    stage.run({at_instant(1ms, Pause{.lasts = 9ms}, "carol"),
               at_instant(1ms, Pause{.lasts = 9ms}, "alice"),
               at_instant(3ms, Pause{.lasts = 1ms}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("10ms gets 7"));
    EXPECT_THAT(effective(stage), ElementsAre(1));
}

TEST(Effect, OfAResetNeedsAConnection) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1ms, Reset{}, "carol"), at_instant(1ms, Reset{}, "alice")});
    EXPECT_THAT(effective(stage), ElementsAre(1));
}

TEST(Effect, OfADropNeedsAMessageThatWouldHaveArrived) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(0ms, Partition{.to = "alice", .lasts = 1s}, "broker"),
               while_asking(Point::after_apply, Drop{})});
    // Alice could not even connect.
    EXPECT_THAT(effective(stage), ElementsAre(0));
    Stage open;
    open.alice_asks_once();
    open.run({while_asking(Point::before_send, Drop{}), while_asking(Point::before_apply, Drop{})});
    EXPECT_THAT(effective(open), ElementsAre(0));
}

TEST(Effect, OfAPartitionIsThatSomethingDidNotGetThrough) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1ms, Partition{.to = "carol", .lasts = 1s}, "alice"),
               at_instant(1ms, Partition{.to = "alice", .lasts = 1s}, "broker")});
    EXPECT_THAT(effective(stage), ElementsAre(1));
}

TEST(Effect, OfSlownessIsThatSomeWorkTookLonger) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) { self.work(toil, run_1, 10ms); };
    stage.run({at_instant(1ms, Slow{.percent = 400, .lasts = 1s}, "carol"),
               at_instant(1ms, Slow{.percent = 400, .lasts = 1s}, "alice")});
    EXPECT_THAT(effective(stage), ElementsAre(1));
}

TEST(Effect, IsNoneOfWhatNeverFired) {
    Stage stage;
    stage.run({while_asking(Point::before_send, Crash{})});
    EXPECT_THAT(stage.world.faults().inert(), ElementsAre(0));
    EXPECT_THAT(effective(stage), IsEmpty());
}

}  // namespace
}  // namespace redeliver::sim
