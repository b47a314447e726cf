#include "scenarios/policies.h"

#include <array>

#include "scenarios/json/words.h"

namespace redeliver::scenarios {

namespace {

/// A duration has no words; a step that names it says that it had passed.
constexpr std::array<std::string_view, 1> passed = {"passed"};

template <class Enum>
PolicyInfo info(Policy policy, std::string_view path) {
    return {.policy = policy, .path = path, .values = json::words_of(Enum{})};
}

}  // namespace

bool uses_outbox(PublishOrder policy) {
    return policy == PublishOrder::outbox || policy == PublishOrder::outbox_apart;
}

bool uses_marks(Deduplicate policy) {
    return policy == Deduplicate::processed_messages || policy == Deduplicate::processed_before ||
           policy == Deduplicate::processed_after;
}

bool uses_leases(Deduplicate policy) {
    return policy == Deduplicate::lease || policy == Deduplicate::lease_without_fencing ||
           policy == Deduplicate::lease_renewed_blindly;
}

std::span<const PolicyInfo> policy_table() {
    static const std::array table = {
        info<RetryKey>(Policy::retry_key, "/system/users/retry_key"),
        info<PublishOrder>(Policy::publish_order, "/system/gateway/publish"),
        info<AcknowledgePolicy>(Policy::acknowledge, "/system/worker/acknowledge"),
        info<ClaimPolicy>(Policy::claim, "/system/worker/claim"),
        info<Deduplicate>(Policy::deduplicate, "/system/worker/deduplicate"),
        info<MarkDone>(Policy::mark_done, "/system/worker/mark_done"),
        info<ShortCircuit>(Policy::short_circuit, "/system/worker/short_circuit"),
        info<OnFailure>(Policy::on_failure, "/system/worker/on_failure"),
        info<JudgePoison>(Policy::judge_poison, "/system/worker/judge_poison"),
        info<PoisonActions>(Policy::poison_actions, "/system/worker/poison_actions"),
        info<ConsumerNames>(Policy::consumer_names, "/system/worker/consumer_names"),
        info<OnStart>(Policy::on_start, "/system/worker/on_start"),
        info<Republish>(Policy::republish, "/system/republisher/republish"),
        info<Prune>(Policy::prune, "/system/pruner/prune"),
        info<TrimPolicy>(Policy::trim, "/system/gateway/trim"),
        PolicyInfo{Policy::idle_threshold, "/system/worker/idle_threshold", passed},
        info<UniqueKey>(Policy::unique_reply, "/system/database/unique_reply"),
        info<UniqueKey>(Policy::unique_idempotency_key, "/system/database/unique_idempotency_key"),
        info<StatusChanges>(Policy::status_changes, "/system/worker/status_changes"),
        info<OutboxRemoval>(Policy::outbox_removal, "/system/relay/remove"),
        info<OutboxLock>(Policy::outbox_lock, "/system/relay/lock"),
        PolicyInfo{Policy::pool_timeout, "/system/gateway/pool_timeout", passed},
        info<GiveBack>(Policy::give_back, "/system/gateway/give_back"),
        info<CommitUnit>(Policy::commit_unit, "/system/worker/commit"),
        info<LockOrder>(Policy::lock_order, "/system/worker/lock_order"),
        info<ThresholdUnit>(Policy::threshold_unit, "/system/worker/threshold_unit")};
    return table;
}

}  // namespace redeliver::scenarios
