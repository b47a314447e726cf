#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "model/redis/consumers.h"
#include "model/redis/entry_log.h"
#include "model/redis/names.h"
#include "model/redis/pending_list.h"

namespace redeliver::model::redis {

/// Readers who share one stream: each entry goes to one of them.
struct ConsumerGroup {
    Name name{};
    /// What `>` delivered last.
    EntryId last_delivered_id;
    /// How many entries the group has read, as far as the server can tell.
    std::optional<std::int64_t> entries_read;
    PendingList pending;
    Consumers consumers;
    EntryLog::Hint hint = 0;

    /// Removes the row and takes it from its owner's count.
    void drop(PendingEntry& row);
    /// Hands the row to `owner`.
    void give(PendingEntry& row, ConsumerSlot owner);
};

/// A stream key: its entries, and what outlives them.
struct Stream {
    Name key{};
    EntryLog entries;
    /// The greatest id ever added or set; deletions do not lower it.
    EntryId last_id;
    /// The greatest id removed by XDEL; trimming does not raise it.
    EntryId max_deleted_id;
    /// XADDs that succeeded.
    std::int64_t entries_added = 0;
    /// By name, in byte order.
    std::map<std::string, ConsumerGroup, std::less<>> groups;

    ConsumerGroup* find_group(std::string_view name);
    const ConsumerGroup* find_group(std::string_view name) const;

    // The server's own heuristics, which are wrong after trimming unread entries, and give up after
    // XDEL ahead of the group. Source: streamRangeHasTombstones,
    // streamEstimateDistanceFromFirstEverEntry, streamReplyWithCGLag (7.0.15).

    bool may_have_tombstone_from(EntryId id) const;
    /// How many entries were ever added up to `id`; none when unknown.
    std::optional<std::int64_t> estimate_added_until(EntryId id) const;
    std::optional<std::int64_t> lag_of(const ConsumerGroup& group) const;
    /// What entries_read becomes when the group is delivered `id`.
    std::optional<std::int64_t> entries_read_after(const ConsumerGroup& group, EntryId id) const;
};

}  // namespace redeliver::model::redis
