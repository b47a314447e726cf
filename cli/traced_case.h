#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/explained_case.h"
#include "reports/trace.h"
#include "scenarios/case.h"
#include "scenarios/explore/trial.h"

namespace redeliver::cli {

/// The trace of a case, with the trials around it. `replay` is the command that shows it.
reports::Trace traced_case(scenarios::TrialRunner& runner, const scenarios::Case& of,
                           const std::optional<reports::WhyBroken>& why, const std::string& replay);

/// Writes the trace and the page of a shrunk case that is in a file into the folder of that file,
/// and says where the page is.
void write_page(scenarios::TrialRunner& runner, ExplainedCase& explained);

}  // namespace redeliver::cli
