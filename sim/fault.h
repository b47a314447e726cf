#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/happenings.h"
#include "sim/operation.h"
#include "sim/time.h"

/// A fault is *when* × *what*, and a plan is a list of them: plain values that can be generated,
/// shrunk, printed and replayed. Names in a plan are texts; a world resolves them when armed.
namespace redeliver::sim {

/// Strikes at an instant.
struct AtInstant {
    Instant at;
    bool operator==(const AtInstant&) const = default;
};

/// Strikes within one operation: the `occurrence`-th (from 1) of its kind for its subject, at a
/// point of it, and only if performed by `node` when that is given.
struct AtStep {
    std::string operation;
    std::string subject;
    std::uint32_t occurrence = 1;
    Point point = Point::before_send;
    std::string node = {};
    bool operator==(const AtStep&) const = default;
};

using When = std::variant<AtInstant, AtStep>;

/// Memory is lost; runs again after a while, if at all before the faults are over. What a restart
/// is called is the business of the actor, which sees its incarnation.
struct Crash {
    CrashOf of = CrashOf::process;
    Duration restart_after = std::chrono::seconds{2};
    bool operator==(const Crash&) const = default;
};

/// Runs nothing for a while and does not notice: its timers are late, its connections stay.
struct Pause {
    Duration lasts{};
    bool operator==(const Pause&) const = default;
};

/// At a step: the request (before it was applied) or the reply (after) is lost on the wire, and so
/// is all that follows on that connection in that direction. At an instant: does not match.
struct Drop {
    bool operator==(const Drop&) const = default;
};

/// Every connection between the target and its servers (for a server: its clients) is reset.
struct Reset {
    bool operator==(const Reset&) const = default;
};

/// The target's ends of all its connections are gone, and nobody tells the other ends: a client
/// learns it from its next request, a server only from its keepalive.
struct HalfOpen {
    bool operator==(const HalfOpen&) const = default;
};

/// Work takes `percent` / 100 times as long.
struct Slow {
    std::uint32_t percent = 400;
    Duration lasts{};
    bool operator==(const Slow&) const = default;
};

enum class Ways : std::uint8_t {
    one,  ///< what the target sends is lost; the other direction works
    both
};

/// Nothing that the target sends reaches `to`, or nothing gets through either way.
struct Partition {
    std::string to;
    Duration lasts{};
    Ways ways = Ways::one;
    bool operator==(const Partition&) const = default;
};

/// Whatever is sent to or by the target takes so much longer.
struct Latency {
    Duration by{};
    Duration lasts{};
    bool operator==(const Latency&) const = default;
};

/// The target's wall clock jumps.
struct ClockStep {
    Duration by{};
    bool operator==(const ClockStep&) const = default;
};

/// The target's wall clock gains (or, below 0, loses) so much each second, half a second at most.
/// What it has gained when that is over stays.
struct ClockDrift {
    Duration gains{};
    Duration lasts{};
    bool operator==(const ClockDrift&) const = default;
};

/// A standby takes over from the target, a server, without the last `lag` of what it wrote.
struct Failover {
    Duration lag{};
    bool operator==(const Failover&) const = default;
};

/// The target is told to do something of its own, in words that it understands: what an operator
/// types, for a server. Some orders last for a while; the others do not care how long.
struct Order {
    std::string words;
    Duration lasts{};
    bool operator==(const Order&) const = default;
};

using What = std::variant<Crash, Pause, Drop, Reset, Slow, Partition, ClockStep, Failover, HalfOpen,
                          Latency, ClockDrift, Order>;

inline constexpr Duration max_drift = std::chrono::milliseconds{500};

struct Fault {
    When when;
    What what;
    /// A node by name; empty for whoever performs the step (required for AtInstant).
    std::string target = {};
    bool operator==(const Fault&) const = default;
};

using FaultPlan = std::vector<Fault>;

}  // namespace redeliver::sim
