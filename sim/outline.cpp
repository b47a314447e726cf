// Digests of what is under way in a world, for whoever asks whether two worlds are in one state.

#include "sim/choices.h"
#include "sim/world.h"

namespace redeliver::sim {

namespace {

/// Chains parts, so that their order counts; sums of chains do without one.
template <class... Part>
std::uint64_t chain(Part... parts) {
    std::uint64_t digest = 0;
    ((digest = mix(digest, static_cast<std::uint64_t>(parts))), ...);
    return digest;
}

}  // namespace

std::uint64_t World::outline() const {
    std::uint64_t sum = network_.outline();
    agenda_.for_each([&](const Agenda::Event& event) { sum += outline_of(event); });
    for (std::uint16_t index = 0; index < nodes_.size(); ++index) sum += outline_of(NodeId{index});
    for (std::size_t index = 0; index < faults_.size(); ++index)
        sum += chain(11, index, faults_[index].is_spent, faults_[index].has_fired);
    return sum;
}

std::uint64_t World::outline_of(const Agenda::Event& event) const {
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::arrival:
    case EventKind::reply_arrival: return 0;  // The network tells of these.
    case EventKind::wake:
    case EventKind::deadline:
    case EventKind::signal: {
        const Process& process = processes_[event.index];
        if (process.is_over_ || process.wait_generation_ != event.extra) return 0;
        return chain(event.kind, process.node_);
    }
    case EventKind::disconnect:
    case EventKind::server_gone:
        return chain(event.kind, network_.client_of_connection(event.index),
                     network_.server_of_connection(event.index));
    case EventKind::timer:
        if (event.extra != node(NodeId{static_cast<std::uint16_t>(event.index)}).timer_generation)
            return 0;
        return chain(event.kind, event.index);
    default: return chain(event.kind, event.index, event.extra);
    }
}

std::uint64_t World::outline_of(NodeId id) const {
    const Node& each = node(id);
    std::uint64_t digest = chain(12, id, each.is_alive, each.is_paused, each.incarnation,
                                 each.slow_percent, each.spec.clock_offset.count(),
                                 each.usual_drift_ppm.has_value(), each.processes.size());
    for (const Agenda::Event& event : each.deferred) digest = mix(digest, event.kind);
    return digest;
}

std::uint64_t Network::outline() const {
    std::uint64_t sum = 0;
    for (const Exchange& each : exchanges_) {
        if (each.place == Place::gone && !each.client_holds) continue;
        // Polls are alike, however many there have been.
        const bool is_poll = series_of(each.address.subject) == node_series;
        sum += chain(13, each.client, each.server, each.address.operation, each.address.subject,
                     is_poll ? 0 : each.address.occurrence, each.place, each.client_holds,
                     each.has_arrived, each.was_reset, each.dropped_by != no_fault);
    }
    for (const Connection& each : connections_)
        sum += chain(14, each.client, each.server, each.is_open, each.loses_requests,
                     each.loses_replies, !each.is_open && each.ended != each.session);
    for (const Wall& each : walls_) sum += chain(15, each.from, each.to);
    for (const Delay& each : delays_) sum += chain(16, each.node, each.by.count());
    return sum;
}

NodeId Network::client_of_session(SessionNumber session) const {
    for (const Connection& each : connections_)
        if (each.session == session) return each.client;
    return NodeId::none;
}

}  // namespace redeliver::sim
