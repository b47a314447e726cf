// XINFO.

#include <algorithm>

#include "model/redis/call.h"
#include "model/redis/radix_nodes.h"

namespace redeliver::model::redis {
namespace {

StreamInfo describe(const Stream& stream) {
    StreamInfo info{.length = stream.entries.size(),
                    .nodes = stream.entries.nodes(),
                    .radix_nodes = radix_nodes(stream.entries.node_ids()),
                    .last_generated_id = stream.last_id,
                    .max_deleted_entry_id = stream.max_deleted_id,
                    .entries_added = stream.entries_added,
                    .recorded_first_entry_id = stream.entries.first_id(),
                    .groups = stream.groups.size(),
                    .first_entry = {},
                    .last_entry = {}};
    if (stream.entries.empty()) return info;
    info.first_entry = *stream.entries.begin();
    info.last_entry = *stream.entries.find(stream.entries.last_id());
    return info;
}

GroupInfo describe(const Stream& stream, const std::string& name, const ConsumerGroup& group) {
    return {.name = name,
            .consumers = group.consumers.size(),
            .pending = group.pending.size(),
            .last_delivered_id = group.last_delivered_id,
            .entries_read = group.entries_read,
            .lag = stream.lag_of(group)};
}

using Row = StreamDetails::Row;

/// The first rows, of one owner or of all.
std::vector<Row> rows_of(const ConsumerGroup& group, std::size_t limit,
                         std::optional<ConsumerSlot> owner) {
    std::vector<Row> rows;
    const PendingList& pending = group.pending;
    for (auto at = pending.begin(); at != pending.end(); at = pending.after(at)) {
        if (rows.size() == limit) break;
        const PendingEntry& row = pending.at(at);
        if (owner && row.owner != *owner) continue;
        rows.push_back(
            {row.id, group.consumers.at(row.owner).text, row.delivered_at, row.delivery_count});
    }
    return rows;
}

/// As the server stores "never".
constexpr WallMillis never{Milliseconds{-1}};

StreamDetails::Group details_of(const Call& call, const Stream& stream, const std::string& name,
                                const ConsumerGroup& group, std::size_t limit) {
    StreamDetails::Group details{.info = describe(stream, name, group),
                                 .rows = rows_of(group, limit, std::nullopt),
                                 .consumers = {}};
    for (const ConsumerSlot slot : group.consumers.by_text()) {
        const Consumer& consumer = group.consumers.at(slot);
        details.consumers.push_back({.name = consumer.text,
                                     .seen_at = consumer.seen_at,
                                     .active_at = {},
                                     .pending = consumer.pending,
                                     .rows = rows_of(group, limit, slot)});
        if (call.imitates(Configuration::Version::v7_2))
            details.consumers.back().active_at = consumer.active_at.value_or(never);
    }
    return details;
}

}  // namespace

Reply execute(Call& call, const XinfoStream& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::no_such_key};
    return describe(*found.stream);
}

Reply execute(Call& call, const XinfoStreamFull& command) {
    constexpr std::size_t default_count = 10;
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::no_such_key};
    std::size_t limit = default_count;
    if (command.count == 0) limit = static_cast<std::size_t>(-1);
    if (command.count > 0) limit = static_cast<std::size_t>(command.count);

    StreamDetails details{.info = describe(*found.stream), .entries = {}, .groups = {}};
    for (auto at = found.stream->entries.begin(); !at.at_end(); at.next()) {
        if (details.entries.size() == limit) break;
        details.entries.push_back(*at);
    }
    for (const auto& [name, group] : found.stream->groups)
        details.groups.push_back(details_of(call, *found.stream, name, group, limit));
    return details;
}

Reply execute(Call& call, const XinfoGroups& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::no_such_key};
    GroupInfos infos;
    for (const auto& [name, group] : found.stream->groups)
        infos.groups.push_back(describe(*found.stream, name, group));
    return infos;
}

Reply execute(Call& call, const XinfoConsumers& command) {
    const FoundStream found = find_stream(call, command.key);
    if (found.is_other_type) return Refused{Refusal::wrong_type};
    if (!found.stream) return Refused{Refusal::no_such_key};
    const ConsumerGroup* const group = found.stream->find_group(command.group);
    if (!group) return no_group_of_key(command.key, command.group);
    ConsumerInfos infos;
    for (const ConsumerSlot slot : group->consumers.by_text()) {
        const Consumer& consumer = group->consumers.at(slot);
        infos.consumers.push_back(
            {.name = consumer.text,
             .pending = consumer.pending,
             .idle_time = std::max(call.now - consumer.seen_at, Milliseconds{0}),
             .inactive_time = {}});
        if (call.imitates(Configuration::Version::v7_2))
            infos.consumers.back().inactive_time =
                consumer.active_at ? call.now - *consumer.active_at : Milliseconds{-1};
    }
    return infos;
}

}  // namespace redeliver::model::redis
