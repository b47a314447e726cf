#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// How a promise was broken.
enum class Breach : std::uint8_t {
    done,  ///< a step did what must never happen: no later step can mend it
    owed   ///< when the trial ended, something that had to happen had not
};

/// What became of a promise in one trial.
struct Verdict {
    Holds holds = Holds::vacuous;
    /// Of a violation.
    Breach breach = Breach::done;
    /// Of a violation: the first step at which the promise was broken, or, when something is owed,
    /// the last step on the subject that it is owed to.
    sim::StepNumber step = sim::no_step;
    sim::Instant at{};
    /// Whom the violation is about; none when it is about the whole trial.
    sim::Subject subject = sim::Subject::none;
    /// Says what was found, in words that follow the subject's name: "has 2 replies".
    std::string evidence = {};
    /// Breaches that were excused because a loss had forgotten the run (Terms::excuse), and, in the
    /// poison promise alone, deliveries from the threshold on that a fault cut short.
    std::uint32_t excused = 0;
};

}  // namespace redeliver::properties
