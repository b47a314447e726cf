#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "model/redis/blocked_reads.h"
#include "model/redis/call.h"
#include "model/redis/journal.h"
#include "model/redis/keyspace.h"
#include "model/redis/names.h"
#include "model/redis/server.h"
#include "model/redis/watched_keys.h"

namespace redeliver::model::redis {

/// Between MULTI and EXEC.
struct Transaction {
    enum class Health : std::uint8_t { sound, broken };
    std::vector<Command> queued;
    /// Broken by a command refused while queueing: EXEC will abort.
    Health health = Health::sound;
};

/// What a connection has that its next command depends on. Most have nothing and are not kept.
struct Session {
    std::optional<Transaction> transaction;
    /// Sent behind a read that blocks; executed when it ends.
    std::deque<Command> waiting;

    bool is_idle() const { return !transaction && waiting.empty(); }
};

/// The inside of a Server.
///
///  1. After every public call no key is signalled and nobody resumed waits to be served.
///  2. `logged` is empty between commands: what one command propagates is one record.
///  3. Whoever waits in `blocked` has no transaction.
struct Server::State {
    enum class Role : std::uint8_t { primary, replica };

    explicit State(const Configuration& given);

    Configuration configuration;
    Names names;
    Keyspace keys;
    WatchedKeys watched;
    BlockedReads blocked;
    std::map<SessionId, Session> sessions;
    std::optional<Journal> journal;
    Role role = Role::primary;
    /// What the command at work has propagated so far.
    std::vector<Command> logged;
    /// Answers hosted commands; empty where nobody submits any.
    Host host;
    /// Whose blocking read ended while commands wait behind it, in that order.
    std::deque<SessionId> resumed;

    /// A command that may run now, whatever came before it on its connection.
    void perform(SessionId session, const Command& command, sim::WallTime now, Output& out);
    /// Serves whoever was woken, and what they had sent behind their reads, until all is quiet.
    void settle(sim::WallTime now, Output& out);
    void forget_if_idle(SessionId session);

    // Transactions.
    void queue(SessionId session, Transaction& transaction, const Command& command, Output& out);
    void begin_transaction(SessionId session, Output& out);
    void execute_transaction(SessionId session, sim::WallTime now, Output& out);
    void end_transaction(SessionId session);
    void discard_transaction(SessionId session, Output& out);
    std::optional<Refusal> why_not(const Command& command) const;

    // Single commands.
    struct Perform;
    Call call_by(SessionId session, sim::WallTime now, Output& out);
    Reply answer_as_host(SessionId session, const Hosted& command, sim::WallTime now, Output& out);
    void record(sim::WallTime now);

    // Blocking reads.
    void block(SessionId session, std::variant<Xread, Xreadgroup> command, sim::WallTime now);
    void unblock(SessionId session, Reply reply, Output& out);
    void answer_unblocked(SessionId session, Reply reply, Output& out);
    void serve_key(const std::string& key, sim::WallTime now, Output& out);
    void retry_waiting_for(const std::string& key, sim::WallTime now, Output& out);

    // Time.
    bool is_due(sim::WallTime now) const;
    void advance(sim::WallTime now, Output& out);
    void expire(std::string key, sim::WallTime now, Output& out);
    std::optional<sim::WallTime> next_expiry() const;
    std::optional<sim::WallTime> next_deadline() const;

    // Faults.
    void lose_connections();
    void survive_with(Keyspace survivors, Output& out);
    void reload_log(sim::WallTime now);
    void load_from_disk(std::uint64_t records, sim::WallTime now, Output& out);
};

}  // namespace redeliver::model::redis
