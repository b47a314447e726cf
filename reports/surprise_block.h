#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/look.h"
#include "reports/trial_report.h"
#include "scenarios/explore/campaign.h"

namespace redeliver::reports {

/// What is not as expected, in half a line: `no_run_lost broke 12/200`.
std::string brief(const scenarios::SurpriseReport& surprise, const scenarios::StoryResult& result);

/// How to see a surprise again: command lines.
struct Replays {
    std::string by_seed;
    std::optional<std::string> by_file = {};  ///< When a case file was written.
};

/// What a reader wants to know first of something unexpected, in a dozen lines: which trial, what
/// is wrong in one sentence, why (the causal chain from the breach back to the fault or decision),
/// and the commands that show it again. `trial` is the one that shows it, where a single one does.
std::string surprise_block(const scenarios::SurpriseReport& surprise,
                           const scenarios::StoryResult& result, const Trial* trial,
                           const std::optional<Replays>& replays, const Look& look);

}  // namespace redeliver::reports
