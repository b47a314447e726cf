#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/report.h"

namespace CLI {
class App;
}

namespace redeliver::cli {

/// The arguments of `redeliver report`, as they are typed.
class ReportArguments {
public:
    explicit ReportArguments(CLI::App& command);

    /// Throws UsageError.
    ReportOptions options() const;

private:
    std::string what_;
    std::optional<std::string> seed_;
    std::vector<std::string> settings_;
    std::string folder_;
    std::vector<std::string> forms_;
};

}  // namespace redeliver::cli
