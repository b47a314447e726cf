#include "model/redis/resp/write_reply.h"

#include "model/redis/resp/reply_writer.h"
#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

using Version = Configuration::Version;

/// Writes each alternative of a Reply. Source of the shapes: redis/src/t_stream.c, t_zset.c and
/// multi.c (7.0.15), observed in both protocols.
class ReplyPrinter {
public:
    ReplyPrinter(Protocol protocol, Version version, std::string& out)
        : to_(protocol, out), version_(version) {}

    void print(const Reply& reply) {
        std::visit([this](const auto& alternative) { print(alternative); },
                   static_cast<const ReplyVariant&>(reply));
    }

private:
    bool is_6_2() const { return version_ == Version::v6_2; }

    void print(const Ok&) { to_.status("OK"); }
    void print(const Nil&) { to_.null(); }
    void print(const NilArray&) { to_.null_array(); }
    void print(const Queued&) { to_.status("QUEUED"); }
    void print(const Pong&) { to_.status("PONG"); }
    void print(const Refused& refused) { to_.error(text(refused)); }
    void print(std::int64_t number) { to_.integer(number); }
    void print(EntryId id) { to_.id(id); }
    void print(const Text& text) { to_.bulk(text.value); }
    void print(const Status& status) { to_.status(status.value); }
    void print(const ScoreReply& score) { to_.decimal(score.text); }
    void print(const std::string& text) { to_.bulk(text); }

    template <typename Element>
    void print(const std::vector<Element>& elements) {
        to_.array(elements.size());
        for (const Element& element : elements) print(element);
    }

    void print(const Array& array) { print(array.elements); }
    void print(const IdList& list) { print(list.ids); }
    void print(const PendingRows& rows) { print(rows.rows); }
    void print(const GroupInfos& infos) { print(infos.groups); }
    void print(const ConsumerInfos& infos) { print(infos.consumers); }

    void print_fields(const Body& body) {
        to_.array(2 * body.size());
        for (std::size_t i = 0; i < body.size(); ++i) {
            to_.bulk(body.field(i));
            to_.bulk(body.value(i));
        }
    }

    /// An entry that a history read finds gone has an id but no fields.
    void print(const Entry& entry) {
        to_.array(2);
        to_.id(entry.id);
        if (entry.body.is_absent())
            to_.null_array();
        else
            print_fields(entry.body);
    }

    /// Where 6.2 claims what is gone, nothing at all is in its place.
    void print_claimed(const std::vector<Entry>& entries) {
        to_.array(entries.size());
        for (const Entry& entry : entries) {
            if (entry.body.is_absent())
                to_.null();
            else
                print(entry);
        }
    }

    void print(const Entries& entries) { print_claimed(entries.entries); }

    void print(const ReadReply& reply) {
        if (to_.speaks_resp3())
            to_.map(reply.streams.size());
        else
            to_.array(reply.streams.size());
        for (const StreamEntries& stream : reply.streams) {
            if (!to_.speaks_resp3()) to_.array(2);
            to_.bulk(stream.key);
            print(stream.entries);
        }
    }

    void print(const PendingSummary::Row& row) {
        to_.array(2);
        to_.bulk(row.consumer);
        to_.bulk(std::to_string(row.count));
    }

    void print(const PendingSummary& summary) {
        to_.array(4);
        to_.integer(summary.count);
        if (summary.count == 0) {
            to_.null();
            to_.null();
            to_.null_array();
        } else {
            to_.id(summary.least);
            to_.id(summary.greatest);
            print(summary.consumers);
        }
    }

    void print(const PendingRow& row) {
        to_.array(4);
        to_.id(row.id);
        to_.bulk(row.consumer);
        to_.integer(std::int64_t{row.idle_time.count()});
        to_.integer(row.delivery_count);
    }

    void print(const Autoclaimed& reply) {
        to_.array(is_6_2() ? 2 : 3);
        to_.id(reply.cursor);
        if (reply.form == ClaimReply::entries) {
            print_claimed(reply.claimed);
        } else {
            to_.array(reply.claimed.size());
            for (const Entry& entry : reply.claimed) to_.id(entry.id);
        }
        if (!is_6_2()) print(reply.deleted);
    }

    // XINFO. 6.2 knows nothing of what was added, read or deleted.

    void field(std::string_view name, std::uint64_t number) {
        to_.bulk(name);
        to_.integer(number);
    }
    void field(std::string_view name, std::int64_t number) {
        to_.bulk(name);
        to_.integer(number);
    }
    void field(std::string_view name, std::string_view text) {
        to_.bulk(name);
        to_.bulk(text);
    }
    void field(std::string_view name, EntryId id) {
        to_.bulk(name);
        to_.id(id);
    }
    template <typename Value>
    void field(std::string_view name, const std::optional<Value>& value) {
        to_.bulk(name);
        if (value)
            print(*value);
        else
            to_.null();
    }

    void print_stream(const StreamInfo& info) {
        field("length", info.length);
        field("radix-tree-keys", info.nodes);
        field("radix-tree-nodes", info.radix_nodes);
        field("last-generated-id", info.last_generated_id);
        if (is_6_2()) return;
        field("max-deleted-entry-id", info.max_deleted_entry_id);
        field("entries-added", info.entries_added);
        field("recorded-first-entry-id", info.recorded_first_entry_id);
    }

    void print(const StreamInfo& info) {
        to_.map(is_6_2() ? 7 : 10);
        print_stream(info);
        field("groups", info.groups);
        field("first-entry", info.first_entry);
        field("last-entry", info.last_entry);
    }

    void print(const GroupInfo& info) {
        to_.map(is_6_2() ? 4 : 6);
        field("name", info.name);
        field("consumers", info.consumers);
        field("pending", info.pending);
        field("last-delivered-id", info.last_delivered_id);
        if (is_6_2()) return;
        field("entries-read", info.entries_read);
        field("lag", info.lag);
    }

    void print(const ConsumerInfo& info) {
        to_.map(info.inactive_time ? 4 : 3);
        field("name", info.name);
        field("pending", info.pending);
        field("idle", std::int64_t{info.idle_time.count()});
        if (info.inactive_time) field("inactive", std::int64_t{info.inactive_time->count()});
    }

    void print(const StreamDetails& details) {
        to_.map(is_6_2() ? 6 : 9);
        print_stream(details.info);
        to_.bulk("entries");
        print(details.entries);
        to_.bulk("groups");
        print(details.groups);
    }

    void print(const StreamDetails::Group& group) {
        to_.map(is_6_2() ? 5 : 7);
        field("name", group.info.name);
        field("last-delivered-id", group.info.last_delivered_id);
        if (!is_6_2()) {
            field("entries-read", group.info.entries_read);
            field("lag", group.info.lag);
        }
        field("pel-count", group.info.pending);
        to_.bulk("pending");
        print(group.rows);
        to_.bulk("consumers");
        print(group.consumers);
    }

    void print(const StreamDetails::Row& row) {
        to_.array(4);
        to_.id(row.id);
        to_.bulk(row.consumer);
        print_delivery(row);
    }

    void print_delivery(const StreamDetails::Row& row) {
        to_.integer(std::int64_t{row.delivered_at.time_since_epoch().count()});
        to_.integer(row.delivery_count);
    }

    void print(const StreamDetails::Consumer& consumer) {
        to_.map(consumer.active_at ? 5 : 4);
        field("name", consumer.name);
        field("seen-time", std::int64_t{consumer.seen_at.time_since_epoch().count()});
        if (consumer.active_at)
            field("active-time", std::int64_t{consumer.active_at->time_since_epoch().count()});
        field("pel-count", consumer.pending);
        to_.bulk("pending");
        to_.array(consumer.rows.size());
        for (const StreamDetails::Row& row : consumer.rows) {
            to_.array(3);
            to_.id(row.id);
            print_delivery(row);
        }
    }

    // Sorted sets.

    void print(const Members& members) {
        const bool is_nested = members.form == Members::Form::pairs && to_.speaks_resp3();
        const bool is_flat = members.form != Members::Form::members && !is_nested;
        to_.array(members.rows.size() * (is_flat ? 2 : 1));
        for (const Members::Row& row : members.rows) {
            if (is_nested) to_.array(2);
            to_.bulk(row.member);
            if (row.score) print(*row.score);
        }
    }

    // Anything else.

    void print(const Tree& tree) {
        using Kind = Tree::Kind;
        switch (tree.kind) {
        case Kind::bulk: return to_.bulk(tree.text);
        case Kind::simple: return to_.status(tree.text);
        case Kind::error: return to_.error(tree.text);
        case Kind::integer: return to_.integer(tree.integer);
        case Kind::decimal: return to_.decimal(tree.decimal);
        case Kind::boolean: return to_.boolean(tree.integer != 0);
        case Kind::null: return to_.null();
        case Kind::null_array: return to_.null_array();
        case Kind::verbatim: return to_.verbatim("txt", tree.text);
        case Kind::markdown: return to_.verbatim("mkd", tree.text);
        case Kind::big_integer: return to_.big_integer(tree.text);
        case Kind::array:
        case Kind::map:
        case Kind::set:
        case Kind::push: return print_children(tree);
        }
    }

    void print_children(const Tree& tree) {
        const std::size_t size = tree.children.size();
        if (tree.kind == Tree::Kind::map) {
            sim::ensure(size % 2 == 0, "every key of a map has a value");
            to_.map(size / 2);
        } else if (tree.kind == Tree::Kind::set) {
            to_.set(size);
        } else if (tree.kind == Tree::Kind::push) {
            to_.push(size);
        } else {
            to_.array(size);
        }
        for (const Tree& child : tree.children) print(child);
    }

    ReplyWriter to_;
    Version version_;
};

}  // namespace

void write_reply(const Reply& reply, Protocol protocol, std::string& out, Version version) {
    ReplyPrinter(protocol, version, out).print(reply);
}

}  // namespace redeliver::model::redis::resp
