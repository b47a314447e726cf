#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explore.h"

namespace CLI {
class App;
}

namespace redeliver::cli {

/// The options of `redeliver explore` as they are typed.
class ExploreArguments {
public:
    /// `command` is what CLI11 knows the subcommand by.
    explicit ExploreArguments(CLI::App& command);
    ExploreArguments(const ExploreArguments&) = delete;
    ExploreArguments& operator=(const ExploreArguments&) = delete;

    /// Throws UsageError.
    ExploreOptions options() const;

private:
    std::uint32_t faults(ExploreOptions::Strategy strategy) const;
    void refuse_what_does_not_apply(ExploreOptions::Strategy strategy) const;

    std::string story_;
    std::optional<std::string> strategy_;
    std::optional<std::string> faults_;
    std::optional<std::string> depth_;
    std::optional<std::string> slack_;
    std::vector<std::string> only_;
    std::optional<std::string> trials_;
    std::optional<std::string> seconds_;
    std::optional<std::string> seed_;
    std::optional<std::string> jobs_;
    std::optional<std::string> minimum_hits_;
    std::vector<std::string> settings_;
    std::optional<std::string> out_;
    bool json_ = false;
};

}  // namespace redeliver::cli
