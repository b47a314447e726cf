#include "cli/replay.h"

#include <fmt/format.h>

#include <set>

#include "cli/errors.h"
#include "cli/inputs.h"
#include "reports/documents.h"
#include "reports/paragraph.h"
#include "reports/state_text.h"
#include "reports/trial_report.h"
#include "reports/words.h"
#include "scenarios/build_info.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/explain.h"
#include "scenarios/json/codec.h"
#include "sim/fault_table.h"

namespace redeliver::cli {

namespace {

using reports::Judgement;
using reports::Look;
using reports::Tone;
using scenarios::Case;
using scenarios::Divergence;
using scenarios::Scenario;
using scenarios::TrialResult;

/// As wide as the labels of reports::trial_verdicts.
constexpr std::size_t label_width = 11;

/// The trial that was asked for.
struct Wanted {
    Scenario scenario;
    scenarios::Plan plan;
    std::uint64_t seed = 1;
    /// Of a case that nothing was changed in.
    std::optional<Case> recorded = {};
};

Wanted wanted_case(Case recorded, const ReplayOptions& options) {
    if (options.seed)
        throw UsageError(fmt::format("--seed: {} is a case, which holds its own seed, {}",
                                     options.what, recorded.seed));
    const bool keeps_schedule = options.schedule == ReplayOptions::Schedule::kept;
    const bool is_changed = !options.settings.empty() || !options.without_faults.empty() ||
                            !keeps_schedule || options.branch_after;
    for (const std::string& setting : options.settings) scenarios::apply_setting(recorded, setting);
    Wanted wanted{recorded.scenario, recorded.plan, recorded.seed};
    if (!is_changed) wanted.recorded = std::move(recorded);
    return wanted;
}

Wanted wanted_story(Scenario scenario, const ReplayOptions& options,
                    scenarios::TrialRunner& runner) {
    for (const std::string& setting : options.settings) scenarios::apply_setting(scenario, setting);
    const std::uint64_t seed = options.seed.value_or(1);
    scenarios::Plan plan = plan_of(runner, scenario, seed);
    return {std::move(scenario), std::move(plan), seed};
}

std::string this_build() {
    const scenarios::BuildInfo& build = scenarios::build_info();
    return fmt::format("{} {}", build.version, build.commit);
}

std::string comparison_text(const Case& recorded, const std::optional<Divergence>& divergence,
                            const Look& look) {
    const std::string label = "recording";
    if (!divergence)
        return reports::paragraph(
            painted(Tone::good, label, look), label, label_width,
            fmt::format("same fingerprint as recorded by build {}", recorded.build), look);
    const std::string_view where = divergence->is_exact ? "first at step" : "at or before step";
    return reports::paragraph(
        painted(Tone::bad, label, look), label, label_width,
        fmt::format("DIFFERS from the recording {} {} (recorded by build {}, this is build {})",
                    where, divergence->first, recorded.build, this_build()),
        look);
}

std::string judgement_text(const Judgement& judgement, const Look& look) {
    if (judgement.outcome == Judgement::Outcome::as_expected)
        return reports::paragraph(painted(Tone::good, "verdict", look), "verdict", label_width,
                                  "as expected", look);
    std::string text;
    for (const std::string& complaint : judgement.complaints) {
        const bool is_wrong = judgement.outcome == Judgement::Outcome::wrong;
        const std::string label = is_wrong ? "FAIL" : "UNPROVEN";
        text += reports::paragraph(painted(is_wrong ? Tone::bad : Tone::uncertain, label, look),
                                   label, label_width, complaint, look);
    }
    return text;
}

ExitCode exit_code(const Judgement& judgement, const std::optional<Divergence>& divergence) {
    if (divergence || judgement.outcome == Judgement::Outcome::wrong)
        return ExitCode::not_as_expected;
    return judgement.outcome == Judgement::Outcome::inconclusive ? ExitCode::inconclusive
                                                                 : ExitCode::as_expected;
}

/// One call of `redeliver replay`.
class Replay {
public:
    Replay(const ReplayOptions& options, Streams& streams) : options_(options), streams_(streams) {}

    ExitCode run() {
        scenarios::TrialRunner runner;
        const Wanted wanted = read(runner);
        return options_.at ? show_state(runner, wanted) : show_trial(runner, wanted);
    }

private:
    Wanted read(scenarios::TrialRunner& runner) const {
        Input input = read_input(options_.what);
        auto* const recorded = std::get_if<Case>(&input);
        Wanted wanted = recorded != nullptr
                            ? wanted_case(std::move(*recorded), options_)
                            : wanted_story(std::get<Scenario>(std::move(input)), options_, runner);
        leave_out_faults(wanted.plan.faults);
        leave_out_schedule(wanted.plan.schedule);
        return wanted;
    }

    void leave_out_faults(sim::FaultPlan& faults) const {
        std::set<std::size_t> positions;
        for (const std::uint64_t number : options_.without_faults) {
            if (number > faults.size())
                throw UsageError(fmt::format("--without-fault: found '{}', but the plan has {}",
                                             number, reports::counted(faults.size(), "fault")));
            positions.insert(static_cast<std::size_t>(number - 1));
        }
        faults = scenarios::without_faults(faults, positions);
    }

    void leave_out_schedule(sim::Schedule& schedule) const {
        if (options_.schedule == ReplayOptions::Schedule::kept) return;
        if (schedule.is_none())
            throw UsageError(
                "--without-schedule: the plan has none, so there is nothing to leave out");
        schedule = {};
    }

    ExitCode show_trial(scenarios::TrialRunner& runner, const Wanted& wanted) {
        const TrialResult result = run_trial(runner, wanted);
        const reports::Trial trial{wanted.scenario, wanted.plan, wanted.seed, result};
        std::optional<Divergence> divergence;
        if (wanted.recorded) divergence = compare(*wanted.recorded, result);
        const Judgement judgement = judge(trial);
        if (options_.format == Format::json) {
            streams_.out.print(replay_document(trial, divergence));
        } else {
            print(trial, judgement, wanted, divergence);
        }
        return exit_code(judgement, divergence);
    }

    TrialResult run_trial(scenarios::TrialRunner& runner, const Wanted& wanted) const {
        constexpr auto level = scenarios::Level::everything;
        if (!options_.branch_after)
            return runner.run(wanted.scenario, wanted.plan, wanted.seed, level);
        const scenarios::Branch branch{*options_.branch_after,
                                       options_.branch_seed.value_or(wanted.seed)};
        TrialResult result =
            runner.run_branch(wanted.scenario, wanted.plan, wanted.seed, branch, level);
        if (branch.after > result.steps)
            throw UsageError(
                fmt::format("--branch-after: found '{}', allowed is a step from 1 to {}",
                            branch.after, result.steps));
        return result;
    }

    void print(const reports::Trial& trial, const Judgement& judgement, const Wanted& wanted,
               const std::optional<Divergence>& divergence) {
        const Look& look = streams_.look;
        streams_.out.print(trial_heading(trial, look) + "\n");
        streams_.out.print(
            timeline(*trial.result.recording, trial.result.verdicts, options_.detail, look) + "\n");
        streams_.out.print(trial_verdicts(trial, look));
        if (wanted.recorded)
            streams_.out.print(comparison_text(*wanted.recorded, divergence, look));
        streams_.out.print(judgement_text(judgement, look));
    }

    ExitCode show_state(scenarios::TrialRunner& runner, const Wanted& wanted) {
        const auto change =
            runner.state_at(wanted.scenario, wanted.plan, wanted.seed, *options_.at);
        if (!change) {
            const TrialResult result = runner.run(wanted.scenario, wanted.plan, wanted.seed,
                                                  scenarios::Level::fingerprint);
            throw UsageError(fmt::format("--at: found '{}', allowed is a step from 1 to {}",
                                         *options_.at, result.steps));
        }
        streams_.out.print(options_.format == Format::json ? reports::state_document(*change)
                                                           : state_text(*change, streams_.look));
        return ExitCode::as_expected;
    }

    const ReplayOptions& options_;
    Streams& streams_;
};

}  // namespace

ExitCode replay(const ReplayOptions& options, Streams& streams) {
    try {
        return Replay(options, streams).run();
    } catch (const sim::PlanError& error) {
        throw UsageError(fmt::format("{}: fault {} of its plan: {}", options.what,
                                     error.fault() + 1, error.what()));
    }
}

}  // namespace redeliver::cli
