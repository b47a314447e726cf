#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

/// Generated systems, workloads and faults for the headline promises.
namespace redeliver::scenarios::promises {

/// A system as a correct one may be: any combination of the policies that are no mistake.
Scenario sound_system();

/// A plan for a scenario: its messages, and from `least` to `most` faults, each at an address that
/// a trial without faults goes through, or at an instant of it.
Plan faulty_plan(const Scenario& scenario, std::uint64_t seed, std::size_t least, std::size_t most);

/// The promise's verdict in one trial.
properties::Verdict judge(std::string_view promise, const Scenario& scenario, const Plan& plan,
                          std::uint64_t seed);

/// Fails the property that calls it when the trial breaks the promise: writes the case to
/// `case_file`, over that of the larger one from which RapidCheck came here, and says how to replay
/// it.
void require(std::string_view promise, const Scenario& scenario, const Plan& plan,
             std::uint64_t seed);

/// Where `require` puts the case of a broken promise.
std::string case_file(std::string_view promise);

}  // namespace redeliver::scenarios::promises
