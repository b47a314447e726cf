#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/bench.h"

namespace CLI {
class App;
}

namespace redeliver::cli {

/// The options of `redeliver bench` as they are typed.
class BenchArguments {
public:
    /// `command` is what CLI11 knows the subcommand by.
    explicit BenchArguments(CLI::App& command);
    BenchArguments(const BenchArguments&) = delete;
    BenchArguments& operator=(const BenchArguments&) = delete;

    /// Throws UsageError.
    BenchOptions options() const;

private:
    bool bugs_ = false;
    std::vector<std::string> only_;
    std::vector<std::string> strategies_;
    std::optional<std::string> repeats_;
    std::optional<std::string> trials_;
    std::optional<std::string> seed_;
    std::optional<std::string> jobs_;
    std::optional<std::string> out_;
    bool json_ = false;
    bool markdown_ = false;
};

}  // namespace redeliver::cli
