#include "reports/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/steps.h"
#include "reports/describe.h"
#include "reports/faults.h"
#include "reports/why.h"
#include "reports/words.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;
using sim::Step;
using sim::StepNumber;

/// Everything that a step goes back to, itself included.
std::set<StepNumber> ancestors(const Recording& recording, StepNumber from) {
    std::set<StepNumber> met;
    std::vector<StepNumber> next = {from};
    while (!next.empty()) {
        const Step* const step = find_step(recording, next.back());
        next.pop_back();
        if (step == nullptr || !met.insert(step->number).second) continue;
        next.push_back(step->cause);
        next.push_back(step->previous);
    }
    return met;
}

/// The fault of the plan that led to a step, along causes.
StepNumber fault_behind(const Recording& recording, StepNumber number) {
    for (const Step* step = find_step(recording, number); step != nullptr;
         step = find_step(recording, step->cause))
        if (step->as<sim::FaultFired>() != nullptr) return step->number;
    return sim::no_step;
}

/// The steps of `why` that are ancestors; for an effect of a fault that is none, the fault.
std::set<StepNumber> told_steps(const Recording& recording, const properties::Verdict& verdict) {
    const std::set<StepNumber> allowed = ancestors(recording, verdict.step);
    std::set<StepNumber> told;
    for (const StepNumber number : why(recording, verdict)) {
        const StepNumber shown =
            allowed.contains(number) ? number : fault_behind(recording, number);
        if (allowed.contains(shown)) told.insert(shown);
    }
    return told;
}

bool is_indispensable(const Step& step, const properties::Verdict& verdict) {
    return step.number == verdict.step || step.as<sim::FaultFired>() != nullptr ||
           step.as<sim::Crashed>() != nullptr || step.as<model::Decided>() != nullptr;
}

/// Leaves out what says least until there is room for the last sentence.
void make_room(const Recording& recording, const properties::Verdict& verdict,
               std::set<StepNumber>& told) {
    while (told.size() >= most_reasons) {
        auto least = told.end();
        for (auto each = told.begin(); each != told.end(); ++each) {
            const Step& step = *find_step(recording, *each);
            if (is_indispensable(step, verdict)) continue;
            if (least == told.end() ||
                weight_of(step.kind) < weight_of(find_step(recording, *least)->kind))
                least = each;
        }
        told.erase(least == told.end() ? told.begin() : least);
    }
}

std::string promise_text(std::string_view name) {
    for (const properties::PromiseInfo& info : properties::promises())
        if (info.name == name) return std::string(info.promise);
    return std::string(name);
}

std::string last_sentence(const Recording& recording, const scenarios::PromiseVerdict& broken) {
    const properties::Verdict& verdict = broken.verdict;
    const std::string subject = recording.text(verdict.subject);
    const std::string found =
        subject.empty() ? verdict.evidence : fmt::format("{} {}", subject, verdict.evidence);
    const bool is_owed = verdict.breach == properties::Breach::owed;
    return fmt::format("{} {}, which breaks {}: {}", is_owed ? "In the end" : "So", found,
                       broken.name, promise_text(broken.name));
}

}  // namespace

std::vector<Sentence> sentences(const Trial& trial, const scenarios::PromiseVerdict& broken) {
    const Recording& recording = *trial.result.recording;
    const properties::Verdict& verdict = broken.verdict;
    const Step* const breach = find_step(recording, verdict.step);
    if (verdict.holds != properties::Holds::violated || breach == nullptr) return {};
    std::set<StepNumber> told = told_steps(recording, verdict);
    make_room(recording, verdict, told);
    std::vector<Sentence> all;
    for (const StepNumber number : told) {
        const Step& step = *find_step(recording, number);
        std::string text = sentence_of(recording, step);
        if (const auto* const fired = step.as<sim::FaultFired>())
            text = fmt::format("Fault {} strikes: {}.", fired->fault + 1,
                               fault_text(trial.plan.faults[fired->fault]));
        all.push_back({number, step.at, std::move(text)});
    }
    all.push_back({verdict.step, breach->at, last_sentence(recording, broken)});
    return all;
}

}  // namespace redeliver::reports
