// XCLAIM and XAUTOCLAIM.

#include <algorithm>
#include <limits>

#include "model/redis/call.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

/// Visited rows per entry asked for.
constexpr std::int64_t visits_per_claim = 10;
/// From here on the server's own buffer for deleted ids would overflow.
constexpr std::int64_t most_claims = std::numeric_limits<std::int64_t>::max() / 16;
/// 6.2 had no such buffer.
constexpr std::int64_t most_claims_before_7_0 = std::numeric_limits<std::int64_t>::max();

/// The server makes room for as many deleted ids before it looks; this many never fit into the
/// address space. Fewer may fail too, depending on the machine.
constexpr std::int64_t most_memory = (std::int64_t{1} << 47) / 16;

/// The claimant and its stream. Created, and seen, once something is claimed; from 7.2 on in any
/// case.
class Claimant {
public:
    Claimant(Call& call, Stream& stream, ConsumerGroup& group, const std::string& name)
        : call_(call), stream_(stream), group_(group), name_(name) {
        if (call.imitates(Configuration::Version::v7_2)) slot();
    }

    ConsumerSlot slot() {
        if (slot_ == nobody) slot_ = meet_consumer(call_, stream_, group_, name_);
        return slot_;
    }

private:
    Call& call_;
    Stream& stream_;
    ConsumerGroup& group_;
    const std::string& name_;
    ConsumerSlot slot_ = nobody;
};

/// A row whose entry has left the stream leaves the PEL too, whatever its idle time.
void drop_ghost(Call& call, const std::string& key, Stream& stream, ConsumerGroup& group,
                std::string_view group_name, PendingEntry& row) {
    propagate_row(call, key, group, group_name, row);
    call.tell(PendingDropped{.entry = {stream.key, row.id, row.label},
                             .group = group.name,
                             .owner = group.consumers.at(row.owner).name,
                             .cause = PendingDropped::Cause::entry_gone,
                             .delivery_count = row.delivery_count});
    group.drop(row);
}

/// When the claimed rows count as delivered. A bogus time becomes now, as a client's clock may be
/// ahead of the server's.
WallMillis delivered_at(const Call& call, const Xclaim& command) {
    constexpr WallMillis epoch{};
    WallMillis when = call.now;
    if (const auto* const time = std::get_if<WallMillis>(&command.delivered)) {
        when = *time;
    } else if (const auto* const idle = std::get_if<Milliseconds>(&command.delivered)) {
        // Unsigned, so that an absurd IDLE wraps as it does in the server instead of overflowing.
        const auto now = static_cast<std::uint64_t>(call.now.time_since_epoch().count());
        const auto ago = static_cast<std::uint64_t>(idle->count());
        when = WallMillis{Milliseconds{static_cast<std::int64_t>(now - ago)}};
    }
    return when < epoch || when > call.now ? call.now : when;
}

struct ClaimOutcome {
    WallMillis delivered_at;
    std::optional<std::int64_t> delivery_count;
    ClaimReply reply;
};

void claim(Call& call, const Stream& stream, ConsumerGroup& group, PendingEntry& row,
           ConsumerSlot to, Name from, const ClaimOutcome& outcome) {
    const Milliseconds idle_time = row.idle_time(call.now);
    group.give(row, to);
    group.consumers.at(to).active_at = call.now;
    row.delivered_at = outcome.delivered_at;
    if (outcome.delivery_count && *outcome.delivery_count >= 0)
        row.delivery_count = static_cast<std::uint64_t>(*outcome.delivery_count);
    else if (outcome.reply == ClaimReply::entries)
        ++row.delivery_count;  // JUSTID hands over without counting as a delivery.
    call.tell(EntryClaimed{.entry = {stream.key, row.id, row.label},
                           .group = group.name,
                           .from = from,
                           .to = group.consumers.at(to).name,
                           .by = call.session,
                           .delivery_count = row.delivery_count,
                           .idle_time = idle_time});
}

/// Before 7.0, rows whose entry has left the stream are claimed like any other.
bool claims_ghosts(const Call& call) { return !call.imitates(Configuration::Version::v7_0); }

/// XCLAIM of one id, whose entry may have left the stream. The row when it was claimed.
const PendingEntry* claim_one(Call& call, const Xclaim& command, Stream& stream,
                              ConsumerGroup& group, Claimant& claimant, EntryId id,
                              const Entry* entry, WallMillis when) {
    PendingEntry* row = group.pending.find(id);
    Name from{};
    if (row) {
        from = group.consumers.at(row->owner).name;
        const bool checks_idle = command.min_idle_time > Milliseconds{0};
        // Equality claims, although the manual says "greater".
        if (checks_idle && row->idle_time(call.now) < command.min_idle_time) return nullptr;
    } else {
        if (command.if_not_pending == Xclaim::IfNotPending::skip || !entry) return nullptr;
        const ConsumerSlot owner = claimant.slot();
        // Born with a count of 1, which a plain claim raises to 2.
        row = &group.pending.insert({.id = id,
                                     .label = entry->label,
                                     .delivered_at = call.now,
                                     .delivery_count = 1,
                                     .owner = owner});
        ++group.consumers.at(owner).pending;
    }
    claim(call, stream, group, *row, claimant.slot(), from,
          {when, command.delivery_count, command.reply});
    propagate_row(call, command.key, group, command.group, *row);
    return row;
}

Reply as_reply(const Xclaim& command, std::vector<Entry> claimed) {
    if (command.reply == ClaimReply::entries) return Entries{std::move(claimed)};
    IdList list;
    for (const Entry& entry : claimed) list.ids.push_back(entry.id);
    return list;
}

/// One visited row of XAUTOCLAIM. True when it used up one of COUNT.
bool visit(Call& call, const Xautoclaim& command, Stream& stream, ConsumerGroup& group,
           Claimant& claimant, PendingEntry& row, Autoclaimed& reply) {
    const EntryId id = row.id;
    const Entry* const entry = stream.entries.find(id);
    if (!entry && !claims_ghosts(call)) {
        drop_ghost(call, command.key, stream, group, command.group, row);
        reply.deleted.push_back(id);
        return true;
    }
    const bool checks_idle = command.min_idle_time > Milliseconds{0};
    if (checks_idle && row.idle_time(call.now) < command.min_idle_time) return false;
    claim(call, stream, group, row, claimant.slot(), group.consumers.at(row.owner).name,
          {call.now, std::nullopt, command.reply});
    propagate_row(call, command.key, group, command.group, row);
    reply.claimed.push_back(
        entry && command.reply == ClaimReply::entries ? *entry : Entry{id, {}, row.label});
    return true;
}

}  // namespace

Reply execute(Call& call, const Xclaim& command) {
    const auto [stream, group, is_other_type] = find_group(call, command.key, command.group);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!group) return no_group_for_pending(command.key, command.group);
    const EntryId position = group->last_delivered_id;
    bool moved = false;
    if (command.last_delivered_id && *command.last_delivered_id > position) {
        group->last_delivered_id = *command.last_delivered_id;
        moved = true;
        call.tell(GroupMoved{stream->key, group->name, position, group->last_delivered_id});
    }
    const WallMillis when = delivered_at(call, command);
    Claimant claimant(call, *stream, *group, command.consumer);
    std::vector<Entry> claimed;
    for (const EntryId id : command.ids) {
        const Entry* const entry = stream->entries.find(id);
        if (entry || claims_ghosts(call)) {
            const PendingEntry* const row =
                claim_one(call, command, *stream, *group, claimant, id, entry, when);
            if (!row) continue;
            claimed.push_back(entry ? *entry : Entry{id, {}, row->label});
        } else {
            PendingEntry* const ghost = group->pending.find(id);
            if (!ghost) continue;
            drop_ghost(call, command.key, *stream, *group, command.group, *ghost);
        }
        moved = false;  // The log has the position with the row.
    }
    if (moved) propagate_position(call, command.key, *group, command.group);
    return as_reply(command, std::move(claimed));
}

Reply execute(Call& call, const Xautoclaim& command) {
    const std::int64_t most = claims_ghosts(call) ? most_claims_before_7_0 : most_claims;
    if (command.count < 1 || command.count > most) return Refused{Refusal::count_not_positive};
    const bool exclusive = command.start.edge == Bound::Edge::exclusive;
    const auto start = exclusive ? increment(command.start.id) : command.start.id;
    if (!start) return Refused{Refusal::invalid_start};
    const auto [stream, group, is_other_type] = find_group(call, command.key, command.group);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!group) return no_group_for_pending(command.key, command.group);
    if (command.count > most_memory && !claims_ghosts(call))
        return Refused{Refusal::as_worded,
                       "ERR Insufficient memory, failed allocating transient memory, COUNT too "
                       "high."};

    Autoclaimed reply{.form = command.reply};
    Claimant claimant(call, *stream, *group, command.consumer);
    std::int64_t visits_left =
        visits_per_claim * std::min(command.count, most_claims_before_7_0 / visits_per_claim);
    std::int64_t count = command.count;
    PendingList& pending = group->pending;
    auto next = pending.lower_bound(*start);
    while (visits_left-- > 0 && count > 0 && next != pending.end()) {
        PendingEntry& row = pending.at(next);
        next = pending.after(next);
        if (visit(call, command, *stream, *group, claimant, row, reply)) --count;
    }
    if (next != pending.end()) reply.cursor = pending.at(next).id;
    return reply;
}

}  // namespace redeliver::model::redis
