#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/log_form.h"
#include "model/redis/output.h"
#include "model/redis/snapshot.h"
#include "sim/time.h"

namespace redeliver::model::redis {

/// A redis-server 7.0.15 as a pure state machine: commands and the time in, replies and events out.
///
/// `now` is always the server's own wall clock. It may go backwards; deadlines are absolute times
/// of that clock, as in the real server, so whoever turns them into world time re-arms them after
/// a step. Everything that is due at `now` happens before anything else in every call.
///
/// A session needs no introduction: its first command makes it known.
class Server {
public:
    explicit Server(Configuration configuration = {});
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;
    ~Server();

    /// Executes the command, or keeps it while the session waits in a blocking read: what is sent
    /// behind one is executed when it ends. The reply to a read that blocks comes in the Output of
    /// a later call. The writer's own reply comes first, then those of whom it woke, first come
    /// first served; after EXEC, never inside.
    void submit(SessionId session, const Command& command, sim::WallTime now, Output& out);

    /// The connection is closed: its place in every queue, its transaction and its watches go.
    void disconnect(SessionId session, sim::WallTime now, Output& out);

    /// Lets everything due happen: BLOCK timeouts, and keys that expire.
    void advance(sim::WallTime now, Output& out);

    /// When `advance` has something to do next.
    std::optional<sim::WallTime> next_deadline() const;

    /// Answers the Hosted commands of a session. It may call whatever stands under "The process"
    /// below; nothing else of the server while it works.
    using Host =
        std::function<Reply(SessionId, const Hosted& command, sim::WallTime now, Output& out)>;
    void answer_hosted_with(Host host);

    // The process: what those may do who answer hosted commands.

    /// What a read that is ended from outside answers (CLIENT UNBLOCK).
    enum class Ending : std::uint8_t { timeout, error };
    /// Ends the read in which the session waits; false when it waits in none.
    bool unblock(SessionId session, Ending ending, Output& out);

    /// Node limits, fsync policy and memory limit from now on (CONFIG SET). Version and record
    /// stay.
    void reconfigure(const Configuration& configuration);

    /// The data is thrown away and built again from the append-only file; connections stay (DEBUG
    /// LOADAOF). Needs Configuration::Record::propagated.
    void reload_log(sim::WallTime now);

    /// The append-only file is empty, as if nothing had ever been logged.
    void forget_log(sim::WallTime now);

    struct KeyCounts {
        std::uint64_t keys = 0;
        std::uint64_t expiring = 0;
    };
    KeyCounts key_counts() const;
    bool is_blocked(SessionId session) const;
    bool is_in_transaction(SessionId session) const;

    // Faults. All but `become_replica` need Configuration::Record::propagated, close every
    // connection without a word, and tell in Forgotten events what is no longer as it was.

    /// The process is killed and started again on its append-only file. Nothing answered is lost;
    /// what is never logged is: counts and times of history reads, consumers without deliveries,
    /// when consumers were seen.
    void restart_after_process_loss(sim::WallTime now, Output& out);

    /// The machine loses power: what Configuration::appendfsync had not brought to the disk is
    /// gone.
    void restart_after_machine_loss(sim::WallTime now, Output& out);

    /// How far the replica lags that is promoted: so many of the newest propagated records, or all
    /// that are younger. A transaction, and the rows of one XREADGROUP, are one record.
    using ReplicaLag = std::variant<std::uint64_t, sim::Duration>;

    /// A replica takes over. It has all but what it lagged behind.
    void fail_over(ReplicaLag lag, sim::WallTime now, Output& out);

    /// Records that a failover could take back now.
    std::uint64_t retained_records() const;

    using LogForm = redis::LogForm;
    /// BGREWRITEAOF, done at once: the append-only file is written anew and brought to the disk.
    /// Nothing is to be seen of it before the next restart, or `reload_log`. Needs
    /// Configuration::Record::propagated.
    void rewrite_log(LogForm form, sim::WallTime now);

    /// The append-only file, command by command, as far back as `retained_records` or the last
    /// rewrite in the form of commands: what was propagated together stands between MULTI and
    /// EXEC. Options are spelled as `arguments` spells them, which the client may have done
    /// otherwise.
    std::vector<std::vector<std::string>> log_words() const;

    /// From now on writes are refused; blocked readers get UNBLOCKED and are closed.
    void become_replica(sim::WallTime now, Output& out);
    void become_primary();

    std::string_view text(Name name) const;
    const Configuration& configuration() const;

    /// How many sessions wait in a blocking read.
    std::size_t blocked_sessions() const;

    Snapshot snapshot(sim::WallTime now) const;

    /// XXH3 over the whole state: data, sessions, queues. Equal states have equal digests on every
    /// machine; no address and no history of how a state came about enters it.
    std::uint64_t digest() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace redeliver::model::redis
