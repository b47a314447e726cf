#include "model/database/engine.h"

namespace redeliver::model::database {

using State = Transaction::State;

Engine::Progress Engine::execute(Session& session, const Begin&, Result& result) {
    result.tag = Tag::begin;
    if (session.transaction.state == State::open) return Progress::done;  // "already in progress"
    session.transaction.state = State::open;
    session.transaction.began = now_;
    return Progress::done;
}

Engine::Progress Engine::execute(Session& session, const Commit&, Result& result) {
    result.tag = Tag::commit;
    if (session.transaction.state == State::open) commit(session);
    if (session.transaction.state == State::aborted) {
        result.tag = Tag::rollback;
        session.transaction.state = State::none;
    }
    return Progress::done;
}

Engine::Progress Engine::execute(Session& session, const Rollback&, Result& result) {
    result.tag = Tag::rollback;
    if (session.transaction.state == State::open)
        roll_back(session, RolledBack::Reason::requested, SqlState::ok);
    session.transaction.state = State::none;
    return Progress::done;
}

void Engine::commit(Session& session) {
    const std::uint32_t changes = publish_changes(session);
    if (changes > 0 || session.transaction.state == State::open)
        out_->events.push_back(Committed{.session = session.id, .changes = changes});
    end_transaction(session, State::none);
}

std::uint32_t Engine::publish_changes(Session& session) {
    const bool logs = configuration_.retain > sim::Duration::zero();
    std::uint32_t changes = 0;
    for (const Held held : session.transaction.held) {
        Relation& of = relation(held.table);
        const std::uint64_t birth = of.row(held.row).birth;
        const Relation::Outcome outcome = of.commit(held.row);
        if (outcome.before == nullptr && outcome.after == nullptr) continue;
        if (logs && changes == 0) log_.open(now_);
        if (logs) log_change(held, birth, outcome);
        tell_change(session, held.table, outcome);
        ++changes;
    }
    if (logs) log_.trim(now_ - configuration_.retain);
    return changes;
}

void Engine::log_change(Held held, std::uint64_t birth, const Relation::Outcome& outcome) {
    CommitLog::Change change{.table = held.table,
                             .row = held.row,
                             .birth = birth,
                             .stamp_before = outcome.stamp_before,
                             .before = {},
                             .left = outcome.after == nullptr ? CommitLog::Change::Left::nothing
                                                              : CommitLog::Change::Left::row};
    if (outcome.before != nullptr) {
        const RowView before = relation(held.table).view(outcome.before);
        change.before.assign(before.begin(), before.end());
    }
    log_.add(std::move(change));
}

void Engine::tell_change(Session& session, TableId table, const Relation::Outcome& outcome) {
    const auto view = [&](const Value* values) { return relation(table).view(values); };
    if (outcome.after == nullptr) {
        out_->events.push_back(
            RowDeleted{.session = session.id, .table = table, .row = view(outcome.before)});
        return;
    }
    const RowView after = lasting_view(session, table, outcome.after);
    if (outcome.before == nullptr)
        out_->events.push_back(RowInserted{.session = session.id, .table = table, .row = after});
    else
        out_->events.push_back(RowUpdated{
            .session = session.id, .table = table, .before = view(outcome.before), .after = after});
}

void Engine::roll_back(Session& session, RolledBack::Reason reason, SqlState error) {
    for (const Held held : session.transaction.held) relation(held.table).roll_back(held.row);
    out_->events.push_back(RolledBack{.session = session.id, .reason = reason, .error = error});
    const bool awaits_rollback =
        reason == RolledBack::Reason::error && session.transaction.state == State::open;
    end_transaction(session, awaits_rollback ? State::aborted : State::none);
}

void Engine::end_transaction(Session& session, State state) {
    session.transaction.held.clear();
    session.transaction.state = state;
    for (const Slot waiter : session.waiters) wake(sessions_[waiter]);
    session.waiters.clear();
}

// Values in place change when somebody who is resumed later in the same call commits.
RowView Engine::lasting_view(const Session& session, TableId table, const Value* values) {
    const bool nobody_else_goes_on = waiting_.empty() && ready_.empty() && session.inbox.empty();
    Relation& of = relation(table);
    return of.view(nobody_else_goes_on ? values : of.keep_copy(values));
}

}  // namespace redeliver::model::database
