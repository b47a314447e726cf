#pragma once

#include <cstdint>
#include <string_view>

#include "sim/names.h"
#include "sim/step.h"

/// The kinds of step that brokers, stores and actors report: what a run's biography is made of.
///
/// The subject of a step is the run that it is about (`model/subjects.h`), its actor the node that
/// caused it; what happens inside a server on behalf of a client has the client as its actor. Names
/// are interned in the trial's world. Times are microseconds unless the name says otherwise.
namespace redeliver::model {

using sim::Name;
using sim::StepKind;
using sim::Subject;

inline constexpr StepKind first_kind = sim::first_free_kind;

/// Which entry of which stream.
struct EntryKey {
    std::uint64_t ms;
    std::uint32_t seq;
    Name stream;
    friend bool operator==(const EntryKey&, const EntryKey&) = default;
};

/// What working on a message does.
enum class Content : std::uint8_t {
    healthy,  ///< the work succeeds
    poison,   ///< it always fails
    killer,   ///< it crashes whoever does it
    flaky     ///< it fails so many times, then succeeds
};

// ------------------------------------------------------------------ users and gateways

/// A user sent a message to a gateway, for the `attempt`-th time (from 1). Subject: the intention.
struct Submitted {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 0;
    std::uint32_t attempt;
    std::uint32_t session;
    Content content;
    std::uint8_t failures;  ///< Of flaky content: how often the work fails.
    std::uint16_t spare = 0;
};

enum class Answer : std::uint8_t {
    accepted,   ///< a run was made for this attempt
    duplicate,  ///< the run existed already
    rejected    ///< the gateway failed; the user may try again
};

/// A user read a gateway's answer. Subject: the intention.
struct Answered {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 1;
    Subject run;
    std::uint32_t attempt;
    Answer answer;
    std::uint8_t spare[3] = {};
};

/// A user stopped trying. Subject: the intention.
struct GaveUp {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 2;
    std::uint32_t attempts;
};

// ------------------------------------------------------------------ the database

enum class Status : std::uint8_t { none, pending, running, done, failed };

/// The run's row was committed: from now on the system owes it a reply.
struct Accepted {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 3;
    Subject intention;
    std::uint32_t session;
};

/// Gate one held: no second row for an idempotency key. Subject: the id that was to be inserted.
struct SubmissionAbsorbed {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 4;
    Subject existing;
};

/// The run's row was committed with another status.
struct StatusChanged {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 5;
    Status from;
    Status to;
    std::uint16_t spare = 0;
    Name reason;  ///< Of `failed`.
};

/// A reply row was committed. Replies of a session are in the order of these steps.
struct ReplyStored {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 6;
    std::uint32_t seq;
    std::uint32_t session;
};

/// Gate two held: no second reply row for (run, seq).
struct ReplyAbsorbed {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 7;
    std::uint32_t seq;
};

/// A transaction was rolled back, whether or not it had changed anything. Subject: what it was
/// about, if known.
struct RolledBack {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 8;
    std::uint32_t reason;  ///< model::database::RolledBack::Reason
};

/// A loss of the database undid a committed change of this run.
struct DatabaseForgot {
    using Timeless = void;
    enum class What : std::uint8_t { run, status, reply };
    static constexpr StepKind kind = first_kind + 9;
    What what;
    Status now;  ///< Of the run, after the loss.
    std::uint16_t spare = 0;
};

// ------------------------------------------------------------------ the broker

/// XADD put the run's id into the stream that workers read.
struct Added {
    static constexpr StepKind kind = first_kind + 10;
    EntryKey entry;
};

/// XREADGROUP with `>` gave the entry to a consumer.
struct Delivered {
    static constexpr StepKind kind = first_kind + 11;
    EntryKey entry;
    Name group;
    Name consumer;
    std::uint32_t delivery_count;
    std::uint32_t spare = 0;
};

/// A consumer read its own pending entry again, which counts as a delivery.
struct Reread {
    static constexpr StepKind kind = first_kind + 12;
    EntryKey entry;
    Name group;
    Name consumer;
    std::uint32_t delivery_count;
    std::uint32_t spare = 0;
};

/// XAUTOCLAIM or XCLAIM changed the owner of a pending entry.
struct Claimed {
    static constexpr StepKind kind = first_kind + 13;
    EntryKey entry;
    Name from;
    Name to;
    std::uint32_t delivery_count;
    std::uint32_t idle_time_ms;
};

/// XACK took the entry off the pending list, whoever owned it.
struct Acknowledged {
    static constexpr StepKind kind = first_kind + 14;
    EntryKey entry;
    Name group;
    Name owner;
    std::uint32_t delivery_count;
    std::uint32_t spare = 0;
};

/// The entry left the stream by trimming or deletion.
struct EntryRemoved {
    static constexpr StepKind kind = first_kind + 15;
    EntryKey entry;
    std::uint32_t unread_by;   ///< Groups that will never see it.
    std::uint32_t pending_in;  ///< Groups that still have it pending.
};

/// A pending entry vanished without an acknowledgement.
struct PendingDropped {
    enum class Cause : std::uint32_t { consumer_deleted, group_destroyed, key_removed, entry_gone };
    static constexpr StepKind kind = first_kind + 16;
    EntryKey entry;
    Name owner;
    Cause cause;
    std::uint32_t delivery_count;
    std::uint32_t spare = 0;
};

/// The run was added to the dead-letter stream.
struct DeadLettered {
    static constexpr StepKind kind = first_kind + 17;
    EntryKey entry;  ///< In the dead-letter stream.
};

/// XGROUP DELCONSUMER; a PendingDropped for each of its rows comes before.
struct ConsumerDeleted {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 18;
    Name consumer;
};

/// A restart or a failover of the broker undid something about this run.
struct BrokerForgot {
    enum class What : std::uint32_t {
        entry,            ///< the entry is gone
        acknowledgement,  ///< it is pending again
        delivery,         ///< it will be delivered as if new
        claim,            ///< it is back with an earlier owner
        removal,          ///< a removed entry is back
        dead_letter,      ///< the entry in the dead-letter stream is gone
        other
    };
    static constexpr StepKind kind = first_kind + 19;
    EntryKey entry;
    What what;
    Name consumer;
};

// ------------------------------------------------------------------ workers and the others

/// A worker began to work on a run.
struct WorkStarted {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 20;
    Name consumer;
    std::uint32_t execution;  ///< How often the work on this run has been started, from 1.
};

enum class WorkResult : std::uint8_t { succeeded, failed };

struct WorkFinished {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 21;
    Name consumer;
    std::uint32_t execution;
    WorkResult result;
    std::uint8_t spare[3] = {};
};

/// A worker compared the delivery count of an entry with its threshold.
struct Judged {
    using Timeless = void;
    enum class As : std::uint32_t { healthy, poison };
    static constexpr StepKind kind = first_kind + 22;
    std::uint32_t delivery_count;
    std::uint32_t threshold;
    As as;
};

/// Where a policy of the scenario made an actor do what it then did: the numbers of policy and
/// value are those of scenarios/policies.h.
struct Decided {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 23;
    std::uint16_t policy;
    std::uint16_t value;
};

/// The worker found the run done and left it at that.
struct ShortCircuited {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 24;
    Status status;
    std::uint8_t spare[3] = {};
};

/// A worker found no row for the id it was given.
struct RunUnknown {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 25;
};

/// A worker's conditional write matched nothing: somebody else has been, or is, at it. Subject: the
/// run.
struct KeptOut {
    using Timeless = void;
    enum class By : std::uint8_t {
        mark,    ///< processed_messages has the run already
        status,  ///< the run is not in the state that the change was to start from
        lease,   ///< another worker holds the lease
        fence    ///< the lease has passed on to another worker since this one took it
    };
    static constexpr StepKind kind = first_kind + 26;
    By by;
    std::uint8_t spare[3] = {};
};

/// A worker's lease on a run was committed.
struct LeaseTaken {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 27;
    Name owner;
    std::uint32_t token;
};

/// The database ended a statement with an error. Subject: what the statement was about.
struct StatementFailed {
    using Timeless = void;
    static constexpr StepKind kind = first_kind + 28;
    std::uint32_t state;  ///< model::database::SqlState
};

inline constexpr StepKind last_kind = StatementFailed::kind;
static_assert(last_kind < sim::kind_limit);

/// `Added`, `WorkStarted`, and the engine's `Crashed`, … ; empty for a number that is no kind.
std::string_view kind_text(StepKind kind);

}  // namespace redeliver::model
