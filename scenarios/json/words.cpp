#include "scenarios/json/words.h"

#include <array>

namespace redeliver::scenarios::json {

namespace {

constexpr auto retry_key = std::to_array<std::string_view>({"same", "fresh"});
constexpr auto publish_order =
    std::to_array<std::string_view>({"after_insert", "before_insert", "outbox", "outbox_apart"});
constexpr auto acknowledge_policy = std::to_array<std::string_view>(
    {"after_work", "before_work", "never", "last_of_batch", "each_then_batch"});
constexpr auto threshold_unit =
    std::to_array<std::string_view>({"milliseconds", "sent_as_seconds", "read_as_seconds"});
constexpr auto claim_policy =
    std::to_array<std::string_view>({"abandoned_first", "fresh_first", "never"});
constexpr auto deduplicate = std::to_array<std::string_view>(
    {"unique_reply", "setnx_before_work", "check_then_insert", "none", "processed_messages",
     "processed_before", "processed_after", "state_machine", "state_machine_unchecked",
     "state_machine_stuck", "lease", "lease_without_fencing", "lease_renewed_blindly"});
constexpr auto mark_done =
    std::to_array<std::string_view>({"with_reply", "before_reply", "after_reply"});
constexpr auto short_circuit = std::to_array<std::string_view>({"skip_done", "always_work"});
constexpr auto on_failure = std::to_array<std::string_view>({"leave_pending", "acknowledge"});
constexpr auto judge_poison =
    std::to_array<std::string_view>({"after_failure", "before_and_after", "never", "by_own_count"});
constexpr auto poison_actions =
    std::to_array<std::string_view>({"add_ack_mark", "mark_add_ack", "ack_add_mark", "atomic",
                                     "add_without_ack", "ack_without_add"});
constexpr auto status_changes = std::to_array<std::string_view>({"unconditional", "conditional"});
constexpr auto consumer_names = std::to_array<std::string_view>({"stable", "random"});
constexpr auto on_start = std::to_array<std::string_view>(
    {"nothing", "own_history", "own_history_once", "abandoned", "abandoned_once"});
constexpr auto commit_unit = std::to_array<std::string_view>({"each", "batch"});
constexpr auto lock_order = std::to_array<std::string_view>({"as_read", "by_id"});
constexpr auto give_back = std::to_array<std::string_view>({"always", "unless_failed"});
constexpr auto outbox_removal =
    std::to_array<std::string_view>({"after_publish", "before_publish"});
constexpr auto outbox_lock = std::to_array<std::string_view>({"skip_locked", "for_update", "none"});
constexpr auto republish = std::to_array<std::string_view>(
    {"never", "by_age", "by_age_when_idle", "unfinished_by_age", "by_age_when_read"});
constexpr auto prune = std::to_array<std::string_view>({"never", "idle", "idle_without_pending"});
constexpr auto trim_policy =
    std::to_array<std::string_view>({"never", "maxlen_exact", "maxlen_approximate"});
constexpr auto appendfsync = std::to_array<std::string_view>({"always", "everysec", "no"});
constexpr auto unique_key = std::to_array<std::string_view>({"present", "absent"});
constexpr auto synchronous_commit = std::to_array<std::string_view>({"on", "off"});
constexpr auto replication = std::to_array<std::string_view>({"asynchronous", "synchronous"});
constexpr auto fault_kind = std::to_array<std::string_view>({"crash_worker",  "crash_gateway",
                                                             "crash_broker",  "crash_database",
                                                             "lose_broker",   "fail_over_broker",
                                                             "pause_worker",  "slow_worker",
                                                             "lose_request",  "lose_reply",
                                                             "reset",         "partition",
                                                             "clock_step",    "fail_over_database",
                                                             "lose_database", "pause_server",
                                                             "pause_near",    "half_open",
                                                             "cut_off",       "latency_burst",
                                                             "clock_drift",   "limit_memory",
                                                             "trim_stream",   "delete_consumer",
                                                             "destroy_group", "set_group_id",
                                                             "hold_locks",    "take_connections",
                                                             "retry_storm",   "deploy"});
static_assert(fault_kind.size() == fault_kind_count);
constexpr auto ways = std::to_array<std::string_view>({"one", "both"});
constexpr auto content = std::to_array<std::string_view>({"healthy", "poison", "killer", "flaky"});
constexpr auto crash_of = std::to_array<std::string_view>({"process", "machine"});
constexpr auto point = std::to_array<std::string_view>(
    {"before_send", "before_apply", "after_apply", "after_reply", "start", "middle", "end"});
constexpr auto excuse = std::to_array<std::string_view>({"nothing", "forgotten"});
constexpr auto needs =
    std::to_array<std::string_view>({"no_fault", "one_fault", "two_faults", "schedule"});

}  // namespace

Words words_of(RetryKey) { return retry_key; }
Words words_of(PublishOrder) { return publish_order; }
Words words_of(AcknowledgePolicy) { return acknowledge_policy; }
Words words_of(ThresholdUnit) { return threshold_unit; }
Words words_of(ClaimPolicy) { return claim_policy; }
Words words_of(Deduplicate) { return deduplicate; }
Words words_of(MarkDone) { return mark_done; }
Words words_of(ShortCircuit) { return short_circuit; }
Words words_of(OnFailure) { return on_failure; }
Words words_of(JudgePoison) { return judge_poison; }
Words words_of(PoisonActions) { return poison_actions; }
Words words_of(StatusChanges) { return status_changes; }
Words words_of(ConsumerNames) { return consumer_names; }
Words words_of(OnStart) { return on_start; }
Words words_of(CommitUnit) { return commit_unit; }
Words words_of(LockOrder) { return lock_order; }
Words words_of(GiveBack) { return give_back; }
Words words_of(OutboxRemoval) { return outbox_removal; }
Words words_of(OutboxLock) { return outbox_lock; }
Words words_of(Republish) { return republish; }
Words words_of(Prune) { return prune; }
Words words_of(TrimPolicy) { return trim_policy; }
Words words_of(Appendfsync) { return appendfsync; }
Words words_of(UniqueKey) { return unique_key; }
Words words_of(SynchronousCommit) { return synchronous_commit; }
Words words_of(Replication) { return replication; }
Words words_of(FaultKind) { return fault_kind; }
Words words_of(model::Content) { return content; }
Words words_of(sim::CrashOf) { return crash_of; }
Words words_of(sim::Point) { return point; }
Words words_of(sim::Ways) { return ways; }
Words words_of(properties::Terms::Excuse) { return excuse; }
Words words_of(Needs) { return needs; }

}  // namespace redeliver::scenarios::json
