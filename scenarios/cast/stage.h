#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/steps.h"
#include "model/subjects.h"
#include "scenarios/plan.h"
#include "scenarios/policies.h"
#include "scenarios/scenario.h"
#include "scenarios/services/connection_pool.h"
#include "scenarios/services/database_service.h"
#include "scenarios/services/redis_service.h"
#include "sim/inbox.h"
#include "sim/process.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// A user's request to a gateway.
struct Submission {
    sim::Subject intention = sim::Subject::none;
    std::uint32_t session = 0;
    std::string idempotency_key;
};

/// The gateway's answer: the run's id, unless it was rejected.
struct SubmissionAnswer {
    model::Answer answer = model::Answer::rejected;
    sim::Subject run = sim::Subject::none;
};

using GatewayInbox = sim::Inbox<Submission, SubmissionAnswer>;

/// What the actors of one trial share: the system they are part of, and the servers they know.
struct Stage {
    const Scenario& scenario;
    const Plan& plan;
    RedisService& broker;
    DatabaseService& database;
    std::vector<std::unique_ptr<GatewayInbox>> inboxes = {};
    std::vector<sim::NodeId> gateways = {};
    std::vector<const Message*> by_number = {};   ///< Of the plan.
    std::vector<sim::Subject> told = {};          ///< Ids that users read in answers.
    std::vector<std::uint32_t> deployments = {};  ///< How often each node was, by number.

    const System& system() const { return scenario.system; }
    /// The message that a run came from.
    const Message& message_of(sim::Subject run) const;
};

/// Records where a policy made an actor do what it does next.
template <class Value>
void decide(sim::Process& self, sim::Subject about, Policy policy, Value value) {
    self.record(about, model::Decided{.policy = static_cast<std::uint16_t>(policy),
                                      .value = static_cast<std::uint16_t>(value)});
}

/// Sends the messages of one user, one after the other, and tries again when no answer comes.
void run_user(sim::Process& self, Stage& stage, const std::vector<const Message*>& messages);

/// One handler of a gateway: persists, publishes, answers. Without a pool it has a connection to
/// the database of its own.
void run_gateway(sim::Process& self, Stage& stage, GatewayInbox& inbox, ConnectionPool* pool);

/// Takes ids from the stream, does the work, stores the reply, acknowledges.
void run_worker(sim::Process& self, Stage& stage);

/// Publishes what gateways left in the outbox.
void run_relay(sim::Process& self, Stage& stage);

/// Publishes again what has been pending for too long.
void run_republisher(sim::Process& self, Stage& stage);

/// Deletes consumers that seem dead.
void run_pruner(sim::Process& self, Stage& stage);

}  // namespace redeliver::scenarios
