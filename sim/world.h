#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/agenda.h"
#include "sim/choices.h"
#include "sim/ensure.h"
#include "sim/fault_table.h"
#include "sim/fiber.h"
#include "sim/names.h"
#include "sim/network.h"
#include "sim/node.h"
#include "sim/process.h"
#include "sim/recorder.h"
#include "sim/scheduler.h"
#include "sim/subject_table.h"

namespace redeliver::sim {

/// Says when a trial is over; asked after every event.
class Supervisor {
public:
    virtual ~Supervisor() = default;
    virtual std::optional<Ending> ending(Instant now) const = 0;
};

/// Everything in one trial: a clock that jumps from event to event, nodes and their processes, the
/// network, the faults of the plan, and the record of what happened.
///
/// Single-threaded. A trial is a pure function of the configuration, what is added to the world
/// before it runs, and the plan; worlds share nothing but the stacks they borrow.
class World {
public:
    /// Beyond these a trial ends inconclusively.
    struct Budget {
        std::uint64_t events = 50'000'000;
        Duration time = std::chrono::hours{24 * 365};
    };
    struct Configuration {
        std::uint64_t seed = 1;
        /// The kinds of operation, in the order of their numbers; at most 64.
        std::vector<std::string> operations;
        std::vector<Series> series;
        Network::Configuration network;
        Budget budget;
    };

    World(const Configuration& configuration, StackPool& stacks);
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    /// Kills whatever still runs, without recording it.
    ~World();

    /// Adds a node and boots it once the world runs. Names must differ.
    NodeId add_node(NodeSpec spec);
    std::optional<NodeId> find_node(std::string_view name) const;
    std::size_t node_count() const { return nodes_.size(); }
    const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }

    /// Arms the plan. What has not fired by `faults_until` lapses, and what is broken is repaired
    /// then. Throws PlanError for a fault that names an unknown operation, subject or node.
    void arm(const FaultPlan& plan, Instant faults_until);

    /// Exchanges what comes first as the schedule says. Call before `run`; without it, or with a
    /// schedule without slack, everything comes in the order of the agenda.
    void follow(const Schedule& schedule);
    /// Null in the order of the agenda.
    Scheduler* scheduler() { return scheduler_ ? &*scheduler_ : nullptr; }

    /// Runs until the supervisor, the budget or the end of all events stops it. Call once.
    Ending run(const Supervisor& supervisor);

    /// Leaves what has happened and takes another future: what has not fired of the plan lapses,
    /// and everything is drawn from this seed from now on. What is broken is repaired when it is
    /// due.
    void branch(std::uint64_t seed);

    Instant now() const { return now_; }
    std::uint64_t events() const { return events_; }
    WallTime wall_now(NodeId node) const;
    /// The first instant at which the node's wall clock shows at least `wall`, if it is not
    /// stepped.
    Instant instant_of(NodeId node, WallTime wall) const;

    /// A digest of all that is under way, whenever it is due: messages on the wire, what is
    /// scheduled, which faults have struck, and the condition that nodes and connections are in.
    /// Equal for worlds that number connections and processes in another order. What processes
    /// remember and services hold is not in it.
    std::uint64_t outline() const;

    Names& names() { return names_; }
    const Names& names() const { return names_; }
    const Choices& choices() const { return choices_; }
    Recorder& recorder() { return recorder_; }
    const Recorder& recorder() const { return recorder_; }
    Network& network() { return network_; }
    const FaultTable& faults() const { return faults_; }
    void note_effect(std::uint32_t fault) { faults_.note_effect(fault); }
    SubjectKey key_of(Subject subject) const;
    /// A subject or a node as text.
    std::string text(Subject subject) const;
    const std::vector<Series>& series() const { return configuration_.series; }
    const std::vector<std::string>& operations() const { return configuration_.operations; }

    /// Interns a text; a new one becomes part of the fingerprint.
    Name intern(std::string_view text);

    /// Records a step of the current context, caused by the last one in it.
    template <Payload P>
    StepNumber record(NodeId actor, Subject subject, const P& what) {
        return cause_ = record_because(cause_, actor, subject, what);
    }
    /// Records a step with a cause of its own and leaves the context as it was.
    template <Payload P>
    StepNumber record_because(StepNumber cause, NodeId actor, Subject subject, const P& what) {
        if (is_silent_) return no_step;
        Step step;
        step.at = now_;
        step.cause = cause;
        step.subject = subject;
        step.actor = actor;
        step.incarnation =
            actor == NodeId::none ? 0 : nodes_[static_cast<std::size_t>(actor)].incarnation;
        return recorder_.record(step, what);
    }
    StepNumber cause() const { return cause_; }
    void set_cause(StepNumber cause) { cause_ = cause; }

    // For services.

    /// (Re)arms the one timer of a node; none cancels it.
    void set_timer(NodeId node, std::optional<Instant> instant);

    // For processes and the network.

    Process& spawn(NodeId node, Body body);
    /// Lets a waiting process go on after whatever runs now.
    void signal(Process& process);
    /// The same at once, for the network.
    void resume_signalled(Process& process);
    std::uint32_t count(Subject subject, OperationKind operation) {
        return subjects_.count(subject, operation);
    }

    std::uint32_t performed(Subject subject, OperationKind operation) {
        return subjects_.performed(subject, operation);
    }

    /// What the faults at a point do to the operation itself.
    struct Struck {
        std::uint32_t dropped_by = no_fault;
        bool drops_message() const { return dropped_by != no_fault; }
        bool breaks_server = false;
        StepNumber because = no_step;  // The fault that fired last.
    };
    /// Within a process: faults strike before this returns, or throw Killed.
    Struck strike_within(Process& self, const Address& address, Point point);
    /// Outside processes. `server` is who serves the operation.
    enum class Timing : std::uint8_t { at_once, after_this_event };
    Struck strike_outside(const Address& address, NodeId performer, NodeId server, Point point,
                          Timing timing);

    /// As a strike, but for a reason that is no fault of the plan.
    void crash_soon(NodeId node, const Crash& how) { pending_crashes_.push_back({node, how}); }

    Agenda::Handle schedule_wake(Process& process, Instant instant);
    /// The same, but a schedule delays it not.
    Agenda::Handle schedule_deadline(Process& process, Instant instant);
    void schedule_arrival(Instant instant, ExchangeId exchange);
    void schedule_reply_arrival(Instant instant, ExchangeId exchange);
    /// A request that met its server paused arrives when that goes on.
    bool postpone_if_paused(ExchangeId exchange, NodeId server);
    void schedule_disconnect(Instant instant, std::uint32_t connection, SessionNumber session);
    void schedule_server_gone(Instant instant, std::uint32_t connection, SessionNumber session);
    void cancel(Agenda::Handle handle) { agenda_.cancel(handle); }
    void stall(Process& process, StepNumber because);
    /// How long this work takes on the node now.
    Duration slowed(NodeId node, Duration work);

private:
    enum class EventKind : std::uint32_t {
        wake,
        deadline,
        signal,
        arrival,
        reply_arrival,
        disconnect,
        server_gone,
        timer,
        boot,
        restart,
        resume_node,
        end_slow,
        heal_partition,
        timed_fault,
        heal,
        end_delay,
        end_drift,
        order,
        end_order
    };
    struct Strike {
        std::uint32_t fault;
        NodeId target;
        StepNumber fired;
    };

    Agenda::Handle schedule(Instant instant, EventKind kind, std::uint32_t index,
                            std::uint32_t extra = 0);
    NodeId owner_of(const Agenda::Event& event) const;
    Turn turn_of(const Agenda::Event& event) const;
    std::uint64_t outline_of(const Agenda::Event& event) const;
    std::uint64_t outline_of(NodeId id) const;
    Turn turn_of_process(const Agenda::Event& event) const;
    void dispatch(const Agenda::Event& event);
    void handle(const Agenda::Event& event);
    void handle_wake(const Agenda::Event& event, Process::Wake how);
    void boot(NodeId id);
    void resume(Process& process, Process::Wake how);
    void close_idle_processes(Node& node);
    void end_all_processes(Node& node);
    void retire(Process& process);
    std::exception_ptr kill(Process& process);
    Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }

    FaultTable::Armed resolve(const Fault& fault, std::uint32_t number) const;
    void resolve_step(const AtStep& step, FaultTable::Armed& armed) const;
    NodeId resolve_node(const std::string& name, std::uint32_t number) const;
    Strike fire(const FaultTable::Armed& fault, NodeId performer, Subject subject);
    void strike(const Strike& strike);
    void strike_timed(std::uint32_t index);
    void carry_out_strikes();
    // True when the state is otherwise because of it already.
    bool crash(NodeId id, const Crash& crash);
    void restart(NodeId id);
    void pause(NodeId id, Duration lasts, std::uint32_t fault);
    void resume_node(NodeId id);
    void stall_all(const Node& node);
    void slow(NodeId id, const Slow& slow, std::uint32_t fault);
    void end_slow(NodeId id);
    bool partition(NodeId from, NodeId to, const Partition& how, std::uint32_t fault);
    bool build_wall(NodeId from, NodeId to, Duration lasts, std::uint32_t fault);
    void heal_partition(NodeId from, NodeId to, Instant by);
    void delay(NodeId id, const Latency& how, std::uint32_t fault);
    void end_delay(NodeId id, Instant by);
    bool step_clock(NodeId id, Duration by);
    bool drift(NodeId id, const ClockDrift& how);
    void end_drift(NodeId id);
    void let_clock_run(NodeId id, std::int32_t drift_ppm);
    bool fail_over(NodeId id, Duration lag);
    bool order(std::uint32_t fault, NodeId id);
    void end_order(std::uint32_t fault);
    void heal();
    Ending conclude(Ending ending);

    Configuration configuration_;
    StackPool& stacks_;
    Choices choices_;
    Names names_;
    SubjectTable subjects_;
    Recorder recorder_;
    Network network_;
    FaultTable faults_;
    Agenda agenda_;
    std::optional<Scheduler> scheduler_;
    std::deque<Node> nodes_;
    std::deque<Process> processes_;
    std::vector<Process*> free_processes_;
    std::vector<Strike> pending_strikes_;
    std::vector<std::pair<NodeId, Crash>> pending_crashes_;
    std::vector<std::uint32_t> lasting_orders_;  // Numbers of faults.
    Instant now_{};
    std::uint64_t events_ = 0;
    StepNumber cause_ = no_step;
    bool is_silent_ = false;
};

template <Payload P>
StepNumber Process::record(Subject subject, const P& what) {
    return dying_ ? no_step : world_.record(node_, subject, what);
}

}  // namespace redeliver::sim
