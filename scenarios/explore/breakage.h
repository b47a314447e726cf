#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/steps.h"
#include "properties/verdict.h"
#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// In which way a trial broke a promise, with nothing in it that depends on which message it was:
/// two trials that break a promise alike have equal breakages.
struct Breakage {
    std::string promise;
    properties::Breach breach = properties::Breach::done;
    /// The evidence without its numbers: "has replies", "has failed and has a reply".
    std::string finding;
    /// Of the message that the breach is about; none when it is about the whole trial.
    std::optional<model::Content> content = {};
    bool operator==(const Breakage&) const = default;
};

/// How the trial broke the promise; nothing when it did not, or when a cap ended it. `result` is of
/// at least Level::ledger.
std::optional<Breakage> breakage_of(const TrialResult& result, const Plan& plan,
                                    std::string_view promise);

/// The broken promise that a reader wants explained first: one that was to hold, else one that was
/// to break, else any; nothing when none broke.
std::optional<std::string> first_broken(const Scenario& scenario, const TrialResult& result);

/// What the trial did to a promise. The promise must exist.
const properties::Verdict& verdict_of(const TrialResult& result, std::string_view promise);

}  // namespace redeliver::scenarios
