#include "scenarios/services/connection_pool.h"

#include <utility>

#include "sim/world.h"

namespace redeliver::scenarios {

ConnectionPool::ConnectionPool(sim::World& world, sim::NodeId client, sim::NodeId server,
                               std::uint32_t size)
    : world_(world) {
    while (free_.size() < size) free_.push_back(world.network().connect(client, server));
}

std::optional<sim::ConnectionId> ConnectionPool::borrow(sim::Process& self, sim::Duration timeout) {
    if (!free_.empty()) {
        const sim::ConnectionId connection = free_.back();
        free_.pop_back();
        return connection;
    }
    Waiter waiter{.process = self};
    waiting_.push_back(&waiter);
    self.wait_for_signal_until(self.now() + timeout);
    // What is lent at the very instant of the deadline is lent nonetheless.
    if (!waiter.lent) std::erase(waiting_, &waiter);
    return waiter.lent;
}

void ConnectionPool::give_back(sim::ConnectionId connection) {
    if (waiting_.empty()) return free_.push_back(connection);
    Waiter& next = *waiting_.front();
    waiting_.pop_front();
    next.lent = connection;
    world_.signal(next.process);
}

}  // namespace redeliver::scenarios
