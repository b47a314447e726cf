#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/redis/configuration.h"
#include "model/redis/resp/request_reader.h"
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
    /// To be closed once what was sent before has left.
    std::vector<SessionId> closed;
};

/// A Server as its clients see it: bytes in, bytes out, for any number of connections, still
/// without a socket, a thread or a clock. Here live the commands that concern the connection or the
/// process rather than the data (HELLO, CLIENT, INFO, CONFIG, DEBUG ...).
class Endpoint {
public:
    explicit Endpoint(Configuration configuration = {}, RequestLimits limits = {});

    void connect(SessionId session);
    /// Bytes of any size, cut anywhere: pipelined requests are answered in their order.
    void receive(SessionId session, std::string_view bytes, sim::WallTime now, Traffic& out);
    void disconnect(SessionId session, sim::WallTime now, Traffic& out);
    void advance(sim::WallTime now, Traffic& out);
    std::optional<sim::WallTime> next_deadline() const;

    Server& server();
};

}  // namespace redeliver::model::redis::resp
