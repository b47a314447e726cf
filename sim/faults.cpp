// How a plan is resolved, and what each fault does to the world.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/overloaded.h"
#include "sim/world.h"

namespace redeliver::sim {

void World::arm(const FaultPlan& plan, Instant faults_until) {
    for (std::uint32_t number = 0; number < plan.size(); ++number) {
        const FaultTable::Armed fault = resolve(plan[number], number);
        faults_.add(fault);
        if (fault.at) schedule(*fault.at, EventKind::timed_fault, number);
    }
    schedule(faults_until, EventKind::heal, 0);
}

FaultTable::Armed World::resolve(const Fault& fault, std::uint32_t number) const {
    FaultTable::Armed armed{.number = number, .what = fault.what};
    if (const auto* const step = std::get_if<AtStep>(&fault.when)) {
        resolve_step(*step, armed);
    } else {
        armed.at = std::max(std::get<AtInstant>(fault.when).at, now_);
        if (fault.target.empty()) throw PlanError(number, "a fault at an instant names its target");
        if (std::holds_alternative<Drop>(fault.what))
            throw PlanError(number, "a message is dropped at a step, not at an instant");
    }
    const bool is_on_the_wire = armed.point == Point::before_send ||
                                armed.point == Point::before_apply ||
                                armed.point == Point::after_apply;
    if (std::holds_alternative<Drop>(fault.what) && !is_on_the_wire)
        throw PlanError(number,
                        "a message is dropped before_send, before_apply or after_apply only");
    if (!fault.target.empty()) armed.target = resolve_node(fault.target, number);
    if (const auto* const partition = std::get_if<Partition>(&fault.what)) {
        armed.to = resolve_node(partition->to, number);
        if (armed.to == armed.target)
            throw PlanError(number, "a partition lies between two different nodes");
    }
    if (const auto* const drift = std::get_if<ClockDrift>(&fault.what))
        if (drift->gains > max_drift || drift->gains < -max_drift)
            throw PlanError(number, "a clock gains or loses half a second a second at most");
    if (const auto* const order = std::get_if<Order>(&fault.what)) {
        if (armed.target == NodeId::none)
            throw PlanError(number, "an order names the node that is told");
        const Obedient* const obedient = node(armed.target).spec.obedient;
        if (obedient == nullptr || !obedient->understands(order->words))
            throw PlanError(number, fmt::format("'{}' does not know the order '{}'", fault.target,
                                                order->words));
    }
    if (std::holds_alternative<Failover>(fault.what)) {
        if (armed.target == NodeId::none || node(armed.target).spec.service == nullptr)
            throw PlanError(number, "a failover names the server that fails over");
    }
    return armed;
}

void World::resolve_step(const AtStep& step, FaultTable::Armed& armed) const {
    const auto& operations = configuration_.operations;
    const auto found = std::ranges::find(operations, step.operation);
    if (found == operations.end())
        throw PlanError(armed.number, fmt::format("unknown operation '{}'", step.operation));
    armed.address.operation = static_cast<OperationKind>(found - operations.begin());
    if (const auto subject = parse_subject(configuration_.series, step.subject)) {
        armed.address.subject = *subject;
    } else {
        armed.address.subject = subject_of(resolve_node(step.subject, armed.number));
    }
    if (step.occurrence == 0) throw PlanError(armed.number, "occurrences are counted from 1");
    armed.address.occurrence = step.occurrence;
    armed.point = step.point;
    if (!step.node.empty()) armed.performer = resolve_node(step.node, armed.number);
}

NodeId World::resolve_node(const std::string& name, std::uint32_t number) const {
    if (const auto id = find_node(name)) return *id;
    throw PlanError(number, fmt::format("unknown node or subject '{}'", name));
}

World::Strike World::fire(const FaultTable::Armed& fault, NodeId performer, Subject subject) {
    const NodeId target = fault.target == NodeId::none ? performer : fault.target;
    const StepNumber fired = record(target, subject, FaultFired{.fault = fault.number});
    return {fault.number, target, fired};
}

World::Struck World::strike_within(Process& self, const Address& address, Point point) {
    Struck struck;
    while (const auto* const fault = faults_.match(address, self.node_, point)) {
        const Strike strike = fire(*fault, self.node_, address.subject);
        struck.because = strike.fired;
        if (std::holds_alternative<Drop>(fault->what)) {
            struck.dropped_by = strike.fault;
        } else {
            pending_strikes_.push_back(strike);
        }
    }
    if (!pending_strikes_.empty()) {
        self.must_continue_ = true;
        self.park();
    }
    return struck;
}

World::Struck World::strike_outside(const Address& address, NodeId performer, NodeId server,
                                    Point point, Timing timing) {
    Struck struck;
    while (const auto* const fault = faults_.match(address, performer, point)) {
        const Strike strike = fire(*fault, performer, address.subject);
        struck.because = strike.fired;
        const bool breaks = std::holds_alternative<Crash>(fault->what) ||
                            std::holds_alternative<Failover>(fault->what);
        if (std::holds_alternative<Drop>(fault->what)) {
            struck.dropped_by = strike.fault;
        } else {
            struck.breaks_server |= breaks && strike.target == server;
            pending_strikes_.push_back(strike);
        }
    }
    if (timing == Timing::at_once) carry_out_strikes();
    return struck;
}

void World::carry_out_strikes() {
    // A strike kills processes but fires no further fault: the dead perform no operation.
    for (const Strike& each : std::exchange(pending_strikes_, {})) strike(each);
    for (const auto& [id, how] : std::exchange(pending_crashes_, {})) crash(id, how);
}

void World::strike_timed(std::uint32_t index) {
    if (!faults_.fire(index)) return;
    strike(fire(faults_[index], NodeId::none, Subject::none));
}

void World::strike(const Strike& strike) {
    cause_ = strike.fired;
    const auto& [number, target, fired] = strike;
    const FaultTable::Armed& fault = faults_[number];
    // Some are felt at once or not at all; the others by the first message, say, that meets them.
    const auto felt = [&](bool is_felt) {
        if (is_felt) note_effect(number);
    };
    std::visit(
        overloaded{
            [&](const Crash& how) { felt(crash(target, how)); },
            [&](const Pause& how) { pause(target, how.lasts, number); },
            [&](const Drop&) { ensure(false, "messages are dropped where they are sent"); },
            [&](const Reset&) { felt(network_.reset_node(target)); },
            [&](const Slow& how) { slow(target, how, number); },
            [&](const Partition& how) { felt(partition(target, fault.to, how, number)); },
            [&](const ClockStep& how) { felt(step_clock(target, how.by)); },
            [&](const Failover& how) { felt(fail_over(target, how.lag)); },
            [&](const HalfOpen&) { felt(at(target).is_alive && network_.half_open(target)); },
            [&](const Latency& how) { delay(target, how, number); },
            [&](const ClockDrift& how) { felt(drift(target, how)); },
            [&](const Order&) { felt(order(number, target)); },
        },
        fault.what);
}

bool World::crash(NodeId id, const Crash& how) {
    Node& node = at(id);
    if (!node.is_alive) return false;
    node.is_alive = false;
    node.trouble = record(id, subject_of(id), Crashed{.of = how.of});
    node.crashed_of = how.of;
    for (const Process* const process : node.processes) {
        if (!process->is_doing_) continue;
        record_because(node.trouble, id, process->doing_.subject,
                       Cut{.operation = process->doing_.operation,
                           .phase = process->doing_phase_,
                           .occurrence = process->doing_.occurrence});
    }
    ++node.incarnation;
    set_timer(id, {});
    network_.node_crashed(id, how.of);
    node.is_paused = false;
    node.paused_until = {};  // A later pause lasts as long as it says.
    const std::vector<Agenda::Event> deferred = std::exchange(node.deferred, {});
    if (!deferred.empty()) note_effect(node.paused_by);
    std::erase_if(lasting_orders_, [&](std::uint32_t each) { return faults_[each].target == id; });
    end_all_processes(node);
    if (node.spec.service != nullptr) node.spec.service->on_crash(how.of);
    // What waited at a paused node meets a dead one.
    for (const Agenda::Event& event : deferred) handle(event);
    cause_ = node.trouble;
    node.restart =
        schedule(now_ + how.restart_after, EventKind::restart, static_cast<std::uint32_t>(id));
    return true;
}

void World::restart(NodeId id) {
    Node& node = at(id);
    if (node.is_alive) return;
    agenda_.cancel(node.restart);
    node.is_alive = true;
    node.trouble = record_because(node.trouble, id, subject_of(id), Restarted{});
    cause_ = node.trouble;
    if (node.spec.service != nullptr) node.spec.service->on_restart();
    boot(id);
}

void World::pause(NodeId id, Duration lasts, std::uint32_t fault) {
    Node& node = at(id);
    if (!node.is_alive) return;
    if (!node.deferred.empty()) note_effect(node.paused_by);
    if (!node.is_paused || now_ + lasts > node.paused_until) node.paused_by = fault;
    node.is_paused = true;
    node.paused_until = std::max(node.paused_until, now_ + lasts);
    node.trouble = record(id, subject_of(id), Paused{.lasts = lasts.count()});
    stall_all(node);
    schedule(node.paused_until, EventKind::resume_node, static_cast<std::uint32_t>(id));
}

void World::stall_all(const Node& node) {
    for (Process* const process : node.processes)
        if (process->is_doing_) stall(*process, node.trouble);
}

void World::stall(Process& process, StepNumber because) {
    // What it does from now on happens late because of this, which its own next steps then say.
    process.last_step_ = record_because(
        because, process.node_, process.doing_.subject,
        Stalled{.operation = process.doing_.operation, .occurrence = process.doing_.occurrence});
}

void World::resume_node(NodeId id) {
    Node& node = at(id);
    if (!node.is_paused || now_ < node.paused_until) return;
    node.is_paused = false;
    record_because(node.trouble, id, subject_of(id), Resumed{});
    const std::vector<Agenda::Event> deferred = std::exchange(node.deferred, {});
    if (!deferred.empty()) note_effect(node.paused_by);
    for (std::size_t next = 0; next < deferred.size(); ++next) {
        if (node.is_paused) {  // Paused again by what it did: the rest goes on waiting.
            node.deferred.insert(node.deferred.end(), deferred.begin() + static_cast<long>(next),
                                 deferred.end());
            return;
        }
        handle(deferred[next]);
        carry_out_strikes();
    }
}

void World::slow(NodeId id, const Slow& how, std::uint32_t fault) {
    Node& node = at(id);
    node.slowed_by = fault;
    node.slow_percent = how.percent;
    node.slow_until = now_ + how.lasts;
    node.trouble = record(id, subject_of(id), Slowed{.percent = how.percent});
    schedule(node.slow_until, EventKind::end_slow, static_cast<std::uint32_t>(id));
}

Duration World::slowed(NodeId id, Duration work) {
    const Node& node = at(id);
    if (node.slow_percent == 100) return work;
    note_effect(node.slowed_by);
    return work * node.slow_percent / 100;
}

void World::end_slow(NodeId id) {
    Node& node = at(id);
    if (node.slow_percent == 100 || now_ < node.slow_until) return;
    node.slow_percent = 100;
    record_because(node.trouble, id, subject_of(id), Slowed{.percent = 100});
}

bool World::partition(NodeId from, NodeId to, const Partition& how, std::uint32_t fault) {
    if (from == to) return false;
    bool is_longer = build_wall(from, to, how.lasts, fault);
    if (how.ways == Ways::both) is_longer |= build_wall(to, from, how.lasts, fault);
    return is_longer;
}

bool World::build_wall(NodeId from, NodeId to, Duration lasts, std::uint32_t fault) {
    const StepNumber step = record(from, subject_of(from), Partitioned{.to = to});
    const bool is_longer = network_.partition(from, to, now_ + lasts, step, fault);
    schedule(now_ + lasts, EventKind::heal_partition, static_cast<std::uint32_t>(from),
             static_cast<std::uint32_t>(to));
    return is_longer;
}

void World::heal_partition(NodeId from, NodeId to, Instant by) {
    if (network_.heal_partition(from, to, by))
        record(from, subject_of(from), PartitionHealed{.to = to});
}

void World::delay(NodeId id, const Latency& how, std::uint32_t fault) {
    record(id, subject_of(id),
           Disturbed{.what = Disturbed::What::delayed, .amount = how.by.count()});
    network_.delay(id, how.by, now_ + how.lasts, fault);
    schedule(now_ + how.lasts, EventKind::end_delay, static_cast<std::uint32_t>(id));
}

void World::end_delay(NodeId id, Instant by) {
    if (network_.end_delay(id, by))
        record(id, subject_of(id), Disturbed{.what = Disturbed::What::delay_over});
}

bool World::step_clock(NodeId id, Duration by) {
    Node& node = at(id);
    node.spec.clock_offset += by;
    node.trouble = record(id, subject_of(id), ClockStepped{.by = by.count()});
    if (node.is_alive && node.spec.service != nullptr) node.spec.service->on_clock_step();
    return by != Duration{};
}

bool World::drift(NodeId id, const ClockDrift& how) {
    Node& node = at(id);
    if (!node.usual_drift_ppm) node.usual_drift_ppm = node.spec.clock_drift_ppm;
    node.drift_until = now_ + how.lasts;
    node.trouble =
        record(id, subject_of(id),
               Disturbed{.what = Disturbed::What::clock_drift, .amount = how.gains.count()});
    const auto ppm = static_cast<std::int32_t>(how.gains.count());
    let_clock_run(id, ppm);
    schedule(node.drift_until, EventKind::end_drift, static_cast<std::uint32_t>(id));
    return ppm != *node.usual_drift_ppm && how.lasts > Duration{};
}

void World::end_drift(NodeId id) {
    Node& node = at(id);
    if (!node.usual_drift_ppm || now_ < node.drift_until) return;
    record(id, subject_of(id), Disturbed{.what = Disturbed::What::drift_over});
    let_clock_run(id, *std::exchange(node.usual_drift_ppm, {}));
}

void World::let_clock_run(NodeId id, std::int32_t drift_ppm) {
    Node& node = at(id);
    const WallTime shown = wall_now(id);
    node.spec.clock_drift_ppm = drift_ppm;
    node.spec.clock_offset += shown - wall_now(id);  // It goes on from where it is.
    if (node.is_alive && node.spec.service != nullptr) node.spec.service->on_clock_step();
}

bool World::order(std::uint32_t fault, NodeId id) {
    const auto& what = std::get<Order>(faults_[fault].what);
    Node& node = at(id);
    if (!node.is_alive) return false;
    if (node.is_paused) {  // It hears of it when it goes on.
        node.deferred.push_back({now_, static_cast<std::uint32_t>(EventKind::order), fault});
        return false;
    }
    node.trouble = record(id, subject_of(id),
                          Disturbed{.what = Disturbed::What::ordered,
                                    .detail = static_cast<std::uint32_t>(intern(what.words)),
                                    .amount = what.lasts.count()});
    if (what.lasts > Duration{}) {
        lasting_orders_.push_back(fault);
        schedule(now_ + what.lasts, EventKind::end_order, fault);
    }
    return node.spec.obedient->obey(what.words, what.lasts);
}

void World::end_order(std::uint32_t fault) {
    if (std::erase(lasting_orders_, fault) == 0) return;
    const FaultTable::Armed& order = faults_[fault];
    const std::string& words = std::get<Order>(order.what).words;
    record(order.target, subject_of(order.target),
           Disturbed{.what = Disturbed::What::order_over,
                     .detail = static_cast<std::uint32_t>(intern(words))});
    at(order.target).spec.obedient->relent(words);
}

bool World::fail_over(NodeId id, Duration lag) {
    Node& node = at(id);
    if (!node.is_alive) return false;
    node.trouble = record(id, subject_of(id), FailedOver{.lag = lag.count()});
    ++node.incarnation;
    network_.server_lost(id, CrashOf::process);
    cause_ = node.trouble;
    node.spec.service->on_failover(lag);
    std::erase_if(lasting_orders_, [&](std::uint32_t each) { return faults_[each].target == id; });
    return true;
}

void World::branch(std::uint64_t seed) {
    faults_.lapse();
    if (scheduler_) scheduler_->lapse();
    choices_ = Choices(seed);
}

void World::heal() {
    const std::uint32_t lapsed = faults_.lapse();
    const StepNumber healed = record(NodeId::none, Subject::none, Healed{.lapsed = lapsed});
    for (const auto& [from, to] : network_.partitions()) heal_partition(from, to, Instant::max());
    for (const std::uint32_t each : std::vector(lasting_orders_)) {
        cause_ = healed;
        end_order(each);
    }
    for (std::uint16_t index = 0; index < nodes_.size(); ++index) {
        const NodeId id{index};
        cause_ = healed;
        at(id).paused_until = at(id).slow_until = at(id).drift_until = now_;
        resume_node(id);
        end_slow(id);
        end_delay(id, Instant::max());
        end_drift(id);
        restart(id);
    }
}

}  // namespace redeliver::sim
