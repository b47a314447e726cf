#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/keyspace.h"
#include "model/redis/log_form.h"
#include "model/redis/names.h"
#include "sim/time.h"

namespace redeliver::model::redis {

/// What the server propagates to its append-only file and its replicas: one record per command, per
/// EXEC, per XREADGROUP, in order. Whoever survives a loss holds a prefix of it, replayed onto an
/// empty keyspace. The oldest records, which no loss can take any more, are kept as the keyspace
/// they came to.
///
/// Rewriting the append-only file changes what the disk holds, and nothing for the replicas, which
/// were sent the records as they came.
///
/// Source: the append-only file of a 7.0.15 server, observed; flushAppendOnlyFile in
/// redis/src/aof.c.
class Journal {
public:
    struct Record {
        sim::WallTime at;
        std::vector<Command> commands;
    };

    /// What a rewrite put at the head of the append-only file.
    struct Rewritten {
        LogForm form;
        /// Empty in the form of a snapshot.
        std::vector<Command> commands;
        /// What loading it comes to; with the retained records it covers before it.
        Keyspace keys;
        std::uint64_t covered = 0;
    };

    explicit Journal(const Configuration& configuration) : configuration_(configuration) {}

    void reconfigure(const Configuration& configuration) { configuration_ = configuration; }

    void append(sim::WallTime at, std::vector<Command> commands, Names& names);

    /// Records that can still be taken back.
    std::uint64_t retained() const { return tail_.size(); }
    const std::deque<Record>& tail() const { return tail_; }
    const Keyspace& base() const { return base_; }

    /// How many retained records a lost machine leaves on its disk.
    std::uint64_t on_disk(sim::WallTime now);
    /// How many retained records are at least so old.
    std::uint64_t older_than(sim::Duration age, sim::WallTime now) const;

    /// What a replica that got the first so many retained records has come to.
    Keyspace replay(std::uint64_t records, Names& names) const;

    /// What a server comes to that loads `now` an append-only file which ends with so many retained
    /// records: consumers count as seen `now`, and no delivery is later than `now`.
    Keyspace load(std::uint64_t records, sim::WallTime now, Names& names) const;

    /// The append-only file is written anew, from the keys as they are, and brought to the disk.
    void rewrite(LogForm form, const Keyspace& keys, sim::WallTime now, Names& names);
    const std::optional<Rewritten>& rewritten() const { return rewritten_; }

    /// Begins again on what survived.
    void restart(Keyspace survivors, sim::WallTime now);

    /// everysec: how many retained records have been fsynced, and when the others will be.
    std::uint64_t synced() const { return synced_; }
    std::optional<sim::WallTime> sync_due() const { return sync_due_; }
    std::int64_t last_sync_tick() const { return last_sync_tick_; }

private:
    void sync_until(sim::WallTime now);
    std::int64_t tick_of(sim::WallTime at) const;
    void forget_settled(sim::WallTime now, Names& names);

    Configuration configuration_;
    Keyspace base_;
    std::deque<Record> tail_;
    std::optional<Rewritten> rewritten_;
    std::uint64_t synced_ = 0;
    std::int64_t last_sync_tick_ = 0;
    /// When the records beyond `synced_` will be fsynced.
    std::optional<sim::WallTime> sync_due_;
};

}  // namespace redeliver::model::redis
