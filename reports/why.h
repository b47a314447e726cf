#pragma once

#include <vector>

#include "properties/verdict.h"
#include "scenarios/explore/trial.h"
#include "sim/step.h"

namespace redeliver::reports {

/// Fewest and most steps that tell how a promise came to be broken, as far as there are so many.
inline constexpr std::size_t fewest_reasons = 3;
inline constexpr std::size_t most_reasons = 7;

/// The steps that tell how a promise came to be broken, in the order in which they happened.
///
/// They are found by walking back from the breach: along `cause` edges, and along `previous` edges
/// as far as these stay with the runs of the same message. The fault or policy decision that this
/// leads to is among them, then what says most about the message. When something is still owed,
/// the end of the trial comes last. Empty unless the verdict is a violation that names a step.
std::vector<sim::StepNumber> why(const scenarios::Recording& recording,
                                 const properties::Verdict& verdict);

/// The fault or policy decision that a breach goes back to: the last FaultFired or Decided that the
/// same walk meets, or a Crashed that no fault made; `no_step` when there is none.
sim::StepNumber root_of(const scenarios::Recording& recording, const properties::Verdict& verdict);

}  // namespace redeliver::reports
