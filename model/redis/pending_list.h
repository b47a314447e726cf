#pragma once

#include <cstdint>
#include <vector>

#include "model/redis/entry_id.h"
#include "model/redis/milliseconds.h"

namespace redeliver::model::redis {

/// Which consumer of its group: a slot in Consumers.
using ConsumerSlot = std::uint32_t;

inline constexpr ConsumerSlot nobody = ~ConsumerSlot{0};

/// Delivered to its owner and not yet acknowledged.
struct PendingEntry {
    EntryId id{};
    std::uint64_t label = 0;
    WallMillis delivered_at{};
    /// Times delivered, 1 after the first.
    std::uint64_t delivery_count = 1;
    ConsumerSlot owner = nobody;

    /// Negative when the server's clock was stepped back since.
    Milliseconds idle_time(WallMillis now) const { return now - delivered_at; }
};

/// A group's Pending Entries List, in id order.
///
/// A sorted array with tombstones: rows nearly always come at the end and leave anywhere, which
/// costs a tree 60 ns and this a few. A row without owner is a tombstone.
class PendingList {
public:
    /// A place in the list; erasing leaves the others where they are, inserting does not.
    using Place = std::size_t;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Null when `id` is not pending.
    PendingEntry* find(EntryId id);
    const PendingEntry* find(EntryId id) const;

    /// `row.id` must not be pending yet.
    PendingEntry& insert(const PendingEntry& row);

    /// `row` must be one of the list's.
    void erase(PendingEntry& row);

    Place begin() const { return next_row(0); }
    Place end() const { return rows_.size(); }
    Place lower_bound(EntryId id) const { return next_row(place_of(id)); }
    Place after(Place place) const { return next_row(place + 1); }
    PendingEntry& at(Place place) { return rows_[place]; }
    const PendingEntry& at(Place place) const { return rows_[place]; }

    /// The greatest pending id; 0-0 when empty.
    EntryId greatest() const;

    /// Forgets tombstones when they are the majority. Invalidates places.
    void compact();

private:
    Place place_of(EntryId id) const;
    Place next_row(Place place) const;

    std::vector<PendingEntry> rows_;
    std::size_t size_ = 0;
    /// Everything before it is a tombstone.
    Place first_ = 0;
    /// Where find() found last: batches are acknowledged in order.
    Place recent_ = 0;
};

}  // namespace redeliver::model::redis
