#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "model/redis/resp/endpoint.h"
#include "sim/time.h"

namespace redeliver::model::redis::resp {

/// An endpoint without sockets, and what its clients have been sent.
class Desk {
public:
    explicit Desk(Settings settings = {}) : endpoint(settings) {}

    SessionId connect(std::uint64_t number) {
        const SessionId session{number};
        endpoint.connect(session, {.remote = "10.0.0.1:1000", .local = "10.0.0.2:6379"}, now,
                         traffic);
        return session;
    }
    /// Everything it was sent and has not been asked for, after this request.
    std::string ask(SessionId session, std::initializer_list<std::string_view> words) {
        std::string request = "*" + std::to_string(words.size()) + "\r\n";
        for (const std::string_view word : words)
            request += "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
        return send(session, request);
    }
    std::string send(SessionId session, std::string_view bytes) {
        endpoint.receive(session, bytes, now, traffic);
        return heard(session);
    }
    std::string heard(SessionId session) {
        std::string bytes;
        for (Traffic::Bytes& sent : traffic.sent)
            if (sent.to == session) bytes += std::exchange(sent.bytes, {});
        return bytes;
    }
    void wait(sim::Duration duration) {
        now += duration;
        endpoint.advance(now, traffic);
    }
    bool has_closed(SessionId session) const {
        return std::count(traffic.closed.begin(), traffic.closed.end(), session) == 1;
    }

    Endpoint endpoint;
    Traffic traffic;
    sim::WallTime now = sim::wall_start;
};

}  // namespace redeliver::model::redis::resp
