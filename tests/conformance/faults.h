#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redeliver::conformance {

/// What a number of killed and restarted servers, or of promoted replicas, came to.
struct FaultResult {
    std::uint64_t faults = 0;
    /// One line for each: seed, where it struck, what survived.
    std::vector<std::string> lines;
    /// The first survivor that was not what the model says.
    std::optional<std::string> mismatch;
};

/// Real servers with an append-only file, under each fsync policy in turn, are killed (SIGKILL)
/// between two commands of a generated script and started again; then all that a client can see is
/// compared with Server::restart_after_process_loss.
FaultResult compare_restarts(std::uint64_t count, std::uint64_t seed);

/// A real replica behind a link that we hold: at some byte of the stream of commands we stop
/// forwarding, let the script go on, and promote the replica. It must be what Server::fail_over
/// makes of as many records as had arrived whole, and the streams of both must have as many.
FaultResult compare_failovers(std::uint64_t count, std::uint64_t seed);

}  // namespace redeliver::conformance
