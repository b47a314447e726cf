#include "sim/network.h"

#include <algorithm>

#include "sim/ensure.h"
#include "sim/world.h"

namespace redeliver::sim {

ConnectionId Network::connect(NodeId client, NodeId server) {
    ensure(client != server, "a connection joins two nodes");
    connections_.push_back({.client = client, .server = server});
    return ConnectionId{static_cast<std::uint32_t>(connections_.size() - 1)};
}

ExchangeId Network::begin(Process& self, ConnectionId id, OperationKind operation, Subject subject,
                          Continuity continuity) {
    if (self.dying_) return {};
    if (subject == Subject::none) subject = subject_of(self.node_);
    const Address address{operation, subject, world_.count(subject, operation)};
    self.doing_ = address;
    self.is_doing_ = true;
    self.doing_phase_ = CutAt::unsent;
    const World::Struck struck = world_.strike_within(self, address, Point::before_send);
    if (!at(id).is_open) {
        if (continuity == Continuity::same_session || !is_reachable(at(id))) {
            if (continuity == Continuity::any_session) refuse(self, at(id), address);
            world_.record(self.node_, subject,
                          Refused{.operation = operation,
                                  .server = at(id).server,
                                  .occurrence = address.occurrence});
            self.is_doing_ = false;
            return {};
        }
        open(at(id));
    }
    const ExchangeId exchange = allocate(id, address);
    exchanges_[exchange.index].dropped_by = struck.dropped_by;
    return exchange;
}

Fate Network::await(Process& self, ExchangeId id, Duration timeout) {
    send(self, id);
    exchanges_[id.index].waiting = &self;
    exchanges_[id.index].deadline = self.deadline_at(world_.now() + timeout);
    self.park();
    // If the client was killed, Killed is on its way and node_crashed has cleared up.
    Exchange& exchange = exchanges_[id.index];
    exchange.waiting = nullptr;
    if (!exchange.has_arrived) return conclude_loss(self, id);
    world_.cancel(exchange.deadline);
    world_.strike_within(self, exchange.address, Point::after_reply);
    self.is_doing_ = false;
    return Fate::arrived;
}

void Network::finish(ExchangeId id) {
    ensure(is_current(id), "an exchange is finished once");
    Exchange& exchange = exchanges_[id.index];
    exchange.client_holds = false;
    Connection& connection = connections_[exchange.connection];
    if (connection.current == id) connection.current = {};
    let_go(id.index);
}

void Network::open(Connection& connection) {
    connection.is_open = true;
    connection.loses_requests = connection.loses_replies = false;
    connection.session = next_session_++;
    // Order holds within one session: what an earlier one still has on the wire delays nothing.
    connection.last_request_arrival = connection.last_reply_arrival = {};
    ++connection.opened;
    connection.server_incarnation = world_.node(connection.server).incarnation;
}

bool Network::is_reachable(const Connection& connection) {
    return world_.node(connection.server).is_alive &&
           wall_met(connection.client, connection.server) == nullptr &&
           wall_met(connection.server, connection.client) == nullptr;
}

void Network::refuse(Process& self, const Connection& connection, const Address& address) {
    // A machine whose process died answers with a reset; a dead or unreachable one is silent.
    const Node& server = world_.node(connection.server);
    const bool answers = !server.is_alive && server.crashed_of == CrashOf::process &&
                         wall_between(connection.client, connection.server) == nullptr &&
                         wall_between(connection.server, connection.client) == nullptr;
    self.sleep_for(answers ? latency(Label{"latency.request"}, address, connection) +
                                 latency(Label{"latency.reply"}, address, connection)
                           : configuration_.connect_timeout);
}

ExchangeId Network::allocate(ConnectionId id, const Address& address) {
    std::uint32_t index;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(exchanges_.size());
        exchanges_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
    }
    Connection& connection = at(id);
    ensure(connection.current == ExchangeId{}, "a connection carries one request at a time");
    Exchange& exchange = exchanges_[index];
    exchange = {.generation = exchange.generation,
                .connection = static_cast<std::uint32_t>(id),
                .session = connection.session,
                .server_incarnation = connection.server_incarnation,
                .client = connection.client,
                .server = connection.server,
                .address = address,
                .place = Place::with_client,
                .client_holds = true};
    connection.current = {index, exchange.generation};
    if (series_of(address.subject) != node_series) ++about_subjects_;
    return connection.current;
}

void Network::put(std::uint32_t index, Place place) {
    exchanges_[index].place = place;
    if (place == Place::gone) let_go(index);
}

void Network::let_go(std::uint32_t index) {
    Exchange& exchange = exchanges_[index];
    if (exchange.client_holds) return;
    if (exchange.place != Place::gone && exchange.place != Place::with_client) return;
    ++exchange.generation;
    if (series_of(exchange.address.subject) != node_series) --about_subjects_;
    free_.push_back(index);
}

void Network::send(Process& self, ExchangeId id) {
    Exchange& exchange = exchanges_[id.index];
    Connection& connection = connections_[exchange.connection];
    const Address& address = exchange.address;
    exchange.sent = world_.record(self.node_, address.subject,
                                  Sent{.operation = address.operation,
                                       .server = exchange.server,
                                       .occurrence = address.occurrence});
    self.doing_phase_ = CutAt::in_flight;
    const Wall* const wall = connection.loses_requests
                                 ? wall_between(exchange.client, exchange.server)
                                 : wall_met(exchange.client, exchange.server);
    const bool is_dropped = exchange.dropped_by != no_fault;
    if (is_dropped || connection.loses_requests || wall != nullptr) {
        if (!connection.loses_requests && wall == nullptr) world_.note_effect(exchange.dropped_by);
        const StepNumber because = wall != nullptr ? wall->because : exchange.sent;
        connection.loses_requests = true;
        swallow(exchange, Swallowed::request, because);
        return put(id.index, Place::gone);
    }
    connection.last_request_arrival =
        std::max(connection.last_request_arrival,
                 world_.now() + latency(Label{"latency.request"}, address, connection));
    exchange.place = Place::to_server;
    world_.schedule_arrival(connection.last_request_arrival, id);
}

void Network::swallow(Exchange& exchange, Swallowed what, StepNumber because) {
    const bool is_request = what == Swallowed::request;
    exchange.trouble = world_.record_because(
        because, is_request ? exchange.client : exchange.server, exchange.address.subject,
        Dropped{.operation = exchange.address.operation,
                .what = what,
                .receiver = is_request ? exchange.server : exchange.client,
                .occurrence = exchange.address.occurrence});
}

void Network::on_arrival(ExchangeId id) {
    if (!is_current(id) || exchanges_[id.index].place != Place::to_server) return;
    if (reached_dead_end(exchanges_[id.index])) return put(id.index, Place::gone);
    {
        const Exchange& exchange = exchanges_[id.index];
        world_.set_cause(exchange.sent);
        const World::Struck struck =
            world_.strike_outside(exchange.address, exchange.client, exchange.server,
                                  Point::before_apply, World::Timing::at_once);
        if (exchange.place != Place::to_server) return;  // The fault cut it off.
        if (reached_dead_end(exchange)) return put(id.index, Place::gone);
        if (struck.drops_message()) {
            world_.note_effect(struck.dropped_by);
            connections_[exchange.connection].loses_requests = true;
            swallow(exchanges_[id.index], Swallowed::request, struck.because);
            return put(id.index, Place::gone);
        }
        if (world_.postpone_if_paused(id, exchange.server)) return;
        world_.set_cause(exchange.sent);
    }
    Exchange& exchange = exchanges_[id.index];
    exchange.place = Place::at_server;
    Service* const service = world_.node(exchange.server).spec.service;
    ensure(service != nullptr, "requests are sent to nodes that serve");
    service->on_request(id);
}

bool Network::reached_dead_end(const Exchange& exchange) {
    const Node& server = world_.node(exchange.server);
    const bool is_served = server.incarnation == exchange.server_incarnation &&
                           exchange.session > connections_[exchange.connection].ended;
    if (server.is_alive && is_served) return false;
    // The kernel resets a connection that nobody holds any more; a dead machine stays silent.
    if (server.is_alive || server.crashed_of == CrashOf::process)
        tell_server_gone(exchange.connection, exchange.session);
    return true;
}

bool Network::is_owed(ExchangeId id) const {
    return is_current(id) && at(id).place == Place::at_server;
}

void Network::reply(ExchangeId id, std::uint64_t content) {
    if (!is_owed(id)) return;
    Exchange& exchange = exchanges_[id.index];
    Connection& connection = connections_[exchange.connection];
    const Address& address = exchange.address;
    if (connection.session != exchange.session || !connection.is_open) {
        world_.record(exchange.server, address.subject,
                      AnsweredNobody{.operation = address.operation,
                                     .client = exchange.client,
                                     .occurrence = address.occurrence});
        return put(id.index, Place::gone);
    }
    exchange.replied = world_.record(exchange.server, address.subject,
                                     Replied{.operation = address.operation,
                                             .client = exchange.client,
                                             .occurrence = address.occurrence,
                                             .content = content});
    const World::Struck struck =
        world_.strike_outside(address, exchange.client, exchange.server, Point::after_apply,
                              World::Timing::after_this_event);
    if (struck.breaks_server) {
        exchange.trouble = struck.because;
        return put(id.index, Place::gone);
    }
    const Wall* const wall = connection.loses_replies
                                 ? wall_between(exchange.server, exchange.client)
                                 : wall_met(exchange.server, exchange.client);
    if (struck.drops_message() || connection.loses_replies || wall != nullptr) {
        if (!connection.loses_replies && wall == nullptr) world_.note_effect(struck.dropped_by);
        connection.loses_replies = true;
        swallow(exchange, Swallowed::reply,
                wall != nullptr ? wall->because : std::max(struck.because, exchange.replied));
        return put(id.index, Place::gone);
    }
    connection.last_reply_arrival =
        std::max(connection.last_reply_arrival,
                 world_.now() + latency(Label{"latency.reply"}, address, connection));
    exchange.place = Place::to_client;
    world_.schedule_reply_arrival(connection.last_reply_arrival, id);
}

void Network::on_reply_arrival(ExchangeId id) {
    if (!is_current(id) || exchanges_[id.index].place != Place::to_client) return;
    Exchange& exchange = exchanges_[id.index];
    Process* const client = exchange.waiting;
    if (client == nullptr) return put(id.index, Place::gone);
    exchange.place = Place::gone;
    exchange.has_arrived = true;
    client->last_step_ =
        world_.record_because(exchange.replied, exchange.client, exchange.address.subject,
                              Arrived{.operation = exchange.address.operation,
                                      .server = exchange.server,
                                      .occurrence = exchange.address.occurrence});
    world_.resume_signalled(*client);
}

Turn Network::turn_of(ExchangeId id, Direction direction) const {
    const bool is_request = direction == Direction::request;
    if (!is_current(id) || at(id).place != (is_request ? Place::to_server : Place::to_client))
        return {.order = Turn::Order::moot};
    return turn_of(at(id).connection, at(id).session, direction);
}

Turn Network::turn_of(std::uint32_t connection, SessionNumber session, Direction direction) const {
    return {Turn::Order::free, connections_[connection].client,
            std::uint64_t{session} * 2 + static_cast<std::uint64_t>(direction)};
}

Fate Network::conclude_loss(Process& self, ExchangeId id) {
    Exchange& exchange = exchanges_[id.index];
    const Address& address = exchange.address;
    world_.cancel(exchange.deadline);
    if (exchange.trouble != no_step) world_.set_cause(exchange.trouble);
    world_.record(self.node_, address.subject,
                  Lost{.operation = address.operation,
                       .reason = exchange.was_reset ? LossReason::reset : LossReason::deadline,
                       .server = exchange.server,
                       .occurrence = address.occurrence});
    Connection& connection = connections_[exchange.connection];
    if (connection.session == exchange.session && connection.is_open)
        close_by_client(exchange.connection);
    self.is_doing_ = false;
    return Fate::lost;
}

void Network::close_by_client(std::uint32_t index) {
    Connection& connection = connections_[index];
    connection.is_open = false;
    const bool is_heard =
        !connection.loses_requests && wall_met(connection.client, connection.server) == nullptr;
    tell_client_gone(index, is_heard ? farewell_latency(connection) : configuration_.keepalive);
}

void Network::on_disconnect(std::uint32_t index, SessionNumber session) {
    Connection& connection = connections_[index];
    const Node& server = world_.node(connection.server);
    connection.ended = std::max(connection.ended, session);
    if (!server.is_alive) return;
    cut_off(session, server.trouble);
    if (server.spec.service != nullptr) server.spec.service->on_disconnect(session);
}

void Network::on_server_gone(std::uint32_t index, SessionNumber session) {
    Connection& connection = connections_[index];
    if (connection.session != session || !connection.is_open) return;
    connection.is_open = false;
    const ExchangeId current = connection.current;
    if (current == ExchangeId{}) return;
    Exchange& exchange = exchanges_[current.index];
    Process* const client = exchange.waiting;
    if (client == nullptr || exchange.has_arrived) return;
    exchange.was_reset = true;
    if (exchange.trouble == no_step) exchange.trouble = world_.node(exchange.server).trouble;
    world_.resume_signalled(*client);
}

void Network::cut_off(SessionNumber session, StepNumber because) {
    for (std::uint32_t index = 0; index < exchanges_.size(); ++index) {
        Exchange& exchange = exchanges_[index];
        if (exchange.session != session || exchange.place != Place::at_server) continue;
        if (exchange.trouble == no_step) exchange.trouble = because;
        put(index, Place::gone);
    }
}

void Network::node_crashed(NodeId node, CrashOf of) {
    for (std::uint32_t index = 0; index < connections_.size(); ++index)
        if (connections_[index].client == node) client_crashed(index, of);
    server_lost(node, of);
}

void Network::client_crashed(std::uint32_t index, CrashOf of) {
    Connection& connection = connections_[index];
    const ExchangeId current = connection.current;
    connection.current = {};
    if (current != ExchangeId{} && is_current(current)) {
        Exchange& exchange = exchanges_[current.index];
        world_.cancel(exchange.deadline);
        exchange.waiting = nullptr;
        exchange.client_holds = false;
        let_go(current.index);
    }
    if (!connection.is_open) return;
    if (of == CrashOf::process) return close_by_client(index);
    connection.is_open = false;
    tell_client_gone(index, configuration_.keepalive);
}

void Network::server_lost(NodeId node, CrashOf of) {
    // Requests of sessions that their clients have left are there too: they would stay for ever.
    for (std::uint32_t index = 0; index < exchanges_.size(); ++index) {
        Exchange& exchange = exchanges_[index];
        if (exchange.server != node || exchange.place != Place::at_server) continue;
        exchange.trouble = world_.node(node).trouble;
        put(index, Place::gone);
    }
    if (of == CrashOf::machine) return;
    for (std::uint32_t index = 0; index < connections_.size(); ++index) {
        const Connection& connection = connections_[index];
        if (connection.server == node && connection.is_open)
            tell_server_gone(index, connection.session);
    }
}

bool Network::reset_node(NodeId node) {
    bool had_any = false;
    for (std::uint32_t index = 0; index < connections_.size(); ++index) {
        Connection& connection = connections_[index];
        if (connection.client != node && connection.server != node) continue;
        if (!connection.is_open) continue;
        had_any = true;
        const StepNumber reset = world_.record(connection.client, subject_of(connection.client),
                                               ConnectionReset{.server = connection.server});
        if (connection.current != ExchangeId{}) {
            const std::uint32_t current = connection.current.index;
            exchanges_[current].trouble = reset;
            // A kernel that is told of a reset throws away what was still to be read.
            if (exchanges_[current].place == Place::to_client) put(current, Place::gone);
        }
        on_disconnect(index, connection.session);
        tell_server_gone(index, connection.session);
    }
    return had_any;
}

bool Network::half_open(NodeId node) {
    bool had_any = false;
    for (std::uint32_t index = 0; index < connections_.size(); ++index) {
        const Connection connection = connections_[index];
        if (connection.client != node && connection.server != node) continue;
        if (!connection.is_open) continue;
        had_any = true;
        const bool is_client = connection.client == node;
        const NodeId other = is_client ? connection.server : connection.client;
        const StepNumber because =
            world_.record(node, subject_of(node),
                          Disturbed{.what = Disturbed::What::half_open,
                                    .detail = static_cast<std::uint32_t>(other)});
        if (is_client) {
            lose_client_end(index, because);
        } else {
            lose_server_end(index, because);
        }
    }
    return had_any;
}

void Network::lose_client_end(std::uint32_t index, StepNumber because) {
    Connection& connection = connections_[index];
    connection.is_open = false;
    tell_client_gone(index, configuration_.keepalive);
    if (connection.current == ExchangeId{}) return;
    Exchange& exchange = exchanges_[connection.current.index];
    if (exchange.waiting == nullptr || exchange.has_arrived) return;
    exchange.was_reset = true;
    exchange.trouble = because;
    // The answer that is on the wire reaches a machine that knows no such connection.
    if (exchange.place == Place::to_client) put(connection.current.index, Place::gone);
    world_.signal(*exchange.waiting);
}

void Network::lose_server_end(std::uint32_t index, StepNumber because) {
    const Connection& connection = connections_[index];
    if (connection.current != ExchangeId{}) exchanges_[connection.current.index].trouble = because;
    on_disconnect(index, connection.session);
}

void Network::tell_client_gone(std::uint32_t index, Duration after) {
    Connection& connection = connections_[index];
    connection.last_request_arrival =
        std::max(connection.last_request_arrival, world_.now() + after);
    world_.schedule_disconnect(connection.last_request_arrival, index, connection.session);
}

void Network::tell_server_gone(std::uint32_t index, SessionNumber session) {
    Connection& connection = connections_[index];
    if (wall_met(connection.server, connection.client) != nullptr) return;
    Instant arrival = world_.now() + farewell_latency(connection);
    if (connection.session == session) {  // Answers that are on the wire already come first.
        arrival = std::max(arrival, connection.last_reply_arrival);
        connection.last_reply_arrival = arrival;
    }
    world_.schedule_server_gone(arrival, index, session);
}

Duration Network::latency(Label label, const Address& address, const Connection& connection) {
    return configuration_.latency.sample(world_.choices().bits(
               label, world_.key_of(address.subject), address.operation, address.occurrence)) +
           delay_between(connection.client, connection.server);
}

Duration Network::farewell_latency(const Connection& connection) {
    return configuration_.latency.sample(world_.choices().bits(
               Label{"latency.farewell"}, world_.node(connection.client).key, connection.opened)) +
           delay_between(connection.client, connection.server);
}

Duration Network::delay_between(NodeId one, NodeId other) {
    const Delay* longest = nullptr;
    for (const Delay& delay : delays_)
        if ((delay.node == one || delay.node == other) &&
            (longest == nullptr || delay.by > longest->by))
            longest = &delay;
    if (longest == nullptr) return {};
    world_.note_effect(longest->fault);
    return longest->by;
}

void Network::delay(NodeId node, Duration by, Instant until, std::uint32_t fault) {
    delays_.push_back({node, by, until, fault});
}

bool Network::end_delay(NodeId node, Instant now) {
    return std::erase_if(delays_, [&](const Delay& delay) {
               return delay.node == node && delay.until <= now;
           }) > 0;
}

const Network::Wall* Network::wall_between(NodeId from, NodeId to) const {
    for (const Wall& wall : walls_)
        if (wall.from == from && wall.to == to) return &wall;
    return nullptr;
}

const Network::Wall* Network::wall_met(NodeId from, NodeId to) {
    const Wall* const wall = wall_between(from, to);
    if (wall != nullptr) world_.note_effect(wall->fault);
    return wall;
}

bool Network::partition(NodeId from, NodeId to, Instant until, StepNumber because,
                        std::uint32_t fault) {
    for (Wall& wall : walls_) {
        if (wall.from != from || wall.to != to) continue;
        const bool is_longer = until > wall.until;
        wall.until = std::max(wall.until, until);
        return is_longer;
    }
    walls_.push_back({from, to, until, because, fault});
    return false;
}

bool Network::heal_partition(NodeId from, NodeId to, Instant now) {
    return std::erase_if(walls_, [&](const Wall& wall) {
               return wall.from == from && wall.to == to && wall.until <= now;
           }) > 0;
}

std::vector<std::pair<NodeId, NodeId>> Network::partitions() const {
    std::vector<std::pair<NodeId, NodeId>> all;
    for (const Wall& wall : walls_) all.emplace_back(wall.from, wall.to);
    return all;
}

}  // namespace redeliver::sim
