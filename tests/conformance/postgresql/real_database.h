#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/conformance/postgresql/modelled_database.h"
#include "tests/conformance/postgresql/postgres_server.h"
#include "tests/conformance/postgresql/postgres_session.h"
#include "tests/conformance/postgresql/script.h"

namespace redeliver::conformance::postgresql {

/// The real server's side of a script: takes what each client does, and says of every client what
/// it was answered and whom it waits for.
///
/// Of the server's processes that serve clients one runs at a time: whoever waits is stopped as
/// soon as the server's own view of its locks says so, and goes on when that view says that it may,
/// in the order in which the model resumes. So nothing depends on how the processes race.
class RealDatabase {
public:
    using Client = ModelledDatabase::Client;

    RealDatabase(PostgresServer& server, model::database::SynchronousCommit commit);

    /// Makes the script's tables, with its rows in them, and forgets all clients.
    void begin(const Script& script);
    /// A client connects, in place of whoever was at that place in the script.
    void come(Client client, std::size_t session);

    void say(Client client, const std::string& sql);
    /// Says something and goes away before any answer can come.
    void say_and_leave(Client client, const std::string& sql);
    void cancel(Client client);
    void leave(Client client);
    /// Has a waiting client's process look at its deadlines.
    void strike(Client client);
    /// All that was committed reaches the log on disk.
    void flush();

    /// Whether the server showed it waiting when it was last let go on.
    bool is_waiting(Client client) const { return parties_[client].waits; }
    /// As pg_blocking_pids says it, of everybody who waits.
    std::map<Client, std::set<Client>> blockers();
    /// The answers since the last call, by client.
    std::map<Client, std::string> take_answers();
    std::multiset<std::string> content(const std::string& table);

    /// Kills the server and starts it again.
    void crash();
    /// Nothing reaches the replica any more, which has all that there is now.
    void freeze(PostgresServer& replica);
    /// Kills the server and promotes the replica; what follows is asked of that, until `restart`.
    void fail_over(PostgresServer& replica);
    void restart();

    /// Ends every session, whatever it does: after a difference nobody knows.
    void abandon();

private:
    /// A client, and the process that serves it.
    struct Party {
        PostgresSession* session = nullptr;
        bool waits = false;
        bool awaits_turn = false;       ///< At a row, behind others.
        std::uint64_t waits_since = 0;  ///< Counts waits.
        bool is_orphan = false;
        bool has_gone = false;
        std::optional<std::string> answer;
    };
    /// A process that waits for a lock, as the server tells it.
    struct Waiting {
        bool for_turn;
        std::set<pid_t> blockers;
    };
    using Waits = std::map<pid_t, Waiting>;

    void connect_monitor();
    void make_tables(const Script& script);
    void stop_when_idle(const std::string& types, int count);
    void orphan(Client client);
    void let_go_on(Client client, std::optional<int> signal = {});
    void settle(Party& party, std::optional<std::uint64_t> sleeps_before);
    void append_set_free(std::deque<Client>& ready);
    Waits look();
    void forget_sessions();

    PostgresServer& server_;
    model::database::SynchronousCommit commit_;
    std::unique_ptr<PostgresSession> monitor_;
    std::vector<std::unique_ptr<PostgresSession>> sessions_;  // By place in the script.
    std::vector<std::unique_ptr<PostgresSession>> orphans_;
    std::string made_;  // The tables there are, as SQL.
    std::vector<std::string> tables_;
    std::string timeouts_;  // As every session has been told.

    // Of the script under way.
    std::vector<Party> parties_;       // By client.
    std::vector<std::size_t> places_;  // Of each client in the script.
    std::uint64_t waits_ = 0;
};

}  // namespace redeliver::conformance::postgresql
