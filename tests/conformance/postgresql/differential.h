#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/database/configuration.h"
#include "tests/conformance/postgresql/tally.h"

namespace redeliver::conformance::postgresql {

struct DifferentialOptions {
    std::uint64_t interleavings = 20'000;
    /// Of the first one; each further has the next.
    std::uint64_t seed = 1;
    enum class Shrinking : std::uint8_t { thorough, none } shrinking = Shrinking::thorough;
};

struct DifferentialResult {
    std::string version;  ///< Of the real server.
    Tally tally;
    /// Text for people: the seed, a column for each session, and what both sides said.
    std::optional<std::string> mismatch;
};

/// Plays generated interleavings to the model and to a real server, until one differs. Writes
/// progress to stderr when that is a terminal.
DifferentialResult compare_interleavings(const DifferentialOptions& options);

/// Opens connections until one is refused, to the model and to a real server of so many ordinary
/// ones (max_connections less superuser_reserved_connections).
struct LimitResult {
    std::size_t limit = 0;
    std::string modelled;  ///< How many were accepted, and the SQLSTATE of the refusal.
    std::string real;
};
LimitResult compare_limit();

struct LossResult {
    std::uint64_t losses = 0;
    /// Rows whose commit was undone, and rows that were there after a restart, in all.
    std::uint64_t undone = 0;
    std::uint64_t survived = 0;
    /// Losses after which at least one commit was missing.
    std::uint64_t lossy = 0;
    std::optional<std::string> mismatch;
};

/// Kills the server at random steps of interleavings, with transactions open and statements
/// waiting, and compares what is there after its recovery with Server::restart_after_process_loss.
///
/// With synchronous_commit on that is everything that was committed. With it off it is what was
/// committed up to the last flush, at moments that the judge chooses: a prefix of the order of
/// commits, since the model undoes the newest first.
LossResult compare_crashes(std::uint64_t kills, std::uint64_t seed,
                           model::database::SynchronousCommit commit);

/// Freezes the link to an asynchronous replica at a random step of interleavings, goes on, kills
/// the primary and promotes the replica, and compares what is there with Server::fail_over.
LossResult compare_failovers(std::uint64_t failovers, std::uint64_t seed);

}  // namespace redeliver::conformance::postgresql
