#pragma once

#include <chrono>

#include "sim/time.h"

namespace redeliver::model::redis {

/// The unit of every time in the Redis protocol: idle times, BLOCK, expiry. `30s` converts to it;
/// a `sim::Duration` needs a `duration_cast`, because the server would drop its microseconds too.
using Milliseconds = std::chrono::milliseconds;

/// A time of day as the server keeps it: whole milliseconds since the Unix epoch.
using WallMillis = std::chrono::time_point<sim::WallClock, Milliseconds>;

/// What `mstime()` would return on a node whose wall clock shows `now`.
constexpr WallMillis to_millis(sim::WallTime now) { return std::chrono::floor<Milliseconds>(now); }

}  // namespace redeliver::model::redis
