// XPENDING, in both forms.

#include <algorithm>

#include "model/redis/call.h"

namespace redeliver::model::redis {

Reply execute(Call& call, const XpendingSummary& command) {
    const auto [stream, group, is_other_type] = find_group(call, command.key, command.group);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!group) return no_group_for_pending(command.key, command.group);
    PendingSummary summary{.count = group->pending.size()};
    if (group->pending.empty()) return summary;
    const PendingList& pending = group->pending;
    summary.least = pending.at(pending.begin()).id;
    summary.greatest = pending.greatest();
    for (const ConsumerSlot slot : group->consumers.by_text()) {
        const Consumer& consumer = group->consumers.at(slot);
        if (consumer.pending > 0) summary.consumers.push_back({consumer.text, consumer.pending});
    }
    return summary;
}

Reply execute(Call& call, const XpendingRange& command) {
    auto start = std::optional(command.start.id);
    auto end = std::optional(command.end.id);
    if (command.start.edge == Bound::Edge::exclusive) start = increment(*start);
    if (command.end.edge == Bound::Edge::exclusive) end = decrement(*end);
    if (!start) return Refused{Refusal::invalid_start};
    if (!end) return Refused{Refusal::invalid_end};
    const auto [stream, group, is_other_type] = find_group(call, command.key, command.group);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!group) return no_group_for_pending(command.key, command.group);

    PendingRows reply;
    std::optional<ConsumerSlot> only;
    if (command.consumer) {
        only = group->consumers.find(*command.consumer);
        if (!only) return reply;
    }
    // COUNT limits what matches; XAUTOCLAIM's limits what is visited.
    std::int64_t left = command.count;
    const PendingList& pending = group->pending;
    for (auto at = pending.lower_bound(*start); at != pending.end() && left > 0;
         at = pending.after(at)) {
        const PendingEntry& row = pending.at(at);
        if (row.id > *end) break;
        if (only && row.owner != *only) continue;
        const Milliseconds idle = row.idle_time(call.now);
        // A negative threshold counts: after a clock step a row may be idle for less than nothing.
        if (command.min_idle_time != Milliseconds{0} && idle < command.min_idle_time) continue;
        reply.rows.push_back({.id = row.id,
                              .consumer = group->consumers.at(row.owner).text,
                              .idle_time = std::max(idle, Milliseconds{0}),
                              .delivery_count = row.delivery_count});
        --left;
    }
    return reply;
}

}  // namespace redeliver::model::redis
