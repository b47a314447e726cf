// XRANGE, XREVRANGE, XREAD and XREADGROUP.

#include <algorithm>
#include <limits>

#include "model/redis/call.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
/// STREAM count of a blocked read that named none (7.0).
constexpr std::size_t blocked_default = 1000;

std::size_t limit_of(std::int64_t count, std::size_t otherwise) {
    return count > 0 ? static_cast<std::size_t>(count) : otherwise;
}

std::vector<Entry> range(const EntryLog& log, EntryId start, EntryId end, std::size_t limit) {
    std::vector<Entry> entries;
    for (auto at = log.lower_bound(start); !at.at_end() && at->id <= end; at.next()) {
        if (entries.size() == limit) break;
        entries.push_back(*at);
    }
    return entries;
}

std::vector<Entry> reverse_range(const EntryLog& log, EntryId start, EntryId end,
                                 std::size_t limit) {
    std::vector<Entry> entries;
    auto at = log.lower_bound(end);
    const bool begins_at_end = !at.at_end() && at->id == end;
    if (!begins_at_end && !at.back()) return entries;
    while (at->id >= start && entries.size() < limit) {
        entries.push_back(*at);
        if (!at.back()) break;
    }
    return entries;
}

std::vector<Entry> above(const EntryLog& log, EntryId after, std::size_t limit) {
    const auto start = increment(after);
    return start ? range(log, *start, max_entry_id, limit) : std::vector<Entry>{};
}

/// One delivery by `>`, as streamReplyWithRange() does it.
void deliver(Call& call, const Stream& stream, ConsumerGroup& group, ConsumerSlot consumer,
             const Entry& entry, Xreadgroup::Acknowledgement acknowledgement) {
    using Kind = EntryDelivered::Kind;
    group.entries_read = stream.entries_read_after(group, entry.id);
    group.last_delivered_id = entry.id;
    Kind kind = Kind::unacknowledged;
    if (acknowledgement == Xreadgroup::Acknowledgement::owed) {
        if (PendingEntry* const row = group.pending.find(entry.id)) {
            // XGROUP SETID went back, or XCLAIM FORCE was ahead: the row is stolen, its count lost.
            kind = Kind::again;
            group.give(*row, consumer);
            row->delivered_at = call.now;
            row->delivery_count = 1;
            row->label = entry.label;
        } else {
            kind = Kind::first;
            group.pending.insert({.id = entry.id,
                                  .label = entry.label,
                                  .delivered_at = call.now,
                                  .delivery_count = 1,
                                  .owner = consumer});
            ++group.consumers.at(consumer).pending;
        }
        group.consumers.at(consumer).active_at = call.now;
    }
    call.tell(EntryDelivered{.entry = {stream.key, entry.id, entry.label},
                             .group = group.name,
                             .consumer = group.consumers.at(consumer).name,
                             .to = call.session,
                             .kind = kind,
                             .delivery_count = 1});
}

/// The consumer that reads, created if needed. One that reads with NOACK has no row by which the
/// log would know it.
ConsumerSlot meet_reader(Call& call, const Xreadgroup& command, const std::string& key,
                         const Stream& stream, ConsumerGroup& group) {
    if (command.acknowledgement == Xreadgroup::Acknowledgement::none &&
        !group.consumers.find(command.consumer))
        propagate_consumer(call, key, command.group, command.consumer);
    return meet_consumer(call, stream, group, command.consumer);
}

/// Everything new, up to `limit`. The consumer is created even if that is nothing.
std::vector<Entry> read_new(Call& call, const Xreadgroup& command, const std::string& key,
                            Stream& stream, ConsumerGroup& group, std::size_t limit) {
    const bool noack = command.acknowledgement == Xreadgroup::Acknowledgement::none;
    const ConsumerSlot consumer = meet_reader(call, command, key, stream, group);
    std::vector<Entry> entries;
    const auto start = increment(group.last_delivered_id);
    if (!start) return entries;
    entries.reserve(std::min<std::size_t>(limit, 16));
    auto at = stream.entries.lower_bound(*start, group.hint);
    for (; !at.at_end() && entries.size() < limit; at.next()) {
        deliver(call, stream, group, consumer, *at, command.acknowledgement);
        if (!noack && call.is_logged())
            propagate_row(call, key, group, command.group, *group.pending.find(at->id));
        entries.push_back(*at);
    }
    // Before 7.4 the counter of entries read does not reach the log with the rows.
    const bool tells_position = noack || call.imitates(Configuration::Version::v7_4);
    if (tells_position && !entries.empty()) propagate_position(call, key, group, command.group);
    return entries;
}

/// The consumer's own rows above `after`. Counts as deliveries, but never reaches the log.
std::vector<Entry> read_history(Call& call, const Xreadgroup& command, EntryId after,
                                const std::string& key, Stream& stream, ConsumerGroup& group) {
    const ConsumerSlot slot = meet_reader(call, command, key, stream, group);
    const Consumer& consumer = group.consumers.at(slot);
    const std::size_t limit = limit_of(command.count, everything);
    std::vector<Entry> entries;
    auto at = group.pending.lower_bound(*increment(after));
    for (std::uint64_t met = 0; at != group.pending.end() && met < consumer.pending;
         at = group.pending.after(at)) {
        PendingEntry& row = group.pending.at(at);
        if (row.owner != slot) continue;
        if (entries.size() == limit) break;
        ++met;
        const Entry* const entry = stream.entries.find(row.id);
        if (entry) {
            row.delivered_at = call.now;
            ++row.delivery_count;
        }
        entries.push_back(entry ? *entry : Entry{row.id, {}, row.label});
        call.tell(HistoryRead{.entry = {stream.key, row.id, row.label},
                              .group = group.name,
                              .consumer = consumer.name,
                              .to = call.session,
                              .body = entry ? HistoryRead::Body::present : HistoryRead::Body::gone,
                              .delivery_count = row.delivery_count});
    }
    return entries;
}

std::optional<Refusal> flaw_of(const Call& call, std::optional<Milliseconds> block) {
    if (!block) return std::nullopt;
    if (*block < Milliseconds{0}) return Refusal::negative_timeout;
    const bool is_too_far = *block > Milliseconds::max() - call.now.time_since_epoch();
    if (is_too_far && call.imitates(Configuration::Version::v7_2)) return Refusal::timeout_too_far;
    return std::nullopt;
}

/// All keys and groups must be there before anything is delivered from any of them.
std::optional<Refused> flaw_of(Call& call, const Xreadgroup& command) {
    if (const auto why = flaw_of(call, command.block)) return Refused{*why};
    for (std::uint32_t i = 0; i < command.streams.size(); ++i) {
        const FoundGroup found = find_group(call, command.streams[i].key, command.group);
        if (found.is_other_type) return Refused{Refusal::wrong_type};
        if (!found.group) return no_group_for_read(command.streams[i].key, command.group);
    }
    return std::nullopt;
}

std::optional<Refused> flaw_of(Call& call, const Xread& command) {
    using From = Xread::Position::From;
    if (const auto why = flaw_of(call, command.block)) return Refused{*why};
    for (std::uint32_t i = 0; i < command.streams.size(); ++i) {
        const FoundStream found = find_stream(call, command.streams[i].key);
        if (found.is_other_type) return Refused{Refusal::wrong_type};
        if (command.streams[i].from == From::last_entry && found.stream &&
            found.stream->last_id == min_entry_id)
            return Refused{Refusal::last_entry_of_nothing};
    }
    return std::nullopt;
}

/// What a position comes to now. `+` is the place just before the last id ever given, so that a
/// last entry which was deleted leaves nothing to read.
EntryId resolve(const Xread::Position& position, const Stream& stream) {
    if (position.from == Xread::Position::From::last_entry) return *decrement(stream.last_id);
    return position.after.value_or(stream.last_id);
}

std::optional<Reply> unless_empty(ReadReply&& reply) {
    if (reply.streams.empty()) return std::nullopt;
    return Reply(std::move(reply));
}

ReadReply one_stream(const std::string& key, std::vector<Entry> entries) {
    ReadReply reply;
    reply.streams.push_back({key, std::move(entries)});
    return reply;
}

}  // namespace

Reply execute(Call& call, const Xrange& command) {
    const bool forward = command.order == Xrange::Order::oldest_first;
    auto start = std::optional(command.start.id);
    auto end = std::optional(command.end.id);
    if (command.start.edge == Bound::Edge::exclusive) start = increment(*start);
    if (command.end.edge == Bound::Edge::exclusive) end = decrement(*end);
    if (!start) return Refused{Refusal::invalid_start};
    if (!end) return Refused{Refusal::invalid_end};
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Entries{};
    if (command.count && *command.count <= 0) return NilArray{};
    const std::size_t limit = command.count ? static_cast<std::size_t>(*command.count) : everything;
    const EntryLog& log = found.stream->entries;
    return Entries{forward ? range(log, *start, *end, limit)
                           : reverse_range(log, *start, *end, limit)};
}

std::optional<Reply> execute(Call& call, const Xread& command) {
    if (const auto flaw = flaw_of(call, command)) return *flaw;
    ReadReply reply;
    for (const Xread::Position& asked : command.streams) {
        const Stream* const stream = find_stream(call, asked.key).stream;
        if (!stream || stream->entries.empty()) continue;
        const EntryId position = resolve(asked, *stream);
        if (stream->entries.last_id() <= position) continue;
        reply.streams.push_back(
            {asked.key, above(stream->entries, position, limit_of(command.count, everything))});
    }
    return unless_empty(std::move(reply));
}

std::optional<Reply> execute(Call& call, const Xreadgroup& command) {
    if (const auto flaw = flaw_of(call, command)) return *flaw;
    ReadReply reply;
    for (const auto& [key, after] : command.streams) {
        const auto [stream, group, other] = find_group(call, key, command.group);
        sim::ensure(group != nullptr, "every group of the call was found at its start");
        if (after != undelivered) {
            // One history id makes the whole call return at once, whatever BLOCK says.
            reply.streams.push_back(
                {key, read_history(call, command, after, key, *stream, *group)});
        } else if (stream->entries.last_id() > group->last_delivered_id) {
            const std::size_t limit = limit_of(command.count, everything);
            reply.streams.push_back({key, read_new(call, command, key, *stream, *group, limit)});
        } else if (call.imitates(Configuration::Version::v7_2)) {
            meet_reader(call, command, key, *stream, *group);
        }
    }
    return unless_empty(std::move(reply));
}

std::optional<Reply> serve(Call&, const Xread& waiting, const std::string& key, Stream& stream) {
    const auto position =
        std::find_if(waiting.streams.begin(), waiting.streams.end(),
                     [&key](const Xread::Position& candidate) { return candidate.key == key; });
    sim::ensure(position != waiting.streams.end() && position->after.has_value(),
                "a waiting read has resolved positions of the keys it waits for");
    // The last id decides, not the last live entry: what came and went wakes with an empty list.
    if (stream.last_id <= *position->after) return std::nullopt;
    return one_stream(
        key, above(stream.entries, *position->after, limit_of(waiting.count, blocked_default)));
}

std::optional<Reply> serve(Call& call, const Xreadgroup& waiting, const std::string& key,
                           Stream& stream) {
    ConsumerGroup* const group = stream.find_group(waiting.group);
    if (!group) return Refused{Refusal::group_destroyed};
    if (stream.last_id <= group->last_delivered_id) return std::nullopt;
    const std::size_t limit = limit_of(waiting.count, blocked_default);
    return one_stream(key, read_new(call, waiting, key, stream, *group, limit));
}

}  // namespace redeliver::model::redis
