#include "scenarios/fault_kinds.h"

#include <array>

#include "scenarios/json/words.h"

namespace redeliver::scenarios {

namespace {

using sim::Point;

constexpr std::array<Phase, 8> everywhere = {
    Point::before_send, Point::before_apply, Point::after_apply, Point::after_reply,
    Point::start,       Point::middle,       Point::end,         std::nullopt};
constexpr std::array<Phase, 7> at_steps = {
    Point::before_send, Point::before_apply, Point::after_apply, Point::after_reply,
    Point::start,       Point::middle,       Point::end};
constexpr std::array<Phase, 4> at_requests = {Point::before_send, Point::before_apply,
                                              Point::after_apply, Point::after_reply};
constexpr std::array<Phase, 2> while_serving = {Point::before_apply, Point::after_apply};
constexpr std::array<Phase, 3> of_servers = {Point::before_apply, Point::after_apply, std::nullopt};
constexpr std::array<Phase, 1> sent = {Point::before_send};
constexpr std::array<Phase, 1> applied = {Point::after_apply};
constexpr std::array<Phase, 1> instants = {std::nullopt};

constexpr std::string_view downtime = "restart_after: 0 to faults.longest";
constexpr std::string_view duration = "lasts: 0 to faults.longest";
constexpr std::string_view lag = "lag: 0 to faults.replica_lag";

constexpr std::array infos = {
    FaultKindInfo{FaultKind::crash_worker, "crash_worker",
                  "a worker's process dies at one of its steps, and starts again", downtime,
                  "crash", "crash-before-xack", at_steps},
    FaultKindInfo{FaultKind::crash_gateway, "crash_gateway",
                  "a gateway's process dies at one of its steps, and starts again", downtime,
                  "crash", "publish-lost", at_requests},
    FaultKindInfo{FaultKind::crash_broker, "crash_broker",
                  "the broker's process dies while it serves a request: what it answered is on "
                  "disk",
                  downtime, "crash", "killed-process-forgets-nothing", while_serving},
    FaultKindInfo{FaultKind::crash_database, "crash_database",
                  "the database's process dies while it serves a request: what it committed is on "
                  "disk",
                  downtime, "crash", "killed-database-forgets-nothing", while_serving},
    FaultKindInfo{FaultKind::lose_broker, "lose_broker",
                  "the broker's machine is lost, with what broker.appendfsync had not flushed",
                  downtime, "crash", "lost-machine-forgets", while_serving},
    FaultKindInfo{FaultKind::fail_over_broker, "fail_over_broker",
                  "a replica takes over from the broker without the newest writes", lag, "failover",
                  "failover-forgets", while_serving},
    FaultKindInfo{FaultKind::pause_worker, "pause_worker",
                  "a worker stops for a while and does not notice", duration, "pause",
                  "paused-worker-comes-back", at_steps},
    FaultKindInfo{FaultKind::slow_worker, "slow_worker",
                  "a worker's work takes several times as long",
                  "percent: 200 to 999; lasts: 0 to faults.longest", "slow",
                  "slow-node-loses-its-work", instants},
    FaultKindInfo{FaultKind::lose_request, "lose_request", "one request vanishes on the wire",
                  "none", "drop", "pool-leaks", sent},
    FaultKindInfo{FaultKind::lose_reply, "lose_reply",
                  "one answer vanishes on the wire: the request was applied", "none", "drop",
                  "insert-answer-lost", applied},
    FaultKindInfo{FaultKind::reset, "reset", "a worker's connections are reset", "none", "reset",
                  "reset-during-the-read", instants},
    FaultKindInfo{FaultKind::partition, "partition",
                  "nothing gets through one way between a worker and a server", duration,
                  "partition", "one-way-partition", instants},
    FaultKindInfo{FaultKind::clock_step, "clock_step", "a server's wall clock jumps",
                  "by: -faults.longest to faults.longest", "clock_step", "clock-jumps-ahead",
                  instants},
    FaultKindInfo{FaultKind::fail_over_database, "fail_over_database",
                  "a replica takes over from the database without the newest commits", lag,
                  "failover", "failover-forgets-a-run", while_serving},
    FaultKindInfo{FaultKind::lose_database, "lose_database",
                  "the database's machine is lost, with what had not been flushed", downtime,
                  "crash", "commit-not-flushed", of_servers},
    FaultKindInfo{FaultKind::pause_server, "pause_server",
                  "the broker or the database stops for a while and does not notice", duration,
                  "pause", "pause-just-over-a-timeout", of_servers},
    FaultKindInfo{FaultKind::pause_near, "pause_near",
                  "a worker stops for just under or just over a threshold: the idle threshold, the "
                  "lease, a request's timeout",
                  "lasts: a threshold less 100ms, or 100ms more", "pause",
                  "pause-just-over-the-threshold", everywhere},
    FaultKindInfo{FaultKind::half_open, "half_open",
                  "a worker's connections are gone, and its servers do not know", "none",
                  "half_open", "half-open-connection", everywhere},
    FaultKindInfo{FaultKind::cut_off, "cut_off",
                  "nothing gets through either way between a worker and a server", duration,
                  "partition", "cut-off-worker", everywhere},
    FaultKindInfo{FaultKind::latency_burst, "latency_burst",
                  "whatever a worker sends or is sent takes longer",
                  "by: 0 to faults.longest / 4; lasts: 0 to faults.longest", "latency",
                  "latency-burst", everywhere},
    FaultKindInfo{FaultKind::clock_drift, "clock_drift",
                  "a server's wall clock runs too fast or too slowly",
                  "gains: -500ms to 500ms each second; lasts: 0 to faults.longest", "clock_drift",
                  "clock-runs-too-fast", of_servers},
    FaultKindInfo{FaultKind::limit_memory, "limit_memory",
                  "the broker is out of memory: it refuses what might take more (XADD, SET, XGROUP "
                  "CREATE) with OOM",
                  duration, "order", "out-of-memory", of_servers},
    FaultKindInfo{FaultKind::trim_stream, "trim_stream",
                  "an operator trims the stream: XTRIM koda:runs MAXLEN n",
                  "n: 0 to 2 entries are kept", "order", "operator-trims", of_servers},
    FaultKindInfo{FaultKind::delete_consumer, "delete_consumer",
                  "an operator deletes a consumer: XGROUP DELCONSUMER koda:runs workers worker-1",
                  "none", "order", "operator-deletes-a-consumer", of_servers},
    FaultKindInfo{FaultKind::destroy_group, "destroy_group",
                  "an operator destroys the group: XGROUP DESTROY koda:runs workers", "none",
                  "order", "operator-destroys-the-group", of_servers},
    FaultKindInfo{FaultKind::set_group_id, "set_group_id",
                  "an operator moves the group: XGROUP SETID koda:runs workers 0, or $", "none",
                  "order", "operator-skips-ahead", of_servers},
    FaultKindInfo{FaultKind::hold_locks, "hold_locks",
                  "somebody, a migration perhaps, holds the locks of all rows in runs", duration,
                  "order", "migration-holds-the-locks", of_servers},
    FaultKindInfo{FaultKind::take_connections, "take_connections",
                  "somebody takes every connection that the database has left", duration, "order",
                  "connections-are-taken", of_servers},
    FaultKindInfo{FaultKind::retry_storm, "retry_storm",
                  "a user submits whatever it has submitted again, many times at once",
                  "times: 1 to 4", "order", "retry-storm", instants},
    FaultKindInfo{FaultKind::deploy, "deploy",
                  "all workers are replaced, one after the other, under new consumer names",
                  "lasts: 0 to faults.longest each; half of that between two", "order",
                  "deployment", instants}};
static_assert(infos.size() == fault_kind_count);

constexpr bool are_in_order() {
    for (std::size_t index = 0; index < infos.size(); ++index)
        if (static_cast<std::size_t>(infos[index].kind) != index) return false;
    return true;
}
static_assert(are_in_order());

}  // namespace

std::string_view text(Phase place) {
    if (!place) return "instant";
    return json::words_of(*place)[static_cast<std::size_t>(*place)];
}

std::span<const Phase> all_phases() { return everywhere; }

std::span<const FaultKindInfo> fault_kinds() { return infos; }

const FaultKindInfo& info_of(FaultKind kind) { return infos[static_cast<std::size_t>(kind)]; }

}  // namespace redeliver::scenarios
