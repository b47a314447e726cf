#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/network.h"
#include "sim/process.h"

namespace redeliver::scenarios {

/// The connections that one process has with a server, lent to its handlers, each to one at a time.
///
/// A crash ends the pool with the process: whoever is killed over a connection gives nothing back.
class ConnectionPool {
public:
    /// Of so many connections, opened when they are first used.
    ConnectionPool(sim::World& world, sim::NodeId client, sim::NodeId server, std::uint32_t size);

    /// Blocks until a connection is free, first come first served; nothing when none was within
    /// `timeout`.
    std::optional<sim::ConnectionId> borrow(sim::Process& self, sim::Duration timeout);
    /// Of one that was borrowed.
    void give_back(sim::ConnectionId connection);

private:
    struct Waiter {
        sim::Process& process;
        std::optional<sim::ConnectionId> lent = {};
    };

    sim::World& world_;
    std::vector<sim::ConnectionId> free_;
    std::deque<Waiter*> waiting_;
};

}  // namespace redeliver::scenarios
