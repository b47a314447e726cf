#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/cast/stage.h"
#include "scenarios/cast/told.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"
#include "scenarios/services/database_service.h"
#include "scenarios/services/redis_service.h"
#include "sim/fiber.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// The chat back end of one trial: a world with the two servers and the cast, armed with the plan
/// and ready to run.
class ChatWorld {
public:
    /// The scenario and the plan must outlive it. Throws sim::PlanError.
    ChatWorld(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
              sim::StackPool& stacks, sim::World::Budget budget = {});
    ChatWorld(const ChatWorld&) = delete;
    ChatWorld& operator=(const ChatWorld&) = delete;

    sim::World& world() { return world_; }
    RedisService& broker() { return broker_; }
    DatabaseService& database() { return database_; }
    /// The ids that users were told so far.
    const std::vector<sim::Subject>& told() const { return stage_.told; }

private:
    void add_servers();
    void add_gateways();
    void add_workers();
    void add_users();
    void add_housekeeping();
    void add_relays();

    sim::World world_;
    RedisService broker_;
    DatabaseService database_;
    Stage stage_;
    std::vector<std::vector<const Message*>> messages_of_user_;
    std::deque<ToldUser> told_users_;
    std::deque<ToldWorker> told_workers_;
};

}  // namespace redeliver::scenarios
