#include "model/redis/log_rewrite.h"

#include <utility>

namespace redeliver::model::redis {
namespace {

/// Elements of a command at most (AOF_REWRITE_ITEMS_PER_CMD).
constexpr std::size_t items_per_command = 64;

/// Spells one key out.
class Rewrite {
public:
    Rewrite(std::string key, Configuration::Version version, std::vector<Command>& commands)
        : key_(std::move(key)),
          counts_(version >= Configuration::Version::v7_0),
          commands_(commands) {}

    void operator()(const std::string& text) { add(Set{.key = key_, .value = text}); }
    void operator()(const SortedSet& set) {
        in_parts(set.members(), [this](std::vector<SortedSet::Member> part) {
            add(Zadd{.key = key_, .members = std::move(part)});
        });
    }
    void operator()(const StringList& list) {
        in_parts(list, [this](std::vector<std::string> part) {
            add(Push{.key = key_, .elements = std::move(part), .end = Push::End::tail});
        });
    }
    void operator()(const StringSet& set) {
        in_parts(set, [this](std::vector<std::string> part) {
            add(Sadd{.key = key_, .members = std::move(part)});
        });
    }
    void operator()(const Stream& stream) {
        for (auto at = stream.entries.begin(); !at.at_end(); at.next())
            add(Xadd{.key = key_, .body = at->body, .id = at->id, .label = at->label});
        // The way to an empty stream.
        if (stream.entries.empty())
            add(Xadd{.key = key_,
                     .body = {{"x", "y"}},
                     .id = EntryId{0, 1},
                     .trim = Trim{.keep = MaxLen{0}}});
        Xsetid ids{.key = key_, .last_id = stream.last_id};
        if (counts_) {
            ids.entries_added = stream.entries_added;
            ids.max_deleted_id = stream.max_deleted_id;
        }
        add(std::move(ids));
        for (const auto& [name, group] : stream.groups) add_group(name, group);
    }

    void expire_at(WallMillis when) { add(Pexpireat{.key = key_, .when = when}); }

private:
    void add(Command command) { commands_.push_back(std::move(command)); }

    template <typename Elements, typename Take>
    void in_parts(const Elements& elements, Take take) {
        std::vector<typename Elements::value_type> part;
        for (const auto& element : elements) {
            part.push_back(element);
            if (part.size() == items_per_command) take(std::exchange(part, {}));
        }
        if (!part.empty()) take(std::move(part));
    }

    void add_group(const std::string& name, const ConsumerGroup& group) {
        XgroupCreate created{.key = key_, .group = name, .start = group.last_delivered_id};
        if (counts_) created.entries_read = group.entries_read.value_or(-1);
        add(std::move(created));
        for (const ConsumerSlot slot : group.consumers.by_text()) {
            const Consumer& consumer = group.consumers.at(slot);
            if (consumer.pending == 0)
                add(XgroupCreateconsumer{.key = key_, .group = name, .consumer = consumer.text});
            else
                add_rows(name, group, slot);
        }
    }

    void add_rows(const std::string& name, const ConsumerGroup& group, ConsumerSlot owner) {
        const PendingList& rows = group.pending;
        for (auto at = rows.begin(); at != rows.end(); at = rows.after(at)) {
            const PendingEntry& row = rows.at(at);
            if (row.owner != owner) continue;
            add(Xclaim{.key = key_,
                       .group = name,
                       .consumer = group.consumers.at(owner).text,
                       .min_idle_time = Milliseconds{0},
                       .ids = {row.id},
                       .delivered = row.delivered_at,
                       .delivery_count = static_cast<std::int64_t>(row.delivery_count),
                       .if_not_pending = Xclaim::IfNotPending::create,
                       .reply = ClaimReply::ids_only});
        }
    }

    std::string key_;
    bool counts_;
    std::vector<Command>& commands_;
};

}  // namespace

std::vector<Command> rewrite_of(const Keyspace& keys, Configuration::Version version) {
    std::vector<Command> commands;
    for (const auto& [key, value] : keys.keys()) {
        Rewrite rewrite(key, version, commands);
        std::visit(rewrite, value.held);
        if (value.expires_at) rewrite.expire_at(*value.expires_at);
    }
    return commands;
}

}  // namespace redeliver::model::redis
