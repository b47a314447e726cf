#pragma once

#include <cstdint>
#include <vector>

#include "sim/distribution.h"
#include "sim/node.h"
#include "sim/operation.h"
#include "sim/process.h"
#include "sim/scheduler.h"

namespace redeliver::sim {

/// A client's end of a connection, which is opened at the first request and again after it was
/// lost.
enum class ConnectionId : std::uint32_t {};

/// What the client can know about a request.
enum class Fate : std::uint8_t {
    arrived,  ///< an answer came, be it the server's error
    refused,  ///< nothing reached the network
    lost      ///< no answer will come: the server may have applied it or not
};

/// Requests and answers over connections: first in, first out in each direction, with latency,
/// one-way partitions, resets, and messages that the wire swallows.
///
/// A connection that lost a message delivers nothing further in that direction, as TCP would not
/// skip it. A client that gives up waiting closes its end: what it does not read cannot be told
/// from the answer to its next request. That does not cancel what the server does.
class Network {
public:
    struct Configuration {
        /// One way, drawn for every message.
        Distribution latency =
            uniform(std::chrono::microseconds{200}, std::chrono::milliseconds{2});
        /// How long it takes to learn that a silent server cannot be connected to.
        Duration connect_timeout = std::chrono::seconds{1};
        /// When a server gives up a session whose machine vanished without a farewell.
        Duration keepalive = std::chrono::seconds{60};
    };

    Network(World& world, const Configuration& configuration)
        : world_(world), configuration_(configuration) {}

    ConnectionId connect(NodeId client, NodeId server);
    /// Whether the client still believes in the session of its last request.
    bool is_open(ConnectionId connection) const { return at(connection).is_open; }

    /// What may be done when the connection was lost since the last request.
    enum class Continuity : std::uint8_t {
        any_session,  ///< connect again
        same_session  ///< refuse: the request makes sense only in the session that is gone
    };

    /// Begins a request: counts it, and lets a fault strike before it is sent. Not valid when the
    /// server cannot be reached, which takes the time that it takes to find out. `subject` none
    /// stands for the client's node: a poll.
    ExchangeId begin(Process& self, ConnectionId connection, OperationKind operation,
                     Subject subject, Continuity continuity = Continuity::any_session);
    static bool is_valid(ExchangeId exchange) { return exchange.index != ExchangeId{}.index; }

    /// Sends the request begun and blocks until its fate is known.
    Fate await(Process& self, ExchangeId exchange, Duration timeout);

    /// The client has taken the answer out: call after `await`, whatever the fate was.
    void finish(ExchangeId exchange);

    // For services.

    SessionNumber session_of(ExchangeId exchange) const { return at(exchange).session; }
    NodeId client_of(ExchangeId exchange) const { return at(exchange).client; }
    Address address_of(ExchangeId exchange) const { return at(exchange).address; }
    /// The step that put the request on the wire: the cause of whatever serves it.
    StepNumber sent_step(ExchangeId exchange) const { return at(exchange).sent; }
    /// Whether the server still owes an answer: the request was not cut off meanwhile.
    bool is_owed(ExchangeId exchange) const;
    /// Sends the answer of `content` (a hash of it) on its way; ignored when none is owed.
    void reply(ExchangeId exchange, std::uint64_t content);

    // For the world.

    enum class Direction : std::uint8_t { request, reply };
    /// Of a message on the wire: the business of its client, in the order of its session.
    Turn turn_of(ExchangeId exchange, Direction direction) const;
    /// Of everything on the wire, at servers and between nodes, in no order.
    std::uint64_t outline() const;
    /// Who opened a session, as far as its connection has not been opened again.
    NodeId client_of_session(SessionNumber session) const;
    /// Of a farewell, in the order of the session that it ends.
    Turn turn_of(std::uint32_t connection, SessionNumber session, Direction direction) const;

    void on_arrival(ExchangeId exchange);
    void on_reply_arrival(ExchangeId exchange);
    void on_disconnect(std::uint32_t connection, SessionNumber session);
    void on_server_gone(std::uint32_t connection, SessionNumber session);
    NodeId server_of_exchange(std::uint32_t index) const { return exchanges_[index].server; }
    NodeId client_of_exchange(std::uint32_t index) const { return exchanges_[index].client; }
    NodeId server_of_connection(std::uint32_t index) const { return connections_[index].server; }
    NodeId client_of_connection(std::uint32_t index) const { return connections_[index].client; }

    /// Closes every connection of a node that crashed.
    void node_crashed(NodeId node, CrashOf of);
    /// Both ends of the node's connections learn that they are gone.
    /// False when it had none.
    bool reset_node(NodeId node);
    /// Only the sessions that clients have with this server end: a standby took over.
    void server_lost(NodeId node, CrashOf of);
    /// Nothing sent by `from` reaches `to` before `until`; of several partitions the last counts.
    /// True when it makes an earlier one last longer.
    bool partition(NodeId from, NodeId to, Instant until, StepNumber because,
                   std::uint32_t fault = no_fault);
    /// False when there was no such partition, or it lasts beyond `now`.
    bool heal_partition(NodeId from, NodeId to, Instant now);
    std::vector<std::pair<NodeId, NodeId>> partitions() const;
    /// The node's ends of its connections are gone, and the other ends do not know. False when it
    /// had none.
    bool half_open(NodeId node);
    /// What a node sends and is sent takes `by` longer until `until`; of several delays of a node
    /// the longest counts.
    void delay(NodeId node, Duration by, Instant until, std::uint32_t fault);
    /// False when there was none that ended by `now`.
    bool end_delay(NodeId node, Instant now);

    /// Requests under way that are about something other than a node's own polling.
    std::size_t in_flight_about_subjects() const { return about_subjects_; }

private:
    struct Connection {
        NodeId client;
        NodeId server;
        bool is_open = false;  // As the client sees it.
        bool loses_requests = false;
        bool loses_replies = false;
        SessionNumber session = 0;
        SessionNumber ended = 0;   // The last session that the server has seen the end of.
        std::uint32_t opened = 0;  // How many sessions this client has had.
        std::uint32_t server_incarnation = 0;
        Instant last_request_arrival{};
        Instant last_reply_arrival{};
        ExchangeId current{};
    };
    /// Where a request, or its answer, is.
    enum class Place : std::uint8_t { with_client, to_server, at_server, to_client, gone };
    struct Exchange {
        std::uint32_t generation = 0;
        std::uint32_t connection = 0;
        SessionNumber session = 0;
        std::uint32_t server_incarnation = 0;
        NodeId client{};
        NodeId server{};
        Address address{};
        Process* waiting = nullptr;  // The client, while it waits.
        Agenda::Handle deadline{};
        StepNumber sent = no_step;
        StepNumber replied = no_step;
        StepNumber trouble = no_step;  // What kept the answer away.
        Place place = Place::gone;
        bool client_holds = false;
        std::uint32_t dropped_by = no_fault;
        bool has_arrived = false;
        bool was_reset = false;
    };
    struct Wall {
        NodeId from;
        NodeId to;
        Instant until;
        StepNumber because;
        std::uint32_t fault;
    };
    struct Delay {
        NodeId node;
        Duration by;
        Instant until;
        std::uint32_t fault;
    };

    Connection& at(ConnectionId id) { return connections_[static_cast<std::size_t>(id)]; }
    const Connection& at(ConnectionId id) const {
        return connections_[static_cast<std::size_t>(id)];
    }
    const Exchange& at(ExchangeId id) const { return exchanges_[id.index]; }
    bool is_current(ExchangeId id) const {
        return exchanges_[id.index].generation == id.generation;
    }
    bool is_reachable(const Connection& connection);
    void open(Connection& connection);
    void refuse(Process& self, const Connection& connection, const Address& address);
    ExchangeId allocate(ConnectionId connection, const Address& address);
    void put(std::uint32_t index, Place place);
    void let_go(std::uint32_t index);
    void send(Process& self, ExchangeId id);
    void swallow(Exchange& exchange, Swallowed what, StepNumber because);
    bool reached_dead_end(const Exchange& exchange);
    Fate conclude_loss(Process& self, ExchangeId id);
    void close_by_client(std::uint32_t connection);
    void cut_off(SessionNumber session, StepNumber because);
    void client_crashed(std::uint32_t index, CrashOf of);
    void tell_client_gone(std::uint32_t connection, Duration after);
    void tell_server_gone(std::uint32_t connection, SessionNumber session);
    Duration latency(Label label, const Address& address, const Connection& connection);
    Duration farewell_latency(const Connection& connection);
    /// How much longer a message between the two takes.
    Duration delay_between(NodeId one, NodeId other);
    const Wall* wall_between(NodeId from, NodeId to) const;
    /// The same for a message that is to go there now and would arrive but for the wall.
    const Wall* wall_met(NodeId from, NodeId to);
    void lose_client_end(std::uint32_t index, StepNumber because);
    void lose_server_end(std::uint32_t index, StepNumber because);

    World& world_;
    Configuration configuration_;
    std::vector<Connection> connections_;
    std::vector<Exchange> exchanges_;
    std::vector<std::uint32_t> free_;
    std::vector<Wall> walls_;
    std::vector<Delay> delays_;
    std::size_t about_subjects_ = 0;
    SessionNumber next_session_ = 1;
};

}  // namespace redeliver::sim
