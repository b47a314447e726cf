#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/look.h"
#include "reports/timeline.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

namespace redeliver::reports {

/// One trial and all that determined it. Refers to what it is about.
struct Trial {
    const scenarios::Scenario& scenario;
    const scenarios::Plan& plan;
    std::uint64_t seed;
    /// With its recording.
    const scenarios::TrialResult& result;
};

/// What a trial was expected to do to a promise.
scenarios::Expected expectation_of(const scenarios::Scenario& scenario, std::string_view promise);

/// How one trial did against its scenario's expectations. A `breaks` has to break in each single
/// trial only when all faults are pinned; a `reaches` or a vacuous `holds` never counts here, since
/// they are for all seeds together.
struct Judgement {
    enum class Outcome : std::uint8_t { as_expected, wrong, inconclusive } outcome;
    /// One sentence each, of what is not as expected.
    std::vector<std::string> complaints;
};
Judgement judge(const Trial& trial);

/// The name, the story's sentence, and the faults of the plan, each marked fired or inert.
std::string trial_heading(const Trial& trial, const Look& look);

/// What became of every promise, the totals of the ledger, the rare paths that were reached, and
/// the fingerprint.
std::string trial_verdicts(const Trial& trial, const Look& look);

}  // namespace redeliver::reports
