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
        what.from == what.to ? "itself" : tale.text(what.from),
        length(std::chrono::milliseconds{what.idle_time_ms}),
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

std::string decided(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    const std::string about = tale.run();
    return fmt::format("{} goes by {}{}", line.who, line.detail,
                       about.empty() ? "" : " for " + about);
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

template <typename Message>
std::string request(const Tale& tale) {
    const auto operation = static_cast<std::size_t>(payload<Message>(tale).operation);
    return tale.recording.operations[operation] + (is_poll(tale.step) ? "" : " for " + tale.run());
}

std::string dropped(const Tale& tale) {
    const auto& what = payload<sim::Dropped>(tale);
    const bool is_request = what.what == sim::Swallowed::request;
    return fmt::format("{} {}{} is lost on its way to {}{}",
                       is_request ? "the" : "the answer to the", request<sim::Dropped>(tale),
                       is_request ? " of " + tale.who() : "", tale.text(what.receiver),
                       tale.by_fault());
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
    return fmt::format("{} gets no answer to its {}: {}", line.who, request<sim::Lost>(tale),
                       line.detail);
}

std::string refused(const Tale& tale) {
    return fmt::format("{} cannot reach {} for its {}: nothing was sent", tale.who(),
                       tale.text(payload<sim::Refused>(tale).server), request<sim::Refused>(tale));
}

std::string clock_stepped(const Tale& tale) {
    return fmt::format("the clock of {} jumps {}", tale.who(),
                       describe(tale.recording, tale.step).detail);
}

std::string failed_over(const Tale& tale) {
    return fmt::format("{} fails over {}", tale.who(), describe(tale.recording, tale.step).detail);
}

std::string partitioned(const Tale& tale) {
    return fmt::format("{} is cut off: {}", tale.who(), describe(tale.recording, tale.step).detail);
}

std::string connection_reset(const Tale& tale) {
    return fmt::format("{} loses its {}", tale.who(), describe(tale.recording, tale.step).detail);
}

std::string slowed(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    if (line.detail.empty()) return fmt::format("{} is {}", line.who, line.what);
    return fmt::format("{} becomes slow: {}", line.who, line.detail);
}

std::string disturbed(const Tale& tale) {
    using What = sim::Disturbed::What;
    const Line line = describe(tale.recording, tale.step);
    switch (payload<sim::Disturbed>(tale).what) {
    case What::half_open: return fmt::format("{} has half a connection: {}", line.who, line.detail);
    case What::delayed: return fmt::format("{} is far away: {}", line.who, line.detail);
    case What::clock_drift: return fmt::format("the clock of {} drifts: {}", line.who, line.detail);
    case What::ordered: return fmt::format("{} is told {}", line.who, line.detail);
    case What::delay_over: return fmt::format("{} is as near as before", line.who);
    case What::drift_over: return fmt::format("the clock of {} runs true again", line.who);
    case What::order_over:
        return fmt::format("what {} was told, {}, is over", line.who, line.detail);
    }
    return from_line(tale);
}

std::string leased(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    return fmt::format("{} asks for the lease of {}: {}", line.who, tale.run(), line.detail);
}

std::string reread(const Tale& tale) {
    const auto& what = payload<Reread>(tale);
    return fmt::format("{} reads {} again from its own history: delivery {}",
                       tale.text(what.consumer), tale.run(), what.delivery_count);
}

std::string judged(const Tale& tale) {
    return fmt::format("{} judges {}: {}", tale.who(), tale.run(),
                       describe(tale.recording, tale.step).detail);
}

std::string short_circuited(const Tale& tale) {
    return fmt::format("{} skips the work on {}, which is done already", tale.who(), tale.run());
}

std::string kept_out(const Tale& tale) {
    return fmt::format("{} is kept out of {}: {}", tale.who(), tale.run(),
                       describe(tale.recording, tale.step).detail);
}

std::string run_unknown(const Tale& tale) {
    return fmt::format("{} finds no row of {} in the database", tale.who(), tale.run());
}

std::string submission_absorbed(const Tale& tale) {
    return fmt::format("{} inserts no row for {}: the key belongs to {} already", tale.who(),
                       tale.run(), tale.text(payload<SubmissionAbsorbed>(tale).existing));
}

std::string pending_dropped(const Tale& tale) {
    const Line line = describe(tale.recording, tale.step);
    return fmt::format("{} drops {} from the pending list: {}", line.who, tale.run(), line.detail);
}

std::string entry_removed(const Tale& tale) {
    return fmt::format("{} trims {} from the stream: {}", tale.who(), tale.run(),
                       describe(tale.recording, tale.step).detail);
}

/// Of the broker and of the database: `redis forgets run-2: the entry is gone`.
std::string forgot(const Tale& tale) {
    const std::string run = tale.run();
    return fmt::format("{} forgets{}: {}", tale.who(), run.empty() ? "" : " " + run,
                       describe(tale.recording, tale.step).detail);
}

std::string statement_failed(const Tale& tale) {
    const std::string run = tale.run();
    return fmt::format("{} is refused by the database{}: {}", tale.who(),
                       run.empty() ? "" : " for " + run,
                       describe(tale.recording, tale.step).detail);
}

std::string rolled_back(const Tale& tale) {
    const std::string run = tale.run();
    return fmt::format("the transaction of {}{} is rolled back: {}", tale.who(),
                       run.empty() ? "" : " for " + run,
                       describe(tale.recording, tale.step).detail);
}

std::string status_changed(const Tale& tale) {
    const auto& what = payload<StatusChanged>(tale);
    if (what.from == what.to)
        return fmt::format("the status of {} is set once more: {}", tale.run(),
                           describe(tale.recording, tale.step).detail);
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
    {sim::Refused::kind, refused},
    {sim::ClockStepped::kind, clock_stepped},
    {sim::FailedOver::kind, failed_over},
    {sim::Partitioned::kind, partitioned},
    {sim::ConnectionReset::kind, connection_reset},
    {sim::Slowed::kind, slowed},
    {sim::Disturbed::kind, disturbed},
    {Judged::kind, judged},
    {LeaseTaken::kind, leased},
    {Reread::kind, reread},
    {ShortCircuited::kind, short_circuited},
    {KeptOut::kind, kept_out},
    {RunUnknown::kind, run_unknown},
    {SubmissionAbsorbed::kind, submission_absorbed},
    {PendingDropped::kind, pending_dropped},
    {EntryRemoved::kind, entry_removed},
    {BrokerForgot::kind, forgot},
    {DatabaseForgot::kind, forgot},
    {StatementFailed::kind, statement_failed},
    {RolledBack::kind, rolled_back},
};

}  // namespace

std::string sentence_of(const scenarios::Recording& recording, const sim::Step& step) {
    const Tale tale{{recording, step}};
    for (const KindOfSentence& each : table)
        if (each.kind == step.kind) return each.text(tale) + ".";
    return from_line(tale) + ".";
}

}  // namespace redeliver::reports
