#pragma once

#include <cstdint>
#include <string>

#include "tests/conformance/duel.h"
#include "tests/conformance/script.h"

namespace redeliver::conformance {

/// A generated script cut short between two commands.
struct StruckScript {
    Script script;
    /// For what else has to be drawn.
    std::uint64_t die = 0;
};

/// One step for each command, so that a fault can strike between any two; without the end.
StruckScript struck_script(std::uint64_t seed);

/// Both replies, and the script for redis-cli.
std::string describe(const Script& script, const Difference& difference);

}  // namespace redeliver::conformance
