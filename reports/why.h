#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/verdict.h"
#include "scenarios/explore/trial.h"
#include "scenarios/policies.h"
#include "sim/step.h"

namespace redeliver::reports {

/// Fewest and most steps that tell how a promise came to be broken, as far as there are so many.
inline constexpr std::size_t fewest_reasons = 3;
inline constexpr std::size_t most_reasons = 7;

/// The steps that tell how a promise came to be broken, in the order in which they happened.
///
/// They are found by walking back from the breach: along `cause` edges, and along `previous` edges
/// as far as these stay with the runs of the same message; from a request that could not be sent to
/// what last befell its server, to which no edge leads. The fault or policy decision that this
/// leads to is among them, then what says most about the message. When something is still owed,
/// the end of the trial comes last. Empty unless the verdict is a violation that names a step.
std::vector<sim::StepNumber> why(const scenarios::Recording& recording,
                                 const properties::Verdict& verdict);

/// What it takes to break a promise, as trials have shown.
struct Clues {
    /// Positions in the plan of the faults without which it does not break so.
    std::vector<std::uint32_t> faults = {};
    /// The policy of which another value keeps it with the least ado.
    std::optional<scenarios::Policy> policy = {};
};

/// The same where more is known than edges tell, for a text that ends in a sentence about the
/// breach: one step less at most, and never the end of the trial. What each of the faults did is
/// among them whether or not an edge leads to it, of the decisions only the last one by the policy,
/// and of other runs that the evidence names the row and the reply.
std::vector<sim::StepNumber> why(const scenarios::Recording& recording,
                                 const properties::Verdict& verdict, const Clues& clues);

/// What a fault of the plan did first that a reader wants to see; the fault itself where that is
/// nothing, `no_step` where it did not strike.
sim::StepNumber first_effect(const scenarios::Recording& recording, std::uint32_t fault);

/// The fault or policy decision that a breach goes back to: the last FaultFired or Decided that the
/// same walk meets, or a Crashed that no fault made; `no_step` when there is none.
sim::StepNumber root_of(const scenarios::Recording& recording, const properties::Verdict& verdict);

}  // namespace redeliver::reports
