#include "cli/errors.h"

#include <system_error>

#include "scenarios/json/printable.h"

namespace redeliver::cli {

UsageError::UsageError(const std::string& message)
    : std::runtime_error(scenarios::printable(message)) {}

OutputError::OutputError(const std::string& what, int reason)
    : std::runtime_error(
          scenarios::printable(what + ": " + std::generic_category().message(reason))) {}

}  // namespace redeliver::cli
