// The republisher, which heals what was inserted and never published, and the pruner.

#include "model/operations.h"
#include "scenarios/cast/stage.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/database_client.h"

namespace redeliver::scenarios {

namespace {

constexpr std::size_t rows_per_poll = 100;

/// While the group lags or works, an old row is a backlog and no accident.
bool may_be_a_backlog(BrokerClient& broker, Republish policy) {
    if (policy == Republish::by_age_when_idle) {
        const auto backlog = broker.backlog();
        return !backlog.arrived() || backlog.value() != std::uint64_t{0};
    }
    if (policy == Republish::by_age_when_read) {
        const auto owes = broker.owes_anything();
        return !owes.arrived() || owes.value();
    }
    return false;
}

void republish_once(BrokerClient& broker, DatabaseClient& database, const Republisher& policy) {
    if (may_be_a_backlog(broker, policy.republish)) return;
    // What a worker made running and died of is as stale as what nobody was told of.
    using Stale = DatabaseClient::Stale;
    const auto stale = database.stale_runs(policy.age, rows_per_poll,
                                           policy.republish == Republish::unfinished_by_age
                                               ? Stale::pending_or_running
                                               : Stale::pending);
    if (!stale.arrived()) return;
    for (const DatabaseClient::Run& row : stale.value())
        if (!broker.publish(row.run, row.session, {}).arrived()) return;
}

}  // namespace

void run_republisher(sim::Process& self, Stage& stage) {
    const Republisher& policy = stage.system().republisher;
    BrokerClient broker(self, stage.broker, stage.system().gateway.timeout);
    DatabaseClient database(self, stage.database, stage.system().gateway.timeout);
    while (true) {
        self.sleep_for(policy.interval);
        decide(self, sim::Subject::none, Policy::republish, policy.republish);
        republish_once(broker, database, policy);
    }
}

void run_pruner(sim::Process& self, Stage& stage) {
    const Pruner& policy = stage.system().pruner;
    BrokerClient broker(self, stage.broker, stage.system().gateway.timeout);
    while (true) {
        self.sleep_for(policy.interval);
        decide(self, sim::Subject::none, Policy::prune, policy.prune);
        const auto consumers = broker.consumers();
        if (!consumers.arrived()) continue;
        for (const model::redis::ConsumerInfo& consumer : consumers.value()) {
            if (consumer.idle_time < policy.idle) continue;
            if (policy.prune == Prune::idle_without_pending && consumer.pending > 0) continue;
            // Whatever it was given since we looked goes with it.
            broker.delete_consumer(consumer.name);
        }
    }
}

const Message& Stage::message_of(sim::Subject run) const {
    const std::uint32_t number = sim::number_of(run);
    sim::ensure(number < by_number.size() && by_number[number] != nullptr,
                "every run comes from a message of the plan");
    return *by_number[number];
}

}  // namespace redeliver::scenarios
