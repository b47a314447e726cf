// Restarts, failover, and becoming a replica.

#include <algorithm>
#include <utility>

#include "model/redis/forgotten.h"
#include "model/redis/server_state.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {

void Server::State::lose_connections() {
    blocked = {};
    watched = {};
    sessions.clear();
    resumed.clear();
}

void Server::State::survive_with(Keyspace survivors, Output& out) {
    lose_connections();
    tell_forgotten(keys, survivors, names, out.events);
    keys = std::move(survivors);
}

/// As DEBUG LOADAOF: whoever watches a key that was there is told that it was written, and who
/// waits for one looks again.
void Server::State::reload_log(sim::WallTime now) {
    record(now);  // Of an EXEC at work, what it has done so far.
    for (const auto& [key, value] : keys.keys()) watched.written(key);
    keys = journal->load(journal->retained(), now, names);
    for (const auto& [key, value] : keys.keys()) {
        watched.written(key);
        if (value.stream()) blocked.signal(key);
    }
}

void Server::State::load_from_disk(std::uint64_t records, sim::WallTime now, Output& out) {
    Keyspace survivors = journal->load(records, now, names);
    journal->restart(survivors, now);
    survive_with(std::move(survivors), out);
    role = Role::primary;
}

void Server::forget_log(sim::WallTime now) {
    sim::ensure(state_->journal.has_value(), "a server that forgets its log has one");
    state_->record(now);
    state_->journal->restart({}, now);
}

void Server::restart_after_process_loss(sim::WallTime now, Output& out) {
    sim::ensure(state_->journal.has_value(), "a server that restarts records what it propagates");
    state_->load_from_disk(state_->journal->retained(), now, out);
}

void Server::restart_after_machine_loss(sim::WallTime now, Output& out) {
    sim::ensure(state_->journal.has_value(), "a server that restarts records what it propagates");
    state_->load_from_disk(state_->journal->on_disk(now), now, out);
}

void Server::rewrite_log(LogForm form, sim::WallTime now) {
    State& state = *state_;
    sim::ensure(state.journal.has_value(), "a server that rewrites its log has one");
    state.record(now);  // Otherwise an EXEC at work would log again what is in the data already.
    state.journal->rewrite(form, state.keys, now, state.names);
}

void Server::fail_over(ReplicaLag lag, sim::WallTime now, Output& out) {
    State& state = *state_;
    sim::ensure(state.journal.has_value(), "a server that fails over records what it propagates");
    Journal& journal = *state.journal;
    std::uint64_t kept = journal.retained();
    if (const auto* const records = std::get_if<std::uint64_t>(&lag))
        kept -= std::min(kept, *records);
    else
        kept = journal.older_than(std::get<sim::Duration>(lag), now);
    Keyspace survivors = journal.replay(kept, state.names);
    journal.restart(survivors, now);
    state.survive_with(std::move(survivors), out);
    state.role = State::Role::primary;
}

void Server::become_replica(sim::WallTime now, Output& out) {
    State& state = *state_;
    if (state.is_due(now)) state.advance(now, out);
    state.role = State::Role::replica;
    std::vector<SessionId> sessions;
    for (const BlockedRead* const read : state.blocked.by_arrival())
        sessions.push_back(read->session);
    for (const SessionId session : sessions) {
        out.replies.push_back({session, Refused{Refusal::role_changed}});
        out.closed.push_back(session);
        state.blocked.remove(session);
        state.watched.unwatch(session);
        state.sessions.erase(session);
    }
}

}  // namespace redeliver::model::redis
