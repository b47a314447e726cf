// What users, gateways, workers and the others report.

#include <fmt/format.h>

#include "model/steps.h"
#include "reports/describe_kinds.h"
#include "reports/words.h"
#include "scenarios/policies.h"

namespace redeliver::reports::kinds {

namespace {

using namespace model;

std::string content_text(const Submitted& what) {
    switch (what.content) {
    case Content::healthy: return {};
    case Content::poison: return ", poison";
    case Content::killer: return ", a killer";
    case Content::flaky: return fmt::format(", flaky: fails {}", counted(what.failures, "time"));
    }
    return {};
}

void submitted(const Context& context, Line& line) {
    const auto& what = payload<Submitted>(context);
    line.what = "submit";
    line.detail =
        fmt::format("attempt {}, session {}{}", what.attempt, what.session, content_text(what));
}

void answered(const Context& context, Line& line) {
    const auto& what = payload<Answered>(context);
    line.what = "answer";
    const std::string run = context.text(what.run);
    switch (what.answer) {
    case Answer::accepted: line.detail = "accepted as " + run; break;
    case Answer::duplicate: line.detail = "a duplicate of " + run; break;
    case Answer::rejected: line.detail = "rejected"; break;
    }
}

void gave_up(const Context& context, Line& line) {
    line.what = "gives up";
    line.detail = fmt::format("after {}", counted(payload<GaveUp>(context).attempts, "attempt"));
}

/// `, as worker-1-2`, unless the consumer is called like its worker.
std::string as_consumer(const Context& context, Name consumer) {
    const std::string name = context.text(consumer);
    if (name.empty() || name == context.recording.text(context.step.actor)) return {};
    return ", as " + name;
}

void work_started(const Context& context, Line& line) {
    const auto& what = payload<WorkStarted>(context);
    line.what = "work starts";
    line.detail =
        fmt::format("execution {}{}", what.execution, as_consumer(context, what.consumer));
}

void work_finished(const Context& context, Line& line) {
    const auto& what = payload<WorkFinished>(context);
    line.what = "work ends";
    line.detail = fmt::format("execution {} {}", what.execution,
                              what.result == WorkResult::succeeded ? "succeeded" : "failed");
    if (what.result == WorkResult::failed) line.mark = Mark::lost;
}

void judged(const Context& context, Line& line) {
    const auto& what = payload<Judged>(context);
    line.what = "judges";
    line.detail =
        fmt::format("{}: {}, threshold {}", what.as == Judged::As::poison ? "poison" : "not poison",
                    counted(what.delivery_count, "delivery", "deliveries"), what.threshold);
}

/// `/system/worker/acknowledge` as `--set` takes it: `worker.acknowledge`.
std::string setting_path(std::string_view pointer) {
    constexpr std::string_view system = "/system/";
    pointer.remove_prefix(pointer.starts_with(system) ? system.size() : 1);
    std::string path(pointer);
    for (char& c : path)
        if (c == '/') c = '.';
    return path;
}

void decided(const Context& context, Line& line) {
    const auto& what = payload<Decided>(context);
    line.what = "policy";
    const auto policies = scenarios::policy_table();
    if (what.policy >= policies.size()) {
        line.detail = fmt::format("number {}", what.policy);
        return;
    }
    const scenarios::PolicyInfo& policy = policies[what.policy];
    line.detail = fmt::format("{} = {}", setting_path(policy.path),
                              what.value < policy.values.size() ? policy.values[what.value] : "?");
}

void short_circuited(const Context&, Line& line) {
    line.what = "skips work";
    line.detail = "the run is done already";
}

std::string_view keeper_text(model::KeptOut::By by) {
    using By = model::KeptOut::By;
    switch (by) {
    case By::mark: return "it is among the processed messages";
    case By::status: return "the run has another status by now";
    case By::lease: return "another worker has the lease";
    case By::fence: return "the lease has passed to another worker";
    }
    return "?";
}

void kept_out(const Context& context, Line& line) {
    line.what = "is kept out";
    line.detail = keeper_text(payload<KeptOut>(context).by);
}

void run_unknown(const Context&, Line& line) {
    line.what = "no such run";
    line.detail = "the database has no row for it";
}

constexpr Interest none = Interest::none;
constexpr Interest everybody = Interest::everybody;

constexpr NumberedKind table[] = {
    {Submitted::kind, {submitted, Mark::none, everybody, 20}},
    {Answered::kind, {answered, Mark::none, everybody, 25}},
    {GaveUp::kind, {gave_up, Mark::lost, everybody, 50}},
    {WorkStarted::kind, {work_started, Mark::none, everybody, 70}},
    {WorkFinished::kind, {work_finished, Mark::none, everybody, 58}},
    {Judged::kind, {judged, Mark::none, everybody, 75}},
    {Decided::kind, {decided, Mark::none, none, 90}},
    {ShortCircuited::kind, {short_circuited, Mark::absorbed, everybody, 78}},
    {KeptOut::kind, {kept_out, Mark::absorbed, everybody, 78}},
    {RunUnknown::kind, {run_unknown, Mark::lost, everybody, 80}},
};

}  // namespace

const Kind* find_actor_kind(sim::StepKind kind) { return find_kind(table, kind); }

}  // namespace redeliver::reports::kinds
