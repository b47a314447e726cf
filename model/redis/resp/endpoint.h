#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/redis/resp/process.h"
#include "model/redis/resp/settings.h"
#include "model/redis/server.h"
#include "model/redis/session.h"
#include "sim/time.h"

namespace redeliver::model::redis::resp {

/// What a call on an Endpoint caused.
struct Traffic {
    struct Bytes {
        SessionId to;
        std::string bytes;
    };
    std::vector<Bytes> sent;
    /// To be closed once what was sent before has left. The endpoint knows them no more.
    std::vector<SessionId> closed;
    /// SHUTDOWN was executed: whoever drives the endpoint closes everything and ends.
    bool shutdown = false;
};

/// A Server as its clients see it: bytes in, bytes out, for any number of connections, still
/// without a socket, a thread or a clock. Here live the commands that concern the connection or the
/// process rather than the data (HELLO, CLIENT, INFO, CONFIG, DEBUG ...).
///
/// Bytes that are no request, and requests that are HTTP, end their connection, and harm no other.
class Endpoint {
public:
    explicit Endpoint(Settings settings = {});
    ~Endpoint();

    /// A connection begins, or is turned away when there are `max_clients` already.
    void connect(SessionId session, Ends ends, sim::WallTime now, Traffic& out);
    /// Bytes of any size, cut anywhere: pipelined requests are answered in their order. Bytes of a
    /// connection that is closing are dropped.
    void receive(SessionId session, std::string_view bytes, sim::WallTime now, Traffic& out);
    /// The client is gone. Nothing happens when the endpoint had closed the connection itself.
    void disconnect(SessionId session, sim::WallTime now, Traffic& out);
    void advance(sim::WallTime now, Traffic& out);
    std::optional<sim::WallTime> next_deadline() const;

    /// The port that was picked when none was asked for.
    void listens_on(std::uint16_t port) { process_->settings.port = port; }

    Server& server() { return process_->server; }
    const Settings& settings() const { return process_->settings; }
    std::size_t connections() const { return process_->connections.size(); }

private:
    using Request = std::variant<Words, ProtocolError>;

    void read_requests(Connection& connection, sim::WallTime now, Traffic& out);
    void read_resumed(sim::WallTime now, Traffic& out);
    void take(Connection& connection, const Request& request, sim::WallTime now, Traffic& out);
    void execute(Connection& connection, const Words& words, sim::WallTime now, Traffic& out);
    bool execute_at_once(Connection& connection, const Words& words, std::string_view name,
                         sim::WallTime now, Traffic& out);
    void shut_down(Connection& connection, const Words& words, Traffic& out);
    void reset(Connection& connection, sim::WallTime now, Traffic& out);
    void deliver(Output& output, sim::WallTime now, Traffic& out);
    void follow_transaction(SessionId session);
    void count(Connection& connection, const Reply& reply);
    void send(Connection& connection, const Reply& reply, Traffic& out);
    void close(SessionId session, sim::WallTime now, Traffic& out);
    void close_the_killed(sim::WallTime now, Traffic& out);

    /// In one place for good, because the server's host refers to it.
    std::unique_ptr<Process> process_;
    /// Whose blocking reads have ended, in that order: what they sent meanwhile is read next.
    std::deque<SessionId> resumed_;
    /// What the requests at work have caused in the server.
    Output output_;
};

}  // namespace redeliver::model::redis::resp
