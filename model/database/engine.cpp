#include "model/database/engine.h"

#include <utility>

#include "model/database/statement_check.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

using sim::ensure;

Engine::Engine(Schema schema, const Configuration& configuration)
    : schema_(std::move(schema)), configuration_(configuration) {
    ensure_valid(schema_);
    ensure(configuration_.deadlock_timeout > sim::Duration::zero(), "deadlocks are looked for");
    ensure(configuration_.wal_flush_interval > sim::Duration::zero(), "the log is flushed");
    relations_.reserve(schema_.tables.size());
    for (const Table& table : schema_.tables) relations_.emplace_back(table);
}

SqlState Engine::connect(SessionId id) {
    ensure(sessions_.find(id) == nullptr, "a session connects once");
    if (sessions_.size() + taken_ >= configuration_.connection_limit)
        return SqlState::too_many_connections;
    sessions_.open(id);
    return SqlState::ok;
}

std::size_t Engine::take_connections() {
    const std::size_t open = sessions_.size() + taken_;
    const std::size_t left =
        configuration_.connection_limit > open ? configuration_.connection_limit - open : 0;
    taken_ += left;
    return left;
}

void Engine::submit(SessionId id, const Statement& statement, sim::WallTime now, Output& out) {
    begin_call(now, out);
    ensure_fits(schema_, statement);
    Session* session = sessions_.find(id);
    if (session == nullptr) {
        const SqlState state = connect(id);
        if (state != SqlState::ok) {
            out.replies.push_back({.session = id, .result = {.state = state}});
            return;
        }
        session = sessions_.find(id);
    }
    if (session->is_waiting()) {
        session->inbox.push_back(statement);
        return;
    }
    start(*session, statement);
    drain();
}

void Engine::disconnect(SessionId id, sim::WallTime now, Output& out) {
    begin_call(now, out);
    Session* const session = sessions_.find(id);
    if (session == nullptr) return;
    if (session->is_waiting()) {
        session->inbox.clear();
        sessions_.orphan(*session);
        return;
    }
    if (session->transaction.state == Transaction::State::open)
        roll_back(*session, RolledBack::Reason::disconnected, SqlState::ok);
    sessions_.close(*session);
    drain();
}

void Engine::cancel(SessionId id, sim::WallTime now, Output& out) {
    begin_call(now, out);
    Session* const session = sessions_.find(id);
    if (session == nullptr || !session->is_waiting()) return;
    interrupt(*session, SqlState::query_canceled);
    drain();
}

void Engine::advance(sim::WallTime now, Output& out) {
    begin_call(now, out);
    while (const std::optional<Deadline> deadline = earliest_deadline()) {
        if (deadline->at > now) return;
        fire(*deadline);
        drain();
    }
}

std::optional<sim::WallTime> Engine::next_deadline() const {
    const std::optional<Deadline> deadline = earliest_deadline();
    if (!deadline) return std::nullopt;
    return deadline->at;
}

void Engine::begin_call(sim::WallTime now, Output& out) {
    ensure(ready_.empty(), "a call resumes everybody whom it sets free");
    for (Relation& relation : relations_) relation.reclaim();
    now_ = now;
    out_ = &out;
}

// The answer is built where it will be read; if the statement must wait after all, it is put aside.
void Engine::start(Session& session, const Statement& statement) {
    session.run.restart(now_);
    Reply& reply = out_->replies.emplace_back();
    reply.session = session.id;
    if (execute(session, statement, reply.result) == Progress::done) return finish(session);
    session.run.statement = statement;
    park(session);
}

void Engine::resume(Session& session) {
    out_->replies.push_back({.session = session.id, .result = std::move(session.run.result)});
    Result& result = out_->replies.back().result;
    if (execute(session, session.run.statement, result) == Progress::waiting) return park(session);
    finish(session);
}

void Engine::park(Session& session) {
    ensure(session.is_waiting(), "a statement that has not ended waits for something");
    session.run.result = std::move(out_->replies.back().result);
    out_->replies.pop_back();
}

void Engine::drain() {
    while (!ready_.empty()) {
        Session& session = sessions_[ready_.front()];
        ready_.erase(ready_.begin());
        resume(session);
        work_through_inbox(session);
    }
}

void Engine::work_through_inbox(Session& session) {
    while (!session.inbox.empty() && !session.is_waiting()) {
        const Statement next = std::move(session.inbox.front());
        session.inbox.erase(session.inbox.begin());
        start(session, next);
    }
}

// The last reply in the output is the session's.
void Engine::finish(Session& session) {
    const SqlState state = out_->replies.back().result.state;
    ensure(session.run.queue == 0, "a finished statement stands in no queue");
    using State = Transaction::State;
    const State before = session.transaction.state;
    if (state != SqlState::ok && (before == State::single || before == State::open))
        roll_back(session, RolledBack::Reason::error, state);
    else if (before == State::single)
        commit(session);
    if (session.client == Session::Client::connected) return;

    out_->replies.pop_back();
    if (session.transaction.state == State::open)
        roll_back(session, RolledBack::Reason::disconnected, SqlState::ok);
    sessions_.close(session);
}

Engine::Progress Engine::execute(Session& session, const Statement& statement, Result& result) {
    Transaction& transaction = session.transaction;
    const bool ends =
        std::holds_alternative<Commit>(statement) || std::holds_alternative<Rollback>(statement);
    if (transaction.state == Transaction::State::aborted && !ends) {
        result.state = SqlState::in_failed_sql_transaction;
        return Progress::done;
    }
    const bool controls = ends || std::holds_alternative<Begin>(statement);
    if (transaction.state == Transaction::State::none && !controls) {
        transaction.state = Transaction::State::single;
        transaction.began = now_;
    }
    return std::visit([&](const auto& kind) { return execute(session, kind, result); }, statement);
}

}  // namespace redeliver::model::database
