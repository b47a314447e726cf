#include "cli/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/errors.h"
#include "cli/explained_case.h"
#include "cli/files.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/traced_case.h"
#include "reports/exploration.h"
#include "reports/words.h"
#include "scenarios/explore/enumeration.h"
#include "scenarios/explore/exhaustive.h"
#include "scenarios/explore/exploration.h"
#include "scenarios/explore/mutation.h"
#include "scenarios/explore/seeded.h"
#include "scenarios/json/codec.h"
#include "sim/fault_table.h"

namespace redeliver::cli {

namespace {

using scenarios::Expected;
using scenarios::Exploration;
using scenarios::ExploredPromise;
using scenarios::Finding;
using Way = ExploreOptions::Strategy;

/// Breaches of what the story promises that are explained; of the others it is said how.
constexpr std::size_t most_explained = 2;

/// Without a budget, a strategy that has no end stops here.
constexpr std::uint64_t default_trials = 10'000;

/// One call of `redeliver explore`.
class Explore {
public:
    Explore(const ExploreOptions& options, Streams& streams)
        : options_(options),
          streams_(streams),
          story_(select_stories({options.story}, options.settings).front()),
          strategy_(make_strategy()) {}

    ExitCode run() {
        const Exploration result = explore();
        const reports::Explored explored{story_.scenario, text(options_.strategy), result,
                                         options_.minimum_hits};
        const std::vector<reports::ReplayableBreach> breaches = keep(result);
        const std::string document = exploration_document(explored, breaches);
        if (options_.folder)
            write_file(std::filesystem::path(*options_.folder) / "report.json", document);
        streams_.out.print(options_.format == Format::json
                               ? document
                               : exploration_text(explored, breaches, streams_.look));
        return exit_code(judge(explored));
    }

private:
    std::unique_ptr<scenarios::Strategy> make_strategy() const {
        switch (options_.strategy) {
        case Way::random: return scenarios::random_seeds(story_.scenario, options_.seed);
        case Way::swarm: return scenarios::swarm(story_.scenario, options_.seed);
        case Way::priority:
            return prioritize(story_.scenario,
                              {.seed = options_.seed,
                               .depth = options_.depth,
                               .faults = options_.faults.value_or(0),
                               .slack = options_.slack.value_or(scenarios::usual_slack),
                               .mishaps = options_.mishaps});
        case Way::mutate:
            return mutate(story_.scenario,
                          {.seed = options_.seed,
                           .slack = options_.slack.value_or(scenarios::usual_slack),
                           .mishaps = options_.mishaps});
        case Way::exhaustive: return exhaustive();
        case Way::enumerate: break;
        }
        scenarios::EnumerationOptions enumeration{.faults = options_.faults.value_or(1),
                                                  .seed = options_.seed,
                                                  .mishaps = options_.mishaps};
        if (enumeration.faults == 2 && options_.mishaps.empty())
            enumeration.mishaps = scenarios::cutting_mishaps();
        return enumerate(story_.scenario, enumeration);
    }

    std::unique_ptr<scenarios::Strategy> exhaustive() const {
        if (const auto why = scenarios::too_large(story_.scenario, options_.seed))
            throw UsageError(fmt::format("--strategy exhaustive: {}: {}", options_.story, *why));
        return exhaust(story_.scenario, {.seed = options_.seed,
                                         .faults = options_.faults.value_or(1),
                                         .slack = options_.slack.value_or(scenarios::simultaneous),
                                         .mishaps = options_.mishaps});
    }

    std::optional<std::uint64_t> trials() const {
        const bool is_endless =
            options_.strategy != Way::enumerate && options_.strategy != Way::exhaustive;
        if (is_endless && !options_.trials && !options_.seconds) return default_trials;
        return options_.trials;
    }

    /// Attempts that there will be, if that is known; 0 if not.
    std::uint64_t attempts() const {
        const scenarios::Scope scope = strategy_->scope();
        const bool is_counted = options_.strategy == Way::enumerate && scope.faults == 1;
        if (!is_counted) return trials().value_or(0);
        return std::min(scope.singles, trials().value_or(scope.singles));
    }

    Exploration explore() {
        const auto watched =
            streams_.err_is_terminal ? Progress::Watched::yes : Progress::Watched::no;
        Progress progress(watched, attempts(), streams_.err_look, streams_.err);
        progress.begin(story_.scenario.name);
        Exploration result =
            scenarios::explore(story_.scenario, *strategy_,
                               {.trials = trials(),
                                .seconds = options_.seconds,
                                .jobs = options_.jobs,
                                .progress = [&](std::uint64_t done) { progress.update(done); }});
        progress.end(result.tried);
        return result;
    }

    std::vector<reports::ReplayableBreach> keep(const Exploration& result) {
        std::vector<reports::ReplayableBreach> breaches;
        for (const ExploredPromise* const promise : broken_promises(result)) {
            const Finding& finding = *promise->first;
            scenarios::Case found = case_of(finding);
            reports::ReplayableBreach& breach = breaches.emplace_back();
            breach.promise = promise->name;
            breach.commands.push_back(by_settings("replay", finding));
            breach.explain =
                fmt::format("{} --promise {}", by_settings("explain", finding), promise->name);
            if (options_.folder)
                breach.commands.insert(breach.commands.begin(),
                                       keep_case(promise->name, "case.json", found));
            const bool is_of_the_story = promise->expected != Expected::nothing;
            if (!is_of_the_story || breaches.size() > most_explained) continue;
            if (const auto* const told = explained(promise->name, std::move(found)))
                breach.explanation.emplace(told->view());
        }
        return breaches;
    }

    /// What the story is about first: what it says is to break, then what it says holds.
    static std::vector<const ExploredPromise*> broken_promises(const Exploration& result) {
        std::vector<const ExploredPromise*> broken;
        for (const auto expected : {Expected::breaks, Expected::holds, Expected::nothing})
            for (const ExploredPromise& promise : result.promises)
                if (promise.first && promise.expected == expected) broken.push_back(&promise);
        return broken;
    }

    scenarios::Case case_of(const Finding& finding) {
        const scenarios::TrialResult result = runner_.run(
            strategy_->scenario(), finding.plan, finding.seed, scenarios::Level::everything);
        return make_case(strategy_->scenario(), finding.plan, finding.seed, result);
    }

    const ExplainedCase* explained(std::string_view promise, scenarios::Case found) {
        auto explanation = explain_briefly(runner_, std::move(found), std::string(promise));
        if (!explanation) return nullptr;
        if (options_.folder) {
            keep_case(promise, "shrunk.json", explanation->shrunk.best);
            explanation->file = path_of(promise, "shrunk.json").string();
            write_page(runner_, *explanation);
        }
        return &explained_.emplace_back(*std::move(explanation));
    }

    std::filesystem::path path_of(std::string_view promise, std::string_view file) const {
        return std::filesystem::path(*options_.folder) / story_.scenario.name /
               std::string(promise) / file;
    }

    /// Writes a case and says how it is replayed.
    std::string keep_case(std::string_view promise, std::string_view file,
                          const scenarios::Case& found) const {
        const auto path = path_of(promise, file);
        write_file(path, write_case(found));
        return "redeliver replay " + reports::shell_word(path.string());
    }

    /// A command about the same trial with nothing but the story at hand.
    std::string by_settings(std::string_view what, const Finding& finding) const {
        std::string command = fmt::format("redeliver {} {} --seed {}", what,
                                          reports::shell_word(story_.argument), finding.seed);
        for (const std::string& setting : options_.settings) add_setting(command, setting);
        if (options_.strategy == Way::random) return command;
        const auto plan = nlohmann::ordered_json::parse(write_plan(finding.plan));
        if (finding.plan.messages != draw_messages(story_.scenario, finding.seed)) {
            add_setting(command, "workload.runs=0");
            add_setting(command, "workload.messages=" + plan.at("messages").dump());
        }
        add_setting(command, "faults.random={}");
        add_setting(command,
                    fmt::format("faults.until={}us", strategy_->scenario().faults.until.count()));
        add_setting(command, "faults.pinned=" + plan.at("faults").dump());
        if (plan.contains("schedule"))
            add_setting(command, "schedule=" + plan.at("schedule").dump());
        return command;
    }

    static void add_setting(std::string& command, const std::string& setting) {
        command += " --set " + reports::shell_word(setting);
    }

    static ExitCode exit_code(const reports::ExplorationJudgement& judgement) {
        using Outcome = reports::ExplorationJudgement::Outcome;
        if (judgement.outcome == Outcome::wrong) return ExitCode::not_as_expected;
        return judgement.outcome == Outcome::inconclusive ? ExitCode::inconclusive
                                                          : ExitCode::as_expected;
    }

    const ExploreOptions& options_;
    Streams& streams_;
    Selected story_;
    std::unique_ptr<scenarios::Strategy> strategy_;
    scenarios::TrialRunner runner_;
    std::deque<ExplainedCase> explained_;  // What breaches refer to stays where it is.
};

}  // namespace

std::string_view text(ExploreOptions::Strategy strategy) {
    switch (strategy) {
    case Way::random: return "random";
    case Way::swarm: return "swarm";
    case Way::enumerate: return "enumerate";
    case Way::priority: return "priority";
    case Way::mutate: return "mutate";
    case Way::exhaustive: return "exhaustive";
    }
    return "?";
}

ExitCode explore(const ExploreOptions& options, Streams& streams) {
    try {
        return Explore(options, streams).run();
    } catch (const sim::PlanError& error) {
        throw UsageError(fmt::format("{}: fault {} of a plan: {}", options.story, error.fault() + 1,
                                     error.what()));
    }
}

}  // namespace redeliver::cli
