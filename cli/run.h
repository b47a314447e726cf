#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/format.h"
#include "cli/output.h"
#include "reports/look.h"

namespace redeliver::cli {

struct RunOptions {
    enum class Talk : std::uint8_t {
        everything,
        surprises  ///< `--quiet`: what is unexpected, and the last line
    };

    std::vector<std::string> stories;
    /// Of each story; none is the story's own number.
    std::optional<std::uint64_t> seeds;
    std::uint64_t first_seed = 1;
    std::uint32_t jobs = 1;
    std::vector<std::string> settings;
    Format format = Format::text;
    /// Where to write; none writes nothing.
    std::optional<std::string> folder;
    Talk talk = Talk::everything;
};

/// Where a command talks to.
struct Streams {
    Output& out;
    Output& err;
    reports::Look look;      ///< Of `out`.
    reports::Look err_look;  ///< Of `err`.
    bool err_is_terminal = false;
};

/// `redeliver run`: the seeds of each story, judged against what the story expects.
ExitCode run(const RunOptions& options, Streams& streams);

}  // namespace redeliver::cli
