#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/redis/replies.h"
#include "model/redis/sorted_set.h"

/// All of a server's data as plain values, to print and to compare. Not fast.
namespace redeliver::model::redis {

struct ConsumerSnapshot {
    std::string name{};
    WallMillis seen_at{};
    std::uint64_t pending = 0;
    friend bool operator==(const ConsumerSnapshot&, const ConsumerSnapshot&) = default;
};

struct PendingSnapshot {
    EntryId id{};
    std::string consumer{};
    WallMillis delivered_at{};
    Milliseconds idle_time{0};
    std::uint64_t delivery_count = 0;
    std::uint64_t label = 0;
    friend bool operator==(const PendingSnapshot&, const PendingSnapshot&) = default;
};

struct GroupSnapshot {
    std::string name{};
    EntryId last_delivered_id{};
    std::optional<std::int64_t> entries_read{};
    std::optional<std::int64_t> lag{};
    std::vector<PendingSnapshot> pending{};
    std::vector<ConsumerSnapshot> consumers{};
    friend bool operator==(const GroupSnapshot&, const GroupSnapshot&) = default;
};

struct StreamSnapshot {
    std::vector<Entry> entries{};
    EntryId last_id{};
    EntryId max_deleted_id{};
    std::int64_t entries_added = 0;
    std::vector<GroupSnapshot> groups{};
    std::optional<WallMillis> expires_at{};
    friend bool operator==(const StreamSnapshot&, const StreamSnapshot&) = default;
};

struct StringSnapshot {
    std::string value{};
    std::optional<WallMillis> expires_at{};
    friend bool operator==(const StringSnapshot&, const StringSnapshot&) = default;
};

struct SortedSetSnapshot {
    SortedSet set{};
    std::optional<WallMillis> expires_at{};
    friend bool operator==(const SortedSetSnapshot&, const SortedSetSnapshot&) = default;
};

/// A list, in its order, or a set, in byte order.
struct StringsSnapshot {
    std::vector<std::string> strings{};
    std::optional<WallMillis> expires_at{};
    friend bool operator==(const StringsSnapshot&, const StringsSnapshot&) = default;
};

struct Snapshot {
    std::map<std::string, StreamSnapshot> streams{};
    std::map<std::string, StringSnapshot> strings{};
    std::map<std::string, SortedSetSnapshot> sorted_sets{};
    std::map<std::string, StringsSnapshot> lists{};
    std::map<std::string, StringsSnapshot> sets{};
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

}  // namespace redeliver::model::redis
