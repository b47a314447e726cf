#include "sim/process.h"

#include <utility>

#include "sim/ensure.h"
#include "sim/world.h"

namespace redeliver::sim {

std::string_view Process::name() const { return world_.node(node_).spec.name; }

std::uint32_t Process::incarnation() const { return world_.node(node_).incarnation; }

Instant Process::now() const { return world_.now(); }

WallTime Process::wall_now() const { return world_.wall_now(node_); }

void Process::sleep_for(Duration duration) { sleep_until(now() + duration); }

void Process::sleep_until(Instant instant) {
    wake_at(instant);
    park();
}

bool Process::wait_for_signal() {
    ++wait_generation_;
    may_close_ = true;
    const Wake woken = park();
    may_close_ = false;
    return woken == Wake::signal;
}

bool Process::wait_for_signal_until(Instant deadline) {
    const Agenda::Handle handle = deadline_at(deadline);
    const bool was_signalled = park() == Wake::signal;
    if (was_signalled) world_.cancel(handle);
    return was_signalled;
}

void Process::work(OperationKind operation, Subject subject, Duration duration) {
    ensure(!dying_, "a process that was killed works no more");
    const Address address{operation, subject, world_.count(subject, operation)};
    doing_ = address;
    is_doing_ = true;
    doing_phase_ = CutAt::working;
    const Node& node = world_.node(node_);
    world_.strike_within(*this, address, Point::start);
    if (node.slow_percent != 100) world_.stall(*this, node.trouble);
    sleep_for(world_.slowed(node_, duration / 2));
    world_.strike_within(*this, address, Point::middle);
    sleep_for(world_.slowed(node_, duration - duration / 2));
    world_.strike_within(*this, address, Point::end);
    is_doing_ = false;
}

void Process::die(const Crash& how) {
    world_.crash_soon(node_, how);
    must_continue_ = true;
    park();
    ensure(false, "a process that crashes its node does not go on");
    throw Killed{};
}

void Process::spawn(Body body) {
    ensure(!dying_, "a process that was killed starts no other");
    world_.spawn(node_, std::move(body));
}

Process::Wake Process::park() {
    ensure(!dying_, "a process that was killed blocks no more");
    fiber_.suspend();
    if (dying_) throw Killed{};
    return woken_by_;
}

Agenda::Handle Process::wake_at(Instant instant) {
    if (dying_) return {};
    return world_.schedule_wake(*this, std::max(instant, now()));
}

Agenda::Handle Process::deadline_at(Instant instant) {
    if (dying_) return {};
    return world_.schedule_deadline(*this, std::max(instant, now()));
}

void Process::run_body(void* argument) {
    Process& self = *static_cast<Process*>(argument);
    try {
        if (!self.dying_) self.body_(self);
    } catch (const Killed&) {
        // Died as it should.
    } catch (...) {
        self.failure_ = std::current_exception();
    }
    self.is_over_ = true;
}

}  // namespace redeliver::sim
