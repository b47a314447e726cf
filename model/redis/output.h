#pragma once

#include <vector>

#include "model/redis/events.h"
#include "model/redis/replies.h"
#include "model/redis/session.h"

namespace redeliver::model::redis {

struct Sent {
    SessionId to;
    Reply reply;
};

/// What a call on the server caused. The server appends; the caller clears, and keeps the capacity.
struct Output {
    std::vector<Sent> replies;
    std::vector<Event> events;
    /// Connections that the server itself closed, after the replies above.
    std::vector<SessionId> closed;

    void clear() {
        replies.clear();
        events.clear();
        closed.clear();
    }
};

}  // namespace redeliver::model::redis
