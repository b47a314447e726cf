#include "properties/jury.h"

#include <utility>

#include "sim/ensure.h"

namespace redeliver::properties {

void Jury::add(std::unique_ptr<Property> property) {
    sim::ensure(property != nullptr, "a jury consists of promises");
    const sim::KindMask wanted = property->observes();
    for (sim::StepKind kind = 0; kind < sim::kind_limit; ++kind)
        if (((wanted >> kind) & 1) != 0) by_kind_[kind].push_back(property.get());
    properties_.push_back(std::move(property));
}

void Jury::observe(const sim::Step& step) {
    sim::ensure(step.number > last_.number, "steps come in order");
    last_ = {step.at, step.number};
    if (model::is_run(step.subject)) last_steps_[step.subject] = last_;
    for (Property* const property : by_kind_[step.kind]) property->observe(step);
}

const std::vector<Verdict>& Jury::conclude(sim::Ending ending) {
    verdicts_.clear();
    for (const auto& property : properties_) {
        Verdict& verdict = verdicts_.emplace_back(property->conclude(ending));
        if (verdict.holds != Holds::violated || verdict.breach != Breach::owed) continue;
        const LastStep* const on_run = last_steps_.find(verdict.subject);
        const LastStep& last = on_run == nullptr ? last_ : *on_run;
        verdict.step = last.number;
        verdict.at = last.at;
    }
    return verdicts_;
}

void Jury::reset() {
    for (const auto& property : properties_) property->reset();
    last_steps_.clear();
    last_ = {};
}

}  // namespace redeliver::properties
