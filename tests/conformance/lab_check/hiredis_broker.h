#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/services/redis_service.h"

struct redisContext;

namespace redeliver::conformance {

/// A redis-server that speaks for the broker model of a trial, through hiredis, one connection per
/// simulated connection. Its clock must show simulated time: whoever made the server says how.
class HiredisBroker final : public scenarios::Counterpart {
public:
    using SetClock = std::function<void(sim::WallTime)>;

    HiredisBroker(std::string socket_path, SetClock set_clock);
    ~HiredisBroker() override;

    void send(model::redis::SessionId session, const model::redis::Command& command,
              sim::WallTime now) override;
    model::redis::Reply receive(model::redis::SessionId session, sim::WallTime now,
                                const model::redis::Reply& modelled) override;
    void disconnect(model::redis::SessionId session) override;

    /// One command on a connection of its own. Throws std::runtime_error where `receive` does.
    model::redis::Reply ask(const model::redis::Command& command);

    std::size_t replies() const { return replies_; }
    /// How often the server said something else than the model, and what first.
    std::size_t disagreements() const { return disagreements_; }
    const std::string& first_disagreement() const { return first_disagreement_; }

private:
    struct Connection;
    Connection& connection(model::redis::SessionId session);

    std::string socket_path_;
    SetClock set_clock_;
    std::map<model::redis::SessionId, std::unique_ptr<Connection>> connections_;
    std::size_t replies_ = 0;
    std::size_t disagreements_ = 0;
    std::string first_disagreement_;
};

}  // namespace redeliver::conformance
