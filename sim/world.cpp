#include "sim/world.h"

#include <algorithm>
#include <utility>

namespace redeliver::sim {

World::World(const Configuration& configuration, StackPool& stacks)
    : configuration_(configuration),
      stacks_(stacks),
      choices_(configuration.seed),
      subjects_(configuration.operations.size()),
      recorder_(subjects_),
      network_(*this, configuration.network) {
    ensure(configuration.operations.size() <= 64, "a world has at most 64 kinds of operation");
}

World::~World() {
    is_silent_ = true;
    for (Node& node : nodes_) {
        close_idle_processes(node);
        end_all_processes(node);
    }
}

NodeId World::add_node(NodeSpec spec) {
    ensure(!find_node(spec.name), "no two nodes have one name");
    ensure(nodes_.size() < static_cast<std::size_t>(NodeId::none), "nodes fit 16 bits");
    const NodeId id{static_cast<std::uint16_t>(nodes_.size())};
    Node& node = nodes_.emplace_back();
    node.key = SubjectKey{text_hash(spec.draws_as.empty() ? spec.name : spec.draws_as)};
    recorder_.include(text_hash(spec.name));
    node.spec = std::move(spec);
    schedule(now_, EventKind::boot, static_cast<std::uint32_t>(id));
    return id;
}

std::optional<NodeId> World::find_node(std::string_view name) const {
    for (std::size_t index = 0; index < nodes_.size(); ++index)
        if (nodes_[index].spec.name == name) return NodeId{static_cast<std::uint16_t>(index)};
    return {};
}

void World::follow(const Schedule& schedule) {
    if (schedule.is_none()) return;
    scheduler_.emplace(
        schedule, [this](const std::string& name) { return find_node(name); },
        [this](const Agenda::Event& event) { return turn_of(event); });
}

Ending World::run(const Supervisor& supervisor) {
    const Instant limit{configuration_.budget.time};
    while (agenda_.has_event_due_by(limit)) {
        const Agenda::Event event =
            scheduler_ ? scheduler_->take_next(agenda_) : agenda_.take_next();
        ensure(event.at >= now_ || scheduler_, "virtual time never runs backwards");
        if (++events_ > configuration_.budget.events) return conclude(Ending::out_of_steps);
        now_ = std::max(now_, event.at);  // What was overtaken happens late.
        dispatch(event);
        if (const auto ending = supervisor.ending(now_)) return conclude(*ending);
    }
    return conclude(agenda_.empty() ? Ending::drained : Ending::out_of_time);
}

Ending World::conclude(Ending ending) {
    std::uint64_t state = 0;
    for (const Node& node : nodes_)
        if (node.spec.service != nullptr) state = mix(state, node.spec.service->digest());
    record_because(no_step, NodeId::none, Subject::none,
                   Concluded{.ending = static_cast<std::uint32_t>(ending), .state = state});
    return ending;
}

WallTime World::wall_now(NodeId id) const {
    const NodeSpec& spec = node(id).spec;
    const Duration elapsed = now_.time_since_epoch();
    const std::int64_t scaled = elapsed.count() * spec.clock_drift_ppm;
    const Duration drifted{scaled >= 0 ? scaled / 1'000'000 : -((999'999 - scaled) / 1'000'000)};
    return wall_start + spec.clock_offset + elapsed + drifted;
}

Instant World::instant_of(NodeId id, WallTime wall) const {
    const NodeSpec& spec = node(id).spec;
    const Duration shown = wall - wall_start - spec.clock_offset;
    if (spec.clock_drift_ppm == 0) return Instant{shown};
    const std::int64_t rate = 1'000'000 + spec.clock_drift_ppm;
    // Split so that nothing overflows, and rounded up: a clock may not show less than it must.
    const std::int64_t whole = shown.count() / rate;
    const std::int64_t rest = (shown.count() % rate * 1'000'000 + rate - 1) / rate;
    return Instant{Duration{whole * 1'000'000 + rest}};
}

SubjectKey World::key_of(Subject subject) const {
    if (series_of(subject) != node_series) return SubjectKey{static_cast<std::uint64_t>(subject)};
    return nodes_[number_of(subject)].key;
}

std::string World::text(Subject subject) const {
    if (subject == Subject::none) return {};
    if (series_of(subject) == node_series) return nodes_[number_of(subject)].spec.name;
    const auto written = subject_text(configuration_.series, subject);
    ensure(written.has_value(), "every subject belongs to a series of the world");
    return *written;
}

Name World::intern(std::string_view text) {
    const std::size_t known = names_.size();
    const Name name = names_.intern(text);
    if (names_.size() != known) recorder_.include(text_hash(text));
    return name;
}

void World::set_timer(NodeId id, std::optional<Instant> instant) {
    Node& node = at(id);
    const Instant wanted = instant ? std::max(*instant, now_) : Instant::max();
    if (wanted == node.timer_at) return;
    if (node.timer_at != Instant::max()) agenda_.cancel(node.timer);
    node.timer_at = wanted;
    ++node.timer_generation;
    if (instant)
        node.timer = schedule(wanted, EventKind::timer, static_cast<std::uint32_t>(id),
                              node.timer_generation);
}

Agenda::Handle World::schedule(Instant instant, EventKind kind, std::uint32_t index,
                               std::uint32_t extra) {
    return agenda_.schedule({instant, static_cast<std::uint32_t>(kind), index, extra});
}

Agenda::Handle World::schedule_wake(Process& process, Instant instant) {
    return schedule(instant, EventKind::wake, process.index_, ++process.wait_generation_);
}

Agenda::Handle World::schedule_deadline(Process& process, Instant instant) {
    return schedule(instant, EventKind::deadline, process.index_, ++process.wait_generation_);
}

void World::schedule_arrival(Instant instant, ExchangeId exchange) {
    schedule(instant, EventKind::arrival, exchange.index, exchange.generation);
}

void World::schedule_reply_arrival(Instant instant, ExchangeId exchange) {
    schedule(instant, EventKind::reply_arrival, exchange.index, exchange.generation);
}

bool World::postpone_if_paused(ExchangeId exchange, NodeId server) {
    if (!at(server).is_paused) return false;
    at(server).deferred.push_back({now_, static_cast<std::uint32_t>(EventKind::arrival),
                                   exchange.index, exchange.generation});
    return true;
}

void World::schedule_disconnect(Instant instant, std::uint32_t connection, SessionNumber session) {
    schedule(instant, EventKind::disconnect, connection, session);
}

void World::schedule_server_gone(Instant instant, std::uint32_t connection, SessionNumber session) {
    schedule(instant, EventKind::server_gone, connection, session);
}

NodeId World::owner_of(const Agenda::Event& event) const {
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::wake:
    case EventKind::deadline:
    case EventKind::signal: return processes_[event.index].node_;
    case EventKind::arrival: return network_.server_of_exchange(event.index);
    case EventKind::reply_arrival: return network_.client_of_exchange(event.index);
    case EventKind::disconnect: return network_.server_of_connection(event.index);
    case EventKind::server_gone: return network_.client_of_connection(event.index);
    case EventKind::timer: return NodeId{static_cast<std::uint16_t>(event.index)};
    default: return NodeId::none;  // What the world does by itself waits for nobody.
    }
}

Turn World::turn_of(const Agenda::Event& event) const {
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::wake:
    case EventKind::signal: return turn_of_process(event);
    case EventKind::arrival:
        return network_.turn_of(ExchangeId{event.index, event.extra}, Network::Direction::request);
    case EventKind::reply_arrival:
        return network_.turn_of(ExchangeId{event.index, event.extra}, Network::Direction::reply);
    case EventKind::disconnect:
        return network_.turn_of(event.index, event.extra, Network::Direction::request);
    case EventKind::server_gone:
        return network_.turn_of(event.index, event.extra, Network::Direction::reply);
    default: return {};
    }
}

Turn World::turn_of_process(const Agenda::Event& event) const {
    const Process& process = processes_[event.index];
    if (process.is_over_ || process.wait_generation_ != event.extra)
        return {.order = Turn::Order::moot};
    // Numbered apart from the sessions of the network.
    return {Turn::Order::free, process.node_, (std::uint64_t{1} << 63) | event.index};
}

void World::dispatch(const Agenda::Event& event) {
    const NodeId owner = owner_of(event);
    if (owner != NodeId::none && at(owner).is_paused) {
        at(owner).deferred.push_back(event);
        return;
    }
    handle(event);
    if (!pending_strikes_.empty() || !pending_crashes_.empty()) carry_out_strikes();
}

void World::handle(const Agenda::Event& event) {
    cause_ = no_step;
    const NodeId id{static_cast<std::uint16_t>(event.index)};
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::wake:
    case EventKind::deadline: return handle_wake(event, Process::Wake::timer);
    case EventKind::signal: return handle_wake(event, Process::Wake::signal);
    case EventKind::arrival: return network_.on_arrival({event.index, event.extra});
    case EventKind::reply_arrival: return network_.on_reply_arrival({event.index, event.extra});
    case EventKind::disconnect: return network_.on_disconnect(event.index, event.extra);
    case EventKind::server_gone: return network_.on_server_gone(event.index, event.extra);
    case EventKind::timer:
        if (event.extra != at(id).timer_generation) return;  // Set anew while the node was paused.
        at(id).timer_at = Instant::max();
        if (at(id).is_alive) at(id).spec.service->on_timer();
        return;
    case EventKind::boot: return boot(id);
    case EventKind::restart: return restart(id);
    case EventKind::resume_node: return resume_node(id);
    case EventKind::end_slow: return end_slow(id);
    case EventKind::heal_partition:
        return heal_partition(id, NodeId{static_cast<std::uint16_t>(event.extra)}, now_);
    case EventKind::timed_fault: return strike_timed(event.index);
    case EventKind::heal: return heal();
    case EventKind::end_delay: return end_delay(id, now_);
    case EventKind::end_drift: return end_drift(id);
    case EventKind::order:
        if (order(event.index, faults_[event.index].target)) note_effect(event.index);
        return;
    case EventKind::end_order: return end_order(event.index);
    }
}

void World::boot(NodeId id) {
    cause_ = at(id).trouble;
    if (at(id).spec.boot) at(id).spec.boot(*this, id);
}

Process& World::spawn(NodeId id, Body body) {
    if (free_processes_.empty()) {
        const auto index = static_cast<std::uint32_t>(processes_.size());
        free_processes_.push_back(&processes_.emplace_back(*this, index));
    }
    Process& process = *free_processes_.back();
    free_processes_.pop_back();
    ensure(process.is_over_, "only a process that is over is used again");
    process.node_ = id;
    process.body_ = std::move(body);
    process.last_step_ = cause_;
    process.is_over_ = process.dying_ = process.is_doing_ = process.may_close_ = false;
    process.fiber_.start(stacks_, &Process::run_body, &process);
    at(id).processes.push_back(&process);
    schedule_wake(process, now_);
    return process;
}

void World::signal(Process& process) {
    schedule(now_, EventKind::signal, process.index_, process.wait_generation_);
}

void World::resume_signalled(Process& process) { resume(process, Process::Wake::signal); }

void World::handle_wake(const Agenda::Event& event, Process::Wake how) {
    Process& process = processes_[event.index];
    if (process.is_over_ || process.wait_generation_ != event.extra) return;
    resume(process, how);
}

void World::resume(Process& process, Process::Wake how) {
    ++process.wait_generation_;  // Whatever else was to wake it from this wait is void.
    process.woken_by_ = how;
    while (true) {
        cause_ = process.last_step_;
        process.fiber_.resume();
        process.last_step_ = cause_;
        if (process.is_over_) return retire(process);
        if (!std::exchange(process.must_continue_, false)) return;
        carry_out_strikes();
        if (process.is_over_) return;  // A strike killed it.
        if (at(process.node_).is_paused) {
            const std::uint32_t wait = ++process.wait_generation_;
            at(process.node_)
                .deferred.push_back(
                    {now_, static_cast<std::uint32_t>(EventKind::wake), process.index_, wait});
            return;
        }
    }
}

void World::retire(Process& process) {
    std::erase(at(process.node_).processes, &process);
    ++process.wait_generation_;
    process.body_ = nullptr;
    free_processes_.push_back(&process);
    if (process.failure_) std::rethrow_exception(std::exchange(process.failure_, nullptr));
}

std::exception_ptr World::kill(Process& process) {
    process.dying_ = true;
    const StepNumber cause = cause_;
    process.fiber_.resume();
    cause_ = cause;
    ensure(process.is_over_, "a process that was killed does not block again");
    ++process.wait_generation_;
    process.body_ = nullptr;
    free_processes_.push_back(&process);
    return std::exchange(process.failure_, nullptr);
}

void World::close_idle_processes(Node& node) {
    // An exception costs a microsecond, and handlers that wait for work are many.
    const std::vector<Process*> all = node.processes;
    for (Process* const process : all)
        if (process->may_close_) resume(*process, Process::Wake::closing);
}

void World::end_all_processes(Node& node) {
    const std::vector<Process*> doomed = std::exchange(node.processes, {});
    std::exception_ptr first_failure;
    for (Process* const process : doomed) {
        const std::exception_ptr failure = kill(*process);
        if (!first_failure) first_failure = failure;
    }
    // Only now: nobody may stay behind on a stack. A world that is going away has no one to tell.
    if (first_failure && !is_silent_) std::rethrow_exception(first_failure);
}

}  // namespace redeliver::sim
