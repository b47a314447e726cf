#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explain.h"

namespace CLI {
class App;
}

namespace redeliver::cli {

/// The options of `redeliver explain` as they are typed.
class ExplainArguments {
public:
    /// `command` is what CLI11 knows the subcommand by.
    explicit ExplainArguments(CLI::App& command);
    ExplainArguments(const ExplainArguments&) = delete;
    ExplainArguments& operator=(const ExplainArguments&) = delete;

    /// Throws UsageError.
    ExplainOptions options() const;

private:
    std::string what_;
    std::vector<std::string> settings_;
    std::optional<std::string> seed_;
    std::optional<std::string> promise_;
    std::optional<std::string> trials_;
    std::optional<std::string> seconds_;
    std::optional<std::string> out_;
    bool json_ = false;
};

}  // namespace redeliver::cli
