#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/bugs/planted_bug.h"
#include "scenarios/case.h"
#include "scenarios/explore/strategy.h"
#include "scenarios/explore/trial.h"

namespace redeliver::scenarios {

/// What came of letting a strategy look for a planted bug.
struct HuntResult {
    /// Attempts, up to and including the one that found it.
    std::uint64_t trials = 0;
    /// Processor time on this machine, for display only.
    double milliseconds = 0;
    /// The first case in which the bug showed; its scenario is the wrong system.
    std::optional<Case> found;
};

/// Runs what the strategy wants, on the wrong system, until the bug shows, the strategy has no more
/// or so many attempts were made.
///
/// A bug shows in a trial when its promise breaks and the same plan and seed keep that promise once
/// the mistake is taken back: what breaks it either way is not what was planted.
HuntResult hunt(TrialRunner& runner, const PlantedBug& bug, Strategy& strategy,
                std::uint64_t trials);

/// Whether the bug shows in a case of the wrong system, as `hunt` judges.
bool shows(TrialRunner& runner, const PlantedBug& bug, const Case& wrong);

/// In how many of so many attempts something came of a bug.
struct Counted {
    std::uint64_t shown = 0;
    std::uint64_t broken = 0;  ///< Its promise broke, whatever the right system would have done.
};

/// Of the strategy's first attempts.
Counted count_shown(TrialRunner& runner, const PlantedBug& bug, Strategy& strategy,
                    std::uint64_t trials);

}  // namespace redeliver::scenarios
