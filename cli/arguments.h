#pragma once

#include <optional>
#include <string>
#include <variant>

#include "cli/bench.h"
#include "cli/explain.h"
#include "cli/explore.h"
#include "cli/list.h"
#include "cli/replay.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/serve.h"
#include "cli/version.h"

namespace redeliver::cli {

struct VersionOptions {
    Format format = Format::text;
};
/// Somebody asked for help: print it.
struct HelpWanted {
    std::string text;
};
/// Nothing was asked for: print the help, as an error.
struct NothingWanted {
    std::string help;
};

using Command = std::variant<ListOptions, RunOptions, ReplayOptions, ExplainOptions, ExploreOptions,
                             ReportOptions, BenchOptions, ServeOptions, VersionOptions, HelpWanted,
                             NothingWanted>;

/// What the arguments ask for. Throws UsageError.
Command parse_arguments(int argc, const char* const* argv);

}  // namespace redeliver::cli
