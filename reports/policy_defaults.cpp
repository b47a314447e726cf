#include "reports/policy_defaults.h"

#include <optional>

#include "scenarios/policies.h"
#include "scenarios/scenario.h"

namespace redeliver::reports {

namespace {

using scenarios::Policy;

template <class Enum>
std::uint16_t number(Enum value) {
    return static_cast<std::uint16_t>(value);
}

/// Nothing where a policy has no value that could depart, as with durations.
std::optional<std::uint16_t> default_of(Policy policy) {
    const scenarios::System system;
    switch (policy) {
    case Policy::retry_key: return number(system.users.retry_key);
    case Policy::publish_order: return number(system.gateway.publish);
    case Policy::acknowledge: return number(system.worker.acknowledge);
    case Policy::claim: return number(system.worker.claim);
    case Policy::deduplicate: return number(system.worker.deduplicate);
    case Policy::mark_done: return number(system.worker.mark_done);
    case Policy::short_circuit: return number(system.worker.short_circuit);
    case Policy::on_failure: return number(system.worker.on_failure);
    case Policy::judge_poison: return number(system.worker.judge_poison);
    case Policy::poison_actions: return number(system.worker.poison_actions);
    case Policy::consumer_names: return number(system.worker.consumer_names);
    case Policy::on_start: return number(system.worker.on_start);
    case Policy::republish: return number(system.republisher.republish);
    case Policy::prune: return number(system.pruner.prune);
    case Policy::trim: return number(system.gateway.trim);
    case Policy::unique_reply: return number(system.database.unique_reply);
    case Policy::unique_idempotency_key: return number(system.database.unique_idempotency_key);
    case Policy::status_changes: return number(system.worker.status_changes);
    case Policy::outbox_removal: return number(system.relay.remove);
    case Policy::outbox_lock: return number(system.relay.lock);
    case Policy::commit_unit: return number(system.worker.commit);
    case Policy::lock_order: return number(system.worker.lock_order);
    case Policy::threshold_unit: return number(system.worker.threshold_unit);
    case Policy::give_back: return number(system.gateway.give_back);
    case Policy::pool_timeout:
    case Policy::idle_threshold: return {};
    }
    return {};
}

}  // namespace

bool departs_from_default(std::uint16_t policy, std::uint16_t value) {
    const auto usual = default_of(static_cast<Policy>(policy));
    return usual && *usual != value;
}

}  // namespace redeliver::reports
