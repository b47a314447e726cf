#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/run.h"
#include "reports/exports.h"

namespace redeliver::cli {

struct ReportOptions {
    /// A story, the file of one, a case, or a trace.
    std::string what;
    /// Of a story; a case holds its own.
    std::optional<std::uint64_t> seed = {};
    std::vector<std::string> settings = {};
    std::filesystem::path folder;
    std::vector<const reports::Export*> forms;
};

/// `redeliver report`: a trial as files for browsers and other tools. Of a story or a case it also
/// writes the case and the trace that they are made of.
ExitCode report(const ReportOptions& options, Streams& streams);

}  // namespace redeliver::cli
