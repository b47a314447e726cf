#include "cli/explained_case.h"

#include <utility>

namespace redeliver::cli {

namespace {

/// Enough to end by themselves for all but the largest stories.
constexpr std::uint64_t brief_trials = 3'000;
constexpr std::chrono::seconds brief_time{10};

}  // namespace

std::optional<ExplainedCase> explain_case(scenarios::TrialRunner& runner, scenarios::Case broken,
                                          const scenarios::ShrinkOptions& shrinking,
                                          const scenarios::ExplainOptions& explaining) {
    auto shrunk = shrink(runner, broken, shrinking);
    if (!shrunk) return {};
    const scenarios::Case& best = shrunk->best;
    auto explanation = explain(runner, best, shrunk->breakage, explaining);
    auto result = runner.run(best.scenario, best.plan, best.seed, scenarios::Level::everything);
    return ExplainedCase{std::move(broken), *std::move(shrunk), std::move(explanation),
                         std::move(result)};
}

std::optional<ExplainedCase> explain_briefly(scenarios::TrialRunner& runner, scenarios::Case broken,
                                             std::string promise) {
    return explain_case(runner, std::move(broken),
                        {.promise = std::move(promise), .trials = brief_trials, .time = brief_time},
                        {.trials = brief_trials, .time = brief_time});
}

}  // namespace redeliver::cli
