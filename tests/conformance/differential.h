#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/conformance/coverage.h"

namespace redeliver::conformance {

struct DifferentialOptions {
    /// At least so many generated commands; questions at the end of scripts come on top.
    std::uint64_t commands = 300'000;
    /// Of the first script; each further script has the next.
    std::uint64_t seed = 1;
    enum class Shrinking : std::uint8_t { thorough, none } shrinking = Shrinking::thorough;
};

struct DifferentialResult {
    std::uint64_t scripts = 0;
    std::uint64_t questions = 0;
    /// Replies that came after their connection had waited.
    std::uint64_t awaited = 0;
    std::uint64_t clock_steps = 0;
    std::uint64_t clock_steps_back = 0;
    std::uint64_t disconnects = 0;
    Coverage coverage;
    /// Seeds of scripts that differed, and agreed when they were played again over new connections:
    /// see differs_again. They are told, and bounded.
    std::vector<std::uint64_t> unrepeated;
    /// Text for people: the seed, both replies, and a script for redis-cli.
    std::optional<std::string> mismatch;
};

/// Plays generated scripts to the model and to a real server until enough commands agreed, or one
/// did not. Writes progress to stderr when that is a terminal.
DifferentialResult compare_with_reference(const DifferentialOptions& options);

}  // namespace redeliver::conformance
