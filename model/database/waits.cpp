#include <algorithm>

#include "model/database/engine.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

using sim::ensure;

// Locks a row, or has the session wait for it: the first in the row's queue for the transaction
// that holds it, the others for their turn. A queue is that of one version of the row: who comes
// out of it to find a newer version, itself in change, waits for that change outside any queue.
// Source: heapam_tuple_lock in access/heap/heapam_handler.c, where it follows the row's versions.
bool Engine::acquire(Session& session, TableId table, const Candidate& candidate) {
    Relation::Row& row = relation(table).row(candidate.row);
    if (row.holder == nobody) {
        row.holder = session.holder();
        session.transaction.held.push_back({.table = table, .row = candidate.row});
    }
    if (row.holder == session.holder()) {
        leave_queue(session);
        return true;
    }
    if (row.stamp != candidate.stamp && row.change != Relation::Change::none) {
        leave_queue(session);
        wait_for_transaction(session, row.holder);
        return false;
    }
    if (session.run.queue == 0) {
        if (row.queue == 0) row.queue = queues_.open(table, candidate.row);
        session.run.queue = row.queue;
        queues_[row.queue].members.push_back(session.slot);
    }
    if (queues_[row.queue].members.front() == session.slot)
        wait_for_transaction(session, row.holder);
    else
        begin_wait(session, Wait::For::turn, no_slot);
    return false;
}

void Engine::wait_for_transaction(Session& session, Holder holder) {
    ensure(holder != nobody && holder != session.holder(), "a session waits for somebody else");
    const Slot slot = holder - 1;
    sessions_[slot].waiters.push_back(session.slot);
    begin_wait(session, Wait::For::transaction, slot);
}

void Engine::begin_wait(Session& session, Wait::For what, Slot transaction) {
    ensure(!session.is_waiting(), "a session waits for one thing at a time");
    session.wait = {.what = what, .transaction = transaction, .since = now_};
    waiting_.push_back(session.slot);
    const auto told = what == Wait::For::turn ? Waited::For::turn : Waited::For::transaction;
    out_->events.push_back(
        Waited{.session = session.id, .blocker = sessions_[blocker(session)].id, .what = told});
}

Slot Engine::blocker(const Session& session) const {
    if (session.wait.what == Wait::For::transaction) return session.wait.transaction;
    ensure(session.wait.what == Wait::For::turn, "only who waits is blocked");
    return queues_[session.run.queue].members.front();
}

void Engine::stop_waiting(Session& session) {
    ensure(session.is_waiting(), "only who waits can stop to");
    session.wait = {};
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), session.slot));
}

void Engine::wake(Session& session) {
    stop_waiting(session);
    ready_.push_back(session.slot);
}

void Engine::leave_queue(Session& session) {
    if (session.run.queue == 0) return;
    const std::uint32_t left = std::exchange(session.run.queue, 0);
    std::vector<Slot>& members = queues_[left].members;
    const bool was_first = members.front() == session.slot;
    members.erase(std::find(members.begin(), members.end(), session.slot));
    if (members.empty()) {
        relation(queues_[left].table).row(queues_[left].row).queue = 0;
        queues_.close(left);
    } else if (was_first) {
        wake(sessions_[members.front()]);
    }
}

// Ends a waiting statement with an error.
void Engine::interrupt(Session& session, SqlState state) {
    if (session.wait.what == Wait::For::transaction) {
        std::vector<Slot>& waiters = sessions_[session.wait.transaction].waiters;
        waiters.erase(std::find(waiters.begin(), waiters.end(), session.slot));
    }
    stop_waiting(session);
    leave_queue(session);
    drop_draft(session);
    out_->replies.push_back({.session = session.id, .result = std::move(session.run.result)});
    Result& result = out_->replies.back().result;
    result = {.state = state, .tag = result.tag};
    finish(session);
    work_through_inbox(session);
}

// Everybody waits for one other, so a cycle is found by following them.
bool Engine::waits_for_itself(const Session& session) const {
    const Session* next = &session;
    for (std::size_t steps = 0; steps <= waiting_.size() && next->is_waiting(); ++steps) {
        next = &sessions_[blocker(*next)];
        if (next == &session) return true;
    }
    return false;
}

std::optional<Engine::Deadline> Engine::earliest_deadline() const {
    std::optional<Deadline> earliest;
    const auto consider = [&](sim::WallTime at, Deadline::Kind kind, Slot slot) {
        if (earliest && (earliest->at < at || (earliest->at == at && earliest->kind <= kind)))
            return;
        earliest = {.at = at, .kind = kind, .slot = slot};
    };
    for (const Slot slot : waiting_) {
        const Session& session = sessions_[slot];
        const Configuration& set = configuration_;
        if (!session.wait.checked_for_deadlock)
            consider(session.wait.since + set.deadlock_timeout, Deadline::Kind::deadlock_check,
                     slot);
        if (set.lock_timeout > sim::Duration::zero())
            consider(session.wait.since + set.lock_timeout, Deadline::Kind::lock_timeout, slot);
        if (set.statement_timeout > sim::Duration::zero())
            consider(session.run.began + set.statement_timeout, Deadline::Kind::statement_timeout,
                     slot);
    }
    return earliest;
}

void Engine::fire(const Deadline& deadline) {
    Session& session = sessions_[deadline.slot];
    switch (deadline.kind) {
    case Deadline::Kind::deadlock_check:
        session.wait.checked_for_deadlock = true;
        if (waits_for_itself(session)) interrupt(session, SqlState::deadlock_detected);
        return;
    case Deadline::Kind::lock_timeout: return interrupt(session, SqlState::lock_not_available);
    case Deadline::Kind::statement_timeout: return interrupt(session, SqlState::query_canceled);
    }
}

}  // namespace redeliver::model::database
