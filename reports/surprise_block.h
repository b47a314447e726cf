#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/explanation.h"
#include "reports/look.h"
#include "reports/trial_report.h"
#include "scenarios/explore/campaign.h"

namespace redeliver::reports {

/// What is not as expected, in half a line: `no_run_lost broke 12/200`.
std::string brief(const scenarios::SurpriseReport& surprise, const scenarios::StoryResult& result);

/// How to see a surprise again: command lines.
struct Replays {
    /// Of the seed that shows it, or, when no single one does, of some seed.
    std::string by_seed;
    std::optional<std::string> by_file = {};  ///< When a case file was written.
    /// Of the explanation, with a command for each thing that it says.
    std::optional<std::string> explanation = {};
};

/// What a reader wants to know first of something unexpected, in a dozen lines or a few more: which
/// trial, what is wrong in a sentence, why (the causal chain from the first breach back to the
/// fault or decision), and the commands that show it again.
///
/// With an explanation, it stands in place of the chain: the smallest case of the first surprise,
/// what it needs and what would have kept the promise.
///
/// The surprises are those of one seed, or those of none; there is at least one. `trial` is the one
/// of that seed.
std::string surprise_block(std::span<const scenarios::SurpriseReport> surprises,
                           const scenarios::StoryResult& result, const Trial* trial,
                           const std::optional<Replays>& replays, const Look& look,
                           const Explained* explained = nullptr);

}  // namespace redeliver::reports
