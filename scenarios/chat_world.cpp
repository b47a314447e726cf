#include "scenarios/chat_world.h"

#include <algorithm>
#include <utility>

#include "model/database/chat_schema.h"
#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios {

namespace database = model::database;
namespace redis = model::redis;

namespace {

/// Whether some fault may make this server lose something, so that it must keep what that takes.
bool may_lose(const Plan& plan, std::string_view server) {
    return std::ranges::any_of(plan.faults, [&](const sim::Fault& fault) {
        return fault.target == server && (std::holds_alternative<sim::Crash>(fault.what) ||
                                          std::holds_alternative<sim::Failover>(fault.what));
    });
}

sim::Duration longest_lag(const Plan& plan, std::string_view server) {
    sim::Duration longest{};
    for (const sim::Fault& fault : plan.faults)
        if (const auto* const failover = std::get_if<sim::Failover>(&fault.what))
            if (fault.target == server) longest = std::max(longest, failover->lag);
    return longest;
}

sim::World::Configuration world_of(const Scenario& scenario, std::uint64_t seed,
                                   sim::World::Budget budget) {
    return {.seed = seed,
            .operations = model::operation_texts(),
            .series = model::run_series(),
            .network = {.latency = scenario.system.network.latency},
            .budget = budget};
}

redis::Configuration broker_of(const Scenario& scenario, const Plan& plan) {
    using Fsync = redis::Configuration::Appendfsync;
    redis::Configuration configuration;
    switch (scenario.system.broker.appendfsync) {
    case Appendfsync::always: configuration.appendfsync = Fsync::always; break;
    case Appendfsync::everysec: configuration.appendfsync = Fsync::everysec; break;
    case Appendfsync::no: configuration.appendfsync = Fsync::no; break;
    }
    if (may_lose(plan, broker_name))
        configuration.record = redis::Configuration::Record::propagated;
    configuration.retained_time =
        std::max(configuration.retained_time, longest_lag(plan, broker_name));
    return configuration;
}

database::Schema schema_of(const System& system) {
    using Key = database::chat::Options::Key;
    using Has = database::chat::Options::Has;
    const Database& policy = system.database;
    const auto key = [](UniqueKey unique) {
        return unique == UniqueKey::present ? Key::present : Key::absent;
    };
    const auto only_if = [](bool claim) { return claim ? Has::yes : Has::no; };
    return database::chat::schema(
        {.unique_idempotency_key = key(policy.unique_idempotency_key),
         .unique_reply = key(policy.unique_reply),
         .outbox = only_if(uses_outbox(system.gateway.publish)),
         .processed_messages = only_if(uses_marks(system.worker.deduplicate)),
         .leases = only_if(uses_leases(system.worker.deduplicate))});
}

database::Configuration database_of(const Database& policy, const Plan& plan) {
    database::Configuration configuration;
    configuration.connection_limit = policy.connection_limit;
    configuration.lock_timeout = policy.lock_timeout;
    configuration.statement_timeout = policy.statement_timeout;
    configuration.deadlock_timeout = policy.deadlock_timeout;
    if (policy.synchronous_commit == SynchronousCommit::off)
        configuration.synchronous_commit = database::SynchronousCommit::off;
    if (may_lose(plan, database_name))
        configuration.retain = configuration.wal_flush_interval + longest_lag(plan, database_name);
    return configuration;
}

/// A commit that waits for nothing does not wait for the replica either.
DatabaseService::Replica replica_of(const Database& policy) {
    const bool waits = policy.replication == Replication::synchronous &&
                       policy.synchronous_commit == SynchronousCommit::on;
    return waits ? DatabaseService::Replica::keeps_up : DatabaseService::Replica::lags;
}

/// What a node's draws go by whatever it is called.
template <class Actors>
std::string usual_name(const Actors&, std::uint32_t number) {
    return numbered(Actors{}.name, number);
}

std::uint64_t hash(const SubmissionAnswer& answer) {
    return sim::mix(static_cast<std::uint64_t>(answer.answer) + 1,
                    static_cast<std::uint32_t>(answer.run));
}

}  // namespace

ChatWorld::ChatWorld(const Scenario& scenario, const Plan& plan, std::uint64_t seed,
                     sim::StackPool& stacks, sim::World::Budget budget)
    : world_(world_of(scenario, seed, budget), stacks),
      broker_(world_, broker_of(scenario, plan)),
      database_(world_, schema_of(scenario.system), database_of(scenario.system.database, plan),
                replica_of(scenario.system.database)),
      stage_{.scenario = scenario, .plan = plan, .broker = broker_, .database = database_},
      messages_of_user_(scenario.system.users.count) {
    for (const Message& message : plan.messages) {
        if (message.number >= stage_.by_number.size())
            stage_.by_number.resize(message.number + 1, nullptr);
        stage_.by_number[message.number] = &message;
        messages_of_user_[(message.user - 1) % messages_of_user_.size()].push_back(&message);
    }
    add_servers();
    add_gateways();
    add_workers();
    add_users();
    add_housekeeping();
    if (uses_outbox(scenario.system.gateway.publish)) add_relays();
    world_.arm(plan.faults, sim::at(scenario.faults.until));
    world_.follow(plan.schedule);
}

void ChatWorld::add_servers() {
    broker_.attach(world_.add_node(
        {.name = std::string(broker_name), .service = &broker_, .obedient = &broker_}));
    database_.attach(world_.add_node(
        {.name = std::string(database_name), .service = &database_, .obedient = &database_}));
    sim::ensure(broker_.node() == broker_node && database_.node() == database_node,
                "the servers are the first two nodes");
}

void ChatWorld::add_gateways() {
    const Gateway& policy = stage_.system().gateway;
    for (std::uint32_t number = 1; number <= policy.count; ++number) {
        auto& inbox = *stage_.inboxes.emplace_back(std::make_unique<GatewayInbox>(world_, &hash));
        const auto boot = [this, &inbox, &policy](sim::World& world, sim::NodeId node) {
            std::shared_ptr<ConnectionPool> pool;
            if (policy.pool > 0)
                pool = std::make_shared<ConnectionPool>(world, node, database_.node(), policy.pool);
            for (std::uint32_t handler = 0; handler < policy.handlers; ++handler)
                world.spawn(node, [this, &inbox, pool](sim::Process& self) {
                    run_gateway(self, stage_, inbox, pool.get());
                });
        };
        stage_.gateways.push_back(world_.add_node({.name = numbered(policy.name, number),
                                                   .boot = boot,
                                                   .service = &inbox,
                                                   .draws_as = usual_name(policy, number)}));
    }
}

void ChatWorld::add_workers() {
    const auto boot = [this](sim::World& world, sim::NodeId node) {
        world.spawn(node, [this](sim::Process& self) { run_worker(self, stage_); });
    };
    const Worker& policy = stage_.system().worker;
    for (std::uint32_t number = 1; number <= policy.count; ++number) {
        ToldWorker& told = told_workers_.emplace_back(world_, stage_);
        told.attach(world_.add_node({.name = numbered(policy.name, number),
                                     .boot = boot,
                                     .obedient = &told,
                                     .draws_as = usual_name(policy, number)}));
    }
}

void ChatWorld::add_relays() {
    const auto boot = [this](sim::World& world, sim::NodeId node) {
        world.spawn(node, [this](sim::Process& self) { run_relay(self, stage_); });
    };
    const Relay& policy = stage_.system().relay;
    for (std::uint32_t number = 1; number <= policy.count; ++number)
        world_.add_node({.name = numbered(policy.name, number),
                         .boot = boot,
                         .draws_as = usual_name(policy, number)});
}

void ChatWorld::add_users() {
    const Users& policy = stage_.system().users;
    for (std::uint32_t number = 1; number <= policy.count; ++number) {
        auto& messages = messages_of_user_[number - 1];
        std::ranges::stable_sort(messages, {}, &Message::at);
        const auto boot = [this, &messages](sim::World& world, sim::NodeId node) {
            world.spawn(
                node, [this, &messages](sim::Process& self) { run_user(self, stage_, messages); });
        };
        ToldUser& told = told_users_.emplace_back(world_, stage_, messages);
        told.attach(world_.add_node({.name = numbered(policy.name, number),
                                     .boot = boot,
                                     .obedient = &told,
                                     .draws_as = usual_name(policy, number)}));
    }
}

void ChatWorld::add_housekeeping() {
    const auto add = [this](std::string_view name, void (*run)(sim::Process&, Stage&)) {
        const auto boot = [this, run](sim::World& world, sim::NodeId node) {
            world.spawn(node, [this, run](sim::Process& self) { run(self, stage_); });
        };
        world_.add_node({.name = std::string(name), .boot = boot});
    };
    if (stage_.system().republisher.republish != Republish::never)
        add(republisher_name, &run_republisher);
    if (stage_.system().pruner.prune != Prune::never) add(pruner_name, &run_pruner);
}

}  // namespace redeliver::scenarios
