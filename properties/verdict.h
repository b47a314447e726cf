#pragma once

#include <cstdint>
#include <string>

#include "sim/names.h"
#include "sim/step.h"

namespace redeliver::properties {

enum class Holds : std::uint8_t {
    holds,
    violated,
    vacuous,      ///< its antecedent never occurred, so nothing was shown
    inconclusive  ///< the trial ended in a step or time cap before it could be judged
};

/// `holds`, `violated`, `vacuous`, `inconclusive`.
std::string_view text(Holds holds);

/// What became of a promise in one trial.
struct Verdict {
    Holds holds = Holds::vacuous;
    /// Of a violation: the first step at which the promise was broken, or, for a promise about the
    /// end, the last step on the subject that is still owed something.
    sim::StepNumber step = sim::no_step;
    sim::Instant at{};
    /// Whom the violation is about; none when it is about the whole trial.
    sim::Subject subject = sim::Subject::none;
    /// Says what was found, in words that follow the subject's name: "has 2 replies".
    std::string evidence = {};
    /// Breaches that were excused because a loss had forgotten the run (see Property).
    std::uint32_t excused = 0;
};

}  // namespace redeliver::properties
