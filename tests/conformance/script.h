#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/redis/resp/write_reply.h"
#include "sim/time.h"
#include "tests/conformance/words.h"

namespace redeliver::conformance {

/// Requests written to one connection at once; a read among them may block the rest.
struct Send {
    std::size_t connection = 0;
    std::vector<Words> burst;
};

/// The client closes its connection, whatever it waits for, and opens a new one in its place.
struct Disconnect {
    std::size_t connection = 0;
};

/// The server's time of day is stepped, back too; what is due by then happens.
struct MoveClock {
    sim::Duration by{0};
};

using Step = std::variant<Send, Disconnect, MoveClock>;

/// A conversation of several clients with one server, on an empty database, from one fixed time
/// of day on. Everything in it is written out, so that it means the same wherever it is played.
struct Script {
    std::uint64_t stream_node_max_entries = 100;
    std::uint64_t stream_node_max_bytes = 4096;
    /// One for each connection. The last is an observer's, which only asks, at the end.
    std::vector<model::redis::resp::Protocol> protocols;
    std::vector<Step> steps;
};

inline constexpr sim::WallTime script_start = sim::wall_start;

inline std::size_t observer_of(const Script& script) { return script.protocols.size() - 1; }

std::size_t count_commands(const Script& script);

/// The script for bash and redis-cli 7.0, to be pasted; clock steps and node limits as comments
/// and commands.
std::string as_shell(const Script& script);

}  // namespace redeliver::conformance
