#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/agenda.h"
#include "sim/choices.h"
#include "sim/fault_table.h"
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

/// Whoever on a node can be told to do something of its own: see Order. Called by the world, never
/// by a process, and never blocking.
class Obedient {
public:
    virtual ~Obedient() = default;
    /// Whether it knows what to do.
    virtual bool understands(std::string_view words) const = 0;
    /// False when nothing is otherwise than before.
    virtual bool obey(std::string_view words, Duration lasts) = 0;
    /// The time of an order that lasts is over, or the faults are. Not called after a crash.
    virtual void relent(std::string_view) {}
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
    Obedient* obedient = nullptr;
    /// The name that its draws go by, its own if empty: so that what a node is called decides
    /// nothing.
    std::string draws_as = {};
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
    Instant drift_until{};
    std::optional<std::int32_t> usual_drift_ppm;  // While its clock drifts otherwise.
    std::uint32_t paused_by = no_fault;           // Numbers of faults, to say what came of them.
    std::uint32_t slowed_by = no_fault;
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
