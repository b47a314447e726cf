#include "sim/fault.h"

#include <gmock/gmock.h>

#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::ElementsAre;
using testing::IsEmpty;

using Log = std::vector<std::string>;

/// One fault in the only question that alice asks, and all that is seen of it at either end.
struct Case {
    const char* name;
    Point point;
    What what;
    const char* target;  // Empty is alice, who asks.
    Log alice;
    Log broker;
};

void PrintTo(const Case& what, std::ostream* out) { *out << what.name; }

class FaultWhileAsking : public testing::TestWithParam<Case> {};

TEST_P(FaultWhileAsking, DoesExactlyThis) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({while_asking(GetParam().point, GetParam().what, GetParam().target)});
    EXPECT_EQ(stage.log, GetParam().alice);
    EXPECT_EQ(stage.echo.log, GetParam().broker);
    EXPECT_EQ(stage.record.all<FaultFired>().size(), 1u);
    EXPECT_THAT(stage.world.faults().inert(), IsEmpty());
}

const Crash crash{.of = CrashOf::process, .restart_after = 2s};
const Crash power_cut{.of = CrashOf::machine, .restart_after = 2s};
const Pause pause{.lasts = 10ms};
const Partition from_alice{.to = "broker", .lasts = 10s};
const Partition from_broker{.to = "alice", .lasts = 10s};
const Failover failover{.lag = 5ms};

const Case cases[] = {
    {"crash_before_send", Point::before_send, crash, "", {}, {}},
    {"crash_before_apply", Point::before_apply, crash, "", {}, {"1ms applies 7", "2ms ends 1"}},
    {"crash_after_apply", Point::after_apply, crash, "", {}, {"1ms applies 7", "2ms ends 1"}},
    {"crash_after_reply", Point::after_reply, crash, "", {}, {"1ms applies 7", "3ms ends 1"}},
    {"server_crash_before_send",
     Point::before_send,
     crash,
     "broker",
     {"2ms refused 7"},
     {"2000ms restarts"}},
    {"server_crash_before_apply",
     Point::before_apply,
     crash,
     "broker",
     {"2ms loses 7"},
     {"2001ms restarts"}},
    {"server_crash_after_apply",
     Point::after_apply,
     crash,
     "broker",
     {"2ms loses 7"},
     {"1ms applies 7", "2001ms restarts"}},
    {"server_crash_after_reply",
     Point::after_reply,
     crash,
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7", "2002ms restarts"}},
    {"server_power_cut_before_send",
     Point::before_send,
     power_cut,
     "broker",
     {"1000ms refused 7"},
     {"2000ms restarts"}},
    {"server_power_cut_before_apply",
     Point::before_apply,
     power_cut,
     "broker",
     {"1000ms loses 7"},
     {"2001ms restarts"}},
    {"server_power_cut_after_apply",
     Point::after_apply,
     power_cut,
     "broker",
     {"1000ms loses 7"},
     {"1ms applies 7", "2001ms restarts"}},
    {"pause_before_send", Point::before_send, pause, "", {"12ms gets 7"}, {"11ms applies 7"}},
    {"pause_before_apply", Point::before_apply, pause, "", {"11ms gets 7"}, {"1ms applies 7"}},
    {"pause_after_apply", Point::after_apply, pause, "", {"11ms gets 7"}, {"1ms applies 7"}},
    {"pause_after_reply", Point::after_reply, pause, "", {"12ms gets 7"}, {"1ms applies 7"}},
    {"server_pause_before_send",
     Point::before_send,
     pause,
     "broker",
     {"11ms gets 7"},
     {"10ms applies 7"}},
    {"server_pause_before_apply",
     Point::before_apply,
     pause,
     "broker",
     {"12ms gets 7"},
     {"11ms applies 7"}},
    {"server_pause_after_apply",
     Point::after_apply,
     pause,
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7"}},
    {"drop_before_send", Point::before_send, Drop{}, "", {"1000ms loses 7"}, {"61000ms ends 1"}},
    {"drop_before_apply", Point::before_apply, Drop{}, "", {"1000ms loses 7"}, {"61000ms ends 1"}},
    {"drop_after_apply",
     Point::after_apply,
     Drop{},
     "",
     {"1000ms loses 7"},
     {"1ms applies 7", "1001ms ends 1"}},
    {"reset_before_send", Point::before_send, Reset{}, "", {"2ms gets 7"}, {"1ms applies 7"}},
    {"reset_before_apply", Point::before_apply, Reset{}, "", {"2ms loses 7"}, {"1ms ends 1"}},
    {"reset_after_apply",
     Point::after_apply,
     Reset{},
     "",
     {"2ms loses 7"},
     {"1ms applies 7", "1ms ends 1"}},
    {"reset_after_reply",
     Point::after_reply,
     Reset{},
     "",
     {"2ms gets 7"},
     {"1ms applies 7", "2ms ends 1"}},
    {"partition_before_send", Point::before_send, from_alice, "", {"1000ms refused 7"}, {}},
    {"partition_before_apply",
     Point::before_apply,
     from_alice,
     "",
     {"2ms gets 7"},
     {"1ms applies 7"}},
    {"partition_after_apply",
     Point::after_apply,
     from_alice,
     "",
     {"2ms gets 7"},
     {"1ms applies 7"}},
    {"partition_after_reply",
     Point::after_reply,
     from_alice,
     "",
     {"2ms gets 7"},
     {"1ms applies 7"}},
    {"server_partition_before_send",
     Point::before_send,
     from_broker,
     "broker",
     {"1000ms refused 7"},
     {}},
    {"server_partition_before_apply",
     Point::before_apply,
     from_broker,
     "broker",
     {"1000ms loses 7"},
     {"1ms applies 7", "1001ms ends 1"}},
    {"server_partition_after_apply",
     Point::after_apply,
     from_broker,
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7"}},
    {"server_clock_step_before_send",
     Point::before_send,
     ClockStep{.by = 5s},
     "broker",
     {"2ms gets 7"},
     {"0ms clock stepped", "1ms applies 7"}},
    {"server_clock_step_before_apply",
     Point::before_apply,
     ClockStep{.by = 5s},
     "broker",
     {"2ms gets 7"},
     {"1ms clock stepped", "1ms applies 7"}},
    {"server_clock_step_after_apply",
     Point::after_apply,
     ClockStep{.by = 5s},
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7", "1ms clock stepped"}},
    {"server_clock_step_after_reply",
     Point::after_reply,
     ClockStep{.by = 5s},
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7", "2ms clock stepped"}},
    {"failover_before_send",
     Point::before_send,
     failover,
     "broker",
     {"2ms gets 7"},
     {"0ms fails over, 5ms", "1ms applies 7"}},
    {"failover_before_apply",
     Point::before_apply,
     failover,
     "broker",
     {"2ms loses 7"},
     {"1ms fails over, 5ms"}},
    {"failover_after_apply",
     Point::after_apply,
     failover,
     "broker",
     {"2ms loses 7"},
     {"1ms applies 7", "1ms fails over, 5ms"}},
    {"failover_after_reply",
     Point::after_reply,
     failover,
     "broker",
     {"2ms gets 7"},
     {"1ms applies 7", "2ms fails over, 5ms"}},
    {"bystander_crash_before_apply",
     Point::before_apply,
     crash,
     "carol",
     {"2ms gets 7"},
     {"1ms applies 7"}},
};

INSTANTIATE_TEST_SUITE_P(Points, FaultWhileAsking, testing::ValuesIn(cases),
                         [](const auto& each) { return std::string{each.param.name}; });

/// One fault in eight milliseconds of work, and when the work was done, if ever.
struct WorkCase {
    const char* name;
    Point point;
    What what;
    Log log;
};

void PrintTo(const WorkCase& what, std::ostream* out) { *out << what.name; }

class FaultWhileWorking : public testing::TestWithParam<WorkCase> {};

TEST_P(FaultWhileWorking, DoesExactlyThis) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        if (self.incarnation() > 0) return;
        self.work(toil, run_1, 8ms);
        stage.say(self, "done");
    };
    stage.run({{.when = AtStep{.operation = "toil", .subject = "run-1", .point = GetParam().point},
                .what = GetParam().what}});
    EXPECT_EQ(stage.log, GetParam().log);
    EXPECT_THAT(stage.world.faults().inert(), IsEmpty());
}

const Slow slow{.percent = 400, .lasts = 1s};

const WorkCase work_cases[] = {
    {"crash_start", Point::start, crash, {}},
    {"crash_middle", Point::middle, crash, {}},
    {"crash_end", Point::end, crash, {}},
    {"pause_start", Point::start, pause, {"18ms done"}},
    {"pause_middle", Point::middle, pause, {"18ms done"}},
    {"pause_end", Point::end, pause, {"18ms done"}},
    {"slow_start", Point::start, slow, {"32ms done"}},
    {"slow_middle", Point::middle, slow, {"20ms done"}},
    {"slow_end", Point::end, slow, {"8ms done"}},
};

INSTANTIATE_TEST_SUITE_P(Points, FaultWhileWorking, testing::ValuesIn(work_cases),
                         [](const auto& each) { return std::string{each.param.name}; });

TEST(Fault, CrashInTheMiddleOfWorkStrikesHalfWayAndNamesTheWork) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        if (self.incarnation() == 0) self.work(toil, run_1, 8ms);
    };
    stage.run({{.when = AtStep{.operation = "toil", .subject = "run-1", .point = Point::middle},
                .what = crash}});
    const Step cut = stage.record.only<Cut>();
    EXPECT_EQ(cut.at, at(4ms));
    EXPECT_EQ(cut.as<Cut>()->phase, CutAt::working);
    EXPECT_EQ(stage.record.only<Crashed>().cause, stage.record.only<FaultFired>().number);
}

TEST(Fault, CrashBeforeSendLeavesNothingOnTheWire) {
    Stage stage;
    stage.alice_asks_once();
    stage.run({while_asking(Point::before_send, crash)});
    EXPECT_EQ(stage.record.only<Cut>().as<Cut>()->phase, CutAt::unsent);
    EXPECT_THAT(stage.record.all<Sent>(), IsEmpty());
}

TEST(Fault, StrikesTheOccurrenceThatItNames) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        for (const int number : {7, 8, 9}) stage.ask_for(self, number);
    };
    stage.run(
        {{.when = AtStep{.operation = "ask", .subject = "run-1", .occurrence = 2}, .what = pause}});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7", "14ms gets 8", "16ms gets 9"));
}

TEST(Fault, ThatWaitsForAnotherPerformerIsInert) {
    Stage stage;
    stage.alice_asks_once();
    stage.run(
        {{.when = AtStep{.operation = "ask", .subject = "run-1", .node = "carol"}, .what = crash}});
    EXPECT_THAT(stage.log, ElementsAre("2ms gets 7"));
    EXPECT_THAT(stage.world.faults().inert(), ElementsAre(0));
}

TEST(Fault, ThatWaitsForItsPerformerFires) {
    Stage stage;
    stage.alice_asks_once();
    stage.run(
        {{.when = AtStep{.operation = "ask", .subject = "run-1", .node = "alice"}, .what = pause}});
    EXPECT_THAT(stage.log, ElementsAre("12ms gets 7"));
}

TEST(Fault, AddressesPollsByTheNodeThatPolls) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        request(self, stage.echo.exchanges,
                {.connection = stage.line, .operation = poll, .timeout = 1s}, 1);
        stage.say(self, "polled");
    };
    stage.run({{.when = AtStep{.operation = "poll", .subject = "alice"}, .what = pause}});
    EXPECT_THAT(stage.log, ElementsAre("12ms polled"));
}

TEST(Fault, FailoverLeavesWhatTheServerAsksOthersAlone) {
    Stage stage;
    Echo other{stage.world};
    other.node = stage.world.add_node({.name = "database", .service = &other});
    other.thinks = 20ms;
    const ConnectionId line = stage.world.network().connect(stage.broker, other.node);
    stage.scripts[stage.broker] = [&](Process& self) {
        const auto outcome =
            request(self, other.exchanges,
                    {.connection = line, .operation = ask, .subject = run_1, .timeout = 1s}, 7);
        stage.say(self, outcome.arrived() ? "arrived" : "lost");
    };
    stage.run({at_instant(5ms, failover, "broker")});
    EXPECT_THAT(stage.log, ElementsAre("22ms arrived"));
}

TEST(Heal, LapsesWhatHasNotFired) {
    Stage stage;
    stage.alice_asks_once();
    stage.run(
        {at_instant(21ms, crash, "alice"),
         at_instant(5ms, pause, "alice"),
         {.when = AtStep{.operation = "ask", .subject = "run-1", .occurrence = 2}, .what = crash}},
        20ms);
    EXPECT_EQ(stage.record.only<Healed>().as<Healed>()->lapsed, 2u);
    EXPECT_THAT(stage.world.faults().inert(), ElementsAre(0, 2));
    EXPECT_THAT(stage.record.all<Crashed>(), IsEmpty());
}

TEST(Heal, LetsAFaultAtItsOwnInstantStrike) {
    Stage stage;
    stage.run({at_instant(20ms, crash, "alice")}, 20ms);
    EXPECT_EQ(stage.record.only<Restarted>().at, at(20ms));
}

TEST(Heal, RepairsWhateverIsBroken) {
    Stage stage;
    stage.run({at_instant(1ms, Crash{.restart_after = 5min}, "alice"),
               at_instant(1ms, Partition{.to = "carol", .lasts = 5min}, "broker"),
               at_instant(1ms, Pause{.lasts = 5min}, "broker"),
               at_instant(1ms, Slow{.percent = 400, .lasts = 5min}, "carol")},
              20ms);
    EXPECT_EQ(stage.record.only<Restarted>().at, at(20ms));
    EXPECT_EQ(stage.record.only<PartitionHealed>().at, at(20ms));
    EXPECT_EQ(stage.record.only<Resumed>().at, at(20ms));
    ASSERT_EQ(stage.record.all<Slowed>().size(), 2u);
    EXPECT_EQ(stage.record.all<Slowed>()[1].at, at(20ms));
}

// ---------------------------------------------------------------- plans that cannot be armed

std::string why_not(const Fault& fault) {
    Stage stage;
    try {
        stage.run({at_instant(1ms, pause, "alice"), fault});
    } catch (const PlanError& error) {
        return fmt::format("{}: {}", error.fault(), error.what());
    }
    return "armed";
}

Fault at_step(const AtStep& when, const What& what, const std::string& target = {}) {
    return {.when = when, .what = what, .target = target};
}

TEST(PlanError, NamesWhatTheWorldDoesNotHave) {
    EXPECT_EQ(why_not(at_step({.operation = "sing", .subject = "run-1"}, crash)),
              "1: unknown operation 'sing'");
    EXPECT_EQ(why_not(at_step({.operation = "ask", .subject = "run-0"}, crash)),
              "1: unknown node or subject 'run-0'");
    EXPECT_EQ(why_not(at_step({.operation = "ask", .subject = "run-1", .node = "dave"}, crash)),
              "1: unknown node or subject 'dave'");
    EXPECT_EQ(why_not(at_instant(1ms, crash, "dave")), "1: unknown node or subject 'dave'");
    EXPECT_EQ(why_not(at_instant(1ms, Partition{.to = "dave"}, "alice")),
              "1: unknown node or subject 'dave'");
}

TEST(PlanError, CountsOccurrencesFromOne) {
    EXPECT_EQ(why_not(at_step({.operation = "ask", .subject = "run-1", .occurrence = 0}, crash)),
              "1: occurrences are counted from 1");
}

TEST(PlanError, WantsATargetAtAnInstant) {
    EXPECT_EQ(why_not(at_instant(1ms, crash, "")), "1: a fault at an instant names its target");
}

TEST(PlanError, WantsAStepForADrop) {
    EXPECT_EQ(why_not(at_instant(1ms, Drop{}, "alice")),
              "1: a message is dropped at a step, not at an instant");
}

TEST(PlanError, WantsAMessageForADrop) {
    EXPECT_EQ(why_not(while_asking(Point::after_reply, Drop{})),
              "1: a message is dropped before_send, before_apply or after_apply only");
    EXPECT_EQ(
        why_not(at_step({.operation = "toil", .subject = "run-1", .point = Point::middle}, Drop{})),
        "1: a message is dropped before_send, before_apply or after_apply only");
}

TEST(PlanError, WantsTwoSidesForAPartition) {
    EXPECT_EQ(why_not(at_instant(1ms, Partition{.to = "alice"}, "alice")),
              "1: a partition lies between two different nodes");
}

TEST(PlanError, WantsAServerForAFailover) {
    EXPECT_EQ(why_not(at_instant(1ms, failover, "alice")),
              "1: a failover names the server that fails over");
    EXPECT_EQ(why_not(while_asking(Point::before_send, failover)),
              "1: a failover names the server that fails over");
}

TEST(PlanError, IsNotRaisedForASoundFault) {
    EXPECT_EQ(why_not(at_instant(1ms, failover, "broker")), "armed");
}

}  // namespace
}  // namespace redeliver::sim
