#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>

#include "sim/agenda.h"
#include "sim/choices.h"
#include "sim/fault.h"
#include "sim/fiber.h"
#include "sim/happenings.h"
#include "sim/operation.h"
#include "sim/step.h"

namespace redeliver::sim {

class World;
class Process;

/// What a process does: straight-line code that blocks.
using Body = std::function<void(Process&)>;

/// Thrown out of a blocking call when the process is killed. Deliberately no std::exception: a
/// `catch (...)` in an actor must rethrow it, and nothing may block afterwards.
struct Killed {};

/// One thread of straight-line code on a node, on its own stack.
///
/// It runs until it blocks; nothing else runs meanwhile. When its node crashes, the blocking call
/// throws `Killed`; while that unwinds, requests are refused and nothing is recorded. Never block
/// inside a `catch` or a destructor.
class Process {
public:
    explicit Process(World& world, std::uint32_t index) : world_(world), index_(index) {}
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    World& world() const { return world_; }
    NodeId node() const { return node_; }
    /// The name of the node.
    std::string_view name() const;
    /// How often the node has crashed so far.
    std::uint32_t incarnation() const;

    /// The world's instant: for deadlines and records, not for what production code could read.
    Instant now() const;
    /// What the node's own clock shows.
    WallTime wall_now() const;

    void sleep_for(Duration duration);
    void sleep_until(Instant instant);

    /// Works for so long (longer on a slowed node) on something: an operation of its own, with
    /// points `start`, `middle` and `end` at which a fault can strike.
    void work(OperationKind operation, Subject subject, Duration duration);

    /// Blocks until `World::signal` is called for this process; false when the trial is over
    /// instead, and the process should return.
    bool wait_for_signal();
    /// The same with a deadline; false when that came first.
    bool wait_for_signal_until(Instant deadline);

    /// Reports a step of this node, caused by the last thing that happened to this process.
    template <Payload P>
    StepNumber record(Subject subject, const P& what);

    /// The process crashes its own node: what it does is deadly. Does not return.
    [[noreturn]] void die(const Crash& how);

    /// Starts another process on the same node, at once but not before this one blocks.
    void spawn(Body body);

    bool is_dying() const { return dying_; }

private:
    friend class World;
    friend class Network;

    enum class Wake : std::uint8_t { timer, signal, closing };

    /// Gives control back until something wakes the process. Throws Killed when that is death.
    Wake park();
    Agenda::Handle wake_at(Instant instant);
    Agenda::Handle deadline_at(Instant instant);
    static void run_body(void* process);

    World& world_;
    std::uint32_t index_;
    NodeId node_ = NodeId::none;
    Body body_;
    Fiber fiber_;
    Address doing_{};  // The operation it is in, for the record of a crash; kind 0 is none.
    bool is_doing_ = false;
    CutAt doing_phase_ = CutAt::unsent;
    StepNumber last_step_ = no_step;
    std::uint32_t wait_generation_ = 0;
    Wake woken_by_ = Wake::timer;
    bool dying_ = false;
    bool is_over_ = true;
    bool may_close_ = false;      // It waits for nothing but a signal: it returns when asked to.
    bool must_continue_ = false;  // A strike is to be carried out; then it goes on.
    std::exception_ptr failure_;
};

}  // namespace redeliver::sim
