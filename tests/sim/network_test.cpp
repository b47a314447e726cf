#include "sim/network.h"

#include <gmock/gmock.h>

#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Network, AnswerArrivesAfterTwoLatencies) {
    Stage stage;
    stage.alice_asks_once();
    stage.run();
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7"));
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
}

TEST(Network, EveryStepOfAnExchangeIsCausedByTheOneBefore) {
    Stage stage;
    stage.alice_asks_once();
    stage.run();
    const Step sent = stage.record.only<Sent>(), replied = stage.record.only<Replied>(),
               arrived = stage.record.only<Arrived>();
    EXPECT_EQ(replied.cause, sent.number);
    EXPECT_EQ(arrived.cause, replied.number);
    EXPECT_EQ(arrived.previous, replied.number);
    EXPECT_EQ(sent.actor, stage.alice);
    EXPECT_EQ(replied.actor, stage.broker);
    EXPECT_EQ(replied.as<Replied>()->content, 7u);
}

TEST(Network, LatencyStaysWithinItsBoundsAndVaries) {
    World::Configuration varied = configuration();
    varied.network.latency = uniform(1ms, 3ms);
    Stage stage{varied};
    stage.scripts[stage.alice] = [&](Process& self) {
        for (int number = 0; number < 50; ++number) stage.ask_for(self, number);
    };
    stage.run();
    Duration least = 1h, most = 0ms;
    for (std::size_t each = 0; each < 50; ++each) {
        const Duration whole =
            stage.record.all<Arrived>()[each].at - stage.record.all<Sent>()[each].at;
        least = std::min(least, whole);
        most = std::max(most, whole);
    }
    EXPECT_GE(least, 2ms);
    EXPECT_LE(most, 6ms);
    EXPECT_GT(most - least, 1ms);
}

TEST(Network, PollWithoutASubjectIsAboutItsClient) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        request(self, stage.echo.exchanges,
                {.connection = stage.line, .operation = poll, .timeout = 1s}, 1);
    };
    stage.run();
    EXPECT_EQ(stage.record.only<Sent>().subject, subject_of(stage.alice));
}

TEST(Network, ClientGivesUpAtItsDeadlineAndTheServerGoesOn) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.alice_asks_once(5ms);
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7"));
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "6ms ends 1"));
    EXPECT_EQ(stage.record.only<Lost>().as<Lost>()->reason, LossReason::deadline);
}

TEST(Network, AnswerAfterTheDeadlineVanishes) {
    Stage stage;
    stage.echo.thinks = 4500us;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7, 5ms);
        stage.echo.thinks = 0ms;
        stage.ask_for(self, 8);
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7", "7ms gets 8"));
    EXPECT_EQ(stage.record.only<AnsweredNobody>().at, at(5500us));
}

TEST(Network, ClientConnectsAgainInANewSessionAfterItGaveUp) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7, 5ms);
        EXPECT_FALSE(stage.world.network().is_open(stage.line));
        stage.ask_for(self, 8);
        EXPECT_TRUE(stage.world.network().is_open(stage.line));
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7", "17ms gets 8"));
}

TEST(Network, WhatBelongsToALostSessionIsRefusedAtOnce) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7, 5ms);
        stage.ask_for(self, 8, 1s, Network::Continuity::same_session);
    };
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7", "5ms refused 8"));
}

TEST(Network, OldSessionDelaysNothingInANewOne) {
    Stage stage;
    stage.echo.thinks = 3ms;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7, 5ms);  // Its farewell is swallowed: the server waits 60 s for it.
        self.sleep_for(5ms);
        stage.ask_for(self, 8, 1s);
    };
    stage.run({at_instant(2ms, Partition{.to = "broker", .lasts = 5ms}, "alice"),
               at_instant(2ms, Partition{.to = "alice", .lasts = 5ms}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7", "15ms gets 8"));
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "11ms applies 8", "60005ms ends 1"));
}

// ---------------------------------------------------------------- partitions

TEST(Partition, OfRequestsKeepsThemFromBeingApplied) {
    Stage stage;
    stage.world.network().partition(stage.alice, stage.broker, at(1h), no_step);
    stage.alice_asks_once();
    stage.run();
    EXPECT_THAT(stage.log, ElementsAre("1000ms refused 7"));
    EXPECT_THAT(stage.echo.log, IsEmpty());
}

TEST(Partition, OfAnOpenConnectionSwallowsTheRequest) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7);
        self.sleep_for(8ms);
        stage.ask_for(self, 8);
    };
    stage.run({at_instant(5ms, Partition{.to = "broker", .lasts = 30s}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7", "1010ms loses 8"));
    const Step dropped = stage.record.only<Dropped>();
    EXPECT_EQ(dropped.as<Dropped>()->what, Swallowed::request);
    EXPECT_EQ(dropped.cause, stage.record.only<Partitioned>().number);
    EXPECT_EQ(stage.record.only<Lost>().cause, dropped.number);
}

TEST(Partition, OfRepliesLeavesTheRequestApplied) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Partition{.to = "alice", .lasts = 30s}, "broker")});
    EXPECT_THAT(stage.echo.log.front(), "1ms applies 7");
    EXPECT_THAT(stage.log, ElementsAre("1000ms loses 7"));
    EXPECT_EQ(stage.record.only<Dropped>().as<Dropped>()->what, Swallowed::reply);
}

TEST(Partition, LetsThroughWhatIsOnTheWireAlready) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Partition{.to = "broker", .lasts = 30s}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
}

TEST(Partition, HealsAfterItsTime) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(13ms);
        stage.ask_for(self, 7);
    };
    stage.run({at_instant(2ms, Partition{.to = "broker", .lasts = 10ms}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("15ms gets 7"));
    EXPECT_EQ(stage.record.only<PartitionHealed>().at, at(12ms));
}

TEST(Partition, LastsAsLongAsTheLastOfThoseThatOverlap) {
    Stage stage;
    stage.run({at_instant(2ms, Partition{.to = "broker", .lasts = 10ms}, "alice"),
               at_instant(8ms, Partition{.to = "broker", .lasts = 10ms}, "alice")});
    EXPECT_EQ(stage.record.only<PartitionHealed>().at, at(18ms));
}

TEST(Partition, LeavesOthersAlone) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(0ms, Partition{.to = "broker", .lasts = 30s}, "carol")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
}

// ---------------------------------------------------------------- crashes of the server

Fault server_crash(Duration when, CrashOf of, Duration restart_after) {
    return at_instant(when, Crash{.of = of, .restart_after = restart_after}, "broker");
}

TEST(ServerCrash, OfAProcessResetsTheConnection) {
    Stage stage;
    stage.echo.thinks = 50ms;
    stage.alice_asks_once();
    stage.run({server_crash(5ms, CrashOf::process, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("6ms loses 7"));
    EXPECT_EQ(stage.record.only<Lost>().as<Lost>()->reason, LossReason::reset);
    EXPECT_EQ(stage.record.only<Lost>().cause, stage.record.only<Crashed>().number);
}

TEST(ServerCrash, OfAMachineIsSilent) {
    Stage stage;
    stage.echo.thinks = 50ms;
    stage.alice_asks_once();
    stage.run({server_crash(5ms, CrashOf::machine, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("1000ms loses 7"));
    EXPECT_EQ(stage.record.only<Lost>().as<Lost>()->reason, LossReason::deadline);
}

TEST(ServerCrash, AnswerOnTheWireArrivesBeforeTheFarewell) {
    World::Configuration varied = configuration();
    varied.network.latency = uniform(1ms, 9ms);
    int arrived = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        varied.seed = seed;
        Stage stage{varied};
        stage.alice_asks_once();
        stage.run();
        const Instant replied = stage.record.only<Replied>().at;
        Stage again{varied};
        again.alice_asks_once();
        again.run({server_crash(replied.time_since_epoch() + 1us, CrashOf::process, 2s)});
        arrived += static_cast<int>(again.record.all<Arrived>().size());
    }
    EXPECT_EQ(arrived, 20);
}

TEST(ServerCrash, RequestToADeadProcessIsRefusedByItsKernel) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(10ms);
        stage.ask_for(self, 7);
    };
    stage.run({server_crash(5ms, CrashOf::process, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("12ms refused 7"));
}

TEST(ServerCrash, RequestToADeadMachineIsRefusedAfterTheConnectTimeout) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(10ms);
        stage.ask_for(self, 7);
    };
    stage.run({server_crash(5ms, CrashOf::machine, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("1010ms refused 7"));
}

TEST(ServerCrash, RequestOnTheWireMeetsADeadEnd) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({server_crash(500us, CrashOf::process, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("1ms loses 7"));
    EXPECT_THAT(stage.echo.log, ElementsAre("2000ms restarts"));
}

TEST(ServerCrash, SessionOfTheDeadIsResetByTheMachineThatCameBack) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7);
        self.sleep_for(98ms);  // The machine crashed and came back unnoticed.
        stage.ask_for(self, 8);
        stage.ask_for(self, 9);
    };
    stage.run({server_crash(5ms, CrashOf::machine, 20ms)});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7", "102ms loses 8", "104ms gets 9"));
}

TEST(ServerCrash, ServerForgetsRequestsOfSessionsThatItsClientLeft) {
    Stage stage;
    stage.echo.thinks = 10s;
    stage.scripts[stage.alice] = [&](Process& self) {
        stage.ask_for(self, 7, 5ms);  // Its farewell is swallowed.
        self.sleep_for(15ms);
        stage.ask_for(self, 8, 20ms);
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(5s);
        const auto count = stage.world.network().in_flight_about_subjects();
        stage.say(self, fmt::format("{} in flight", count));
    };
    stage.run({at_instant(2ms, Partition{.to = "broker", .lasts = 10ms}, "alice"),
               server_crash(30ms, CrashOf::process, 2s)});
    EXPECT_THAT(stage.log, ElementsAre("5ms loses 7", "31ms loses 8", "5000ms 0 in flight"));
}

// ---------------------------------------------------------------- crashes of the client

TEST(ClientCrash, OfAProcessSaysFarewell) {
    Stage stage;
    stage.echo.thinks = 50ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, Crash{}, "alice")});
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "6ms ends 1"));
    EXPECT_THAT(stage.log, IsEmpty());
}

TEST(ClientCrash, OfAMachineIsNoticedByTheKeepalive) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1500us, Crash{.of = CrashOf::machine}, "alice")});
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "60001ms ends 1"));
}

TEST(ClientCrash, RequestOnTheWireStillArrives) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Crash{}, "alice")});
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "1ms ends 1"));
}

TEST(ClientCrash, AnswerToTheOldIncarnationVanishes) {
    Stage stage;
    stage.echo.thinks = 50ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, Crash{.of = CrashOf::machine, .restart_after = 10ms}, "alice")});
    EXPECT_THAT(stage.log, IsEmpty());
    EXPECT_EQ(stage.record.only<AnsweredNobody>().at, at(51ms));
    EXPECT_THAT(stage.record.all<Arrived>(), IsEmpty());
}

TEST(ClientCrash, NamesTheOperationThatItCut) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Crash{}, "alice")});
    const Step cut = stage.record.only<Cut>();
    EXPECT_EQ(cut.cause, stage.record.only<Crashed>().number);
    EXPECT_EQ(cut.subject, run_1);
    EXPECT_EQ(cut.as<Cut>()->phase, CutAt::in_flight);
    EXPECT_EQ(cut.as<Cut>()->occurrence, 1u);
}

// ---------------------------------------------------------------- resets and pauses

TEST(Reset, TellsBothEnds) {
    Stage stage;
    stage.echo.thinks = 50ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, Reset{}, "broker")});
    EXPECT_THAT(stage.echo.log, ElementsAre("1ms applies 7", "5ms ends 1"));
    EXPECT_THAT(stage.log, ElementsAre("6ms loses 7"));
    EXPECT_EQ(stage.record.only<Lost>().cause, stage.record.only<ConnectionReset>().number);
}

TEST(Reset, LosesTheAnswerOnTheWire) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1500us, Reset{}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("2ms loses 7"));
    EXPECT_EQ(stage.record.only<Lost>().at, at(2500us));
}

TEST(Reset, LosesTheRequestOnTheWire) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Reset{}, "alice")});
    EXPECT_THAT(stage.echo.log, ElementsAre("0ms ends 1"));
    EXPECT_THAT(stage.log, ElementsAre("1ms loses 7"));
}

TEST(Reset, LeavesIdleNodesAlone) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(1500us, Reset{}, "carol")});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
    EXPECT_THAT(stage.record.all<ConnectionReset>(), IsEmpty());
}

TEST(Pause, ClientDoesNotNoticeThatItWasLate) {
    Stage stage;
    stage.alice_asks_once(5ms);
    stage.run({at_instant(1500us, Pause{.lasts = 100ms}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("101ms gets 7"));
}

TEST(Pause, DefersWhatComesInItsOrder) {
    Stage stage;
    for (const int number : {3, 2, 4})
        stage.world.spawn(stage.alice, [&stage, number](Process& self) {
            self.sleep_for(number * 1ms);
            stage.say(self, fmt::format("{}", number));
        });
    stage.run({at_instant(1ms, Pause{.lasts = 9ms}, "alice")});
    EXPECT_THAT(stage.log, ElementsAre("10ms 2", "10ms 3", "10ms 4"));
}

TEST(Pause, OfAServerDelaysTheAnswer) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({at_instant(500us, Pause{.lasts = 100ms}, "broker")});
    EXPECT_THAT(stage.echo.log, ElementsAre("100ms applies 7"));
    EXPECT_EQ(stage.record.only<Arrived>().at, at(101'500us));
}

TEST(Pause, LastsAsLongAsTheLastOfThoseThatOverlap) {
    Stage stage;
    stage.run({at_instant(1ms, Pause{.lasts = 10ms}, "alice"),
               at_instant(2ms, Pause{.lasts = 3ms}, "alice")});
    EXPECT_EQ(stage.record.only<Resumed>().at, at(11ms));
}

TEST(Pause, OfAnEarlierLifeDoesNotLengthenALaterOne) {
    Stage stage;
    stage.run({at_instant(1ms, Pause{.lasts = 1s}, "alice"),
               at_instant(2ms, Crash{.restart_after = 1ms}, "alice"),
               at_instant(5ms, Pause{.lasts = 3ms}, "alice")});
    EXPECT_EQ(stage.record.only<Resumed>().at, at(8ms));
}

TEST(Pause, TimerSetAnewDuringItRingsOnce) {
    Stage stage;
    stage.echo.thinks = 10ms;
    stage.alice_asks_once();
    stage.run({at_instant(5ms, Pause{.lasts = 20ms}, "broker"),
               at_instant(12ms, ClockStep{.by = -30ms}, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("42ms gets 7"));
    EXPECT_EQ(stage.echo.rings, 1);
}

}  // namespace
}  // namespace redeliver::sim
