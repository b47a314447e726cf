// What the engine itself reports: faults, and requests on their way.

#include <fmt/format.h>

#include "model/steps.h"
#include "model/subjects.h"
#include "reports/describe_kinds.h"
#include "reports/words.h"
#include "sim/happenings.h"

namespace redeliver::reports::kinds {

namespace {

using namespace sim;

std::string cut_text(const Context& context, const Cut& cut) {
    const std::string operation = context.operation(cut.operation);
    switch (cut.phase) {
    case CutAt::unsent: return fmt::format("before its {} was sent", operation);
    case CutAt::in_flight: return fmt::format("before its {} was answered", operation);
    case CutAt::working: return fmt::format("in the middle of its {}", operation);
    }
    return operation;
}

/// The first operation about a run that a crash cut, if any. Cuts follow their crash.
const Step* first_cut_run(const Context& context) {
    const auto& steps = context.recording.steps;
    for (std::size_t next = context.step.number; next < steps.size(); ++next) {
        if (steps[next].as<Cut>() == nullptr || steps[next].cause != context.step.number) break;
        if (model::is_run(steps[next].subject)) return &steps[next];
    }
    return nullptr;
}

/// Why a process died when no fault of the plan says so.
std::string crash_cause(const Context& context) {
    const Step* const cause = find_step(context.recording, context.step.cause);
    if (cause == nullptr || cause->as<model::WorkStarted>() == nullptr) return context.by_fault();
    return ", killed by the work on " + context.text(cause->subject);
}

void fault_fired(const Context& context, Line& line) {
    line.what = "fault";
    line.detail =
        fmt::format("fault {} of the plan strikes", payload<FaultFired>(context).fault + 1);
}

void crashed(const Context& context, Line& line) {
    const bool is_machine = payload<Crashed>(context).of == CrashOf::machine;
    line.what = is_machine ? "machine lost" : "crash";
    const Step* const cut = first_cut_run(context);
    if (cut != nullptr) {
        line.about = context.text(cut->subject);
        line.detail = cut_text(context, *cut->as<Cut>());
    } else {
        line.detail = is_machine ? "with what it had not flushed" : "its process dies";
    }
    line.detail += crash_cause(context);
}

void cut(const Context& context, Line& line) {
    line.what = "cut off";
    line.detail = cut_text(context, payload<Cut>(context));
}

void restarted(const Context& context, Line& line) {
    line.what = "restart";
    line.detail = fmt::format("without memory, for the {} time", ordinal(context.step.incarnation));
}

void paused(const Context& context, Line& line) {
    line.what = "pause";
    line.detail = fmt::format("for {}{}", length(Duration{payload<Paused>(context).lasts}),
                              context.by_fault());
}

void resumed(const Context&, Line& line) {
    line.what = "resumes";
    line.detail = "as if no time had passed";
}

void sent(const Context& context, Line& line) {
    const auto& what = payload<Sent>(context);
    line.what = context.operation(what.operation);
    line.detail =
        fmt::format("sent to {}, its {}", context.text(what.server), ordinal(what.occurrence));
}

void replied(const Context& context, Line& line) {
    const auto& what = payload<Replied>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format("answers {}", context.text(what.client));
}

void arrived(const Context& context, Line& line) {
    const auto& what = payload<Arrived>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format("is answered by {}", context.text(what.server));
}

void lost(const Context& context, Line& line) {
    const auto& what = payload<Lost>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format(
        "{} {}: it cannot know whether it was applied",
        what.reason == LossReason::deadline ? "no answer in time from" : "connection reset by",
        context.text(what.server));
}

void refused(const Context& context, Line& line) {
    const auto& what = payload<Refused>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format("cannot reach {}: nothing was sent", context.text(what.server));
}

void dropped(const Context& context, Line& line) {
    const auto& what = payload<Dropped>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format("{} {} is lost on the wire{}",
                              what.what == Swallowed::request ? "the request to" : "the answer to",
                              context.text(what.receiver), context.by_fault());
}

void connection_reset(const Context& context, Line& line) {
    line.what = "reset";
    line.detail =
        fmt::format("connection to {}{}", context.text(payload<ConnectionReset>(context).server),
                    context.by_fault());
}

void partitioned(const Context& context, Line& line) {
    line.what = "partition";
    line.detail = fmt::format("nothing it sends reaches {}{}",
                              context.text(payload<Partitioned>(context).to), context.by_fault());
}

void partition_healed(const Context& context, Line& line) {
    line.what = "partition ends";
    line.detail =
        fmt::format("it reaches {} again", context.text(payload<PartitionHealed>(context).to));
}

void clock_stepped(const Context& context, Line& line) {
    line.what = "clock jumps";
    line.detail = fmt::format("by {}{}", length(Duration{payload<ClockStepped>(context).by}),
                              context.by_fault());
}

void failed_over(const Context& context, Line& line) {
    line.what = "failover";
    line.detail =
        fmt::format("to a replica without the last {}{}",
                    length(Duration{payload<FailedOver>(context).lag}), context.by_fault());
}

void slowed(const Context& context, Line& line) {
    const std::uint32_t percent = payload<Slowed>(context).percent;
    if (percent == 100) {
        line.what = "slow no more";
        line.mark = Mark::resume;
        return;
    }
    line.what = "slow";
    line.detail = fmt::format("its work takes {}% of its time{}", percent, context.by_fault());
}

void healed(const Context& context, Line& line) {
    line.what = "heal";
    line.detail = "the faults are over, what was broken is repaired";
    const std::uint32_t lapsed = payload<Healed>(context).lapsed;
    if (lapsed > 0) line.detail += fmt::format("; {} lapsed", counted(lapsed, "fault"));
}

std::string_view ending_text(Ending ending) {
    switch (ending) {
    case Ending::settled: return "settled: nothing is left to do";
    case Ending::quiet: return "quiet: nothing makes progress any more";
    case Ending::drained: return "drained: no event is left";
    case Ending::out_of_steps: return "out of steps, so inconclusive";
    case Ending::out_of_time: return "out of time, so inconclusive";
    }
    return "?";
}

void concluded(const Context& context, Line& line) {
    line.what = "end";
    line.detail = ending_text(static_cast<Ending>(payload<Concluded>(context).ending));
}

void answered_nobody(const Context& context, Line& line) {
    const auto& what = payload<AnsweredNobody>(context);
    line.what = context.operation(what.operation);
    line.detail = fmt::format("answers {}, which is gone", context.text(what.client));
}

void stalled(const Context& context, Line& line) {
    line.what = context.operation(payload<Stalled>(context).operation);
    line.detail = "is held up";
}

void disturbed(const Context& context, Line& line) {
    const auto& what = payload<Disturbed>(context);
    line.what = "disturbed";
    const std::string amount = length(Duration{what.amount});
    const std::string words = context.text(Name{what.detail});
    using What = Disturbed::What;
    switch (what.what) {
    case What::half_open:
        line.what = "half-open";
        line.detail = fmt::format("its connection with {} is gone, unknown to that{}",
                                  context.text(NodeId{static_cast<std::uint16_t>(what.detail)}),
                                  context.by_fault());
        return;
    case What::delayed:
        line.what = "latency";
        line.detail =
            fmt::format("what it sends and is sent takes {} longer{}", amount, context.by_fault());
        return;
    case What::clock_drift:
        line.what = "clock drifts";
        line.detail = fmt::format("it gains {} a second{}", amount, context.by_fault());
        return;
    case What::ordered:
        line.what = "told";
        line.detail =
            fmt::format("\"{}\"{}{}", words, what.amount > 0 ? fmt::format(" for {}", amount) : "",
                        context.by_fault());
        return;
    case What::delay_over: line.what = "latency as before"; break;
    case What::drift_over: line.what = "clock runs true"; break;
    case What::order_over:
        line.what = "over";
        line.detail = fmt::format("\"{}\"", words);
        break;
    }
    line.mark = Mark::resume;
}

constexpr Interest none = Interest::none;
constexpr Interest of_runs = Interest::of_runs;
constexpr Interest everybody = Interest::everybody;

constexpr NumberedKind table[] = {
    {FaultFired::kind, {fault_fired, Mark::none, none, 0}},
    {Crashed::kind, {crashed, Mark::crash, everybody, 100}},
    {Cut::kind, {cut, Mark::crash, of_runs, 0}},
    {Restarted::kind, {restarted, Mark::restart, everybody, 10}},
    {Paused::kind, {paused, Mark::pause, everybody, 100}},
    {Resumed::kind, {resumed, Mark::resume, everybody, 10}},
    {Sent::kind, {sent, Mark::none, none, 0}},
    {Replied::kind, {replied, Mark::none, none, 0}},
    {Arrived::kind, {arrived, Mark::none, none, 0}},
    {Lost::kind, {lost, Mark::lost, of_runs, 60}},
    {Refused::kind, {refused, Mark::lost, of_runs, 60}},
    {Dropped::kind, {dropped, Mark::lost, everybody, 100}},
    {ConnectionReset::kind, {connection_reset, Mark::partition, everybody, 100}},
    {Partitioned::kind, {partitioned, Mark::partition, everybody, 100}},
    {PartitionHealed::kind, {partition_healed, Mark::heal, everybody, 10}},
    {ClockStepped::kind, {clock_stepped, Mark::partition, everybody, 100}},
    {FailedOver::kind, {failed_over, Mark::partition, everybody, 100}},
    {Slowed::kind, {slowed, Mark::partition, everybody, 100}},
    {Healed::kind, {healed, Mark::heal, everybody, 5}},
    {Concluded::kind, {concluded, Mark::none, everybody, 1}},
    {AnsweredNobody::kind, {answered_nobody, Mark::lost, of_runs, 50}},
    {Stalled::kind, {stalled, Mark::pause, of_runs, 40}},
    {Disturbed::kind, {disturbed, Mark::partition, everybody, 100}},
};

}  // namespace

const Kind* find_engine_kind(StepKind kind) { return find_kind(table, kind); }

}  // namespace redeliver::reports::kinds
