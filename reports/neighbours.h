#pragma once

#include <optional>
#include <string>

#include "reports/trace.h"
#include "scenarios/case.h"
#include "scenarios/explore/explain.h"

namespace redeliver::reports {

/// Fewest and most trials with one thing changed that a trace keeps, as far as there are so many.
inline constexpr std::size_t fewest_neighbours = 20;
inline constexpr std::size_t most_neighbours = 60;

/// Of all neighbours together, steps that a trace keeps: beyond, they keep what came of them only.
inline constexpr std::size_t most_neighbour_steps = 6'000;

/// Runs the case with one thing changed, again and again, and adds what came of it: without each
/// fault; with what was found to keep the promise, if an explanation was; with each policy set to
/// each other word, numbers and durations to a half and the double. First come those that the
/// explanation names, then those that went another way than the trial.
///
/// `replay` is the command that shows the trial of the trace, to which options are added. An
/// explanation also says of each fault whether it is needed, and what the last chance was.
void add_neighbours(scenarios::TrialRunner& runner, const scenarios::Case& of,
                    const std::optional<WhyBroken>& why, const std::string& replay, Trace& trace);

}  // namespace redeliver::reports
