#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/run.h"
#include "scenarios/bugs/planted_bug.h"
#include "scenarios/explore/hunters.h"

namespace redeliver::cli {

struct BenchOptions {
    enum class Format : std::uint8_t { text, json, markdown };

    /// Of `--only`; none is all.
    std::vector<const scenarios::PlantedBug*> bugs;
    /// Of `--strategy`; none is all.
    std::vector<const scenarios::Hunter*> hunters;
    std::uint32_t repeats = 20;
    std::uint64_t trials = 10'000;
    std::uint64_t seed = 1;
    std::uint32_t jobs = 1;
    Format format = Format::text;
    /// Where to write; none writes nothing.
    std::optional<std::string> folder;
};

/// `redeliver bench --bugs`: how soon each strategy finds each planted bug, and whether all of them
/// are found.
ExitCode bench(const BenchOptions& options, Streams& streams);

}  // namespace redeliver::cli
