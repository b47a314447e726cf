#include "cli/report.h"

#include <fmt/format.h>

#include "cli/errors.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/traced_case.h"
#include "reports/trace.h"
#include "reports/words.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/explain.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/printable.h"
#include "sim/fault_table.h"

namespace redeliver::cli {

namespace {

using reports::Trace;
using scenarios::Case;
using scenarios::Scenario;
using scenarios::TrialResult;

constexpr const char* case_file = "case.json";
constexpr const char* trace_file = "trace.jsonl";

/// Trials to find out what keeps a promise; enough for all but the largest stories. No limit in
/// time, so that a trace is the same on every machine.
constexpr scenarios::ExplainOptions explaining{.trials = 3'000, .time = std::chrono::hours{24}};

bool is_trace(const std::string& what) { return what.ends_with(".jsonl"); }

/// One call of `redeliver report`.
class Report {
public:
    Report(const ReportOptions& options, Streams& streams) : options_(options), streams_(streams) {}

    ExitCode run() {
        const Trace trace = is_trace(options_.what) ? read_trace() : make_trace();
        for (const reports::Export* const form : options_.forms)
            write(std::string(form->file), form->render(trace));
        return ExitCode::as_expected;
    }

private:
    Trace read_trace() const {
        if (options_.seed || !options_.settings.empty())
            throw UsageError(fmt::format("{} is a trace: --seed and --set are of stories and cases",
                                         options_.what));
        return reports::read_trace(read_file(options_.what), options_.what);
    }

    Trace make_trace() {
        const Case of = read_case();
        write(case_file, write_case(of));
        const std::string replay =
            "redeliver replay " + reports::shell_word((options_.folder / case_file).string());
        const Trace trace = traced_case(runner_, of, why(of), replay);
        write(trace_file, write_trace(trace));
        return trace;
    }

    Case read_case() {
        Input input = read_input(options_.what);
        if (auto* const recorded = std::get_if<Case>(&input)) {
            if (options_.seed)
                throw UsageError(fmt::format("--seed: {} is a case, which holds its own seed, {}",
                                             options_.what, recorded->seed));
            for (const std::string& setting : options_.settings)
                scenarios::apply_setting(*recorded, setting);
            return ran(recorded->scenario, recorded->plan, recorded->seed);
        }
        const Scenario scenario = with_settings(std::get<Scenario>(std::move(input)));
        const std::uint64_t seed = options_.seed.value_or(1);
        return ran(scenario, plan_of(runner_, scenario, seed), seed);
    }

    Scenario with_settings(Scenario scenario) const {
        for (const std::string& setting : options_.settings)
            scenarios::apply_setting(scenario, setting);
        return scenario;
    }

    Case ran(const Scenario& scenario, const scenarios::Plan& plan, std::uint64_t seed) {
        return make_case(scenario, plan, seed,
                         runner_.run(scenario, plan, seed, scenarios::Level::everything));
    }

    std::optional<reports::WhyBroken> why(const Case& of) {
        const TrialResult result =
            runner_.run(of.scenario, of.plan, of.seed, scenarios::Level::ledger);
        const auto promise = first_broken(of.scenario, result);
        // Of what a story does not speak, it may break.
        if (!promise ||
            reports::expectation_of(of.scenario, *promise) == scenarios::Expected::nothing)
            return {};
        const auto breakage = breakage_of(result, of.plan, *promise);
        if (!breakage) return {};
        return reports::WhyBroken{*promise, scenarios::explain(runner_, of, *breakage, explaining)};
    }

    void write(const std::string& name, const std::string& text) {
        const std::filesystem::path path = options_.folder / name;
        write_file(path, text);
        streams_.out.print(scenarios::printable(path.string()) + "\n");
    }

    const ReportOptions& options_;
    Streams& streams_;
    scenarios::TrialRunner runner_;
};

}  // namespace

ExitCode report(const ReportOptions& options, Streams& streams) {
    try {
        return Report(options, streams).run();
    } catch (const sim::PlanError& error) {
        throw UsageError(fmt::format("{}: fault {} of its plan: {}", options.what,
                                     error.fault() + 1, error.what()));
    }
}

}  // namespace redeliver::cli
