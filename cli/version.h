#pragma once

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/output.h"

namespace redeliver::cli {

/// `redeliver version`: which build this is, as case files record it.
ExitCode version(Format format, Output& out);

}  // namespace redeliver::cli
