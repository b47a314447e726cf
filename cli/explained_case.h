#pragma once

#include <optional>
#include <string>

#include "reports/explanation.h"
#include "scenarios/case.h"
#include "scenarios/explore/explain.h"
#include "scenarios/explore/shrink.h"
#include "scenarios/explore/trial.h"

namespace redeliver::cli {

/// A case made small and explained, with all that reports::Explained refers to.
struct ExplainedCase {
    scenarios::Case original;
    scenarios::Shrunk shrunk;
    scenarios::Explanation explanation;
    scenarios::TrialResult result;
    std::optional<std::string> file = {};  ///< Where the shrunk case was written, if it was.

    std::optional<std::string> page = {};  ///< Where its page is, if that was.

    reports::Explained view() const { return {original, shrunk, explanation, result, file, page}; }
};

/// Shrinks a broken case and tries what would have kept its promise. Nothing when it does not break
/// the promise that the options name.
std::optional<ExplainedCase> explain_case(scenarios::TrialRunner& runner, scenarios::Case broken,
                                          const scenarios::ShrinkOptions& shrinking,
                                          const scenarios::ExplainOptions& explaining);

/// The same within what somebody waits for who did not ask for it: a second or two, as a rule.
std::optional<ExplainedCase> explain_briefly(scenarios::TrialRunner& runner, scenarios::Case broken,
                                             std::string promise);

}  // namespace redeliver::cli
