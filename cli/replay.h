#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/run.h"
#include "reports/timeline.h"
#include "sim/step.h"

namespace redeliver::cli {

struct ReplayOptions {
    /// A story, the file of one, or a case.
    std::string what;
    /// Of a story; a case holds its own.
    std::optional<std::uint64_t> seed;
    std::vector<std::string> settings;
    /// Faults of the plan to leave out, by the numbers that a heading gives them, from 1.
    std::vector<std::uint64_t> without_faults = {};
    /// Go on after this step without further faults, with the draws of `branch_seed`.
    std::optional<sim::StepNumber> branch_after = {};
    /// None is the seed of the trial.
    std::optional<std::uint64_t> branch_seed = {};
    /// Whether the plan keeps its schedule, if it has one.
    enum class Schedule : std::uint8_t { kept, left_out } schedule = Schedule::kept;
    /// Show the tables after this step instead of the timeline.
    std::optional<sim::StepNumber> at;
    reports::Detail detail = reports::Detail::biography;
    Format format = Format::text;
};

/// `redeliver replay`: one trial again, with all that happened in it; of a case also whether it
/// went as recorded.
ExitCode replay(const ReplayOptions& options, Streams& streams);

}  // namespace redeliver::cli
