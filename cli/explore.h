#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/run.h"
#include "scenarios/explore/mishap.h"
#include "scenarios/explore/priority.h"

namespace redeliver::cli {

struct ExploreOptions {
    enum class Strategy : std::uint8_t { random, swarm, enumerate, priority, mutate, exhaustive };

    std::string story;
    Strategy strategy = Strategy::enumerate;
    /// None is what the strategy does by itself.
    std::optional<std::uint32_t> faults;
    /// Of strategies that choose faults; none is those that it takes by itself.
    std::vector<scenarios::Mishap> mishaps;
    /// Of `priority`.
    std::uint32_t depth = 3;
    /// Of strategies that change schedules; none is what the strategy does by itself.
    std::optional<scenarios::Duration> slack;
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
