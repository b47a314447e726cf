// Which of several things comes first, and what no schedule can change.

#include "sim/scheduler.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/sim/stage.h"

namespace redeliver::sim {
namespace {

using namespace stage;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;

/// Alice and carol, who each ask the broker `questions` times, over a line of their own.
class TwoClients {
public:
    explicit TwoClients(int questions, Duration latency = 1ms) : stage_(with(latency)) {
        Stage& all = stage_;
        lines_[0] = all.line;
        lines_[1] = all.world.network().connect(all.carol, all.broker);
        for (int client = 0; client < 2; ++client)
            all.scripts[client == 0 ? all.alice : all.carol] = [this, client,
                                                                questions](Process& self) {
                for (int number = 1; number <= questions; ++number) ask_once(self, client, number);
            };
    }

    Scheduler* run(const Schedule& schedule) {
        stage_.world.arm({}, at(no_faults_after));
        stage_.world.follow(schedule);
        stage_.world.run(NeverEnds{});
        return stage_.world.scheduler();
    }

    /// What the broker applied: alice's questions are 1, 2, …, carol's 101, 102, ….
    std::vector<int> applied() const {
        std::vector<int> all;
        for (const std::string& line : stage_.echo.log)
            if (const auto found = line.find("applies "); found != std::string::npos)
                all.push_back(std::stoi(line.substr(found + 8)));
        return all;
    }
    const Record& record() const { return stage_.record; }
    std::uint64_t fingerprint() { return stage_.world.recorder().fingerprint(); }

private:
    static World::Configuration with(Duration latency) {
        World::Configuration how = configuration();
        how.network.latency = fixed(latency);
        return how;
    }

    void ask_once(Process& self, int client, int number) {
        request(self, stage_.echo.exchanges,
                {.connection = lines_[client],
                 .operation = ask,
                 .subject = client == 0 ? run_1 : run_2,
                 .timeout = 1s},
                client * 100 + number);
    }

    Stage stage_;
    ConnectionId lines_[2]{};
};

TEST(Schedule, WithoutSlackLeavesEverythingAsItWas) {
    TwoClients plain(3), scheduled(3);
    EXPECT_EQ(plain.run({}), nullptr);
    scheduled.run({.slack = 5ms});
    EXPECT_EQ(scheduled.fingerprint(), plain.fingerprint());
}

TEST(Schedule, LetsWhatIsDueWithinTheSlackComeFirst) {
    TwoClients both(1);
    // Both processes start at 0 (branching 1), then both requests arrive at 1 ms (branching 2).
    const auto* const scheduler = both.run({.slack = 500us, .picks = {{.branching = 2}}});

    EXPECT_THAT(both.applied(), ElementsAre(101, 1));
    EXPECT_THAT(scheduler->picks(), ElementsAre(Pick{2, 1}));
}

TEST(Schedule, DelaysWhatIsOvertakenToTheInstantOfWhatOvertakesIt) {
    Stage stage;
    std::vector<std::string>& log = stage.log;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(10ms);
        stage.say(self, "alice");
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(13ms);
        stage.say(self, "carol");
    };
    stage.world.follow({.slack = 5ms, .order = {"carol", "alice"}});
    stage.run();

    EXPECT_THAT(log, ElementsAre("13ms carol", "13ms alice"));
}

TEST(Schedule, DoesNotReachBeyondTheSlack) {
    Stage stage;
    stage.scripts[stage.alice] = [&](Process& self) {
        self.sleep_for(10ms);
        stage.say(self, "alice");
    };
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(16ms);
        stage.say(self, "carol");
    };
    stage.world.follow({.slack = 5ms, .order = {"carol", "alice"}});
    stage.run();

    EXPECT_THAT(stage.log, ElementsAre("10ms alice", "16ms carol"));
}

TEST(Schedule, NeverDelaysADeadline) {
    Stage stage;
    // The answer is due at 2 ms and alice's patience ends at 1.5 ms; carol's sleep ends at 3 ms.
    stage.alice_asks_once(1500us);
    stage.scripts[stage.carol] = [&](Process& self) {
        self.sleep_for(3ms);
        stage.say(self, "carol");
    };
    // Whatever is asked for after the first branching point, at which both processes start: it can
    // be exchanged only with what comes after the deadline.
    stage.world.follow({.slack = 5ms, .picks = {{.branching = 2}, {.branching = 3}}});
    stage.run();

    ASSERT_EQ(stage.record.all<Lost>().size(), 1u);
    EXPECT_EQ(stage.record.only<Lost>().at, at(1500us));
}

TEST(Schedule, ReplaysFromThePicksThatPrioritiesCameTo) {
    TwoClients by_priority(4), by_picks(4);
    const auto picks =
        by_priority.run({.slack = 5ms, .order = {"carol", "alice"}, .changes = {{7}, {12}}})
            ->picks();
    by_picks.run({.slack = 5ms, .picks = picks});

    EXPECT_FALSE(picks.empty());
    EXPECT_EQ(by_picks.fingerprint(), by_priority.fingerprint());
}

TEST(Schedule, LetsTheMoreUrgentGoOnUntilItsPriorityChanges) {
    TwoClients all_carol(2), half(2);
    all_carol.run({.slack = 100ms, .order = {"carol", "alice"}});
    // Carol starts, her request arrives, its answer arrives: from the fourth step on alice goes.
    half.run({.slack = 100ms, .order = {"carol", "alice"}, .changes = {4}});

    EXPECT_THAT(all_carol.applied(), ElementsAre(101, 102, 1, 2));
    EXPECT_THAT(half.applied(), ElementsAre(101, 1, 2, 102));
}

TEST(Schedule, PassesOverPicksThatThereIsNothingFor) {
    TwoClients plain(2), scheduled(2);
    plain.run({});
    const auto* const scheduler =
        scheduled.run({.slack = 5ms, .picks = {{.branching = 1, .take = 9}, {.branching = 999}}});

    EXPECT_EQ(scheduled.fingerprint(), plain.fingerprint());
    EXPECT_THAT(scheduler->picks(), IsEmpty());
}

TEST(Schedule, PassesOverNamesOfNoNode) {
    TwoClients plain(2), scheduled(2);
    plain.run({.slack = 5ms, .order = {"carol"}});
    scheduled.run({.slack = 5ms, .order = {"nobody", "carol", "dave"}});

    EXPECT_EQ(scheduled.fingerprint(), plain.fingerprint());
}

Schedule any_schedule() {
    Schedule schedule{.slack = Duration{*rc::gen::inRange(1, 20'000)}};
    const auto count = *rc::gen::inRange(0, 30);
    for (int branching = 1; branching <= count; ++branching)
        if (const auto take = *rc::gen::inRange(0u, 4u); take > 0)
            schedule.picks.push_back({static_cast<std::uint32_t>(branching), take});
    return schedule;
}

// Two clients and two lines: in each direction of each, what was sent first arrives first, at most
// the slack later than it was due; and time never runs backwards.
RC_GTEST_PROP(Schedule, KeepsEachConnectionFirstInFirstOut, ()) {
    const Schedule schedule = any_schedule();
    const Duration latency{*rc::gen::inRange(0, 5'000)};
    TwoClients both(6, latency);
    both.run(schedule);

    std::vector<int> alice, carol;
    for (const int number : both.applied()) (number < 100 ? alice : carol).push_back(number);
    RC_ASSERT(alice == (std::vector<int>{1, 2, 3, 4, 5, 6}));
    RC_ASSERT(carol == (std::vector<int>{101, 102, 103, 104, 105, 106}));
    std::map<StepNumber, Instant> instants;
    Instant last{};
    for (const Step& step : both.record().steps) {
        RC_ASSERT(step.at >= last);
        last = instants[step.number] = step.at;
        if (step.as<Replied>() == nullptr && step.as<Arrived>() == nullptr) continue;
        const Duration took = step.at - instants[step.cause];
        RC_ASSERT(took >= latency);
        RC_ASSERT(took <= latency + schedule.slack);
    }
    RC_ASSERT(both.record().all<Arrived>().size() == 12u);
}

RC_GTEST_PROP(Schedule, HasOneHistory, ()) {
    const Schedule schedule = any_schedule();
    TwoClients once(4), again(4);
    once.run(schedule);
    again.run(schedule);
    RC_ASSERT(once.fingerprint() == again.fingerprint());
}

}  // namespace
}  // namespace redeliver::sim
