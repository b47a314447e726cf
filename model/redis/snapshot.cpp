#include "model/redis/snapshot.h"

#include <algorithm>

#include "model/redis/server_state.h"

namespace redeliver::model::redis {
namespace {

GroupSnapshot snapshot_of(const Stream& stream, const std::string& name, const ConsumerGroup& group,
                          WallMillis now) {
    GroupSnapshot snapshot{.name = name,
                           .last_delivered_id = group.last_delivered_id,
                           .entries_read = group.entries_read,
                           .lag = stream.lag_of(group)};
    const PendingList& rows = group.pending;
    for (auto at = rows.begin(); at != rows.end(); at = rows.after(at)) {
        const PendingEntry& row = rows.at(at);
        snapshot.pending.push_back({.id = row.id,
                                    .consumer = group.consumers.at(row.owner).text,
                                    .delivered_at = row.delivered_at,
                                    .idle_time = std::max(row.idle_time(now), Milliseconds{0}),
                                    .delivery_count = row.delivery_count,
                                    .label = row.label});
    }
    for (const ConsumerSlot slot : group.consumers.by_text()) {
        const Consumer& consumer = group.consumers.at(slot);
        snapshot.consumers.push_back({consumer.text, consumer.seen_at, consumer.pending});
    }
    return snapshot;
}

StreamSnapshot snapshot_of(const Stream& stream, WallMillis now) {
    StreamSnapshot snapshot{.last_id = stream.last_id,
                            .max_deleted_id = stream.max_deleted_id,
                            .entries_added = stream.entries_added};
    for (auto at = stream.entries.begin(); !at.at_end(); at.next()) snapshot.entries.push_back(*at);
    for (const auto& [name, group] : stream.groups)
        snapshot.groups.push_back(snapshot_of(stream, name, group, now));
    return snapshot;
}

/// Puts what a key holds where it belongs.
struct Place {
    Snapshot& snapshot;
    const std::string& key;
    std::optional<WallMillis> expires_at;
    WallMillis now;

    void operator()(const Stream& stream) const {
        StreamSnapshot& placed = snapshot.streams[key];
        placed = snapshot_of(stream, now);
        placed.expires_at = expires_at;
    }
    void operator()(const std::string& text) const { snapshot.strings[key] = {text, expires_at}; }
    void operator()(const SortedSet& set) const { snapshot.sorted_sets[key] = {set, expires_at}; }
    void operator()(const StringList& list) const {
        snapshot.lists[key] = {{list.begin(), list.end()}, expires_at};
    }
    void operator()(const StringSet& set) const {
        snapshot.sets[key] = {{set.begin(), set.end()}, expires_at};
    }
};

}  // namespace

Snapshot Server::snapshot(sim::WallTime now) const {
    Snapshot snapshot;
    for (const auto& [key, value] : state_->keys.keys())
        std::visit(Place{snapshot, key, value.expires_at, to_millis(now)}, value.held);
    return snapshot;
}

}  // namespace redeliver::model::redis
