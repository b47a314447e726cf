#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/json/codec.h"

namespace redeliver::scenarios {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Scenario scenario() {
    Scenario scenario;
    scenario.name = "mine";
    scenario.story = "A story.";
    scenario.faults.pinned = {
        {.when = sim::AtInstant{sim::at(3s)}, .what = sim::Reset{}, .target = "worker-3"}};
    return scenario;
}

Scenario with(const char* setting) {
    Scenario changed = scenario();
    apply_setting(changed, setting);
    return changed;
}

std::string complaint(const char* setting) {
    Scenario changed = scenario();
    try {
        apply_setting(changed, setting);
        return {};
    } catch (const BadInput& error) {
        EXPECT_EQ(write_scenario(changed), write_scenario(scenario())) << "changed all the same";
        return error.what();
    }
}

TEST(Settings, ChangeAValueOfTheSystem) {
    EXPECT_EQ(with("worker.idle_threshold=5s").system.worker.idle_threshold, 5s);
    EXPECT_EQ(with("worker.claim=never").system.worker.claim, ClaimPolicy::never);
    EXPECT_EQ(with("worker.claim=\"never\"").system.worker.claim, ClaimPolicy::never);
    EXPECT_EQ(with("users.count=7").system.users.count, 7u);
    EXPECT_EQ(with("system.users.count=7").system.users.count, 7u);
    EXPECT_EQ(with(R"(worker.work_time={"from": "1s", "to": "2s"})").system.worker.work_time,
              sim::uniform(1s, 2s));
}

TEST(Settings, ChangeWhatActorsAreCalled) {
    EXPECT_EQ(with("users.name=caller").system.users.name, "caller");
    EXPECT_EQ(with("gateway.name=door").system.gateway.name, "door");
    EXPECT_EQ(with("relay.name=carrier").system.relay.name, "carrier");
    EXPECT_THAT(complaint("users.name=worker"),
                StartsWith("--set users.name=worker: /system/users/name: found \"worker\", allowed "
                           "is any name but 'redis', "));
    EXPECT_THAT(complaint("worker.nmae=mill"), HasSubstr("nearest is 'name'"));
}

TEST(Settings, LetWhatNamesAnActorFollowItsName) {
    Scenario renamed = scenario();
    renamed.faults.pinned = {
        {.when = sim::AtStep{.operation = "XREADGROUP", .subject = "worker-2", .node = "worker-2"},
         .what = sim::Partition{.to = "worker-2", .lasts = 1s},
         .target = "redis"},
        {.when = sim::AtStep{.operation = "XACK", .subject = "run-2"},
         .what = sim::Order{.words = "XGROUP DELCONSUMER koda:runs workers worker-1"},
         .target = "redis"}};
    renamed.schedule = {.slack = 1ms, .order = {"user-1", "worker-1"}};
    Case recorded;
    recorded.scenario = renamed;
    recorded.plan.faults = renamed.faults.pinned;
    recorded.plan.schedule = renamed.schedule;

    apply_setting(recorded, "worker.name=mill");

    const sim::FaultPlan expected = {
        {.when = sim::AtStep{.operation = "XREADGROUP", .subject = "mill-2", .node = "mill-2"},
         .what = sim::Partition{.to = "mill-2", .lasts = 1s},
         .target = "redis"},
        {.when = sim::AtStep{.operation = "XACK", .subject = "run-2"},
         .what = sim::Order{.words = "XGROUP DELCONSUMER koda:runs workers mill-1"},
         .target = "redis"}};
    EXPECT_EQ(recorded.scenario.faults.pinned, expected);
    EXPECT_EQ(recorded.plan.faults, expected);
    EXPECT_EQ(recorded.scenario.schedule.order, (std::vector<std::string>{"user-1", "mill-1"}));
    EXPECT_EQ(recorded.plan.schedule, recorded.scenario.schedule);
}

TEST(Settings, ChangeWhatIsOutsideTheSystemByItsWholePath) {
    EXPECT_EQ(with("workload.runs=3").workload.runs, 3u);
    EXPECT_EQ(with("faults.until=5s").faults.until, 5s);
    EXPECT_EQ(with("seeds=9").seeds, 9u);
    EXPECT_EQ(with("faults.random.reset=[1,2]").faults.random.at(FaultKind::reset),
              (Intensity{1, 2}));
    EXPECT_EQ(with("faults.pinned.0.target=redis").faults.pinned[0].target, "redis");
}

TEST(Settings, LeaveTheRestAlone) {
    Scenario expected = scenario();
    expected.workload.runs = 3;
    EXPECT_EQ(write_scenario(with("workload.runs=3")), write_scenario(expected));
}

TEST(Settings, AreRefusedWithTheNearestKey) {
    EXPECT_THAT(complaint("worker.idel=5s"),
                StartsWith("--set worker.idel=5s: /system/worker/idel: unknown key 'idel'; nearest "
                           "is 'idle_threshold'; allowed are "));
    EXPECT_THAT(complaint("wroker.claim=never"),
                StartsWith("--set wroker.claim=never: unknown key 'wroker'; nearest is 'worker'"));
    EXPECT_THAT(complaint("worklod.runs=1"), HasSubstr("nearest is 'workload'"));
    EXPECT_THAT(complaint("worker.claim.first=1"), HasSubstr("found an object; allowed are"));
    EXPECT_THAT(complaint("faults.random.rest=[1,2]"), HasSubstr("nearest is 'reset'"));
}

TEST(Settings, AreCheckedAsAFileIs) {
    EXPECT_EQ(complaint("worker.claim=fresh"),
              "--set worker.claim=fresh: /system/worker/claim: found \"fresh\"; nearest is "
              "'fresh_first'; allowed are 'abandoned_first', 'fresh_first', 'never'");
    EXPECT_THAT(complaint("worker.idle_threshold=5"), HasSubstr("found 5, allowed are durations"));
    EXPECT_THAT(complaint("worker.idle_threshold="),
                HasSubstr("found \"\", allowed are durations"));
    EXPECT_THAT(complaint("worker.count=0"), HasSubstr("found 0, allowed are whole numbers"));
    EXPECT_THAT(complaint("worker.work_time={"), HasSubstr("this is no JSON"));
    EXPECT_THAT(complaint("worker.count=2"),
                HasSubstr("/faults/pinned/0/target: found \"worker-3\", which is no node"));
    EXPECT_THAT(complaint("worker.idle_threshold=3m"),
                HasSubstr("/quiet: found \"2m\", but worker.idle_threshold is \"3m\""));
}

TEST(Settings, NeedAPathAndAValue) {
    EXPECT_THAT(complaint("worker.claim"), HasSubstr("found no '='"));
    EXPECT_THAT(complaint("=5"), HasSubstr("found an empty key in the path"));
    EXPECT_THAT(complaint("worker..claim=5"), HasSubstr("found an empty key in the path"));
    EXPECT_THAT(complaint("\x1b[31m=5"), HasSubstr("unknown key '\\x1b[31m'"));
}

}  // namespace
}  // namespace redeliver::scenarios
