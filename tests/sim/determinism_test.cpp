#include <gmock/gmock.h>

#include <unistd.h>
#include <cstdio>
#include <fstream>

#include "sim/inbox.h"
#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;

World::Configuration varied(std::uint64_t seed) {
    World::Configuration how = configuration(seed);
    how.network.latency = uniform(200us, 2ms);
    return how;
}

const FaultPlan troubles = {at_instant(5ms, Crash{.restart_after = 3ms}, "broker"),
                            at_instant(20ms, Pause{.lasts = 4ms}, "alice"),
                            while_asking(Point::after_apply, Drop{})};

/// Alice asks ten times, in the middle of troubles.
void play(Stage& stage, const FaultPlan& plan = troubles) {
    stage.scripts[stage.alice] = [&stage](Process& self) {
        for (int number = 0; number < 10; ++number) stage.ask_for(self, number, 10ms);
    };
    stage.run(plan, 1s);
}

TEST(Determinism, OneSeedHasOneHistory) {
    Stage once{varied(1)}, again{varied(1)};
    play(once);
    play(again);
    EXPECT_EQ(once.world.recorder().fingerprint(), again.world.recorder().fingerprint());
    EXPECT_EQ(once.log, again.log);
}

TEST(Determinism, SeedsDiffer) {
    Stage one{varied(1)}, two{varied(2)};
    play(one);
    play(two);
    EXPECT_NE(one.world.recorder().fingerprint(), two.world.recorder().fingerprint());
}

TEST(Determinism, AThousandEarlierWorldsOnTheSameStacksLeaveNoTrace) {
    Stage fresh{varied(1)};
    play(fresh);
    StackPool stacks;
    for (std::uint64_t seed = 2; seed <= 1001; ++seed) {
        Stage earlier{varied(seed), stacks};
        play(earlier);
    }
    Stage later{varied(1), stacks};
    play(later);
    EXPECT_EQ(later.world.recorder().fingerprint(), fresh.world.recorder().fingerprint());
}

/// How long each of carol's five questions about run-2 took, while alice asks about run-1.
std::vector<Duration> times_of_run_2(const FaultPlan& plan, int more_for_run_1) {
    Stage stage{varied(1)};
    const ConnectionId line = stage.world.network().connect(stage.carol, stage.broker);
    stage.scripts[stage.alice] = [&](Process& self) {
        for (int number = 0; number < 3 + more_for_run_1; ++number)
            stage.ask_for(self, number, 10ms);
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        for (int number = 0; number < 5; ++number)
            request(self, stage.echo.exchanges,
                    {.connection = line, .operation = ask, .subject = run_2, .timeout = 1s},
                    number);
    };
    stage.run(plan, 1s);
    std::vector<Duration> times;
    Instant sent{};
    for (const Step& step : stage.record.steps) {
        if (step.subject != run_2) continue;
        if (step.as<Sent>() != nullptr) sent = step.at;
        if (step.as<Arrived>() != nullptr) times.push_back(step.at - sent);
    }
    return times;
}

TEST(Determinism, RemovingAFaultLeavesTheDrawsOfOtherSubjects) {
    const auto undisturbed = times_of_run_2({}, 0);
    ASSERT_EQ(undisturbed.size(), 5u);
    EXPECT_EQ(times_of_run_2({while_asking(Point::before_apply, Drop{})}, 0), undisturbed);
    EXPECT_EQ(times_of_run_2({while_asking(Point::before_send, Crash{})}, 0), undisturbed);
}

TEST(Determinism, MoreDrawsForOneSubjectLeaveThoseOfOthers) {
    EXPECT_EQ(times_of_run_2({}, 4), times_of_run_2({}, 0));
}

// ---------------------------------------------------------------- how a world ends

TEST(World, DrainsWhenNoEventIsLeft) {
    Stage stage;
    EXPECT_EQ(stage.run(), Ending::drained);
    EXPECT_EQ(stage.record.steps.back().as<Concluded>()->ending,
              static_cast<std::uint32_t>(Ending::drained));
}

TEST(World, StopsWhenItRunsOutOfSteps) {
    World::Configuration how = configuration();
    how.budget.events = 100;
    Stage stage{how};
    stage.scripts[stage.alice] = [](Process& self) {
        while (true) self.sleep_for(1ms);
    };
    EXPECT_EQ(stage.run(), Ending::out_of_steps);
    EXPECT_EQ(stage.world.events(), 101u);
}

TEST(World, StopsWhenItRunsOutOfTime) {
    World::Configuration how = configuration();
    how.budget.time = 1s;
    Stage stage{how};
    stage.scripts[stage.alice] = [](Process& self) {
        while (true) self.sleep_for(300ms);
    };
    EXPECT_EQ(stage.run(), Ending::out_of_time);
    EXPECT_EQ(stage.world.now(), at(900ms));
}

struct EndsAt : Supervisor {
    Instant end;
    explicit EndsAt(Instant when) : end(when) {}
    std::optional<Ending> ending(Instant now) const override {
        if (now < end) return {};
        return Ending::settled;
    }
};

TEST(World, StopsWhenItsSupervisorSaysSo) {
    Stage stage;
    stage.scripts[stage.alice] = [](Process& self) {
        while (true) self.sleep_for(300ms);
    };
    EXPECT_EQ(stage.world.run(EndsAt{at(1s)}), Ending::settled);
    EXPECT_EQ(stage.world.now(), at(1200ms));
}

TEST(World, RefusesTwoNodesOfOneName) {
    Stage stage;
    EXPECT_THROW(stage.world.add_node({.name = "alice"}), HarnessError);
}

// ---------------------------------------------------------------- servers made of processes

struct Doubler {
    Stage& stage;
    Inbox<int, int> inbox{stage.world, [](const int& reply) { return std::uint64_t(reply); }};
    NodeId node{};
    ConnectionId line{};

    explicit Doubler(Stage& on) : stage(on) {
        node = stage.world.add_node({.name = "doubler",
                                     .boot = [this](World& world, NodeId id) { boot(world, id); },
                                     .service = &inbox});
        line = stage.world.network().connect(stage.alice, node);
    }
    void boot(World& world, NodeId id) {
        world.spawn(id, [this](Process& self) {
            while (const auto received = inbox.receive(self)) {
                self.work(toil, received->address.subject, 5ms);
                inbox.reply(self, *received, received->request * 2);
            }
        });
    }
    void ask_for(Process& self, int number, Duration timeout) {
        const auto outcome = request(
            self, inbox.exchanges(),
            {.connection = line, .operation = ask, .subject = run_1, .timeout = timeout}, number);
        stage.say(self, outcome.arrived() ? fmt::format("gets {}", outcome.value()) : "nothing");
    }
};

TEST(Inbox, HandlerTakesItsTimeAndAnswers) {
    Stage stage;
    Doubler doubler{stage};
    stage.scripts[stage.alice] = [&](Process& self) { doubler.ask_for(self, 7, 1s); };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("7ms gets 14"));
}

TEST(Inbox, HandlerFinishesWorkThatNobodyWaitsForAnyMore) {
    Stage stage;
    Doubler doubler{stage};
    stage.scripts[stage.alice] = [&](Process& self) {
        doubler.ask_for(self, 7, 2ms);
        doubler.ask_for(self, 8, 1s);  // Waits for the one handler to be done with the first.
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("2ms nothing", "12ms gets 16"));
}

TEST(Inbox, CrashLosesRequestsInTheQueueAndInHand) {
    Stage stage;
    Doubler doubler{stage};
    stage.scripts[stage.alice] = [&](Process& self) {
        doubler.ask_for(self, 7, 1s);
        self.sleep_for(1s);
        doubler.ask_for(self, 8, 1s);
    };
    stage.run({at_instant(3ms, Crash{.restart_after = 10ms}, "doubler")});
    EXPECT_THAT(stage.log, ElementsAre("4ms nothing", "1011ms gets 16"));
}

TEST(Inbox, FaultInTheWorkOfAHandlerStrikesIt) {
    Stage stage;
    Doubler doubler{stage};
    stage.scripts[stage.alice] = [&](Process& self) { doubler.ask_for(self, 7, 1s); };
    stage.run({{.when = AtStep{.operation = "toil", .subject = "run-1", .point = Point::end},
                .what = Pause{.lasts = 100ms}}});
    EXPECT_THAT(stage.log, ElementsAre("107ms gets 14"));
}

// ---------------------------------------------------------------- many processes

std::size_t resident_bytes() {
    std::size_t whole = 0, resident = 0;
    std::ifstream{"/proc/self/statm"} >> whole >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(World, HoldsTenThousandSleepers) {
    Stage stage;
    int awake = 0;
    std::size_t resident = 0;
    const std::size_t before = resident_bytes();
    for (int number = 0; number < 10'000; ++number)
        stage.world.spawn(stage.alice, [&awake](Process& self) {
            self.sleep_for(1s);
            ++awake;
        });
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(500ms);
        resident = resident_bytes() - before;
    };
    stage.run();
    EXPECT_EQ(awake, 10'000);
    std::printf("%zu bytes for each sleeping process (wanted: at most 24576)\n", resident / 10'000);
}

}  // namespace
}  // namespace redeliver::sim
