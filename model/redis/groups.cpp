// XGROUP and XACK.

#include "model/redis/call.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

constexpr std::int64_t unknown = -1;

bool is_invalid(std::optional<std::int64_t> entries_read) {
    return entries_read && *entries_read < unknown;
}

std::optional<std::int64_t> known(std::optional<std::int64_t> entries_read) {
    return entries_read == unknown ? std::nullopt : entries_read;
}

/// The checks shared by every XGROUP subcommand that needs the group.
template <typename OnGroup>
std::optional<Refused> flaw_of(const OnGroup& command, const FoundStream& stream,
                               const ConsumerGroup* group) {
    if (stream.is_other_type) return Refused{Refusal::wrong_type};
    if (!stream.stream) return Refused{Refusal::stream_required};
    if (!group) return no_group_of_key(command.key, command.group);
    return std::nullopt;
}

void tell_dropped(Call& call, const Stream& stream, const ConsumerGroup& group,
                  const PendingEntry& row, PendingDropped::Cause cause) {
    call.tell(PendingDropped{.entry = {stream.key, row.id, row.label},
                             .group = group.name,
                             .owner = group.consumers.at(row.owner).name,
                             .cause = cause,
                             .delivery_count = row.delivery_count});
}

}  // namespace

Reply execute(Call& call, const XgroupCreate& command) {
    if (is_invalid(command.entries_read)) return Refused{Refusal::entries_read_invalid};
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream && command.if_missing == XgroupCreate::IfMissing::refuse)
        return Refused{Refusal::stream_required};
    Stream* stream = found.stream;
    if (!stream) {
        stream = &create_stream(call, command.key);
        call.written(command.key);
    }
    if (stream->find_group(command.group)) return Refused{Refusal::busy_group};
    ConsumerGroup& group = stream->groups[command.group];
    group.name = call.names.intern(command.group);
    // `$` is the last id even where that entry was deleted; any other id is taken at its word.
    group.last_delivered_id = command.start.value_or(stream->last_id);
    group.entries_read = known(command.entries_read.value_or(unknown));
    call.tell(GroupCreated{stream->key, group.name, group.last_delivered_id});
    if (call.is_logged()) call.propagate(command);
    return Ok{};
}

Reply execute(Call& call, const XgroupSetid& command) {
    if (is_invalid(command.entries_read)) return Refused{Refusal::entries_read_invalid};
    const FoundStream found = find_stream(call, command.key);
    ConsumerGroup* const group = found.stream ? found.stream->find_group(command.group) : nullptr;
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (const auto flaw = flaw_of(command, found, group)) return *flaw;
    const EntryId from = group->last_delivered_id;
    group->last_delivered_id = command.last_delivered_id.value_or(found.stream->last_id);
    // Forgotten unless it is given. Wakes nobody, even if entries became deliverable.
    group->entries_read = known(command.entries_read.value_or(unknown));
    call.tell(GroupMoved{found.stream->key, group->name, from, group->last_delivered_id});
    if (call.is_logged()) call.propagate(command);
    return Ok{};
}

Reply execute(Call& call, const XgroupDestroy& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::stream_required};
    const auto group = found.stream->groups.find(command.group);
    if (group == found.stream->groups.end()) return std::int64_t{0};
    const PendingList& pending = group->second.pending;
    for (auto at = pending.begin(); at != pending.end(); at = pending.after(at))
        tell_dropped(call, *found.stream, group->second, pending.at(at),
                     PendingDropped::Cause::group_destroyed);
    call.tell(GroupDestroyed{found.stream->key, group->second.name});
    found.stream->groups.erase(group);
    if (call.is_logged()) call.propagate(command);
    call.signal(command.key);
    return std::int64_t{1};
}

Reply execute(Call& call, const XgroupCreateconsumer& command) {
    const FoundStream found = find_stream(call, command.key);
    ConsumerGroup* const group = found.stream ? found.stream->find_group(command.group) : nullptr;
    if (const auto flaw = flaw_of(command, found, group)) return *flaw;
    if (group->consumers.find(command.consumer)) return std::int64_t{0};
    meet_consumer(call, *found.stream, *group, command.consumer);
    if (call.is_logged()) call.propagate(command);
    return std::int64_t{1};
}

Reply execute(Call& call, const XgroupDelconsumer& command) {
    const FoundStream found = find_stream(call, command.key);
    ConsumerGroup* const group = found.stream ? found.stream->find_group(command.group) : nullptr;
    if (const auto flaw = flaw_of(command, found, group)) return *flaw;
    const auto slot = group->consumers.find(command.consumer);
    if (!slot) {
        const bool logs_anyway = !call.imitates(Configuration::Version::v7_0);
        if (logs_anyway && call.is_logged()) call.propagate(command);
        return std::int64_t{0};
    }
    const std::uint64_t owned = group->consumers.at(*slot).pending;
    // Its rows go with it: neither `>` nor a claim brings these entries back.
    PendingList& pending = group->pending;
    for (auto at = pending.begin(); at != pending.end(); at = pending.after(at)) {
        PendingEntry& row = pending.at(at);
        if (row.owner != *slot) continue;
        tell_dropped(call, *found.stream, *group, row, PendingDropped::Cause::consumer_deleted);
        group->drop(row);
    }
    sim::ensure(group->consumers.at(*slot).pending == 0, "all rows of a consumer were found");
    call.tell(ConsumerDeleted{found.stream->key, group->name, group->consumers.at(*slot).name});
    group->consumers.erase(*slot);
    if (call.is_logged()) call.propagate(command);
    return static_cast<std::int64_t>(owned);
}

Reply execute(Call& call, const Xack& command) {
    const auto [stream, group, is_other_type] = find_group(call, command.key, command.group);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!group) return std::int64_t{0};
    std::int64_t acknowledged = 0;
    for (const EntryId id : command.ids) {
        PendingEntry* const row = group->pending.find(id);
        if (!row) continue;
        // Nobody asks whether the caller owns the row.
        call.tell(EntryAcknowledged{.entry = {stream->key, id, row->label},
                                    .group = group->name,
                                    .owner = group->consumers.at(row->owner).name,
                                    .by = call.session,
                                    .delivery_count = row->delivery_count});
        group->drop(*row);
        ++acknowledged;
    }
    if (acknowledged > 0 && call.is_logged()) call.propagate(command);
    return acknowledged;
}

}  // namespace redeliver::model::redis
