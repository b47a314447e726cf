#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/agenda.h"
#include "sim/choices.h"
#include "sim/happenings.h"
#include "sim/names.h"
#include "sim/process.h"

namespace redeliver::sim {

/// Names a request under way. The generation tells a reused slot from the one it once was.
struct ExchangeId {
    std::uint32_t index = 0xffff'ffff;
    std::uint32_t generation = 0;
    bool operator==(const ExchangeId&) const = default;
};

/// One connection as a server sees it: never used again once it is closed.
using SessionNumber = std::uint32_t;

/// The server's side of a node: called by the world, never by a process, and never blocking.
class Service {
public:
    virtual ~Service() = default;

    /// A request has arrived. The answer may be given at once or later, by `Network::reply`.
    virtual void on_request(ExchangeId exchange) = 0;
    /// The client's end of a session is gone; open requests of it will have no reader.
    virtual void on_disconnect(SessionNumber session) = 0;
    /// The instant asked for with `World::set_timer` has come.
    virtual void on_timer() {}
    virtual void on_crash(CrashOf) {}
    /// Called before the node's `boot`.
    virtual void on_restart() {}
    /// The wall clock was stepped: deadlines in wall time are now due at other instants.
    virtual void on_clock_step() {}
    /// A standby takes over without the last `lag`. Sessions have been closed already.
    virtual void on_failover(Duration) {}
    /// A digest of all state that outlives the trial's last step.
    virtual std::uint64_t digest() const { return 0; }
};

/// How a node is built.
struct NodeSpec {
    std::string name;
    /// Of its wall clock, against the exact one.
    Duration clock_offset{};
    std::int32_t clock_drift_ppm = 0;
    /// Starts the node's processes; called at the beginning and after every restart.
    std::function<void(World&, NodeId)> boot = {};
    Service* service = nullptr;
};

/// The world's own record of a node.
struct Node {
    NodeSpec spec;
    SubjectKey key{};
    bool is_alive = true;
    bool is_paused = false;
    std::uint32_t incarnation = 0;
    std::uint32_t slow_percent = 100;
    Instant paused_until{};
    Instant slow_until{};
    StepNumber trouble = no_step;  // The last crash, pause or slowdown.
    CrashOf crashed_of = CrashOf::process;
    Agenda::Handle timer;
    std::uint32_t timer_generation = 0;
    Instant timer_at = Instant::max();  // The far future while no timer is set.
    Agenda::Handle restart;
    std::vector<Process*> processes;      // In order of spawning.
    std::vector<Agenda::Event> deferred;  // What came while it was paused, in order.
};

}  // namespace redeliver::sim
