#include "cli/explain.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/errors.h"
#include "cli/explained_case.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "reports/explanation.h"
#include "reports/words.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/nearest.h"
#include "sim/fault_table.h"

namespace redeliver::cli {

namespace {

using scenarios::Case;
using scenarios::Scenario;
using scenarios::TrialResult;

/// Whether what was asked for broke.
bool is_broken(const Scenario& scenario, const TrialResult& result,
               const std::optional<std::string>& promise) {
    if (!promise) return first_broken(scenario, result).has_value();
    return verdict_of(result, *promise).holds == properties::Holds::violated;
}

void check_promise(const std::optional<std::string>& promise) {
    if (!promise) return;
    std::vector<std::string_view> names;
    for (const properties::PromiseInfo& info : properties::promises()) {
        if (info.name == *promise) return;
        names.push_back(info.name);
    }
    throw UsageError(
        fmt::format("--promise: found '{}'{}", *promise, scenarios::json::advice(*promise, names)));
}

/// One call of `redeliver explain`.
class Explain {
public:
    Explain(const ExplainOptions& options, Streams& streams)
        : options_(options), streams_(streams) {}

    ExitCode run() {
        check_promise(options_.promise);
        const std::optional<Case> broken = read();
        if (!broken) return say_that_nothing_broke();
        check_file();
        auto explained = explain_case(runner_, *broken,
                                      {.promise = options_.promise,
                                       .trials = options_.trials,
                                       .time = options_.time,
                                       .improved = [&](const Case& best) { keep(best); }},
                                      {.trials = options_.trials, .time = options_.time});
        if (!explained) return say_that_nothing_broke();
        keep(explained->shrunk.best);
        explained->file = options_.file;
        return tell(explained->view());
    }

private:
    std::optional<Case> read() {
        Input input = read_input(options_.what);
        if (auto* const recorded = std::get_if<Case>(&input))
            return read_case(std::move(*recorded));
        return find_case(std::get<Scenario>(std::move(input)));
    }

    Case read_case(Case recorded) const {
        if (options_.seed)
            throw UsageError(fmt::format("--seed: {} is a case, which holds its own seed, {}",
                                         options_.what, recorded.seed));
        for (const std::string& setting : options_.settings)
            scenarios::apply_setting(recorded, setting);
        return recorded;
    }

    /// The case of the seed that was asked for, or of the first one in which something breaks.
    std::optional<Case> find_case(Scenario scenario) {
        for (const std::string& setting : options_.settings)
            scenarios::apply_setting(scenario, setting);
        const std::uint64_t first = options_.seed.value_or(1);
        const std::uint64_t seeds = options_.seed ? 1 : scenario.seeds;
        for (std::uint64_t tried = 0; tried < seeds; ++tried) {
            const std::uint64_t seed = first + tried;
            const scenarios::Plan plan = plan_of(runner_, scenario, seed);
            const TrialResult result = runner_.run(scenario, plan, seed, scenarios::Level::ledger);
            if (is_broken(scenario, result, options_.promise))
                return make_case(scenario, plan, seed, result);
        }
        return {};
    }

    void check_file() const {
        if (!options_.file) return;
        const std::string& file = *options_.file;
        // A name without a slash has to end so for `replay` to take it for a file.
        if (!is_file(file))
            throw UsageError(fmt::format(
                "--out: found '{}', allowed is a file with a / or ending in .json", file));
        std::error_code none;
        if (is_file(options_.what) && std::filesystem::equivalent(file, options_.what, none))
            throw UsageError(
                fmt::format("--out: {} is the case to explain, and would be written over", file));
    }

    void keep(const Case& best) const {
        if (!options_.file) return;
        // In a folder by name: "small.json" lies in the current one.
        write_file(std::filesystem::absolute(*options_.file), scenarios::write_case(best));
    }

    ExitCode say_that_nothing_broke() {
        const std::string what = options_.promise.value_or("no promise");
        const std::string verb = options_.promise ? " did not break" : " broke";
        streams_.err.print(fmt::format("redeliver: {}{}: there is nothing to explain in {}\n", what,
                                       verb, options_.what));
        streams_.err.flush();
        return ExitCode::inconclusive;
    }

    ExitCode tell(const reports::Explained& explained) {
        streams_.out.print(options_.format == Format::json
                               ? reports::explanation_document(explained)
                               : explanation_text(explained, streams_.look));
        return exit_code(explained);
    }

    static ExitCode exit_code(const reports::Explained& explained) {
        const auto expected =
            reports::expectation_of(explained.original.scenario, explained.shrunk.breakage.promise);
        if (expected == scenarios::Expected::holds) return ExitCode::not_as_expected;
        const bool is_complete =
            explained.shrunk.minimality == scenarios::Minimality::one_minimal &&
            explained.explanation.extent == scenarios::Explanation::Extent::complete;
        return is_complete ? ExitCode::as_expected : ExitCode::inconclusive;
    }

    const ExplainOptions& options_;
    Streams& streams_;
    scenarios::TrialRunner runner_;
};

}  // namespace

ExitCode explain(const ExplainOptions& options, Streams& streams) {
    try {
        return Explain(options, streams).run();
    } catch (const sim::PlanError& error) {
        throw UsageError(fmt::format("{}: fault {} of its plan: {}", options.what,
                                     error.fault() + 1, error.what()));
    }
}

}  // namespace redeliver::cli
