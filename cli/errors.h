#pragma once

#include <stdexcept>
#include <string>

namespace redeliver::cli {

/// What was typed cannot be done. One line that names the place, what was found and what is
/// allowed, harmless to print. Ends with ExitCode::usage.
class UsageError : public std::runtime_error {
public:
    explicit UsageError(const std::string& message);
};

/// An answer or a file could not be written. One line. Ends with ExitCode::harness.
class OutputError : public std::runtime_error {
public:
    /// `reason` is an errno.
    OutputError(const std::string& what, int reason);
};

}  // namespace redeliver::cli
