#pragma once

#include <optional>

#include "scenarios/explore/trial.h"
#include "scenarios/scenario.h"
#include "tests/conformance/postgresql/script.h"

namespace redeliver::conformance::postgresql {

/// What the actors of one trial and its database said to each other, as a script: every statement
/// at its instant, every connection that was lost. Nothing if the server itself was lost on the
/// way, or its clock set back, which no script can say.
std::optional<Script> conversation_of(scenarios::TrialRunner& runner,
                                      const scenarios::Scenario& scenario, std::uint64_t seed);

}  // namespace redeliver::conformance::postgresql
