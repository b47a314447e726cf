#include "reports/describe.h"

#include <gtest/gtest.h>

#include "model/steps.h"
#include "sim/ensure.h"
#include "sim/happenings.h"
#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using namespace std::chrono_literals;

std::vector<sim::StepKind> all_kinds() {
    std::vector<sim::StepKind> kinds;
    for (sim::StepKind kind = 0; kind < sim::kind_limit; ++kind)
        if (!model::kind_text(kind).empty()) kinds.push_back(kind);
    return kinds;
}

TEST(Describe, HasWordsForEveryKindOfStep) {
    const scenarios::Recording recording = empty_recording();
    ASSERT_GE(all_kinds().size(), 48u);
    for (const sim::StepKind kind : all_kinds()) {
        sim::Step step;
        step.kind = kind;
        step.actor = worker_1;
        step.subject = model::run_of(6);
        const Line line = describe(recording, step);
        EXPECT_FALSE(line.what.empty()) << model::kind_text(kind);
        EXPECT_EQ(line.who, "worker-1") << model::kind_text(kind);
        EXPECT_NO_THROW(interest_in(kind)) << model::kind_text(kind);
    }
}

TEST(Describe, RefusesANumberThatIsNoKind) {
    sim::Step step;
    step.kind = sim::kind_limit - 1;
    EXPECT_THROW(describe(empty_recording(), step), sim::HarnessError);
}

TEST(Describe, SurvivesNumbersBeyondEveryEnumeration) {
    const scenarios::Recording recording = empty_recording();
    for (const sim::StepKind kind : all_kinds()) {
        sim::Step step;
        step.kind = kind;
        std::memset(step.payload, 0x7f, sizeof step.payload);
        EXPECT_FALSE(describe(recording, step).what.empty()) << model::kind_text(kind);
    }
}

TEST(Describe, TellsWhatACrashCutAndWhichFaultMadeIt) {
    const scenarios::Recording recording = crash_story();
    const Line line = describe(recording, recording.steps[9]);
    EXPECT_EQ(line.mark, Mark::crash);
    EXPECT_EQ(line.about, "run-6");
    EXPECT_EQ(line.detail, "before its XACK was sent, fault 1");
}

TEST(Describe, NamesAConsumerOnlyWhenItIsNotTheActor) {
    scenarios::Recording recording = empty_recording();
    const model::Delivered delivered{.entry = {990, 0, stream_name},
                                     .group = group_name,
                                     .consumer = worker_1_name,
                                     .delivery_count = 1};
    add(recording, 1s, worker_1, model::run_of(6), delivered);
    add(recording, 1s, worker_2, model::run_of(6), delivered);
    EXPECT_EQ(describe(recording, recording.steps[0]).detail, "990-0, delivery 1");
    EXPECT_EQ(describe(recording, recording.steps[1]).detail, "990-0 to worker-1, delivery 1");
}

TEST(Describe, SaysAPolicyAsASettingCouldChangeIt) {
    scenarios::Recording recording = empty_recording();
    add(recording, 1s, worker_1, model::run_of(6), model::Decided{.policy = 2, .value = 1});
    EXPECT_EQ(describe(recording, recording.steps[0]).detail, "worker.acknowledge = before_work");
}

TEST(Describe, SaysThatTheWorkItselfKilledTheWorker) {
    scenarios::Recording recording = empty_recording();
    add(recording, 1s, worker_1, model::run_of(6),
        model::WorkStarted{.consumer = worker_1_name, .execution = 1});
    add(recording, 2s, worker_1, subject_of(worker_1), sim::Crashed{.of = sim::CrashOf::process},
        {.cause = 1});
    EXPECT_EQ(describe(recording, recording.steps[1]).detail,
              "its process dies, killed by the work on run-6");
}

TEST(Describe, NamesTheFaultThatLostAMessageAfterItWasSent) {
    scenarios::Recording recording = empty_recording();
    const auto operation = model::number(model::Operation::xack);
    add(recording, 1s, worker_1, model::run_of(6), sim::FaultFired{.fault = 2});
    add(recording, 1s, worker_1, model::run_of(6),
        sim::Sent{.operation = operation, .server = broker, .occurrence = 1}, {.cause = 1});
    add(recording, 1s, worker_1, model::run_of(6),
        sim::Dropped{.operation = operation,
                     .what = sim::Swallowed::request,
                     .receiver = broker,
                     .occurrence = 1},
        {.cause = 2});
    EXPECT_EQ(describe(recording, recording.steps[2]).detail,
              "the request to broker is lost on the wire, fault 3");
}

TEST(IsShown, LeavesOutPlumbingAndWhatTheCrashAlreadyTold) {
    const scenarios::Recording recording = crash_story();
    std::vector<sim::StepNumber> hidden;
    for (const sim::Step& step : recording.steps)
        if (!is_shown(recording, step)) hidden.push_back(step.number);
    EXPECT_EQ(hidden, (std::vector<sim::StepNumber>{4, 9, 11, 12, 13}));
}

TEST(IsShown, KeepsALostAnswerAboutARunButNotOneOfAPoll) {
    scenarios::Recording recording = empty_recording();
    const sim::Lost lost{.operation = model::number(model::Operation::xack),
                         .reason = sim::LossReason::deadline,
                         .server = broker,
                         .occurrence = 1};
    add(recording, 1s, worker_1, model::run_of(6), lost);
    add(recording, 1s, worker_1, subject_of(worker_1), lost);
    EXPECT_TRUE(is_shown(recording, recording.steps[0]));
    EXPECT_FALSE(is_shown(recording, recording.steps[1]));
}

}  // namespace
}  // namespace redeliver::reports
