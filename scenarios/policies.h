#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// How the actors behave where reasonable designs differ, and where some are mistakes. A mistake is
/// a value here, never a patch: whoever reads a scenario sees what was decided.
namespace redeliver::scenarios {

// ------------------------------------------------------------------ users

/// The idempotency key of a retry.
enum class RetryKey : std::uint8_t {
    same,  ///< derived from the intention: equal on every retry
    fresh  ///< made up anew, which makes the unique key useless
};

// ------------------------------------------------------------------ gateways

enum class PublishOrder : std::uint8_t {
    after_insert,   ///< the row first: a failed publish leaves a row that can be healed
    before_insert,  ///< the id first: a worker may meet an id without a row
    outbox,         ///< leave it to a relay: a row that says so, in one transaction with the run
    outbox_apart    ///< the same, but that row in a transaction of its own, after the run's
};

/// When a gateway gives a connection back to its pool.
enum class GiveBack : std::uint8_t {
    always,
    unless_failed  ///< forgets to where a request fails: that connection is nobody's any more
};

// ------------------------------------------------------------------ workers

enum class AcknowledgePolicy : std::uint8_t {
    after_work,   ///< at least once
    before_work,  ///< at most once
    never,
    last_of_batch,   ///< after the work on all that was read at a time, the last one answered only
    each_then_batch  ///< each after its work, then all of the batch again, also what failed
};

/// What becomes of the threshold on its way to XAUTOCLAIM, which takes milliseconds.
enum class ThresholdUnit : std::uint8_t {
    milliseconds,     ///< it arrives as it was meant
    sent_as_seconds,  ///< the number of seconds is sent: a thousandth of what was meant
    read_as_seconds   ///< milliseconds were read as seconds: a thousand times what was meant
};

enum class ClaimPolicy : std::uint8_t {
    abandoned_first,  ///< read new entries only when nothing was claimed
    fresh_first,      ///< claim only when nothing new was there
    never
};

enum class Deduplicate : std::uint8_t {
    unique_reply,       ///< insert the reply on conflict do nothing
    setnx_before_work,  ///< SET NX PX a mark, work only if it was not there
    check_then_insert,  ///< look whether there is a reply, insert if not
    none,               ///< insert the reply

    processed_messages,  ///< insert a mark on conflict do nothing, in the reply's transaction
    processed_before,    ///< the mark in a transaction of its own, before the reply
    processed_after,     ///< look for a mark, and set it in a transaction of its own, afterwards

    state_machine,            ///< pending to running, then running to done: each change must match
    state_machine_unchecked,  ///< the same updates, whether or not they match anything
    state_machine_stuck,      ///< takes a running run for one that needs nobody any more

    lease,                  ///< work under a lease; the reply's transaction checks its token
    lease_without_fencing,  ///< work under a lease, and trust that it lasts
    lease_renewed_blindly   ///< the reply's transaction renews the lease, whoever has it by now
};

/// Whether a system needs the table `outbox` and relays, `processed_messages`, and `leases`.
bool uses_outbox(PublishOrder policy);
bool uses_marks(Deduplicate policy);
bool uses_leases(Deduplicate policy);

/// When the run becomes `done`.
enum class MarkDone : std::uint8_t {
    with_reply,    ///< in the transaction that stores the reply
    before_reply,  ///< in one of its own, before
    after_reply    ///< in one of its own, after
};

/// What a worker puts into one transaction.
enum class CommitUnit : std::uint8_t {
    each,  ///< one reply
    batch  ///< the replies to all that it read at a time; acknowledges them afterwards
};

/// In which order a transaction for a whole batch locks its runs.
enum class LockOrder : std::uint8_t {
    as_read,  ///< others may have read them in another order
    by_id     ///< the same for everybody, so that nobody waits in a circle
};

/// What a worker does that finds the run done.
enum class ShortCircuit : std::uint8_t {
    skip_done,   ///< acknowledge and leave it: saves work, is no guarantee
    always_work  ///< do it again
};

enum class OnFailure : std::uint8_t {
    leave_pending,  ///< do nothing: the entry comes back
    acknowledge     ///< swallow the error; also one of the transaction for a batch
};

/// When a worker compares the delivery count with a threshold.
enum class JudgePoison : std::uint8_t {
    after_failure,     ///< in the failure handler, as the reference design does
    before_and_after,  ///< there, and with a larger threshold before working on a claimed entry
    never,
    by_own_count  ///< in the failure handler, a count of failures in the worker's own memory
};

/// The three actions on a poison message, and their order.
enum class PoisonActions : std::uint8_t {
    add_ack_mark,  ///< XADD to the dead letters, XACK, mark the run failed
    mark_add_ack,  ///< mark first
    ack_add_mark,  ///< XACK first
    atomic,        ///< mark, then XADD and XACK in one MULTI/EXEC if the entry is still one's own
    add_without_ack,  ///< forgets the XACK
    ack_without_add   ///< forgets the dead letter
};

/// How `done` and `failed` are written.
enum class StatusChanges : std::uint8_t {
    unconditional,  ///< whoever writes last is right: a run can end failed and replied
    conditional     ///< only a run that is neither done nor failed; with it goes the reply
};

enum class ConsumerNames : std::uint8_t {
    stable,  ///< the worker's name
    random   ///< another one after every restart
};

/// What a worker reads when it starts.
enum class OnStart : std::uint8_t {
    nothing,           ///< goes straight to its loop
    own_history,       ///< its own pending entries, with XREADGROUP and an id, page by page
    own_history_once,  ///< the same, but the first page only
    abandoned,         ///< what others left idle, with XAUTOCLAIM until its cursor says it was all
    abandoned_once     ///< the same, but without a look at the cursor
};

// ------------------------------------------------------------------ relays

/// When a relay takes a row off the outbox.
enum class OutboxRemoval : std::uint8_t {
    after_publish,  ///< in the transaction that read it, committed last: at least once
    before_publish  ///< in one of its own, committed first: at most once
};

/// How relays keep off each other's rows.
enum class OutboxLock : std::uint8_t {
    skip_locked,  ///< SELECT … FOR UPDATE SKIP LOCKED
    for_update,   ///< SELECT … FOR UPDATE: one waits for the other
    none          ///< SELECT: both publish
};

// ------------------------------------------------------------------ housekeeping

enum class Republish : std::uint8_t {
    never,
    by_age,             ///< every row that is pending for longer than the age
    by_age_when_idle,   ///< only while the group has read everything, by the lag that the broker
                        ///< counts
    unfinished_by_age,  ///< every row that is pending or running, and that old
    by_age_when_read    ///< only while nothing is pending and the last entry has been delivered
};

enum class Prune : std::uint8_t {
    never,
    idle,                 ///< every consumer idle for long enough, with what it holds
    idle_without_pending  ///< only those that hold nothing
};

/// How the stream is kept short when something is added.
enum class TrimPolicy : std::uint8_t {
    never,
    maxlen_exact,
    maxlen_approximate  ///< `~`: whole nodes only
};

// ------------------------------------------------------------------ servers

/// `appendfsync` of the broker.
enum class Appendfsync : std::uint8_t { always, everysec, no };

/// A unique key of the database that a wrong schema leaves out.
enum class UniqueKey : std::uint8_t { present, absent };

enum class SynchronousCommit : std::uint8_t { on, off };

/// Whether a commit waits until the replica has it, which `synchronous_commit: off` forgoes.
enum class Replication : std::uint8_t { asynchronous, synchronous };

/// Numbers of policies in `Decided` steps.
enum class Policy : std::uint16_t {
    retry_key,
    publish_order,
    acknowledge,
    claim,
    deduplicate,
    mark_done,
    short_circuit,
    on_failure,
    judge_poison,
    poison_actions,
    consumer_names,
    on_start,
    republish,
    prune,
    trim,
    idle_threshold,
    unique_reply,
    unique_idempotency_key,
    status_changes,
    outbox_removal,
    outbox_lock,
    pool_timeout,
    give_back,
    commit_unit,
    lock_order,
    threshold_unit
};

/// A policy as scenarios write it: where in the file, and the words for its values in the order of
/// their numbers.
struct PolicyInfo {
    Policy policy;
    std::string_view path;  ///< Such as `/system/worker/acknowledge`.
    std::span<const std::string_view> values;
};

/// In the order of `Policy`.
std::span<const PolicyInfo> policy_table();

}  // namespace redeliver::scenarios
