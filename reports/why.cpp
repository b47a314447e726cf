#include "reports/why.h"

#include <algorithm>
#include <set>

#include "model/steps.h"
#include "model/subjects.h"
#include "reports/describe.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;
using sim::Step;
using sim::StepNumber;

sim::Subject message_of(sim::Subject subject) {
    return model::is_run(subject) ? model::intention_of(subject) : subject;
}

/// Every step that the breach goes back to.
std::set<StepNumber> ancestry(const Recording& recording, const properties::Verdict& verdict) {
    std::set<StepNumber> met;
    std::vector<StepNumber> next = {verdict.step};
    const Step* const breach = find_step(recording, verdict.step);
    if (breach == nullptr) return met;
    const sim::Subject message =
        message_of(verdict.subject == sim::Subject::none ? breach->subject : verdict.subject);
    while (!next.empty()) {
        const Step* const step = find_step(recording, next.back());
        next.pop_back();
        if (step == nullptr || !met.insert(step->number).second) continue;
        next.push_back(step->cause);
        if (model::is_run(step->subject) && message_of(step->subject) == message)
            next.push_back(step->previous);
    }
    return met;
}

/// What a fault did at first: the crash, the lost message. Recorded right after the fault.
const Step* effect_of(const Recording& recording, const Step& fired) {
    for (std::size_t next = fired.number; next < recording.steps.size(); ++next)
        if (recording.steps[next].cause == fired.number) return &recording.steps[next];
    return nullptr;
}

/// Collects the steps to tell, the indispensable ones first.
class Telling {
public:
    Telling(const Recording& recording, const properties::Verdict& verdict)
        : recording_(recording), verdict_(verdict), ancestry_(ancestry(recording, verdict)) {}

    std::vector<StepNumber> steps() {
        if (ancestry_.empty()) return {};
        told_.insert(verdict_.step);
        tell_end();
        tell_faults();
        tell_decisions();
        tell_most_telling();
        return {told_.begin(), told_.end()};
    }

private:
    void tell_end() {
        if (verdict_.breach != properties::Breach::owed) return;
        const Step& last = recording_.steps.back();
        if (last.as<sim::Concluded>() != nullptr) told_.insert(last.number);
    }

    // The latest two: an earlier fault explains the breach only through them.
    void tell_faults() {
        std::size_t left = 2;
        for (auto number = ancestry_.rbegin(); number != ancestry_.rend() && left > 0; ++number) {
            const Step& step = *find_step(recording_, *number);
            const Step* effect = nullptr;
            if (step.as<sim::FaultFired>() != nullptr) effect = effect_of(recording_, step);
            if (step.as<sim::Crashed>() != nullptr) effect = &step;
            if (effect == nullptr || !told_.insert(effect->number).second) continue;
            --left;
        }
    }

    // The latest of each policy, two at most.
    void tell_decisions() {
        std::set<std::uint16_t> policies;
        for (auto number = ancestry_.rbegin(); number != ancestry_.rend(); ++number) {
            const auto* const decided = find_step(recording_, *number)->as<model::Decided>();
            if (decided == nullptr || policies.size() == 2) continue;
            if (policies.insert(decided->policy).second) told_.insert(*number);
        }
    }

    void tell_most_telling() {
        std::vector<StepNumber> candidates;
        for (const StepNumber number : ancestry_) {
            const Step& step = *find_step(recording_, number);
            const bool is_candidate = weight_of(step.kind) > 0 && is_shown(recording_, step);
            if (is_candidate && !told_.contains(number)) candidates.push_back(number);
        }
        std::ranges::sort(candidates, [this](StepNumber one, StepNumber other) {
            const auto weight = weight_of(find_step(recording_, one)->kind);
            const auto other_weight = weight_of(find_step(recording_, other)->kind);
            return weight != other_weight ? weight > other_weight : one > other;
        });
        for (const StepNumber number : candidates) {
            if (told_.size() >= most_reasons) return;
            told_.insert(number);
        }
    }

    const Recording& recording_;
    const properties::Verdict& verdict_;
    std::set<StepNumber> ancestry_;
    std::set<StepNumber> told_;
};

}  // namespace

std::vector<StepNumber> why(const Recording& recording, const properties::Verdict& verdict) {
    if (verdict.holds != properties::Holds::violated || recording.steps.empty()) return {};
    return Telling(recording, verdict).steps();
}

StepNumber root_of(const Recording& recording, const properties::Verdict& verdict) {
    StepNumber root = sim::no_step;
    for (const StepNumber number : ancestry(recording, verdict)) {
        const Step& step = *find_step(recording, number);
        const bool is_root = step.as<sim::FaultFired>() != nullptr ||
                             step.as<model::Decided>() != nullptr ||
                             step.as<sim::Crashed>() != nullptr;
        if (is_root) root = number;
    }
    return root;
}

}  // namespace redeliver::reports
