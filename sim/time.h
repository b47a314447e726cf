#pragma once

#include <chrono>
#include <cstdint>

namespace redeliver::sim {

/// Simulated time, in whole microseconds: integers, so that every machine agrees.
using Duration = std::chrono::duration<std::int64_t, std::micro>;

/// The world's one clock. It has no `now()`: code that needs the time is handed an `Instant` or a
/// `Process&`, so that nothing can read the time of the machine it happens to run on.
struct VirtualClock {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<VirtualClock, Duration>;
    static constexpr bool is_steady = true;
};

/// A point in simulated time: how long since the trial began.
using Instant = VirtualClock::time_point;

/// The instant so long after the beginning.
constexpr Instant at(Duration since_start) { return Instant{since_start}; }

/// The clocks that processes can read: one per node, which may be offset, drift and be stepped.
struct WallClock {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<WallClock, Duration>;
    static constexpr bool is_steady = false;
};

/// What a node's wall clock shows, as the time since the Unix epoch.
using WallTime = WallClock::time_point;

/// What an exact wall clock shows when a trial begins: 2026-01-01T00:00:00Z.
inline constexpr WallTime wall_start{std::chrono::seconds{1'767'225'600}};

}  // namespace redeliver::sim
