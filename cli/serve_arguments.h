#pragma once

#include <optional>
#include <string>

#include "cli/serve.h"

namespace CLI {
class App;
}

namespace redeliver::cli {

/// The options of `redeliver serve` as they are typed.
class ServeArguments {
public:
    /// `command` is what CLI11 knows the subcommand by.
    explicit ServeArguments(CLI::App& command);
    ServeArguments(const ServeArguments&) = delete;
    ServeArguments& operator=(const ServeArguments&) = delete;

    /// Throws UsageError.
    ServeOptions options() const;

private:
    std::optional<std::string> port_;
    std::optional<std::string> address_;
    std::optional<std::string> version_;
    std::optional<std::string> clients_;
    std::optional<std::string> output_;
    std::optional<std::string> request_;
    bool remote_ = false;
    bool debug_ = false;
};

}  // namespace redeliver::cli
