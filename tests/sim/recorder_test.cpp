#include "sim/recorder.h"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

#include "sim/happenings.h"

namespace redeliver::sim {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

constexpr Subject run_1 = subject_of(first_free_series, 1);
constexpr Subject run_2 = subject_of(first_free_series, 2);

struct Heard : StepSink {
    std::vector<Step> steps;
    void observe(const Step& step) override { steps.push_back(step); }
};

/// What a recorder makes of one step with nothing before it.
struct Digests {
    std::uint64_t fingerprint;
    std::uint64_t behaviour;
};

template <Payload P>
Digests digests_of(Step step, const P& what) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    recorder.record(step, what);
    return {recorder.fingerprint(), recorder.behaviour()};
}

TEST(Recorder, NumbersStepsFromOne) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    Step first, second;
    EXPECT_EQ(recorder.record(first, Restarted{}), 1u);
    EXPECT_EQ(recorder.record(second, Restarted{}), 2u);
    EXPECT_EQ(recorder.last(), 2u);
}

TEST(Recorder, LeadsFromEachStepToTheOneBeforeOnTheSameSubject) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    std::vector<StepNumber> previous;
    for (const Subject subject : {run_1, run_2, run_1, Subject::none, Subject::none, run_2}) {
        Step step{.subject = subject};
        recorder.record(step, Restarted{});
        previous.push_back(step.previous);
    }
    EXPECT_THAT(previous, ElementsAre(no_step, no_step, 1, no_step, no_step, 2));
}

TEST(Recorder, GivesEachSinkTheKindsItAskedFor) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    Heard everything, crashes;
    recorder.add_sink(everything);
    recorder.add_sink(crashes, kinds_of<Crashed>);
    Step step;
    recorder.record(step, Restarted{});
    recorder.record(step, Crashed{CrashOf::machine});
    EXPECT_EQ(everything.steps.size(), 2u);
    ASSERT_EQ(crashes.steps.size(), 1u);
    EXPECT_EQ(crashes.steps[0].as<Crashed>()->of, CrashOf::machine);
    EXPECT_EQ(crashes.steps[0].as<Restarted>(), nullptr);
}

TEST(Recorder, FingerprintDoesNotDependOnWhoListens) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    Heard sink;
    recorder.add_sink(sink);
    Step step{.subject = run_1};
    recorder.record(step, Restarted{});
    EXPECT_EQ(recorder.fingerprint(), digests_of(Step{.subject = run_1}, Restarted{}).fingerprint);
}

TEST(Recorder, FingerprintCoversEveryFieldOfTheHeader) {
    const std::vector<std::function<void(Step&)>> changes = {
        [](Step& step) { step.at += Duration{1}; }, [](Step& step) { step.cause = 1; },
        [](Step& step) { step.subject = run_2; },   [](Step& step) { step.actor = NodeId{1}; },
        [](Step& step) { step.incarnation = 1; },
    };
    const Step base{.subject = run_1};
    for (const auto& change : changes) {
        Step changed = base;
        change(changed);
        EXPECT_NE(digests_of(changed, Restarted{}).fingerprint,
                  digests_of(base, Restarted{}).fingerprint);
    }
    EXPECT_NE(digests_of(base, Healed{}).fingerprint, digests_of(base, Restarted{}).fingerprint);
}

/// A kind of step with its size, so that every byte of every kind can be turned over.
struct Kind {
    const char* name;
    std::size_t size;
    bool is_mark;  // Marks a fault: not part of the behaviour.
    bool is_free_of_time;
    Digests (*with_byte)(std::size_t which, std::byte value);
};

template <Payload P>
Kind kind_of(const char* name) {
    return {name, std::is_empty_v<P> ? 0 : sizeof(P),
            P::kind == FaultFired::kind || P::kind == Healed::kind, is_timeless<P>,
            [](std::size_t which, std::byte value) {
                std::byte bytes[payload_size] = {};
                bytes[which] = value;
                P what{};
                std::memcpy(static_cast<void*>(&what), bytes, sizeof(P));
                return digests_of(Step{.subject = run_1}, what);
            }};
}

const std::vector<Kind> kinds = {
    kind_of<FaultFired>("FaultFired"),
    kind_of<Crashed>("Crashed"),
    kind_of<Cut>("Cut"),
    kind_of<Restarted>("Restarted"),
    kind_of<Paused>("Paused"),
    kind_of<Resumed>("Resumed"),
    kind_of<Sent>("Sent"),
    kind_of<Replied>("Replied"),
    kind_of<Arrived>("Arrived"),
    kind_of<Lost>("Lost"),
    kind_of<Refused>("Refused"),
    kind_of<Dropped>("Dropped"),
    kind_of<ConnectionReset>("ConnectionReset"),
    kind_of<Partitioned>("Partitioned"),
    kind_of<PartitionHealed>("PartitionHealed"),
    kind_of<ClockStepped>("ClockStepped"),
    kind_of<FailedOver>("FailedOver"),
    kind_of<Slowed>("Slowed"),
    kind_of<Healed>("Healed"),
    kind_of<Concluded>("Concluded"),
    kind_of<AnsweredNobody>("AnsweredNobody"),
    kind_of<Stalled>("Stalled"),
};

TEST(Recorder, FingerprintCoversEveryByteOfEveryPayload) {
    for (const Kind& kind : kinds) {
        for (std::size_t which = 0; which < kind.size; ++which)
            EXPECT_NE(kind.with_byte(which, std::byte{1}).fingerprint,
                      kind.with_byte(which, std::byte{0}).fingerprint)
                << kind.name << " byte " << which;
    }
}

TEST(Recorder, BehaviourCoversEveryByteOfPayloadsFreeOfTime) {
    for (const Kind& kind : kinds) {
        if (kind.is_mark || !kind.is_free_of_time) continue;
        for (std::size_t which = 0; which < kind.size; ++which)
            EXPECT_NE(kind.with_byte(which, std::byte{1}).behaviour,
                      kind.with_byte(which, std::byte{0}).behaviour)
                << kind.name << " byte " << which;
    }
}

TEST(Recorder, BehaviourIgnoresDurations) {
    const Step step{.subject = run_1};
    EXPECT_EQ(digests_of(step, Paused{.lasts = 1}).behaviour,
              digests_of(step, Paused{.lasts = 2}).behaviour);
}

TEST(Recorder, BehaviourIgnoresInstants) {
    const Step early{.at = at(seconds{1}), .subject = run_1};
    const Step late{.at = at(seconds{2}), .subject = run_1};
    EXPECT_EQ(digests_of(early, Restarted{}).behaviour, digests_of(late, Restarted{}).behaviour);
}

TEST(Recorder, BehaviourIgnoresTheMarksOfFaults) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    Step step{.subject = run_1};
    recorder.record(step, FaultFired{.fault = 3});
    recorder.record(step, Healed{.lapsed = 1});
    EXPECT_EQ(recorder.behaviour(), Recorder{subjects}.behaviour());
}

TEST(Recorder, BehaviourKeepsTheOrderOfSteps) {
    SubjectTable subjects{1};
    Recorder forth{subjects}, back{subjects};
    Step one{.subject = run_1}, two{.subject = run_2};
    forth.record(one, Restarted{});
    forth.record(two, Restarted{});
    back.record(two, Restarted{});
    back.record(one, Restarted{});
    EXPECT_NE(forth.behaviour(), back.behaviour());
}

TEST(Recorder, NewNamesAreInTheFingerprint) {
    SubjectTable subjects{1};
    Recorder recorder{subjects};
    recorder.include(text_hash("alice"));
    EXPECT_NE(recorder.fingerprint(), Recorder{subjects}.fingerprint());
}

}  // namespace
}  // namespace redeliver::sim
