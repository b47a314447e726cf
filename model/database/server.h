#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "model/database/configuration.h"
#include "model/database/output.h"
#include "model/database/schema.h"
#include "model/database/session.h"
#include "model/database/snapshot.h"
#include "model/database/statements.h"
#include "sim/time.h"

namespace redeliver::model::database {

class Engine;

/// A PostgreSQL 15 server at READ COMMITTED, as a state machine: statements and the time go in,
/// replies and events come out. It never waits and has no clock: `now` is what the wall clock of
/// its own node shows.
///
/// A statement outside BEGIN commits by itself. Each statement sees what was committed when it
/// began and what its own transaction did before. One that must wait for another transaction is
/// answered by the call that ends the wait, which resumes waiters in the order in which they began
/// to wait. An error aborts the transaction: it is rolled back at once (others go on), and until
/// ROLLBACK or COMMIT every statement fails with `in_failed_sql_transaction`.
///
/// Not modelled: savepoints, upserts, joins and expressions, foreign keys, other isolation levels,
/// shared row locks, advisory locks, and the time that work takes.
///
/// Source: postgresql.org/docs/15, chapters 13 (concurrency), 30 (reliability) and the SQL
/// commands' pages; executor/nodeModifyTable.c, execIndexing.c and access/heap/heapam.c for the
/// order of checks.
class Server {
public:
    Server(Schema schema, Configuration configuration);
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;
    ~Server();

    const Schema& schema() const;
    const Configuration& configuration() const;

    /// Opens a connection; `too_many_connections` if the limit is reached, else `ok`. Connecting a
    /// connected session is a harness error.
    SqlState connect(SessionId session);

    /// Executes a statement, connecting first where needed (a refusal is then the reply). A session
    /// whose last statement still waits has this one executed after it, as a socket would.
    void submit(SessionId session, const Statement& statement, sim::WallTime now, Output& out);

    /// Closes a connection, rolling back its open transaction. A statement that is waiting is not
    /// noticed to be orphaned: it goes on waiting, and once done may even commit; only its reply is
    /// lost (client_connection_check_interval is 0 by default). Unknown sessions are ignored.
    void disconnect(SessionId session, sim::WallTime now, Output& out);

    /// Ends a session's waiting statement with `query_canceled`; ignored if there is none.
    void cancel(SessionId session, sim::WallTime now, Output& out);

    /// Fires the deadlines that are due: deadlock checks and timeouts.
    void advance(sim::WallTime now, Output& out);

    /// When `advance` has something to do next, if nothing else happens before.
    std::optional<sim::WallTime> next_deadline() const;

    /// The server dies and comes back: open transactions and all connections are gone, nobody gets
    /// an answer. Commits are kept, or, with `synchronous_commit` off, those up to the last flush:
    /// a prefix of the commit order. Both kinds lose the same: unflushed log lies in the server's
    /// memory.
    void restart_after_process_loss(sim::WallTime now, Output& out);
    void restart_after_machine_loss(sim::WallTime now, Output& out);

    /// An asynchronous replica takes over that was `lag` behind: as a restart, and commits newer
    /// than `now - lag` (or not flushed, for only flushed log is sent) are lost.
    void fail_over(sim::Duration lag, sim::WallTime now, Output& out);

    /// Somebody opens every connection that is left, and says nothing over them, until they are
    /// closed again or the server is lost. Returns how many.
    std::size_t take_connections();
    void close_taken_connections();

    /// Sessions that are connected, orphans included.
    std::size_t connections() const;

    /// Calls `visit` for each committed row, oldest first. For the harness to judge by, not for
    /// actors; the view is valid during the visit.
    void for_each_row(TableId table, const std::function<void(RowView)>& visit) const;

    /// A 64-bit digest of what is committed, whatever way it came about, the same on every machine.
    std::uint64_t digest() const;

    Snapshot snapshot() const;

private:
    std::unique_ptr<Engine> engine_;
};

}  // namespace redeliver::model::database
