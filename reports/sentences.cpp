#include "reports/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "model/steps.h"
#include "reports/describe.h"
#include "reports/explanation.h"
#include "reports/faults.h"
#include "reports/why.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/policies.h"
#include "sim/happenings.h"

namespace redeliver::reports {

namespace {

using scenarios::Recording;
using sim::Step;
using sim::StepNumber;

/// `worker.claim` of `worker.claim=never`.
std::string_view path_in(const scenarios::Variation& variation) {
    return std::string_view(variation.setting).substr(0, variation.setting.find('='));
}

std::string path_of(scenarios::Policy policy) {
    const auto path =
        scenarios::path_of(scenarios::policy_table()[static_cast<std::size_t>(policy)].path);
    return path.value_or("");
}

/// The nearest value that keeps the promise, where that is the repair or the usual value and all
/// faults strike. Any other may have little to do with the cause.
std::optional<scenarios::Variation> nearest(const scenarios::Explanation& explanation) {
    using scenarios::Variation;
    if (explanation.passing.empty()) return {};
    const Variation& first = explanation.passing.front();
    const bool is_a_remedy =
        first.origin == Variation::Origin::repair || first.origin == Variation::Origin::usual;
    if (!is_a_remedy || first.faults == Variation::Faults::miss) return {};
    return first;
}

Clues clues_in(const scenarios::Explanation& explanation) {
    Clues clues;
    for (std::uint32_t fault = 0; fault < explanation.faults.size(); ++fault)
        if (explanation.faults[fault].need == scenarios::FaultNeed::Need::needed)
            clues.faults.push_back(fault);
    if (const auto variation = nearest(explanation))
        for (const scenarios::PolicyInfo& policy : scenarios::policy_table())
            if (path_of(policy.policy) == path_in(*variation)) clues.policy = policy.policy;
    return clues;
}

/// `; with skip_done the promise holds`.
std::string with_other_value(const scenarios::Variation& variation) {
    return fmt::format("; with {} the promise holds",
                       variation.setting.substr(path_in(variation).size() + 1));
}

std::string promise_text(std::string_view name) {
    for (const properties::PromiseInfo& info : properties::promises())
        if (info.name == name) return std::string(info.promise);
    return std::string(name);
}

/// Sees to it that a sentence about what a fault did says which one it was.
void name_fault(std::string& text, std::uint32_t fault, const sim::Fault& what, const Step& step) {
    const std::string name = fmt::format("fault {}", fault + 1);
    if (step.as<sim::FaultFired>() != nullptr)
        text = fmt::format("fault {} strikes: {}.", fault + 1, fault_text(what));
    else if (text.find(name) == std::string::npos)
        text.insert(text.size() - 1, ", " + name);
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

std::vector<Sentence> sentences(const Trial& trial, const scenarios::PromiseVerdict& broken,
                                const scenarios::Explanation& explanation) {
    const Recording& recording = *trial.result.recording;
    const properties::Verdict& verdict = broken.verdict;
    const Step* const breach = find_step(recording, verdict.step);
    if (verdict.holds != properties::Holds::violated || breach == nullptr) return {};
    const Clues clues = clues_in(explanation);
    std::vector<Sentence> all;
    for (const StepNumber number : why(recording, verdict, clues)) {
        const Step& step = *find_step(recording, number);
        std::string text = sentence_of(recording, step);
        if (step.as<model::Decided>() != nullptr)
            text.insert(text.size() - 1, with_other_value(*nearest(explanation)));
        for (const std::uint32_t fault : clues.faults)
            if (first_effect(recording, fault) == number)
                name_fault(text, fault, trial.plan.faults[fault], step);
        all.push_back({number, step.at, std::move(text)});
    }
    // What is owed in the end is so at any time after the last thing that happened to it.
    const sim::Instant at = all.empty() ? breach->at : std::max(breach->at, all.back().at);
    all.push_back({verdict.step, at, last_sentence(recording, broken)});
    return all;
}

}  // namespace redeliver::reports
