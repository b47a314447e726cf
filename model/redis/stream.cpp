#include "model/redis/stream.h"

#include "sim/ensure.h"

namespace redeliver::model::redis {

void ConsumerGroup::drop(PendingEntry& row) {
    Consumer& owner = consumers.at(row.owner);
    sim::ensure(owner.pending > 0, "the owner of a row counts it");
    --owner.pending;
    pending.erase(row);
}

void ConsumerGroup::give(PendingEntry& row, ConsumerSlot owner) {
    if (row.owner == owner) return;
    Consumer& before = consumers.at(row.owner);
    sim::ensure(before.pending > 0, "the earlier owner of a row counts it");
    --before.pending;
    ++consumers.at(owner).pending;
    row.owner = owner;
}

ConsumerGroup* Stream::find_group(std::string_view name) {
    const auto found = groups.find(name);
    return found == groups.end() ? nullptr : &found->second;
}

const ConsumerGroup* Stream::find_group(std::string_view name) const {
    const auto found = groups.find(name);
    return found == groups.end() ? nullptr : &found->second;
}

bool Stream::may_have_tombstone_from(EntryId id) const {
    return !entries.empty() && max_deleted_id != min_entry_id &&
           entries.first_id() <= max_deleted_id && id <= max_deleted_id;
}

std::optional<std::int64_t> Stream::estimate_added_until(EntryId id) const {
    if (entries_added == 0) return 0;
    if (entries.empty() && id <= last_id) return entries_added;
    if (id == last_id) return entries_added;
    if (id > last_id) return std::nullopt;
    const EntryId first = entries.first_id();
    if (max_deleted_id != min_entry_id && max_deleted_id >= first) return std::nullopt;
    const auto length = static_cast<std::int64_t>(entries.size());
    if (id < first) return entries_added - length;
    if (id == first) return entries_added - length + 1;
    return std::nullopt;
}

std::optional<std::int64_t> Stream::lag_of(const ConsumerGroup& group) const {
    if (entries_added == 0) return 0;
    if (group.entries_read && !may_have_tombstone_from(group.last_delivered_id))
        return entries_added - *group.entries_read;
    const auto estimate = estimate_added_until(group.last_delivered_id);
    if (!estimate) return std::nullopt;
    return entries_added - *estimate;
}

std::optional<std::int64_t> Stream::entries_read_after(const ConsumerGroup& group,
                                                       EntryId id) const {
    if (group.entries_read && !may_have_tombstone_from(id)) return *group.entries_read + 1;
    if (entries_added != 0) return estimate_added_until(id);
    return group.entries_read;
}

}  // namespace redeliver::model::redis
