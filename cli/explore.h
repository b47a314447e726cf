#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/run.h"
#include "scenarios/explore/mishap.h"

namespace redeliver::cli {

struct ExploreOptions {
    enum class Strategy : std::uint8_t { random, swarm, enumerate };

    std::string story;
    Strategy strategy = Strategy::enumerate;
    /// Of `enumerate`.
    std::uint32_t faults = 1;
    /// Of `enumerate`; none is those that it takes by itself.
    std::vector<scenarios::Mishap> mishaps;
    std::optional<std::uint64_t> trials;
    std::optional<std::uint64_t> seconds;
    /// The first one, or that of the workload.
    std::uint64_t seed = 1;
    std::uint32_t jobs = 1;
    /// Effective hits that every kind of fault has to have at every phase that it is drawn at.
    std::uint64_t minimum_hits = 0;
    std::vector<std::string> settings;
    Format format = Format::text;
    /// Where to write; none writes nothing.
    std::optional<std::string> folder;
};

/// `random`, …, as `--strategy` says it.
std::string_view text(ExploreOptions::Strategy strategy);

/// `redeliver explore`: one strategy against one story until it has no more or the budget ends.
ExitCode explore(const ExploreOptions& options, Streams& streams);

}  // namespace redeliver::cli
