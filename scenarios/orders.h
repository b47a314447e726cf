#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/redis/commands.h"
#include "scenarios/scenario.h"

/// What the nodes of the chat back end can be told to do: the words of a sim::Order.
///
/// The broker takes what an operator types: XTRIM, XDEL, XSETID, XACK, XGROUP, DEL and FLUSHALL,
/// as redis-cli would send them, and `CONFIG SET maxmemory BYTES`, which is taken back when the
/// order is over.
namespace redeliver::scenarios::orders {

/// Of the database: somebody, a migration perhaps, locks every row that is in `runs`, and commits
/// when the order is over.
inline constexpr std::string_view hold_locks = "SELECT * FROM runs FOR UPDATE";
/// Of the database: somebody opens every connection that is left. Those that are open stay.
inline constexpr std::string_view take_connections = "take all connections";
/// Of a worker: it is replaced by another process, which calls itself by another consumer name and
/// begins when the order is over.
inline constexpr std::string_view restart_renamed = "restart under a new name";

/// Bytes below which whatever there is is too much: `CONFIG SET maxmemory 1`.
std::string limit_memory(std::uint64_t bytes);
/// Of a user: it submits whatever it has submitted so far again, so many times at once.
std::string submit_again(std::uint32_t times);
inline constexpr std::uint32_t most_resubmissions = 8;

/// What such words say; nothing if they are other words.
std::optional<std::uint64_t> memory_limit_in(std::string_view words);
std::optional<std::uint32_t> resubmissions_in(std::string_view words);
std::optional<model::redis::Command> command_in(std::string_view words);

/// Whether these are words for which it matters how long they last.
bool take_time(std::string_view words);

/// Whether the node of this name in the system understands the words.
bool understood_by(const System& system, std::string_view node, std::string_view words);
/// What that node would understand, for a message; empty when nobody listens there.
std::string vocabulary_of(const System& system, std::string_view node);

}  // namespace redeliver::scenarios::orders
