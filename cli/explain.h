#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/run.h"

namespace redeliver::cli {

struct ExplainOptions {
    /// A story, the file of one, or a case.
    std::string what;
    /// Of a story; none is its first seed in which something breaks. A case holds its own.
    std::optional<std::uint64_t> seed;
    /// Which one, where several break.
    std::optional<std::string> promise;
    std::vector<std::string> settings;
    /// Budgets of shrinking and of trying variations, each.
    std::uint64_t trials = 10'000;
    std::chrono::seconds time{60};
    Format format = Format::text;
    /// Where the shrunk case goes; none writes nothing, so that no command can show it again.
    std::optional<std::string> file;
};

/// `redeliver explain`: makes the case small, writes it where asked to, and says why it breaks its
/// promise.
///
/// As expected when the story expects the promise to break, or nothing of it; not as expected when
/// it was to hold; inconclusive when nothing broke or a budget ended first.
ExitCode explain(const ExplainOptions& options, Streams& streams);

}  // namespace redeliver::cli
