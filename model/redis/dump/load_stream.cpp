#include "model/redis/dump/load_stream.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/redis/dump/listpack_reader.h"

namespace redeliver::model::redis::dump {
namespace {

constexpr std::int64_t deleted_flag = 1;
constexpr std::int64_t same_fields_flag = 2;

std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

/// A count of elements that are all still to come.
std::size_t count_of(std::int64_t number, std::string_view listpack) {
    if (number < 0 || unsigned_of(number) > listpack.size()) throw BadData{};
    return static_cast<std::size_t>(number);
}

EntryId read_id(PayloadReader& reader) {
    const std::uint64_t ms = reader.length();
    return {.ms = ms, .seq = reader.length()};
}

EntryId read_raw_id(PayloadReader& reader) {
    const auto [ms, seq] = reader.raw_id();
    return {.ms = ms, .seq = seq};
}

std::int64_t read_count(PayloadReader& reader) {
    return static_cast<std::int64_t>(reader.length());
}

/// One node: a listpack whose entries are written as distances from its first.
class NodeReader {
public:
    NodeReader(std::string_view listpack, EntryId first, Stream& stream)
        : listpack_(listpack), reader_(listpack), first_(first), stream_(stream) {}

    /// Returns the greatest id it held, deleted or not.
    EntryId read() {
        const std::size_t live = count_of(reader_.integer(), listpack_);
        const std::size_t deleted = count_of(reader_.integer(), listpack_);
        read_fields(count_of(reader_.integer(), listpack_), shared_fields_);
        if (reader_.integer() != 0 || live + deleted == 0) throw BadData{};
        for (std::size_t i = 0; i < live + deleted; ++i) read_entry(i);
        if (!reader_.at_end() || gone_.size() != deleted) throw BadData{};
        // Deleted entries still fill their node, so that they are added before they go.
        for (const EntryId id : gone_) stream_.entries.erase(id);
        return last_;
    }

private:
    void read_fields(std::size_t count, std::vector<std::string>& into) {
        for (std::size_t i = 0; i < count; ++i) into.push_back(reader_.text());
    }

    Body read_body(bool has_same_fields) {
        std::vector<std::string> words;
        if (has_same_fields) {
            for (const std::string& field : shared_fields_) {
                words.push_back(field);
                words.push_back(reader_.text());
            }
        } else {
            read_fields(2 * count_of(reader_.integer(), listpack_), words);
        }
        std::vector<FieldView> fields;
        for (std::size_t i = 0; i < words.size(); i += 2)
            fields.emplace_back(words[i], words[i + 1]);
        return Body(fields);
    }

    void read_entry(std::size_t index) {
        const std::int64_t flags = reader_.integer();
        if (flags < 0 || flags > (deleted_flag | same_fields_flag)) throw BadData{};
        const std::uint64_t ms = first_.ms + unsigned_of(reader_.integer());
        const EntryId id{.ms = ms, .seq = first_.seq + unsigned_of(reader_.integer())};
        const bool has_same_fields = (flags & same_fields_flag) != 0;
        Entry entry{.id = id, .body = read_body(has_same_fields)};
        const auto fields = static_cast<std::int64_t>(entry.body.size());
        // How many elements one has to walk back to come to the flags.
        if (reader_.integer() != (has_same_fields ? 3 + fields : 4 + 2 * fields)) throw BadData{};
        if (index == 0 ? id != first_ : id <= last_) throw BadData{};
        if ((flags & deleted_flag) != 0) gone_.push_back(id);
        last_ = id;
        stream_.entries.append(std::move(entry), index == 0 ? begin_node : fill_node);
    }

    static constexpr NodeLimits begin_node{.entries = 1, .bytes = 0};
    static constexpr NodeLimits fill_node{.entries = 0, .bytes = 0};

    std::string_view listpack_;
    ListpackReader reader_;
    EntryId first_;
    EntryId last_;
    Stream& stream_;
    std::vector<std::string> shared_fields_;
    std::vector<EntryId> gone_;
};

void read_nodes(PayloadReader& reader, Stream& stream) {
    EntryId last;
    for (std::uint64_t nodes = reader.length(); nodes > 0; --nodes) {
        const std::string key = reader.string();
        PayloadReader key_reader(key);
        const EntryId first = read_raw_id(key_reader);
        if (key_reader.left() != 0 || first <= last) throw BadData{};
        const std::string listpack = reader.string();
        last = NodeReader(listpack, first, stream).read();
    }
}

/// The rows that the group has, owned by nobody yet.
std::vector<PendingEntry> read_rows(PayloadReader& reader) {
    std::vector<PendingEntry> rows;
    for (std::uint64_t count = reader.length(); count > 0; --count) {
        PendingEntry row{.id = read_raw_id(reader)};
        row.delivered_at = WallMillis{Milliseconds{reader.milliseconds()}};
        row.delivery_count = reader.length();
        if (!rows.empty() && row.id <= rows.back().id) throw BadData{};
        rows.push_back(row);
    }
    return rows;
}

void read_consumer(PayloadReader& reader, ConsumerGroup& group, std::vector<PendingEntry>& rows,
                   Names& names) {
    const std::string text = reader.string();
    if (group.consumers.find(text)) throw BadData{};
    const Name name = names.intern(text);
    const WallMillis seen_at{Milliseconds{reader.milliseconds()}};
    const ConsumerSlot slot =
        group.consumers.create({.name = name, .text = text, .seen_at = seen_at});
    for (std::uint64_t count = reader.length(); count > 0; --count) {
        const EntryId id = read_raw_id(reader);
        const auto row = std::lower_bound(
            rows.begin(), rows.end(), id,
            [](const PendingEntry& each, EntryId wanted) { return each.id < wanted; });
        if (row == rows.end() || row->id != id || row->owner != nobody) throw BadData{};
        row->owner = slot;
        ++group.consumers.at(slot).pending;
    }
}

void read_group(PayloadReader& reader, Counted counted, Stream& stream, Names& names) {
    const std::string text = reader.string();
    ConsumerGroup group;
    group.name = names.intern(text);
    group.last_delivered_id = read_id(reader);
    group.entries_read = counted == Counted::yes
                             ? std::optional(read_count(reader))
                             : stream.estimate_added_until(group.last_delivered_id);
    if (group.entries_read == -1) group.entries_read.reset();
    std::vector<PendingEntry> rows = read_rows(reader);
    for (std::uint64_t count = reader.length(); count > 0; --count)
        read_consumer(reader, group, rows, names);
    for (const PendingEntry& row : rows) {
        if (row.owner == nobody) throw BadData{};
        group.pending.insert(row);
    }
    if (!stream.groups.emplace(text, std::move(group)).second) throw BadData{};
}

}  // namespace

Stream load_stream(PayloadReader& reader, Counted counted, std::string_view key, Names& names) {
    Stream stream;
    stream.key = names.intern(key);
    read_nodes(reader, stream);
    if (reader.length() != stream.entries.size()) throw BadData{};
    stream.last_id = read_id(reader);
    stream.entries_added = static_cast<std::int64_t>(stream.entries.size());
    if (counted == Counted::yes) {
        if (read_id(reader) != stream.entries.first_id()) throw BadData{};
        stream.max_deleted_id = read_id(reader);
        stream.entries_added = read_count(reader);
    }
    if (stream.last_id < stream.entries.last_id()) throw BadData{};
    for (std::uint64_t count = reader.length(); count > 0; --count)
        read_group(reader, counted, stream, names);
    return stream;
}

}  // namespace redeliver::model::redis::dump
