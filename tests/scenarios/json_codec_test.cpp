// What is written can be read, and is the same.

#include "scenarios/json/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>

#include "scenarios/json/scenario_fields.h"
#include "scenarios/node_names.h"
#include "tests/scenarios/json_collector.h"

namespace redeliver::scenarios {
namespace {

using json::Fields;
using testing::ElementsAre;

Scenario plain_scenario() {
    Scenario scenario;
    scenario.name = "mine";
    scenario.story = "A story.";
    return scenario;
}

/// Gives every member a value that is allowed, in ranges small enough for the whole to make sense.
class Randomizer final : public Fields {
public:
    void name(std::string_view, std::string& value) override {
        value = "story-" + std::to_string(*rc::gen::inRange(0, 1'000));
    }
    void actor_name(std::string_view, std::string& value) override {
        value = std::string(++actor_names_, 'a');  // No two are equal.
    }
    void prose(std::string_view, std::string& value, std::size_t) override {
        value = *rc::gen::element<std::string>("A story.", "It's \"quoted\" \\ grüße.", "run-1");
    }
    void one_of(std::string_view, std::string& value, const json::Vocabulary& valid) override {
        value = *rc::gen::elementOf(valid.words());
    }
    void several_of(std::string_view key, std::vector<std::string>& values,
                    const json::Vocabulary& valid) override {
        if (key == "order" && schedule_has_picks_) return;
        // The same promise cannot be in both.
        const std::size_t first = key == "breaks" ? 1 : 0;
        values = {valid.words()[first]};
    }
    using Fields::number;
    void number(std::string_view key, std::uint64_t& value, json::NumberRange range) override {
        const std::uint64_t room = std::min<std::uint64_t>(range.most - range.least, 7);
        value = range.least + *rc::gen::inRange<std::uint64_t>(0, room + 1);
        if (key == "number") value = ++messages_;
        if (key == "branching") value = ++branchings_;
        if (key == "runs") value += 100;
    }
    void span(std::string_view, std::uint32_t& least, std::uint32_t& most,
              json::NumberRange) override {
        least = *rc::gen::inRange(0u, 5u);
        most = least + *rc::gen::inRange(0u, 5u);
    }
    void duration(std::string_view key, sim::Duration& value, json::DurationRange range) override {
        const auto room = std::min<std::int64_t>((range.most - range.least).count(), 999'999'999);
        value = range.least + sim::Duration{*rc::gen::inRange<std::int64_t>(0, room + 1)};
        if (key == "quiet") value += std::chrono::hours{10};
    }
    void distribution(std::string_view, sim::Distribution& value) override {
        value = {.shape = static_cast<sim::Distribution::Shape>(*rc::gen::inRange(0, 4)),
                 .low = sim::Duration{*rc::gen::inRange<std::int64_t>(0, 1'000'000)}};
        if (value.shape == sim::Distribution::Shape::uniform)
            value.high = value.low + sim::Duration{*rc::gen::inRange<std::int64_t>(0, 1'000'000)};
    }
    /// No struct of a scenario has any.
    void texts(std::string_view, std::vector<std::string>&, std::size_t) override {}
    void hash(std::string_view, std::uint64_t& value) override {
        value = *rc::gen::arbitrary<std::uint64_t>();
    }
    void hashes(std::string_view, std::vector<std::uint32_t>& values) override {
        values = *rc::gen::arbitrary<std::vector<std::uint32_t>>();
    }
    std::size_t choose(std::string_view key, std::size_t current, json::Words words) override {
        if (key == "point") return current;  // Depends on the operation.
        return *rc::gen::inRange<std::size_t>(0, words.size());
    }
    void object(std::string_view, const Visit& visit) override { visit(*this); }
    void list(std::string_view key, std::size_t, std::size_t,
              const std::function<void(std::size_t)>& resize,
              const std::function<void(std::size_t, Fields&)>& visit) override {
        auto count = *rc::gen::inRange<std::size_t>(0, 4);
        // Either picks say what comes first, or an order and its changes do.
        if (key == "picks") schedule_has_picks_ = count > 0;
        if (key == "changes" && schedule_has_picks_) count = 0;
        resize(count);
        for (std::size_t index = 0; index < count; ++index) visit(index, *this);
    }
    Presence has(std::string_view key, Presence) override {
        // A fault at an instant needs its target.
        const bool is_there = key == "target" || *rc::gen::arbitrary<bool>();
        return is_there ? Presence::present : Presence::absent;
    }
    std::size_t alternative(json::Words keys, std::size_t) override {
        // Instants only, and no kind of fault that depends on where it strikes.
        if (keys.front() == "at") return 0;
        return *rc::gen::element<std::size_t>(0, 1, 3, 4, 6);
    }
    void require(std::initializer_list<std::string_view>) override {}
    void reject(std::string_view, const std::string& message) override { RC_DISCARD(message); }

private:
    std::uint64_t messages_ = 0;
    std::uint64_t branchings_ = 0;
    std::size_t actor_names_ = 0;
    bool schedule_has_picks_ = false;
};

RC_GTEST_PROP(ScenarioJson, ComesBackAsItWas, ()) {
    Scenario scenario;
    Randomizer randomizer;
    json::scenario_fields(randomizer, scenario);
    const std::string text = write_scenario(scenario);

    const Scenario again = read_scenario(text, "written.json");

    RC_ASSERT(write_scenario(again) == text);
    RC_ASSERT(again.workload.messages == scenario.workload.messages);
    RC_ASSERT(again.faults.pinned == scenario.faults.pinned);
    RC_ASSERT(again.faults.random == scenario.faults.random);
    RC_ASSERT(again.schedule == scenario.schedule);
    RC_ASSERT(again.system.worker.work_time == scenario.system.worker.work_time);
    RC_ASSERT(again.quiet == scenario.quiet);
}

RC_GTEST_PROP(PlanJson, ComesBackAsItWas, ()) {
    const Scenario scenario;
    Plan plan;
    Randomizer randomizer;
    json::plan_fields(randomizer, plan, scenario);

    RC_ASSERT(read_plan(write_plan(plan), "plan.json", scenario) == plan);
}

RC_GTEST_PROP(CaseJson, ComesBackAsItWas, ()) {
    Case recorded;
    Randomizer randomizer;
    json::case_fields(randomizer, recorded);

    const Case again = read_case(write_case(recorded), "case.json");

    RC_ASSERT(write_case(again) == write_case(recorded));
    RC_ASSERT(again.plan == recorded.plan);
    RC_ASSERT(again.fingerprint == recorded.fingerprint);
    RC_ASSERT(again.step_hashes == recorded.step_hashes);
    RC_ASSERT(again.checkpoints == recorded.checkpoints);
}

TEST(PlanJson, KeepsAFaultWhoseMessageWasTakenOut) {
    Scenario scenario;
    scenario.workload.runs = 12;
    const Plan plan{
        .messages = {{.number = 3}},
        .faults = {{.when = sim::AtStep{.operation = "XACK", .subject = "run-12"}, .what = {}}}};

    EXPECT_EQ(read_plan(write_plan(plan), "plan.json", scenario), plan);
}

TEST(ScenarioJson, HasTheDefaultsOfTheStructForWhatItLeavesOut) {
    const Scenario scenario = read_scenario(R"({"name": "mine", "story": "A story."})", "a.json");

    EXPECT_EQ(write_scenario(scenario), write_scenario(plain_scenario()));
}

TEST(ScenarioJson, CallsActorsAsTheFileSays) {
    const Scenario scenario = read_scenario(R"({
        "name": "mine", "story": "A story.",
        "system": {"users": {"name": "worker", "count": 1}, "gateway": {"name": "door", "count": 1},
                   "worker": {"name": "stamp_mill", "count": 2}, "relay": {"name": "user"}},
        "faults": {"pinned": [{"at": "1s", "target": "stamp_mill-2", "crash": {}}]}})",
                                            "a.json");

    EXPECT_THAT(node_names(scenario), ElementsAre("redis", "postgres", "door-1", "stamp_mill-1",
                                                  "stamp_mill-2", "worker-1", "republisher"));
    EXPECT_EQ(role_of(scenario.system, "worker-1"), Role::user);
    EXPECT_EQ(role_of(scenario.system, "stamp_mill-2"), Role::worker);
    EXPECT_EQ(role_of(scenario.system, "stamp-1"), Role::nobody);
    EXPECT_EQ(read_scenario(write_scenario(scenario), "b.json").system.worker.name, "stamp_mill");
}

TEST(ScenarioJson, WritesOnlyNamesThatAreNotTheUsual) {
    const Scenario scenario = read_scenario(
        R"({"name": "mine", "story": "A story.", "system": {"worker": {"name": "worker"}}})",
        "a.json");

    EXPECT_EQ(write_scenario(scenario), write_scenario(plain_scenario()));
}

TEST(ScenarioJson, AllowsBothKindsOfComment) {
    EXPECT_EQ(read_scenario("{ // what\n \"name\": \"mine\", /* why */ \"story\": \"A story.\"}",
                            "a.json")
                  .name,
              "mine");
}

TEST(ScenarioJson, PlacesFaultsAtInstantsAndAtSteps) {
    const Scenario scenario = read_scenario(R"({
        "name": "mine", "story": "A story.",
        "faults": {"pinned": [
            {"at": "3s", "target": "worker-1", "crash": {"of": "machine", "restart_after": "4s"}},
            {"operation": "XACK", "subject": "run-2b", "occurrence": 3, "point": "after_apply",
             "node": "worker-2", "drop": {}},
            {"operation": "work", "subject": "run-1", "point": "middle",
             "target": "redis", "failover": {"lag": "250ms"}},
            {"operation": "XREADGROUP", "subject": "worker-1", "pause": {"lasts": "40s"}},
            {"at": "1s", "target": "worker-1", "slow": {"percent": 250, "lasts": "2s"}},
            {"at": "1s", "target": "redis", "clock_step": {"by": "-3s"}},
            {"at": "1s", "target": "worker-1", "partition": {"to": "redis", "lasts": "2s"}},
            {"at": "1s", "target": "postgres", "reset": {}},
            {"at": "1s", "target": "worker-1",
             "partition": {"to": "redis", "lasts": "2s", "ways": "both"}},
            {"at": "1s", "target": "worker-1", "half_open": {}},
            {"at": "1s", "target": "redis", "latency": {"by": "50ms", "lasts": "2s"}},
            {"at": "1s", "target": "redis", "clock_drift": {"gains": "-9ms", "lasts": "2s"}},
            {"at": "1s", "target": "redis",
             "order": {"words": "CONFIG SET maxmemory 1", "lasts": "2s"}},
            {"at": "1s", "target": "user-1", "order": {"words": "submit again 3 times"}}
        ]}})",
                                            "a.json");

    const sim::FaultPlan expected = {
        {.when = sim::AtInstant{sim::at(3s)},
         .what = sim::Crash{.of = sim::CrashOf::machine, .restart_after = 4s},
         .target = "worker-1"},
        {.when = sim::AtStep{.operation = "XACK",
                             .subject = "run-2b",
                             .occurrence = 3,
                             .point = sim::Point::after_apply,
                             .node = "worker-2"},
         .what = sim::Drop{}},
        {.when = sim::AtStep{.operation = "work", .subject = "run-1", .point = sim::Point::middle},
         .what = sim::Failover{.lag = 250ms},
         .target = "redis"},
        {.when = sim::AtStep{.operation = "XREADGROUP", .subject = "worker-1"},
         .what = sim::Pause{.lasts = 40s}},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Slow{.percent = 250, .lasts = 2s},
         .target = "worker-1"},
        {.when = sim::AtInstant{sim::at(1s)}, .what = sim::ClockStep{.by = -3s}, .target = "redis"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Partition{.to = "redis", .lasts = 2s},
         .target = "worker-1"},
        {.when = sim::AtInstant{sim::at(1s)}, .what = sim::Reset{}, .target = "postgres"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Partition{.to = "redis", .lasts = 2s, .ways = sim::Ways::both},
         .target = "worker-1"},
        {.when = sim::AtInstant{sim::at(1s)}, .what = sim::HalfOpen{}, .target = "worker-1"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Latency{.by = 50ms, .lasts = 2s},
         .target = "redis"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::ClockDrift{.gains = -9ms, .lasts = 2s},
         .target = "redis"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Order{.words = "CONFIG SET maxmemory 1", .lasts = 2s},
         .target = "redis"},
        {.when = sim::AtInstant{sim::at(1s)},
         .what = sim::Order{.words = "submit again 3 times"},
         .target = "user-1"}};
    EXPECT_EQ(scenario.faults.pinned, expected);
    EXPECT_EQ(read_scenario(write_scenario(scenario), "b.json").faults.pinned, expected);
}

TEST(ScenarioJson, KeepsApartKindsOfFaultThatAreAbsentAndThatStrikeNever) {
    const Scenario scenario = read_scenario(
        R"({"name": "a", "story": "b", "faults": {"random": {"reset": [0, 0]}}})", "a.json");

    const Scenario again = read_scenario(write_scenario(scenario), "b.json");

    EXPECT_EQ(again.faults.random, (std::map<FaultKind, Intensity>{{FaultKind::reset, {0, 0}}}));
}

TEST(FileKinds, AreToldByTheOutermostKeys) {
    EXPECT_EQ(kind_of(write_scenario(plain_scenario()), "a.json"), FileKind::scenario);
    EXPECT_EQ(kind_of(write_case({}), "a.json"), FileKind::case_file);
    EXPECT_THROW(kind_of("[]", "a.json"), BadInput);
}

TEST(CaseJson, NamesTheFileInErrorsDeepInside) {
    Case recorded;
    recorded.scenario = plain_scenario();
    recorded.build = "0.1.0";
    std::string text = write_case(recorded);
    text.replace(text.find("\"skip_done\""), 11, "\"skip_dome\"");

    try {
        read_case(text, "found.case.json");
        FAIL() << "a misspelt word was read";
    } catch (const BadInput& error) {
        EXPECT_EQ(error.place().file, "found.case.json");
        EXPECT_EQ(error.place().pointer, "/scenario/system/worker/short_circuit");
        EXPECT_GT(error.place().line, 10u);
        EXPECT_THAT(error.message(), testing::HasSubstr("nearest is 'skip_done'"));
    }
}

// ------------------------------------------------------------------ completeness

/// Converts to whatever a member of an aggregate is.
struct Anything {
    template <class Member>
    operator Member() const;
};

/// How many members an aggregate has.
template <class Aggregate, class... Members>
constexpr std::size_t arity() {
    if constexpr (requires { Aggregate{Members{}..., Anything{}}; }) {
        return arity<Aggregate, Members..., Anything>();
    } else {
        return sizeof...(Members);
    }
}

std::size_t keys_under(const json::Collector::Members& members, const std::string& parent) {
    std::size_t count = 0;
    for (const auto& [pointer, member] : members)
        if (pointer.starts_with(parent + "/") &&
            pointer.find('/', parent.size() + 1) == std::string::npos)
            ++count;
    return count;
}

TEST(ScenarioJson, ForgetsNoMemberOfAnyStruct) {
    Scenario scenario;
    json::Collector::Members members;
    json::Collector collector{members};
    json::scenario_fields(collector, scenario);

    EXPECT_EQ(keys_under(members, ""), arity<Scenario>());
    EXPECT_EQ(keys_under(members, "/system"), arity<System>());
    EXPECT_EQ(keys_under(members, "/system/users"), arity<Users>());
    EXPECT_EQ(keys_under(members, "/system/gateway"), arity<Gateway>());
    EXPECT_EQ(keys_under(members, "/system/worker"), arity<Worker>());
    EXPECT_EQ(keys_under(members, "/system/republisher"), arity<Republisher>());
    EXPECT_EQ(keys_under(members, "/system/pruner"), arity<Pruner>());
    EXPECT_EQ(keys_under(members, "/system/broker"), arity<Broker>());
    EXPECT_EQ(keys_under(members, "/system/database"), arity<Database>());
    EXPECT_EQ(keys_under(members, "/system/network"), arity<NetworkLinks>());
    EXPECT_EQ(keys_under(members, "/workload"), arity<Workload>());
    EXPECT_EQ(keys_under(members, "/workload/messages/*"), arity<Message>());
    EXPECT_EQ(keys_under(members, "/faults"), arity<Faults>());
    EXPECT_EQ(keys_under(members, "/expect"), arity<Expectations>());
    EXPECT_EQ(keys_under(members, "/repaired_by"), arity<Twin>());
}

TEST(CaseJson, ForgetsNoMember) {
    Case recorded;
    json::Collector::Members members;
    json::Collector collector{members};
    json::case_fields(collector, recorded);

    EXPECT_EQ(keys_under(members, ""), arity<Case>());
    EXPECT_EQ(keys_under(members, "/plan"), arity<Plan>());
}

TEST(ScenarioJson, HasEveryPolicyAtThePathOfTheTable) {
    Scenario scenario;
    json::Collector::Members members;
    json::Collector collector{members};
    json::scenario_fields(collector, scenario);

    for (const PolicyInfo& policy : policy_table()) {
        const auto found = members.find(std::string(policy.path));
        ASSERT_NE(found, members.end()) << policy.path;
        if (found->second.kind != "word") continue;
        EXPECT_THAT(found->second.words, testing::ElementsAreArray(policy.values)) << policy.path;
    }
}

}  // namespace
}  // namespace redeliver::scenarios
