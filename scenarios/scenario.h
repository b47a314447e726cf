#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/steps.h"
#include "properties/property.h"
#include "scenarios/policies.h"
#include "sim/distribution.h"
#include "sim/fault.h"
#include "sim/schedule.h"
#include "sim/time.h"

namespace redeliver::scenarios {

using sim::Distribution;
using sim::Duration;
using namespace std::chrono_literals;

// ------------------------------------------------------------------ the system

struct Users {
    std::uint32_t count = 4;
    /// A node is called so and by a number, as are those of other actors.
    std::string name = "user";
    /// Attempts per message, the first one included.
    std::uint32_t attempts = 4;
    /// How long a user waits for a gateway's answer.
    Duration timeout = 3s;
    /// Between a failed attempt and the next.
    Duration retry_after = 1s;
    RetryKey retry_key = RetryKey::same;
};

struct Gateway {
    std::uint32_t count = 2;
    std::string name = "gateway";
    /// Requests that one gateway handles at a time.
    std::uint32_t handlers = 4;
    PublishOrder publish = PublishOrder::after_insert;
    TrimPolicy trim = TrimPolicy::never;
    /// Of `trim`: entries to keep.
    std::uint32_t max_length = 10'000;
    /// Of one request to the broker or the database.
    Duration timeout = 1s;
    /// Most connections of one gateway to the database, which its handlers share; 0 gives each
    /// handler one of its own.
    std::uint32_t pool = 0;
    /// How long a request waits for a connection of the pool before it is rejected.
    Duration pool_timeout = 1s;
    GiveBack give_back = GiveBack::always;
};

struct Worker {
    std::uint32_t count = 3;
    std::string name = "worker";
    AcknowledgePolicy acknowledge = AcknowledgePolicy::after_work;
    ClaimPolicy claim = ClaimPolicy::abandoned_first;
    /// Entries idle for this long are claimed.
    Duration idle_threshold = 30s;
    ThresholdUnit threshold_unit = ThresholdUnit::milliseconds;
    /// COUNT of reads and claims.
    std::uint32_t batch = 10;
    /// BLOCK of reads.
    Duration block = 5s;
    Distribution work_time = sim::uniform(20ms, 200ms);
    Deduplicate deduplicate = Deduplicate::unique_reply;
    /// Of `setnx_before_work`: how long the mark lives.
    Duration mark_expiry = 60s;
    /// Of `lease`: how long a lease lives. It should be longer than the work and shorter than
    /// `idle_threshold`, so that whoever is given an abandoned entry can take its lease over.
    Duration lease_time = 20s;
    MarkDone mark_done = MarkDone::with_reply;
    CommitUnit commit = CommitUnit::each;
    LockOrder lock_order = LockOrder::as_read;
    ShortCircuit short_circuit = ShortCircuit::skip_done;
    OnFailure on_failure = OnFailure::leave_pending;
    JudgePoison judge_poison = JudgePoison::before_and_after;
    std::uint32_t poison_threshold = 3;
    /// Before the work: more deliveries than this mean that it kills whoever does it.
    std::uint32_t killer_threshold = 10;
    PoisonActions poison_actions = PoisonActions::atomic;
    StatusChanges status_changes = StatusChanges::conditional;
    ConsumerNames consumer_names = ConsumerNames::stable;
    OnStart on_start = OnStart::nothing;
    Duration timeout = 1s;
};

/// Publishes what gateways leave in the outbox. Where they leave nothing there, there is no relay.
struct Relay {
    std::uint32_t count = 1;
    std::string name = "relay";
    /// Rows that it reads at a time.
    std::uint32_t batch = 10;
    /// Between two polls, unless there is more to read.
    Duration interval = 100ms;
    OutboxRemoval remove = OutboxRemoval::after_publish;
    OutboxLock lock = OutboxLock::skip_locked;
};

struct Republisher {
    Republish republish = Republish::by_age;
    /// Rows pending for longer are published again.
    Duration age = 30s;
    Duration interval = 5s;
};

struct Pruner {
    Prune prune = Prune::never;
    Duration idle = 120s;
    Duration interval = 30s;
};

struct Broker {
    Appendfsync appendfsync = Appendfsync::everysec;
};

struct Database {
    UniqueKey unique_idempotency_key = UniqueKey::present;
    UniqueKey unique_reply = UniqueKey::present;
    SynchronousCommit synchronous_commit = SynchronousCommit::on;
    Replication replication = Replication::asynchronous;
    /// Sessions at once. A real server has 97 unless told otherwise; here so many that it matters
    /// only to stories which say so.
    std::uint32_t connection_limit = 100'000;
    /// How long one lock may be waited for, and how long one statement may take; zero is for ever.
    Duration lock_timeout{0};
    Duration statement_timeout{0};
    /// How long a session waits before it looks whether it waits for itself.
    Duration deadlock_timeout = 1s;
};

struct NetworkLinks {
    /// One way.
    Distribution latency = sim::uniform(200us, 2ms);
};

struct System {
    Users users;
    Gateway gateway;
    Worker worker;
    Relay relay;
    Republisher republisher;
    Pruner pruner;
    Broker broker;
    Database database;
    NetworkLinks network;
};

// ------------------------------------------------------------------ the workload

/// One message that a user wants answered.
struct Message {
    std::uint32_t number = 1;  ///< Becomes `run-number`.
    std::uint32_t user = 1;
    std::uint32_t session = 1;
    sim::Instant at{};
    model::Content content = model::Content::healthy;
    /// Of flaky content: how often the work fails before it succeeds.
    std::uint32_t failures = 0;
    /// How often the user submits it although the first answer came; 1 is once.
    std::uint32_t submissions = 1;
    /// Of the work; none draws it from the worker's distribution.
    std::optional<Duration> work_time = {};
    bool operator==(const Message&) const = default;
};

/// How messages come about. Explicit messages come first; `runs` counts those that are generated.
struct Workload {
    std::uint32_t runs = 12;
    std::uint32_t sessions = 4;
    /// Messages are submitted at instants drawn from the first `span`.
    Duration span = 2s;
    std::uint32_t poison = 0;
    std::uint32_t killers = 0;
    std::uint32_t flaky = 0;
    /// Of flaky messages, at most.
    std::uint32_t failures = 2;
    /// Messages that are submitted twice.
    std::uint32_t duplicates = 0;
    std::vector<Message> messages = {};
};

// ------------------------------------------------------------------ the faults

/// How many faults of a kind a trial has: a number drawn from `least` to `most`.
struct Intensity {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    bool operator==(const Intensity&) const = default;
};

/// Kinds of fault that a plan draws, at steps or instants of a fault-free trial of the scenario.
enum class FaultKind : std::uint8_t {
    crash_worker,        ///< a worker's process, at a step of its
    crash_gateway,       ///< a gateway's process, at a step of its
    crash_broker,        ///< the broker's process, while it serves a request
    crash_database,      ///< the database's process, while it serves a request
    lose_broker,         ///< the broker's machine: unflushed writes are lost
    fail_over_broker,    ///< a replica takes over without the newest writes
    pause_worker,        ///< a worker stops for a while and does not notice
    slow_worker,         ///< a worker's work takes several times as long
    lose_request,        ///< one request vanishes on the wire
    lose_reply,          ///< one answer vanishes on the wire: it was applied
    reset,               ///< a worker's connections are reset
    partition,           ///< one way, between a worker and a server
    clock_step,          ///< a server's wall clock jumps
    fail_over_database,  ///< a replica takes over without the newest commits
    lose_database,       ///< the database's machine: unflushed commits are lost
    pause_server,        ///< the broker or the database stops for a while
    pause_near,          ///< a worker stops for just under or just over a threshold
    half_open,           ///< a worker's connections are gone, and the servers do not know
    cut_off,             ///< both ways, between a worker and a server
    latency_burst,       ///< what a worker sends and is sent takes longer
    clock_drift,         ///< a server's wall clock runs too fast or too slowly
    limit_memory,        ///< the broker refuses what might grow its memory
    trim_stream,         ///< an operator's XTRIM
    delete_consumer,     ///< an operator's XGROUP DELCONSUMER
    destroy_group,       ///< an operator's XGROUP DESTROY
    set_group_id,        ///< an operator's XGROUP SETID
    hold_locks,          ///< somebody locks all rows of runs
    take_connections,    ///< somebody takes all connections to the database
    retry_storm,         ///< a user submits everything again, many times at once
    deploy               ///< the workers restart one after the other under new names
};

inline constexpr std::size_t fault_kind_count = static_cast<std::size_t>(FaultKind::deploy) + 1;

struct Faults {
    /// Until then faults strike; afterwards everything is repaired.
    Duration until = 10s;
    /// Ranges by kind; absent kinds do not occur.
    std::map<FaultKind, Intensity> random = {};
    /// In every plan, before the drawn ones.
    sim::FaultPlan pinned = {};
    /// Longest pause and partition, and downtime of a crash.
    Duration longest = 5s;
    /// Of a failover: how far the replica lags behind, at most.
    Duration replica_lag = 500ms;
};

// ------------------------------------------------------------------ what must come of it

struct Expectations {
    /// Violated in no seed, and judged (not vacuous) in at least one.
    std::vector<std::string> holds;
    /// Violated in at least one seed; in every seed when the faults are all pinned and none is
    /// drawn.
    std::vector<std::string> breaks;
    /// Rare paths that must be reached in at least one seed.
    std::vector<std::string> reaches;
    /// Totals of the ledger that every seed must show exactly, by name, such as `replies`.
    std::map<std::string, std::uint64_t> totals;
    properties::Terms::Excuse excuse = properties::Terms::Excuse::nothing;
};

/// The repaired system of a story about a mistake: equal but for one policy value.
struct Twin {
    std::string scenario;
    /// JSON pointer of the value that differs.
    std::string differs;
};

struct Scenario {
    std::string name;
    /// One sentence, or two.
    std::string story;
    System system;
    Workload workload;
    Faults faults;
    /// Of every plan; usually none, so that all comes in the order of its instants.
    sim::Schedule schedule = {};
    Expectations expect;
    /// Seeds that `run` tries unless told otherwise.
    std::uint32_t seeds = 200;
    std::optional<Twin> repaired_by = {};
    /// Longer than every threshold: without progress for so long, what is still owed is lost.
    Duration quiet = 120s;
    std::uint64_t stream_bound = 10'000;
};

}  // namespace redeliver::scenarios
