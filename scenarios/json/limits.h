#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/time.h"

/// What a file may ask for at most. Files come from anyone: each cap keeps some stranger's file
/// from taking all memory or time, and is far above what any story needs.
namespace redeliver::scenarios::json {

inline constexpr std::size_t max_file_bytes = 16u << 20;
inline constexpr std::size_t max_nesting = 64;
/// Numbers, texts, lists and objects of one document: at about 100 bytes each.
inline constexpr std::size_t max_values = 2'000'000;

inline constexpr std::size_t max_name = 64;
/// Of a name of actors, which heads a column.
inline constexpr std::size_t max_actor_name = 24;
inline constexpr std::size_t max_story = 2'000;

inline constexpr std::uint64_t max_messages = 2'000'000;
inline constexpr std::size_t max_listed_messages = 100'000;
inline constexpr std::uint64_t max_actors = 10'000;
/// Actors of all kinds: a node's number has 16 bits.
inline constexpr std::uint64_t max_nodes = 60'000;
/// Users, workers and the handlers of all gateways: each has a stack with a guard page, and the
/// kernel allows a process about 32,000 of those.
inline constexpr std::uint64_t max_processes = 30'000;
/// Attempts of a user × submissions of a message: each may make up an id, and ids have 16 letters.
inline constexpr std::uint64_t max_handlings = 16;

inline constexpr std::size_t max_faults = 10'000;
/// Letters of an order to a node.
inline constexpr std::size_t max_order = 500;
/// Of a schedule. What is overtaken is late by the slack at most; a second is a long time for that.
inline constexpr std::size_t max_picks = 100'000;
inline constexpr std::size_t max_changes = 10'000;
inline constexpr sim::Duration max_slack = std::chrono::seconds{10};
inline constexpr std::uint64_t max_intensity = 1'000;
inline constexpr std::uint64_t max_seeds = 1'000'000'000;
inline constexpr sim::Duration max_duration = std::chrono::hours{365 * 24};

}  // namespace redeliver::scenarios::json
