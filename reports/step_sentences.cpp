// Steps as sentences. Every kind that a reader is shown has one; what is left is put together from
// its line in a timeline.

#include <fmt/format.h>

#include <array>

#include "model/steps.h"
#include "reports/describe_kinds.h"
#include "reports/sentences.h"
#include "reports/words.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using namespace model;
using kinds::Context;
using kinds::payload;

/// Context with the words that most sentences need.
struct Tale : Context {
    std::string who() const { return text(step.actor); }
    std::string run() const { return text(step.subject); }
};

/// `, as delivery 2`: the first one goes without saying.
std::string repeated(std::uint32_t deliveries) {
    return deliveries < 2 ? std::string() : fmt::format(" for the {} time", ordinal(deliveries));
}

std::string submitted(const Tale& tale) {
    const auto& what = payload<Submitted>(tale);
    constexpr std::array contents = {"", ", which is poison", ", which kills whoever works on it",
                                     ", whose work fails at first"};
    return fmt::format("{} submits {}{}{}", tale.who(), tale.run(),
                       what.attempt < 2 ? "" : " once more",
                       contents[static_cast<std::size_t>(what.content)]);
}

std::string answered(const Tale& tale) {
    const auto& what = payload<Answered>(tale);
    constexpr std::array answers = {"is accepted as {}", "is a duplicate of {}", "is rejected"};
    return fmt::format("{} is told that its message {}", tale.who(),
                       fmt::format(fmt::runtime(answers[static_cast<std::size_t>(what.answer)]),
                                   tale.text(what.run)));
}

std::string gave_up(const Tale& tale) {
    return fmt::format("{} gives {} up after {}", tale.who(), tale.run(),
                       counted(payload<GaveUp>(tale).attempts, "attempt"));
}

std::string accepted(const Tale& tale) {
    return fmt::format("{} is accepted: its row is committed", tale.run());
}

std::string added(const Tale& tale) {
    return fmt::format("{} is published as an entry of the stream", tale.run());
}

std::string delivered(const Tale& tale) {
    const auto& what = payload<Delivered>(tale);
    return fmt::format("the broker gives {} to {}{}", tale.run(), tale.text(what.consumer),
                       repeated(what.delivery_count));
}

std::string claimed(const Tale& tale) {
    const auto& what = payload<Claimed>(tale);
    return fmt::format(
        "{} claims {} from {}, where it was idle for {}{}", tale.text(what.to), tale.run(),
        tale.text(what.from), length(std::chrono::milliseconds{what.idle_time_ms}),
        what.delivery_count < 2 ? "" : fmt::format(": delivery {}", what.delivery_count));
}

std::string acknowledged(const Tale& tale) {
    return fmt::format("{} acknowledges {}, which leaves the pending list", tale.who(), tale.run());
}

std::string work_started(const Tale& tale) {
    const std::uint32_t execution = payload<WorkStarted>(tale).execution;
    return fmt::format("{} starts the work on {}{}", tale.who(), tale.run(),
                       execution < 2 ? "" : fmt::format(" for the {} time", ordinal(execution)));
}

std::string work_finished(const Tale& tale) {
    const auto& what = payload<WorkFinished>(tale);
    return fmt::format("the work of {} on {} {}", tale.who(), tale.run(),
                       what.result == WorkResult::succeeded ? "succeeds" : "fails");
}

std::string reply_stored(const Tale& tale) {
    return fmt::format("{} stores a reply to {}", tale.who(), tale.run());
}

std::string reply_absorbed(const Tale& tale) {
    return fmt::format("the unique key absorbs another reply to {}", tale.run());
}

std::string dead_lettered(const Tale& tale) {
    return fmt::format("{} puts {} among the dead letters", tale.who(), tale.run());
}

std::string fault_fired(const Tale& tale) {
    return fmt::format("fault {} of the plan strikes", payload<sim::FaultFired>(tale).fault + 1);
}

/// What a line of a timeline says: `worker-1: crash, run-2, before its XACK was sent, fault 1`.
std::string from_line(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    std::string text = line.who.empty() ? line.what : fmt::format("{}: {}", line.who, line.what);
    if (!line.about.empty()) text += fmt::format(" ({})", line.about);
    if (!line.detail.empty()) text += fmt::format(": {}", line.detail);
    return text;
}

std::string about_run(const Line& line) {
    return line.about.empty() ? std::string() : fmt::format(" for {}", line.about);
}

std::string decided(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    const std::string about = tale.run();
    return fmt::format("{} goes by {}{}", line.who, line.detail,
                       about.empty() ? "" : fmt::format(" in what it does with {}", about));
}

std::string crashed(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    if (payload<sim::Crashed>(tale).of == sim::CrashOf::process && line.about.empty())
        return fmt::format("{} crashes: {}", line.who, line.detail);
    return fmt::format(
        "{} {}{} {}", line.who,
        payload<sim::Crashed>(tale).of == sim::CrashOf::machine ? "loses its machine" : "crashes",
        line.about.empty() ? "" : fmt::format(" while it deals with {},", line.about), line.detail);
}

std::string paused(const Tale& tale) {
    return fmt::format("{} does not notice that it pauses {}", tale.who(),
                       describe(tale.recording, tale.step).detail);
}

std::string dropped(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    return fmt::format("{}{}: {}", line.what, about_run(line), line.detail);
}

template <typename Message>
std::string request(const Tale& tale) {
    const auto operation = static_cast<std::size_t>(payload<Message>(tale).operation);
    const std::string run = tale.run();
    return tale.recording.operations[operation] + (run.empty() ? "" : " for " + run);
}

std::string sent(const Tale& tale) {
    return fmt::format("{} sends {} to {}", tale.who(), request<sim::Sent>(tale),
                       tale.text(payload<sim::Sent>(tale).server));
}

std::string replied(const Tale& tale) {
    return fmt::format("{} has done {} and answers {}", tale.who(), request<sim::Replied>(tale),
                       tale.text(payload<sim::Replied>(tale).client));
}

std::string arrived(const Tale& tale) {
    return fmt::format("{} has the answer to its {}", tale.who(), request<sim::Arrived>(tale));
}

std::string lost(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    return fmt::format("{} waits in vain for {}{}: {}", line.who, line.what, about_run(line),
                       line.detail);
}

std::string status_changed(const Tale& tale) {
    return fmt::format("the status of {} changes: {}", tale.run(),
                       describe(tale.recording, tale.step).detail);
}

struct KindOfSentence {
    sim::StepKind kind;
    std::string (*text)(const Tale& tale);
};

constexpr KindOfSentence table[] = {
    {Submitted::kind, submitted},
    {Answered::kind, answered},
    {GaveUp::kind, gave_up},
    {Accepted::kind, accepted},
    {Added::kind, added},
    {Delivered::kind, delivered},
    {Claimed::kind, claimed},
    {Acknowledged::kind, acknowledged},
    {WorkStarted::kind, work_started},
    {WorkFinished::kind, work_finished},
    {ReplyStored::kind, reply_stored},
    {ReplyAbsorbed::kind, reply_absorbed},
    {DeadLettered::kind, dead_lettered},
    {sim::FaultFired::kind, fault_fired},
    {Decided::kind, decided},
    {sim::Crashed::kind, crashed},
    {sim::Dropped::kind, dropped},
    {sim::Sent::kind, sent},
    {sim::Replied::kind, replied},
    {sim::Arrived::kind, arrived},
    {sim::Lost::kind, lost},
    {sim::Paused::kind, paused},
    {StatusChanged::kind, status_changed},
};

}  // namespace

std::string sentence_of(const scenarios::Recording& recording, const sim::Step& step) {
    const Tale tale{{recording, step}};
    for (const KindOfSentence& each : table)
        if (each.kind == step.kind) return each.text(tale) + ".";
    return from_line(tale) + ".";
}

}  // namespace redeliver::reports
