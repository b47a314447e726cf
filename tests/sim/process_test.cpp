#include "sim/process.h"

#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>

#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Process, SleepersWakeInTheOrderOfTheirInstants) {
    Stage stage;
    for (const int number : {3, 1, 2})
        stage.world.spawn(stage.alice, [&stage, number](Process& self) {
            self.sleep_for(number * 1ms);
            stage.say(self, fmt::format("{}", number));
        });
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("1ms 1", "2ms 2", "3ms 3"));
}

TEST(Process, SleepUntilThePastYieldsAndReturnsAtOnce) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(5ms);
        self.sleep_until(at(1ms));
        stage.say(self, "awake");
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms awake"));
}

TEST(Process, OnesSpawnedTogetherStartInThatOrderOnceTheirParentBlocks) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        for (const char* const name : {"first", "second"})
            self.spawn([&stage, name](Process& child) { stage.say(child, name); });
        stage.say(self, "parent");
        self.sleep_for(1ms);
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("0ms parent", "0ms first", "0ms second"));
}

TEST(Process, SignalComesBeforeTheDeadline) {
    Stage stage;
    Process* waiting = nullptr;
    stage.scripts[stage.alice] = [&](Process& self) {
        waiting = &self;
        stage.say(self, self.wait_for_signal_until(at(9ms)) ? "signalled" : "too late");
        self.sleep_for(20ms);  // The deadline that was not needed must not end this early.
        stage.say(self, "slept");
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(3ms);
        stage.world.signal(*waiting);
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("3ms signalled", "23ms slept"));
}

TEST(Process, DeadlineEndsAWaitWithoutASignal) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.say(self, self.wait_for_signal_until(at(9ms)) ? "signalled" : "too late");
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("9ms too late"));
}

TEST(Process, SecondSignalForOneWaitIsVoid) {
    Stage stage;
    Process* waiting = nullptr;
    stage.scripts[stage.alice] = [&](Process& self) {
        waiting = &self;
        self.wait_for_signal();
        self.sleep_for(10ms);
        stage.say(self, "slept");
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(3ms);
        stage.world.signal(*waiting);
        stage.world.signal(*waiting);
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("13ms slept"));
}

/// Says goodbye when a process is unwound.
struct Farewell {
    Stage& stage;
    Process& self;
    std::string name;
    ~Farewell() { stage.say(self, name); }
};

TEST(Process, OnesOfACrashedNodeDieInTheOrderOfSpawning) {
    Stage stage;
    for (const char* const name : {"first", "second", "third"})
        stage.world.spawn(stage.alice, [&stage, name](Process& self) {
            const Farewell farewell{stage, self, name};
            self.sleep_for(name == std::string{"first"} ? 9ms : 8ms);
        });
    stage.run({at_instant(5ms, Crash{}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("5ms first", "5ms second", "5ms third"));
}

TEST(Process, DiesOfSomethingThatIsNoStandardException) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        try {
            if (self.incarnation() == 0) self.sleep_for(9ms);
        } catch (const std::exception&) {
            stage.say(self, "swallowed");
        } catch (const Killed&) {
            stage.say(self, "killed");
            throw;
        }
    };
    stage.run({at_instant(5ms, Crash{}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("5ms killed"));
}

/// Tries everything that leaves a trace.
struct LastWords {
    Stage& stage;
    Process& self;
    ~LastWords() {
        EXPECT_TRUE(self.is_dying());
        EXPECT_EQ(self.record(run_2, Restarted{}), no_step);
        stage.ask_for(self, 8);
    }
};

TEST(Process, TheDyingAreRefusedAndLeaveNoTrace) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        if (self.incarnation() > 0) return;
        const LastWords words{stage, self};
        self.sleep_for(9ms);
    };
    stage.run({at_instant(5ms, Crash{}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("5ms refused 8"));
    EXPECT_THAT(stage.record.all<Refused>(), IsEmpty());
    EXPECT_EQ(stage.world.performed(run_1, ask), 0u);
    EXPECT_EQ(stage.record.all<Restarted>().size(), 1u);
}

TEST(Process, BlockingAfterASwallowedDeathIsAnErrorOfTheHarness) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        try {
            self.sleep_for(9ms);
        } catch (...) {}
        self.sleep_for(9ms);
    };
    EXPECT_THROW(stage.run({at_instant(5ms, Crash{}, "alice")}), HarnessError);
}

TEST(Process, AllOfANodeDieEvenWhenOneFailsAtIt) {
    Stage stage;
    stage.world.spawn(stage.alice, [](Process& self) {
        try {
            self.sleep_for(9ms);
        } catch (...) {}
        self.sleep_for(9ms);
    });
    stage.world.spawn(stage.alice, [&](Process& self) {
        const Farewell farewell{stage, self, "second"};
        self.sleep_for(9ms);
    });
    EXPECT_THROW(stage.run({at_instant(5ms, Crash{}, "alice")}), HarnessError);
    EXPECT_THAT(stage.log, ElementsAre("5ms second"));
}

TEST(Process, ExceptionOfAnActorReachesRun) {
    Stage stage;
    stage.scripts[stage.alice] = [](Process& self) {
        self.sleep_for(1ms);
        throw std::runtime_error("a bug in an actor");
    };
    EXPECT_THROW(stage.run(), std::runtime_error);
}

TEST(Process, MemoryOfADeadIncarnationIsGone) {
    Stage stage;
    const auto memory = std::make_shared<int>(0);
    stage.scripts[stage.alice] = [&](Process& self) {
        if (self.incarnation() > 0) return;
        const auto held = memory;
        self.sleep_for(1h);
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        stage.say(self, fmt::format("{}", memory.use_count()));
        self.sleep_for(6ms);
        stage.say(self, fmt::format("{}", memory.use_count()));
    };
    stage.run({at_instant(5ms, Crash{}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("0ms 2", "6ms 1"));
}

TEST(Process, NodeStartsAgainWithoutMemoryAfterItsDelay) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.say(self, fmt::format("life {}", self.incarnation()));
        self.sleep_for(1h);
        stage.say(self, "survived");
    };
    stage.run({at_instant(5ms, Crash{.restart_after = 10ms}, "alice")}, 20ms);
    EXPECT_THAT(stage.log, ElementsAre("0ms life 0", "15ms life 1", "3600015ms survived"));
}

TEST(Process, CanCrashItsOwnNode) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        if (self.incarnation() > 0) return stage.say(self, "again");
        self.die(Crash{.of = CrashOf::machine, .restart_after = 3ms});
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("3ms again"));
    EXPECT_EQ(stage.record.only<Crashed>().as<Crashed>()->of, CrashOf::machine);
    EXPECT_THAT(stage.record.all<FaultFired>(), IsEmpty());
}

TEST(Process, WorkTakesItsTime) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.work(toil, run_1, 5ms);
        stage.say(self, "done");
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms done"));
    EXPECT_EQ(stage.world.performed(run_1, toil), 1u);
}

}  // namespace
}  // namespace redeliver::sim
