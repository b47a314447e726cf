#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/database/commit_log.h"
#include "model/database/configuration.h"
#include "model/database/filter.h"
#include "model/database/output.h"
#include "model/database/relation.h"
#include "model/database/row_queues.h"
#include "model/database/schema.h"
#include "model/database/sessions.h"
#include "model/database/snapshot.h"
#include "model/database/statements.h"

namespace redeliver::model::database {

/// What is inside a Server; see there for what its members promise.
///
/// A call executes one statement until it ends or must wait, then resumes, one after the other,
/// those whom this set free. Sessions wait for transactions, or behind one another in the queue of
/// a row.
class Engine {
public:
    Engine(Schema schema, const Configuration& configuration);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const Schema& schema() const { return schema_; }
    const Configuration& configuration() const { return configuration_; }
    std::size_t connections() const { return sessions_.size(); }
    std::size_t take_connections();
    void close_taken_connections() { taken_ = 0; }

    SqlState connect(SessionId id);
    void submit(SessionId id, const Statement& statement, sim::WallTime now, Output& out);
    void disconnect(SessionId id, sim::WallTime now, Output& out);
    void cancel(SessionId id, sim::WallTime now, Output& out);
    void advance(sim::WallTime now, Output& out);
    std::optional<sim::WallTime> next_deadline() const;
    void restart(sim::WallTime now, Output& out);
    void fail_over(sim::Duration lag, sim::WallTime now, Output& out);

    void for_each_row(TableId table, const std::function<void(RowView)>& visit) const;
    std::uint64_t digest() const;
    Snapshot snapshot() const;

private:
    enum class Progress : std::uint8_t { done, waiting };

    struct LockedRow {
        enum class Step : std::uint8_t { locked, waiting, end };
        Step step;
        RowId row = no_row;
    };

    /// A moment at which something is due for a waiting session.
    struct Deadline {
        /// In the order in which they count if they are due at once: a deadlock that is found is
        /// told only after the timeouts have been looked at.
        /// Source: ProcSleep in storage/lmgr/proc.c, ProcessInterrupts in tcop/postgres.c.
        enum class Kind : std::uint8_t { lock_timeout, statement_timeout, deadlock_check };
        sim::WallTime at;
        Kind kind;
        Slot slot;
    };

    /// What a loss has made of a row in all; see Forgotten.
    struct Fate {
        bool seen = false;
        const Value* lost = nullptr;
        const Value* kept = nullptr;
    };
    using Fates = std::map<std::pair<TableId, std::uint64_t>, Fate>;  // By table and birth.

    // Calls (engine.cpp).
    void begin_call(sim::WallTime now, Output& out);
    void start(Session& session, const Statement& statement);
    void resume(Session& session);
    void drain();
    void work_through_inbox(Session& session);
    void park(Session& session);
    void finish(Session& session);
    Progress execute(Session& session, const Statement& statement, Result& result);

    // Statements (execute_*.cpp).
    Progress execute(Session& session, const Begin& begin, Result& result);
    Progress execute(Session& session, const Commit& commit, Result& result);
    Progress execute(Session& session, const Rollback& rollback, Result& result);
    Progress execute(Session& session, const Insert& insert, Result& result);
    Progress execute(Session& session, const Select& select, Result& result);
    Progress execute(Session& session, const Update& update, Result& result);
    Progress execute(Session& session, const Delete& removal, Result& result);
    Progress execute_locking(Session& session, const Select& select, Result& result);
    bool fill_draft(Session& session, const Insert& insert, Result& result);
    std::optional<Progress> find_conflicts(Session& session, const Insert& insert, Result& result);
    void absorb(Session& session, TableId table, Relation::Conflict conflict);
    void drop_draft(Session& session);
    void publish(Session& session, TableId table);
    Progress enter_keys(Session& session, TableId table, Result& result);
    bool rewrite(Session& session, const Update& update, RowId row, Result& result);
    static void leave_out_from_first_overflow(Session& session, const Update& update);
    bool nulls_a_required_column(const Update& update) const;
    bool next_is_held(const Session& session, TableId table) const;
    void find_rows_to_change(Session& session, TableId table, const Filter& filter);
    LockedRow lock_next(Session& session, TableId table, const Filter& filter);

    // Transactions (transactions.cpp).
    void commit(Session& session);
    std::uint32_t publish_changes(Session& session);
    void log_change(Held held, std::uint64_t birth, const Relation::Outcome& outcome);
    void tell_change(Session& session, TableId table, const Relation::Outcome& outcome);
    void roll_back(Session& session, RolledBack::Reason reason, SqlState error);
    void end_transaction(Session& session, Transaction::State state);
    RowView lasting_view(const Session& session, TableId table, const Value* values);

    // Waits (waits.cpp).
    bool acquire(Session& session, TableId table, const Candidate& candidate);
    void wait_for_transaction(Session& session, Holder holder);
    void begin_wait(Session& session, Wait::For what, Slot transaction);
    Slot blocker(const Session& session) const;
    void stop_waiting(Session& session);
    void wake(Session& session);
    void leave_queue(Session& session);
    void interrupt(Session& session, SqlState state);
    bool waits_for_itself(const Session& session) const;
    std::optional<Deadline> earliest_deadline() const;
    void fire(const Deadline& deadline);

    // Losses (losses.cpp).
    void vanish_all();
    void undo_commits_after(sim::WallTime cut);
    void undo(const CommitLog::Change& change, Fate& fate);
    sim::WallTime last_flush() const;

    Relation& relation(TableId table) { return relations_[index(table)]; }
    const Relation& relation(TableId table) const { return relations_[index(table)]; }

    const Schema schema_;
    const Configuration configuration_;
    std::vector<Relation> relations_;
    Sessions sessions_;
    std::size_t taken_ = 0;  // Connections of somebody who only holds them.
    RowQueues queues_;
    std::vector<Slot> waiting_;  // Longest first.
    std::vector<Slot> ready_;    // Set free by the call under way, not yet resumed.
    CommitLog log_;

    // Of the call under way.
    sim::WallTime now_;
    Output* out_ = nullptr;
};

}  // namespace redeliver::model::database
