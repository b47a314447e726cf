#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/json/scenario_fields.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios::json {

namespace {

constexpr NumberRange actors = {1, max_actors};
/// Nothing repeats faster: a poll without a pause would never let the clock move on.
constexpr DurationRange pauses = {.least = std::chrono::milliseconds{1}};
constexpr DurationRange deadlines = {.least = std::chrono::microseconds{1}};

/// Written only where it is not the usual one: files are older than the choice.
template <class Actors>
void name_field(Fields& in, Actors& those) {
    const auto current =
        those.name == Actors{}.name ? Fields::Presence::absent : Fields::Presence::present;
    if (in.has("name", current) == Fields::Presence::absent) return;
    in.actor_name("name", those.name);
}

void users_fields(Fields& in, Users& users) {
    in.number("count", users.count, actors);
    name_field(in, users);
    in.number("attempts", users.attempts, {1, max_handlings});
    in.duration("timeout", users.timeout, deadlines);
    in.duration("retry_after", users.retry_after);
    in.word("retry_key", users.retry_key);
}

void gateway_fields(Fields& in, Gateway& gateway) {
    in.number("count", gateway.count, actors);
    name_field(in, gateway);
    in.number("handlers", gateway.handlers, {1, 1'000});
    in.word("publish", gateway.publish);
    in.word("trim", gateway.trim);
    in.number("max_length", gateway.max_length, {0, max_messages});
    in.duration("timeout", gateway.timeout, deadlines);
    in.number("pool", gateway.pool, {0, 1'000});
    in.duration("pool_timeout", gateway.pool_timeout, deadlines);
    in.word("give_back", gateway.give_back);
}

/// One transaction for a batch has the status beside each reply, and no gate for each of them.
void reject_impossible_batch(Fields& in, const Worker& worker) {
    if (worker.commit != CommitUnit::batch) return;
    if (worker.mark_done != MarkDone::with_reply)
        in.reject("commit", "found \"batch\", which goes with \"mark_done\": \"with_reply\" only");
    if (worker.deduplicate > Deduplicate::none)
        in.reject("commit",
                  fmt::format(
                      "found \"batch\", which does not go with \"deduplicate\": \"{}\"",
                      words_of(worker.deduplicate)[static_cast<std::size_t>(worker.deduplicate)]));
}

void worker_fields(Fields& in, Worker& worker) {
    in.number("count", worker.count, actors);
    name_field(in, worker);
    in.word("acknowledge", worker.acknowledge);
    in.word("claim", worker.claim);
    in.duration("idle_threshold", worker.idle_threshold);
    in.word("threshold_unit", worker.threshold_unit);
    in.number("batch", worker.batch, {1, 10'000});
    in.duration("block", worker.block, pauses);
    in.distribution("work_time", worker.work_time);
    in.word("deduplicate", worker.deduplicate);
    in.duration("mark_expiry", worker.mark_expiry, pauses);
    in.duration("lease_time", worker.lease_time, pauses);
    in.word("mark_done", worker.mark_done);
    in.word("commit", worker.commit);
    in.word("lock_order", worker.lock_order);
    reject_impossible_batch(in, worker);
    in.word("short_circuit", worker.short_circuit);
    in.word("on_failure", worker.on_failure);
    in.word("judge_poison", worker.judge_poison);
    in.number("poison_threshold", worker.poison_threshold, {1, 1'000});
    in.number("killer_threshold", worker.killer_threshold, {1, 1'000});
    in.word("poison_actions", worker.poison_actions);
    in.word("status_changes", worker.status_changes);
    in.word("consumer_names", worker.consumer_names);
    in.word("on_start", worker.on_start);
    in.duration("timeout", worker.timeout, deadlines);
}

void relay_fields(Fields& in, Relay& relay) {
    in.number("count", relay.count, actors);
    name_field(in, relay);
    in.number("batch", relay.batch, {1, 10'000});
    in.duration("interval", relay.interval, pauses);
    in.word("remove", relay.remove);
    in.word("lock", relay.lock);
}

/// No two nodes have one name, nor does a node have that of a run.
void reject_taken_names(Fields& in, const System& system) {
    struct Named {
        const char* key;
        std::string_view name;
        std::string usual;
    };
    const std::array<Named, 4> all = {{{"users", system.users.name, Users{}.name},
                                       {"gateway", system.gateway.name, Gateway{}.name},
                                       {"worker", system.worker.name, Worker{}.name},
                                       {"relay", system.relay.name, Relay{}.name}}};
    for (const Named& each : all) {
        if (each.name == each.usual) continue;  // Whoever took that is to blame.
        std::vector<std::string_view> taken{taken_names.begin(), taken_names.end()};
        for (const Named& other : all)
            if (&other != &each) taken.push_back(other.name);
        if (std::ranges::find(taken, each.name) == taken.end()) continue;
        in.reject(fmt::format("{}/name", each.key),
                  fmt::format("found \"{}\", allowed is any name but '{}'", each.name,
                              fmt::join(taken, "', '")));
    }
}

void republisher_fields(Fields& in, Republisher& republisher) {
    in.word("republish", republisher.republish);
    in.duration("age", republisher.age);
    in.duration("interval", republisher.interval, pauses);
}

void pruner_fields(Fields& in, Pruner& pruner) {
    in.word("prune", pruner.prune);
    in.duration("idle", pruner.idle);
    in.duration("interval", pruner.interval, pauses);
}

void database_fields(Fields& in, Database& database) {
    in.word("unique_idempotency_key", database.unique_idempotency_key);
    in.word("unique_reply", database.unique_reply);
    in.word("synchronous_commit", database.synchronous_commit);
    in.word("replication", database.replication);
    in.number("connection_limit", database.connection_limit, {1, 100'000});
    in.duration("lock_timeout", database.lock_timeout);
    in.duration("statement_timeout", database.statement_timeout);
    in.duration("deadlock_timeout", database.deadlock_timeout, pauses);
}

}  // namespace

void system_fields(Fields& in, System& system) {
    in.object("users", [&](Fields& inner) { users_fields(inner, system.users); });
    in.object("gateway", [&](Fields& inner) { gateway_fields(inner, system.gateway); });
    in.object("worker", [&](Fields& inner) { worker_fields(inner, system.worker); });
    in.object("relay", [&](Fields& inner) { relay_fields(inner, system.relay); });
    in.object("republisher", [&](Fields& inner) { republisher_fields(inner, system.republisher); });
    in.object("pruner", [&](Fields& inner) { pruner_fields(inner, system.pruner); });
    in.object("broker",
              [&](Fields& inner) { inner.word("appendfsync", system.broker.appendfsync); });
    in.object("database", [&](Fields& inner) { database_fields(inner, system.database); });
    in.object("network",
              [&](Fields& inner) { inner.distribution("latency", system.network.latency); });

    reject_taken_names(in, system);

    const std::uint64_t processes = std::uint64_t{system.users.count} + system.worker.count +
                                    std::uint64_t{system.gateway.count} * system.gateway.handlers;
    if (processes > max_processes)
        in.reject("", fmt::format("found {} users, workers and handlers of gateways together, "
                                  "allowed are {}",
                                  processes, max_processes));
}

}  // namespace redeliver::scenarios::json
