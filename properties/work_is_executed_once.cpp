#include "properties/work_is_executed_once.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {.name = "work_is_executed_once",
                              .sentence = "The work on every run is begun once and never again.",
                              .observes = sim::kinds_of<model::WorkStarted>};

}  // namespace

WorkIsExecutedOnce::WorkIsExecutedOnce(const Terms& terms) : Promise(card, terms) {}

void WorkIsExecutedOnce::observe(const sim::Step& step) {
    if (step.kind != model::WorkStarted::kind) return note_loss(step);
    matters();
    if (++runs_[step.subject].executions == 1) return;
    ++too_many_;
    breach(step, step.subject, [] { return "was worked on a second time"; });
}

void WorkIsExecutedOnce::settle() {
    amend([this] { return fmt::format("; {} too many in all", too_many_); });
}

void WorkIsExecutedOnce::clear() {
    runs_.clear();
    too_many_ = 0;
}

}  // namespace redeliver::properties
