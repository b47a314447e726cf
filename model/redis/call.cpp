#include "model/redis/call.h"

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

PendingDropped dropped(const Stream& stream, const ConsumerGroup& group, const PendingEntry& row,
                       PendingDropped::Cause cause) {
    return {.entry = {stream.key, row.id, row.label},
            .group = group.name,
            .owner = group.consumers.at(row.owner).name,
            .cause = cause,
            .delivery_count = row.delivery_count};
}

EntryRemoved::Cause as_cause_for_entries(KeyRemoved::Cause cause) {
    switch (cause) {
    case KeyRemoved::Cause::deleted: return EntryRemoved::Cause::key_deleted;
    case KeyRemoved::Cause::expired: return EntryRemoved::Cause::key_expired;
    case KeyRemoved::Cause::overwritten: return EntryRemoved::Cause::key_overwritten;
    }
    sim::fail_harness("every cause is known", std::source_location::current());
}

void tell_all_gone(Call& call, const Stream& stream, KeyRemoved::Cause cause) {
    std::vector<Entry> entries;
    for (auto at = stream.entries.begin(); !at.at_end(); at.next()) entries.push_back(*at);
    tell_removed(call, stream, entries, as_cause_for_entries(cause));
    for (const auto& [name, group] : stream.groups)
        for (auto at = group.pending.begin(); at != group.pending.end();
             at = group.pending.after(at))
            call.tell(
                dropped(stream, group, group.pending.at(at), PendingDropped::Cause::key_removed));
}

}  // namespace

FoundStream find_stream(Call& call, std::string_view key) {
    Value* const value = call.keys.find(key);
    if (!value) return {};
    Stream* const stream = value->stream();
    return {.stream = stream, .is_other_type = stream == nullptr};
}

FoundGroup find_group(Call& call, std::string_view key, std::string_view group_name) {
    const FoundStream found = find_stream(call, key);
    if (!found.stream) return {.is_other_type = found.is_other_type};
    ConsumerGroup* const group = found.stream->find_group(group_name);
    return {.stream = group ? found.stream : nullptr, .group = group};
}

ConsumerSlot meet_consumer(Call& call, const Stream& stream, ConsumerGroup& group,
                           std::string_view text) {
    if (const auto known = group.consumers.find(text)) {
        group.consumers.at(*known).seen_at = call.now;
        return *known;
    }
    const Name name = call.names.intern(text);
    call.tell(ConsumerCreated{stream.key, group.name, name});
    return group.consumers.create({.name = name, .text = std::string(text), .seen_at = call.now});
}

Stream& create_stream(Call& call, const std::string& key) {
    const Name name = call.names.intern(key);
    call.tell(StreamCreated{name});
    Value value;
    value.held.emplace<Stream>().key = name;
    Stream& stream = *call.keys.add(key, std::move(value)).stream();
    call.signal(key);
    return stream;
}

void remove_key(Call& call, const std::string& key, KeyRemoved::Cause cause) {
    const Value value = call.keys.take(key);
    const bool tells = call.events != nullptr;
    if (value.stream()) {
        // Readers of a group that wait for the key are told that it is gone.
        call.signal(key);
        if (tells) tell_all_gone(call, *value.stream(), cause);
    }
    if (tells) call.tell(KeyRemoved{call.names.intern(key), cause});
}

void tell_removed(Call& call, const Stream& stream, const std::vector<Entry>& entries,
                  EntryRemoved::Cause cause) {
    if (!call.events) return;
    for (const Entry& entry : entries) {
        EntryRemoved event{.entry = {stream.key, entry.id, entry.label},
                           .cause = cause,
                           .undelivered_groups = 0,
                           .pending_groups = 0};
        for (const auto& [name, group] : stream.groups) {
            if (group.last_delivered_id < entry.id) ++event.undelivered_groups;
            if (group.pending.find(entry.id)) ++event.pending_groups;
        }
        call.tell(event);
    }
}

void propagate_row(Call& call, std::string_view key, const ConsumerGroup& group,
                   std::string_view group_name, const PendingEntry& row) {
    if (!call.is_logged()) return;
    call.propagate(Xclaim{.key = std::string(key),
                          .group = std::string(group_name),
                          .consumer = group.consumers.at(row.owner).text,
                          .min_idle_time = Milliseconds{0},
                          .ids = {row.id},
                          .delivered = row.delivered_at,
                          .delivery_count = static_cast<std::int64_t>(row.delivery_count),
                          .if_not_pending = Xclaim::IfNotPending::create,
                          .reply = ClaimReply::ids_only,
                          .last_delivered_id = group.last_delivered_id});
}

void propagate_position(Call& call, std::string_view key, const ConsumerGroup& group,
                        std::string_view group_name) {
    if (!call.is_logged()) return;
    XgroupSetid position{.key = std::string(key),
                         .group = std::string(group_name),
                         .last_delivered_id = group.last_delivered_id};
    if (call.imitates(Configuration::Version::v7_0))
        position.entries_read = group.entries_read.value_or(-1);
    call.propagate(std::move(position));
}

void propagate_consumer(Call& call, std::string_view key, std::string_view group_name,
                        std::string_view consumer) {
    if (!call.is_logged()) return;
    call.propagate(XgroupCreateconsumer{.key = std::string(key),
                                        .group = std::string(group_name),
                                        .consumer = std::string(consumer)});
}

}  // namespace redeliver::model::redis
