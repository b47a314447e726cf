#include "model/redis/forgotten.h"

#include <algorithm>
#include <string>

namespace redeliver::model::redis {
namespace {

using What = Forgotten::What;

const Stream no_stream{};
const ConsumerGroup no_group{};

/// Compares one stream before and after a loss. A missing stream or group compares as an empty one.
class StreamComparison {
public:
    StreamComparison(const Stream& before, const Stream& after, Name key, Names& names,
                     std::vector<Event>& events)
        : before_(before), after_(after), key_(key), names_(names), events_(events) {}

    void tell() {
        tell_entries();
        for (const auto& [name, group] : before_.groups) {
            const ConsumerGroup* const survivor = after_.find_group(name);
            tell_group(names_.intern(name), group, survivor);
        }
    }

private:
    void tell(What what, EntryId id, std::uint64_t label, Name group = {}, Name consumer = {}) {
        events_.push_back(Forgotten{what, {key_, id, label}, group, consumer});
    }

    void tell_entries() {
        for (auto at = before_.entries.begin(); !at.at_end(); at.next())
            if (!survives(*at)) tell(What::entry, at->id, at->label);
        for (auto at = after_.entries.begin(); !at.at_end(); at.next())
            if (!before_.entries.contains(at->id)) tell(What::removal, at->id, at->label);
    }

    bool survives(const Entry& entry) const { return after_.entries.contains(entry.id); }

    void tell_group(Name name, const ConsumerGroup& group, const ConsumerGroup* survivor) {
        if (!survivor)
            tell(What::group, {}, 0, name);
        else if (survivor->last_delivered_id != group.last_delivered_id)
            tell(What::group_position, {}, 0, name);
        const ConsumerGroup& now = survivor ? *survivor : no_group;
        tell_rows(name, group, now);
        tell_reopened(name, group, now);
        tell_settled(name, group, now);
        tell_consumers(name, group, now);
    }

    /// Rows there were: gone, or back with someone else, or with another count.
    void tell_rows(Name name, const ConsumerGroup& group, const ConsumerGroup& now) {
        const PendingList& rows = group.pending;
        for (auto at = rows.begin(); at != rows.end(); at = rows.after(at)) {
            const PendingEntry& row = rows.at(at);
            const Consumer& owner = group.consumers.at(row.owner);
            const PendingEntry* const left = now.pending.find(row.id);
            if (!left) {
                tell(What::delivery, row.id, row.label, name, owner.name);
                continue;
            }
            const Consumer& owner_now = now.consumers.at(left->owner);
            if (owner_now.text != owner.text)
                tell(What::claim, row.id, row.label, name, owner_now.name);
            if (left->delivery_count != row.delivery_count)
                tell(What::delivery_count, row.id, row.label, name, owner_now.name);
        }
    }

    /// Rows that had been acknowledged or dropped, and are back.
    void tell_reopened(Name name, const ConsumerGroup& group, const ConsumerGroup& now) {
        const PendingList& rows = now.pending;
        for (auto at = rows.begin(); at != rows.end(); at = rows.after(at)) {
            const PendingEntry& row = rows.at(at);
            if (group.pending.find(row.id)) continue;
            tell(What::acknowledgement, row.id, row.label, name, now.consumers.at(row.owner).name);
        }
    }

    /// Entries that were delivered and settled, and are new to the group again.
    void tell_settled(Name name, const ConsumerGroup& group, const ConsumerGroup& now) {
        const auto start = increment(now.last_delivered_id);
        if (!start) return;
        for (auto at = after_.entries.lower_bound(*start);
             !at.at_end() && at->id <= group.last_delivered_id; at.next())
            if (!group.pending.find(at->id) && !now.pending.find(at->id))
                tell(What::delivery, at->id, at->label, name);
    }

    void tell_consumers(Name name, const ConsumerGroup& group, const ConsumerGroup& now) {
        for (const ConsumerSlot slot : group.consumers.by_text()) {
            const Consumer& consumer = group.consumers.at(slot);
            if (!now.consumers.find(consumer.text))
                tell(What::consumer, {}, 0, name, consumer.name);
        }
    }

    const Stream& before_;
    const Stream& after_;
    Name key_;
    Names& names_;
    std::vector<Event>& events_;
};

/// Of whatever is no stream.
bool is_same_value(const Value* before, const Value* after) {
    const Value* const old_value = before && !before->stream() ? before : nullptr;
    const Value* const new_value = after && !after->stream() ? after : nullptr;
    if (!old_value || !new_value) return old_value == new_value;
    return old_value->is_same_as(*new_value);
}

void compare(const std::string& key, const Value* before, const Value* after, Names& names,
             std::vector<Event>& events) {
    const Stream* const old_stream = before ? before->stream() : nullptr;
    const Stream* const new_stream = after ? after->stream() : nullptr;
    if (old_stream || new_stream)
        StreamComparison(old_stream ? *old_stream : no_stream, new_stream ? *new_stream : no_stream,
                         names.intern(key), names, events)
            .tell();
    if (!is_same_value(before, after))
        events.push_back(Forgotten{What::key, {names.intern(key), {}, 0}, {}, {}});
}

}  // namespace

void tell_forgotten(const Keyspace& before, const Keyspace& after, Names& names,
                    std::vector<Event>& events) {
    auto old_key = before.keys().begin();
    auto new_key = after.keys().begin();
    while (old_key != before.keys().end() || new_key != after.keys().end()) {
        const bool takes_old = old_key != before.keys().end() &&
                               (new_key == after.keys().end() || old_key->first <= new_key->first);
        const bool takes_new = new_key != after.keys().end() &&
                               (old_key == before.keys().end() || new_key->first <= old_key->first);
        const std::string& key = takes_old ? old_key->first : new_key->first;
        compare(key, takes_old ? &old_key->second : nullptr, takes_new ? &new_key->second : nullptr,
                names, events);
        if (takes_old) ++old_key;
        if (takes_new) ++new_key;
    }
}

}  // namespace redeliver::model::redis
