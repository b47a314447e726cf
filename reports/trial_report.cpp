#include "reports/trial_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/columns.h"
#include "reports/faults.h"
#include "reports/paragraph.h"
#include "reports/schedule.h"
#include "reports/text_width.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

using properties::Holds;
using properties::Verdict;
using scenarios::Expected;
using scenarios::PromiseVerdict;

bool is_listed(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool is_inert(const Trial& trial, std::size_t fault) {
    return std::ranges::find(trial.result.inert_faults, fault) != trial.result.inert_faults.end();
}

bool is_pinned(const scenarios::Scenario& scenario) {
    return scenario.faults.random.empty() && !scenario.faults.pinned.empty();
}

std::string joined(const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// `run-6 has 2 replies`.
std::string finding(const Trial& trial, const Verdict& verdict) {
    const scenarios::Recording* const recording = trial.result.recording.get();
    const std::string whom =
        recording == nullptr ? std::string() : recording->text(verdict.subject);
    return whom.empty() ? verdict.evidence : whom + " " + verdict.evidence;
}

std::string broken_text(const Trial& trial, const PromiseVerdict& promise) {
    const Verdict& verdict = promise.verdict;
    std::string_view expected = "";
    switch (expectation_of(trial.scenario, promise.name)) {
    case Expected::breaks: expected = "; the story expects it"; break;
    case Expected::holds: expected = "; the story expects it to hold"; break;
    case Expected::nothing: break;
    }
    if (verdict.breach == properties::Breach::owed)
        return fmt::format("{}: {}{}", promise.name, finding(trial, verdict), expected);
    return fmt::format("{} at {}, step {}: {}{}", promise.name, moment(verdict.at), verdict.step,
                       finding(trial, verdict), expected);
}

std::vector<std::string> names_with(const Trial& trial, Holds holds) {
    std::vector<std::string> names;
    for (const PromiseVerdict& each : trial.result.verdicts)
        if (each.verdict.holds == holds) names.emplace_back(each.name);
    return names;
}

/// The verdicts word by word under one label.
std::string labelled(std::string_view label, Tone tone, const std::string& text, const Look& look) {
    constexpr std::size_t indent = 11;
    return text.empty() ? "" : paragraph(painted(tone, label, look), label, indent, text, look);
}

std::string broken_lines(const Trial& trial, const Look& look) {
    std::string lines;
    for (const PromiseVerdict& each : trial.result.verdicts)
        if (each.verdict.holds == Holds::violated)
            lines += labelled("broke", Tone::bad, broken_text(trial, each), look);
    return lines;
}

std::string excused_text(const Trial& trial) {
    std::vector<std::string> texts;
    for (const PromiseVerdict& each : trial.result.verdicts)
        if (each.verdict.excused > 0)
            texts.push_back(fmt::format("{} {}", each.name, counted(each.verdict.excused, "time")));
    return joined(texts);
}

/// Every total that is not nothing.
std::string totals_text(const Trial& trial) {
    std::vector<std::string> texts;
    for (const scenarios::Total& total : trial.result.totals)
        if (total.value > 0)
            texts.push_back(fmt::format("{} {}", total.name, grouped(total.value)));
    return joined(texts);
}

std::string reached_text(const Trial& trial) {
    std::vector<std::string> texts;
    for (const scenarios::ReachedPath& path : trial.result.reached)
        if (path.count > 0) texts.push_back(fmt::format("{} {}", path.name, grouped(path.count)));
    return joined(texts);
}

std::string_view ending_word(sim::Ending ending) {
    switch (ending) {
    case sim::Ending::settled: return "settled";
    case sim::Ending::quiet: return "quiet";
    case sim::Ending::drained: return "no event left";
    case sim::Ending::out_of_steps: return "out of steps";
    case sim::Ending::out_of_time: return "out of time";
    }
    return "?";
}

std::string end_text(const Trial& trial) {
    return fmt::format("{} at {} after {}, fingerprint {}", ending_word(trial.result.ending),
                       moment(trial.result.end), counted(trial.result.steps, "step"),
                       fingerprint_text(trial.result.fingerprint));
}

void complain_of_promises(const Trial& trial, std::vector<std::string>& complaints) {
    for (const PromiseVerdict& each : trial.result.verdicts) {
        const Expected expected = expectation_of(trial.scenario, each.name);
        if (expected == Expected::holds && each.verdict.holds == Holds::violated)
            complaints.push_back(fmt::format("{} was expected to hold and broke", each.name));
        if (expected == Expected::breaks && each.verdict.holds != Holds::violated &&
            is_pinned(trial.scenario))
            complaints.push_back(fmt::format(
                "{} was expected to break, but {}", each.name,
                each.verdict.holds == Holds::holds ? "held" : "was not put to the test"));
    }
}

void complain_of_totals(const Trial& trial, std::vector<std::string>& complaints) {
    for (const auto& [name, expected] : trial.scenario.expect.totals) {
        const auto found = std::ranges::find(trial.result.totals, name, &scenarios::Total::name);
        if (found != trial.result.totals.end() && found->value != expected)
            complaints.push_back(
                fmt::format("{}: expected {}, found {}", name, expected, found->value));
    }
}

}  // namespace

Expected expectation_of(const scenarios::Scenario& scenario, std::string_view promise) {
    if (is_listed(scenario.expect.holds, promise)) return Expected::holds;
    if (is_listed(scenario.expect.breaks, promise)) return Expected::breaks;
    return Expected::nothing;
}

Judgement judge(const Trial& trial) {
    Judgement judgement{.outcome = Judgement::Outcome::as_expected, .complaints = {}};
    complain_of_promises(trial, judgement.complaints);
    complain_of_totals(trial, judgement.complaints);
    if (!judgement.complaints.empty()) {
        judgement.outcome = Judgement::Outcome::wrong;
    } else if (trial.result.ending == sim::Ending::out_of_steps ||
               trial.result.ending == sim::Ending::out_of_time) {
        judgement.outcome = Judgement::Outcome::inconclusive;
        judgement.complaints.emplace_back("the trial ended in a cap before it could be judged");
    }
    return judgement;
}

std::string trial_heading(const Trial& trial, const Look& look) {
    std::string text = painted(Tone::strong, scenarios::printable(trial.scenario.name), look) +
                       fmt::format(", seed {}\n", trial.seed);
    text += paragraph("", "", 2, trial.scenario.story, look);
    const sim::Schedule& schedule = trial.plan.schedule;
    if (!schedule.is_none())
        text += paragraph("  schedule", "  schedule", 12, schedule_text(schedule), look);
    if (trial.plan.faults.empty()) return text + "  no faults\n";
    Columns faults{{{.gap = 2}, {}, {}}};
    for (std::size_t i = 0; i < trial.plan.faults.size(); ++i) {
        const bool inert = is_inert(trial, i);
        faults.add({{fmt::format("fault {}", i + 1)},
                    {inert ? "inert" : "fired", inert ? Tone::faint : Tone::bad},
                    {fault_text(trial.plan.faults[i]), inert ? Tone::faint : Tone::plain}});
    }
    return text + faults.render(look);
}

std::string trial_verdicts(const Trial& trial, const Look& look) {
    std::string text = labelled("held", Tone::good, joined(names_with(trial, Holds::holds)), look);
    text += broken_lines(trial, look);
    text += labelled("vacuous", Tone::faint, joined(names_with(trial, Holds::vacuous)), look);
    text +=
        labelled("unjudged", Tone::uncertain, joined(names_with(trial, Holds::inconclusive)), look);
    text += labelled("excused", Tone::uncertain, excused_text(trial), look);
    text += labelled("totals", Tone::plain, totals_text(trial), look);
    text += labelled("reached", Tone::plain, reached_text(trial), look);
    return text + labelled("end", Tone::plain, end_text(trial), look);
}

}  // namespace redeliver::reports
