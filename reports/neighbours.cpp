#include "reports/neighbours.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/document_words.h"
#include "reports/words.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/json/codec.h"
#include "sim/fault_table.h"

namespace redeliver::reports {

namespace {

using scenarios::Case;
using scenarios::Explanation;
using scenarios::Knob;
using scenarios::TrialResult;

/// What a neighbour may take that does not come to rest: so much more than the trial itself.
std::uint64_t event_cap(const Trace& trace) { return 10'000 + 10 * trace.steps.size(); }

struct Candidate {
    std::string path;
    std::string value;
    std::optional<std::size_t> without_fault = {};
    bool is_named = false;  ///< By the explanation.

    std::string setting() const { return path + "=" + value; }
};

std::vector<std::string> other_values(const Knob& knob) {
    std::vector<std::string> values;
    for (const std::string_view word : knob.words)
        if (word != knob.value) values.emplace_back(word);
    if (knob.kind == Knob::Kind::word || knob.amount() == 0) return values;
    for (const std::int64_t amount : {knob.amount() / 2, knob.amount() * 2})
        if (amount > 0) values.push_back(knob.text_of(amount));
    return values;
}

std::vector<Candidate> candidates(const Case& of, const std::optional<WhyBroken>& why) {
    std::vector<Candidate> all;
    for (std::size_t fault = 0; fault < of.plan.faults.size(); ++fault)
        all.push_back({.path = "", .value = "", .without_fault = fault, .is_named = true});
    const auto add = [&](Candidate candidate) {
        const bool is_known = std::ranges::any_of(all, [&](const Candidate& known) {
            return known.path == candidate.path && known.value == candidate.value &&
                   known.without_fault == candidate.without_fault;
        });
        if (!is_known) all.push_back(std::move(candidate));
    };
    if (why)
        for (const scenarios::Variation& each : why->explanation.passing) {
            const std::size_t equals = each.setting.find('=');
            add({.path = each.setting.substr(0, equals),
                 .value = each.setting.substr(equals + 1),
                 .without_fault = {},
                 .is_named = true});
        }
    for (const Knob& knob : scenarios::knobs_of(of.scenario))
        for (std::string& value : other_values(knob))
            add({.path = knob.path, .value = std::move(value), .without_fault = {}});
    return all;
}

/// A neighbour and what decides whether it is kept.
struct Found {
    TraceNeighbour neighbour;
    bool is_named = false;
    bool differs = false;
};

/// Where its steps first say something else than those of the trial.
sim::StepNumber first_difference(const Trace& trace, const std::vector<TraceStep>& steps) {
    const auto differ = [](const TraceStep& one, const TraceStep& other) {
        return one.kind != other.kind || one.actor != other.actor || one.what != other.what ||
               one.about != other.about;
    };
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (i >= trace.steps.size() || differ(trace.steps[i], steps[i])) return steps[i].number;
    return sim::no_step;
}

class Neighbourhood {
public:
    Neighbourhood(scenarios::TrialRunner& runner, const Case& of, const std::string& replay,
                  const Trace& trace)
        : runner_(runner), of_(of), replay_(replay), trace_(trace) {}

    /// Nothing when the system does not take the value, or the plan does not fit it.
    std::optional<Found> run(const Candidate& candidate) {
        Case changed = of_;
        if (candidate.without_fault) {
            changed.plan.faults =
                scenarios::without_faults(changed.plan.faults, {*candidate.without_fault});
        } else {
            try {
                apply_setting(changed.scenario, candidate.setting());
            } catch (const scenarios::BadInput&) {
                return {};
            }
        }
        try {
            const TrialResult result = runner_.run(changed.scenario, changed.plan, changed.seed,
                                                   scenarios::Level::everything);
            return found(candidate, changed, result);
        } catch (const sim::PlanError&) {
            return {};
        }
    }

private:
    Found found(const Candidate& candidate, const Case& changed, const TrialResult& result) {
        const Trial trial{changed.scenario, changed.plan, changed.seed, result};
        TraceNeighbour neighbour{.path = candidate.path,
                                 .value = candidate.value,
                                 .title = title(candidate),
                                 .command = command(candidate),
                                 .outcome = std::string(document_word(judge(trial).outcome)),
                                 .verdicts = {},
                                 .totals = {},
                                 .steps = result.steps,
                                 .shown = {}};
        for (const auto& each : result.verdicts)
            neighbour.verdicts[std::string(each.name)] = properties::text(each.verdict.holds);
        for (const auto& total : result.totals)
            neighbour.totals[std::string(total.name)] = total.value;
        std::vector<TraceStep> steps;
        for (const sim::Step& step : result.recording->steps)
            steps.push_back(trace_step(*result.recording, step));
        neighbour.first_difference = first_difference(trace_, steps);
        for (TraceStep& step : steps)
            if (step.is_shown) neighbour.shown.push_back(std::move(step));
        return {.neighbour = std::move(neighbour),
                .is_named = candidate.is_named,
                .differs = result.fingerprint != trace_.fingerprint};
    }

    static std::string title(const Candidate& candidate) {
        if (candidate.without_fault)
            return fmt::format("without fault {}", *candidate.without_fault + 1);
        return fmt::format("{} = {}", candidate.path, candidate.value);
    }

    std::string command(const Candidate& candidate) const {
        if (candidate.without_fault)
            return fmt::format("{} --without-fault {}", replay_, *candidate.without_fault + 1);
        return fmt::format("{} --set {}", replay_, shell_word(candidate.setting()));
    }

    scenarios::TrialRunner& runner_;
    const Case& of_;
    const std::string& replay_;
    const Trace& trace_;
};

void add_explanation(const WhyBroken& why, const std::string& replay, Trace& trace) {
    const Explanation& explanation = why.explanation;
    using Need = scenarios::FaultNeed::Need;
    for (std::size_t fault = 0; fault < explanation.faults.size(); ++fault) {
        TraceFault& told = trace.faults.at(fault);
        told.need = explanation.faults[fault].need == Need::needed ? "needed" : "not_needed";
        told.command = fmt::format("{} --without-fault {}", replay, fault + 1);
    }
    TraceExplanation& added = trace.explanation.emplace();
    added.promise = why.promise;
    for (const scenarios::Variation& each : explanation.passing) {
        const std::size_t equals = each.setting.find('=');
        added.passing.push_back(fmt::format("{} = {}", each.setting.substr(0, equals),
                                            each.setting.substr(equals + 1)));
    }
    const scenarios::LastChance& chance = explanation.last_chance;
    TraceChance& last = added.chance.emplace();
    last.futures = chance.futures;
    last.after = chance.after;
    if (chance.after == sim::no_step) return;
    last.keeping = chance.keeping;
    last.command =
        fmt::format("{} --branch-after {} --branch-seed {}", replay, chance.after, chance.seed);
}

}  // namespace

void add_neighbours(scenarios::TrialRunner& runner, const Case& of,
                    const std::optional<WhyBroken>& why, const std::string& replay, Trace& trace) {
    if (why) add_explanation(*why, replay, trace);
    const scenarios::CappedTrials capped(runner, event_cap(trace));
    Neighbourhood neighbourhood(runner, of, replay, trace);
    std::vector<Found> all;
    for (const Candidate& candidate : candidates(of, why))
        if (auto found = neighbourhood.run(candidate)) all.push_back(*std::move(found));
    std::ranges::stable_sort(all, {}, [](const Found& found) {
        return found.is_named ? 0 : found.differs ? 1 : 2;
    });
    std::size_t steps = 0;
    for (Found& found : all) {
        const std::size_t kept = trace.neighbours.size();
        const bool says_something = found.is_named || found.differs;
        if (kept == most_neighbours || (kept >= fewest_neighbours && !says_something)) break;
        steps += found.neighbour.shown.size();
        if (steps > most_neighbour_steps) found.neighbour.shown.clear();
        trace.neighbours.push_back(std::move(found.neighbour));
    }
}

}  // namespace redeliver::reports
