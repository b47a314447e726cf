#include "reports/describe.h"

#include "model/subjects.h"
#include "reports/describe_kinds.h"
#include "sim/ensure.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

const kinds::Kind& kind_entry(sim::StepKind number) {
    const kinds::Kind* kind = kinds::find_engine_kind(number);
    if (kind == nullptr) kind = kinds::find_broker_kind(number);
    if (kind == nullptr) kind = kinds::find_database_kind(number);
    if (kind == nullptr) kind = kinds::find_actor_kind(number);
    sim::ensure(kind != nullptr, "every kind of step can be described");
    return *kind;
}

}  // namespace

Line describe(const scenarios::Recording& recording, const sim::Step& step) {
    const kinds::Kind& kind = kind_entry(step.kind);
    Line line{.mark = kind.mark, .who = {}, .what = {}, .about = {}, .detail = {}};
    if (step.actor != sim::NodeId::none) line.who = recording.text(step.actor);
    if (model::is_run(step.subject)) line.about = recording.text(step.subject);
    kind.describe({recording, step}, line);
    return line;
}

Interest interest_in(sim::StepKind kind) { return kind_entry(kind).interest; }

std::uint32_t weight_of(sim::StepKind kind) { return kind_entry(kind).weight; }

bool is_shown(const scenarios::Recording& recording, const sim::Step& step) {
    switch (interest_in(step.kind)) {
    case Interest::none: return false;
    case Interest::everybody: return true;
    case Interest::of_runs: break;
    }
    if (!model::is_run(step.subject)) return false;
    // The crash itself tells of the first operation that it cut.
    const sim::Step* const cause = find_step(recording, step.cause);
    const bool is_told = step.as<sim::Cut>() != nullptr && cause != nullptr &&
                         describe(recording, *cause).about == recording.text(step.subject);
    return !is_told;
}

const sim::Step* find_step(const scenarios::Recording& recording, sim::StepNumber number) {
    if (number == sim::no_step || number > recording.steps.size()) return nullptr;
    return &recording.steps[number - 1];
}

std::string with_arrows(std::string detail, Charset charset) {
    const std::string_view written = arrow(Charset::ascii);
    const std::string_view wanted = arrow(charset);
    for (std::size_t at = 0; (at = detail.find(written, at)) != std::string::npos;
         at += wanted.size())
        detail.replace(at, written.size(), wanted);
    return detail;
}

bool is_poll(const sim::Step& step) { return !model::is_run(step.subject); }

namespace kinds {

std::string Context::operation(sim::OperationKind kind) const {
    return kind < recording.operations.size() ? recording.operations[kind] : std::string("?");
}

std::string Context::by_fault() const {
    const sim::Step* cause = find_step(recording, step.cause);
    // A message that is lost was sent first.
    const bool was_sent = cause != nullptr && (cause->as<sim::Sent>() != nullptr ||
                                               cause->as<sim::Replied>() != nullptr);
    if (was_sent) cause = find_step(recording, cause->cause);
    const auto* const fired = cause == nullptr ? nullptr : cause->as<sim::FaultFired>();
    return fired == nullptr ? "" : ", fault " + std::to_string(fired->fault + 1);
}

}  // namespace kinds

}  // namespace redeliver::reports
