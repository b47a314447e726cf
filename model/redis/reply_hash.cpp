// hash(const Reply&): each alternative by its position in the variant, then field by field.

#include <bit>

#include "model/redis/hasher.h"
#include "model/redis/replies.h"

namespace redeliver::model::redis {
namespace {

class ReplyHasher {
public:
    std::uint64_t value() const { return hasher_.value(); }

    void add(const Reply& reply) {
        hasher_.add(std::uint64_t{reply.index()});
        std::visit([this](const auto& alternative) { add(alternative); },
                   static_cast<const ReplyVariant&>(reply));
    }

private:
    void add(const Ok&) {}
    void add(const Nil&) {}
    void add(const NilArray&) {}
    void add(const Queued&) {}
    void add(const Pong&) {}
    void add(const Refused& refused) {
        hasher_.add(refused.why);
        add(refused.words);
    }
    void add(std::int64_t number) { hasher_.add(number); }
    void add(std::uint64_t number) { hasher_.add(number); }
    void add(EntryId id) {
        hasher_.add(id.ms);
        hasher_.add(id.seq);
    }
    void add(const std::string& text) { hasher_.add(std::string_view(text)); }
    void add(Milliseconds time) { hasher_.add(time.count()); }
    void add(WallMillis time) { hasher_.add(time.time_since_epoch().count()); }
    void add(const Text& text) { add(text.value); }
    void add(const Entry& entry) {
        add(entry.id);
        hasher_.add(entry.body.is_absent());
        hasher_.add(entry.body.content_hash());
        hasher_.add(entry.label);
    }
    template <typename Element>
    void add(const std::vector<Element>& elements) {
        hasher_.add(std::uint64_t{elements.size()});
        for (const Element& element : elements) add(element);
    }
    template <typename Value>
    void add(const std::optional<Value>& value) {
        hasher_.add(value.has_value());
        if (value) add(*value);
    }
    void add(const Entries& entries) { add(entries.entries); }
    void add(const IdList& list) { add(list.ids); }
    void add(const StreamEntries& stream) {
        add(stream.key);
        add(stream.entries);
    }
    void add(const ReadReply& reply) {
        hasher_.add(std::uint64_t{reply.streams.size()});
        for (const StreamEntries& stream : reply.streams) add(stream);
    }
    void add(const PendingSummary::Row& row) {
        add(row.consumer);
        add(row.count);
    }
    void add(const PendingSummary& summary) {
        add(summary.count);
        add(summary.least);
        add(summary.greatest);
        add(summary.consumers);
    }
    void add(const PendingRow& row) {
        add(row.id);
        add(row.consumer);
        add(row.idle_time);
        add(row.delivery_count);
    }
    void add(const PendingRows& rows) { add(rows.rows); }
    void add(const Autoclaimed& reply) {
        add(reply.cursor);
        add(reply.claimed);
        add(reply.deleted);
        hasher_.add(reply.form);
    }
    void add(const StreamInfo& info) {
        add(info.length);
        add(info.nodes);
        add(info.radix_nodes);
        add(info.last_generated_id);
        add(info.max_deleted_entry_id);
        add(info.entries_added);
        add(info.recorded_first_entry_id);
        add(info.groups);
        add(info.first_entry);
        add(info.last_entry);
    }
    void add(const GroupInfo& info) {
        add(info.name);
        add(info.consumers);
        add(info.pending);
        add(info.last_delivered_id);
        add(info.entries_read);
        add(info.lag);
    }
    void add(const GroupInfos& infos) { add(infos.groups); }
    void add(const ConsumerInfo& info) {
        add(info.name);
        add(info.pending);
        add(info.idle_time);
        // Not shown before 7.2, and then no part of the reply.
        if (info.inactive_time) add(*info.inactive_time);
    }
    void add(const ConsumerInfos& infos) { add(infos.consumers); }
    void add(const StreamDetails::Row& row) {
        add(row.id);
        add(row.consumer);
        add(row.delivered_at);
        add(row.delivery_count);
    }
    void add(const StreamDetails::Consumer& consumer) {
        add(consumer.name);
        add(consumer.seen_at);
        if (consumer.active_at) add(*consumer.active_at);
        add(consumer.pending);
        add(consumer.rows);
    }
    void add(const StreamDetails::Group& group) {
        add(group.info);
        add(group.rows);
        add(group.consumers);
    }
    void add(const StreamDetails& details) {
        add(details.info);
        add(details.entries);
        add(details.groups);
    }
    void add(const Status& status) { add(status.value); }
    void add(const ScoreReply& score) { add(score.text); }
    void add(const Members::Row& row) {
        add(row.member);
        add(row.score);
    }
    void add(const Members& members) {
        add(members.rows);
        hasher_.add(members.form);
    }
    void add(const Array& array) { add(array.elements); }
    void add(const Tree& tree) {
        hasher_.add(tree.kind);
        add(tree.text);
        hasher_.add(tree.integer);
        hasher_.add(std::bit_cast<std::uint64_t>(tree.decimal));
        add(tree.children);
    }

    Hasher hasher_;
};

}  // namespace

std::uint64_t hash(const Reply& reply) {
    ReplyHasher hasher;
    hasher.add(reply);
    return hasher.value();
}

}  // namespace redeliver::model::redis
