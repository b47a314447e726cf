#include "model/redis/entry_log.h"

#include <algorithm>
#include <iterator>

#include "model/redis/listpack.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

constexpr std::size_t listpack_max_bytes = 1u << 30;

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Number of fields, the fields, and a zero that ends them.
std::size_t master_bytes(const Body& body) {
    return listpack::bytes_of(number(body.size())) + body.listpack_bytes_of_fields() +
           listpack::bytes_of(std::int64_t{0});
}

/// Flags, distance from the master id, fields unless they are the master's, values, and the count
/// of elements that lets the server walk backwards.
std::size_t entry_bytes(EntryId id, EntryId master, const Body& body, bool same_fields) {
    constexpr std::int64_t flags = 2;  // any small number: one byte
    std::int64_t elements = 3 + number(body.size());
    std::size_t bytes = listpack::bytes_of(flags) + listpack::bytes_of(number(id.ms - master.ms)) +
                        listpack::bytes_of(number(id.seq - master.seq)) +
                        body.listpack_bytes_of_values();
    if (!same_fields) {
        elements += number(body.size()) + 1;
        bytes += listpack::bytes_of(number(body.size())) + body.listpack_bytes_of_fields();
    }
    return bytes + listpack::bytes_of(elements);
}

bool entry_is_below(const Entry& entry, EntryId id) { return entry.id < id; }

}  // namespace

std::size_t EntryLog::Node::bytes() const {
    return listpack_bytes + listpack::bytes_of(number(live.size())) +
           listpack::bytes_of(number(deleted));
}

void EntryLog::Cursor::skip_empty_nodes() {
    while (node_ < log_->nodes_.size() && index_ >= log_->nodes_[node_].live.size()) {
        ++node_;
        index_ = 0;
    }
}

void EntryLog::Cursor::next() {
    ++index_;
    skip_empty_nodes();
}

bool EntryLog::Cursor::back() {
    if (!at_end() && index_ > 0) {
        --index_;
        return true;
    }
    for (std::size_t node = std::min(node_, log_->nodes_.size()); node-- > 0;) {
        if (log_->nodes_[node].live.empty()) continue;
        node_ = node;
        index_ = log_->nodes_[node].live.size() - 1;
        return true;
    }
    return false;
}

std::vector<EntryId> EntryLog::node_ids() const {
    std::vector<EntryId> ids;
    ids.reserve(nodes_.size());
    for (const Node& node : nodes_) ids.push_back(node.first);
    return ids;
}

EntryId EntryLog::first_id() const { return empty() ? min_entry_id : begin()->id; }

EntryId EntryLog::last_id() const {
    Cursor last(this, nodes_.size(), 0);
    return last.back() ? last->id : min_entry_id;
}

EntryLog::Cursor EntryLog::begin() const {
    Cursor cursor(this, 0, 0);
    cursor.skip_empty_nodes();
    return cursor;
}

/// The node that holds `id` if any does: the last that opened at or below it.
std::size_t EntryLog::node_for(EntryId id) const {
    const auto after =
        std::upper_bound(nodes_.begin(), nodes_.end(), id,
                         [](EntryId wanted, const Node& node) { return wanted < node.first; });
    return after == nodes_.begin() ? 0 : static_cast<std::size_t>(after - nodes_.begin()) - 1;
}

bool EntryLog::is_node_for(std::size_t node, EntryId id) const {
    return node < nodes_.size() && nodes_[node].first <= id &&
           (node + 1 == nodes_.size() || id < nodes_[node + 1].first);
}

EntryLog::Cursor EntryLog::lower_bound_in(std::size_t node, EntryId id) const {
    if (node >= nodes_.size()) return Cursor(this, node, 0);
    const auto& live = nodes_[node].live;
    const auto found = std::lower_bound(live.begin(), live.end(), id, entry_is_below);
    Cursor cursor(this, node, static_cast<std::size_t>(found - live.begin()));
    cursor.skip_empty_nodes();
    return cursor;
}

EntryLog::Cursor EntryLog::lower_bound(EntryId id) const {
    return lower_bound_in(node_for(id), id);
}

EntryLog::Cursor EntryLog::lower_bound(EntryId id, Hint& hint) const {
    std::size_t node = hint - departed_nodes_;  // Wraps to something huge when the node departed.
    if (!is_node_for(node, id) && !is_node_for(++node, id)) node = node_for(id);
    hint = departed_nodes_ + node;
    return lower_bound_in(node, id);
}

const Entry* EntryLog::find(EntryId id) const {
    const Cursor found = lower_bound(id);
    return found.at_end() || found->id != id ? nullptr : &*found;
}

bool EntryLog::must_open_node(const Body& body, NodeLimits limits) const {
    if (nodes_.empty()) return true;
    const Node& tail = nodes_.back();
    const std::size_t most = limits.bytes == 0
                                 ? listpack_max_bytes
                                 : std::min<std::size_t>(limits.bytes, listpack_max_bytes);
    if (tail.bytes() + body.raw_bytes() >= most) return true;
    return limits.entries != 0 && tail.live.size() + tail.deleted >= limits.entries;
}

void EntryLog::append(Entry entry, NodeLimits limits) {
    // A deleted entry may be above: XSETID went back behind it.
    sim::ensure(empty() || last_id() < entry.id, "entries are appended in ascending order of id");
    sim::ensure(entry.body.size() > 0, "an entry has at least one field");
    const bool opens = must_open_node(entry.body, limits);
    if (opens)
        nodes_.push_back({.first = entry.id,
                          .last_appended = entry.id,
                          .master = entry.body,
                          .listpack_bytes = listpack::empty_bytes + master_bytes(entry.body),
                          .live = {}});
    Node& tail = nodes_.back();
    const bool same_fields = opens || entry.body.has_same_fields_as(tail.master);
    tail.listpack_bytes += entry_bytes(entry.id, tail.first, entry.body, same_fields);
    tail.last_appended = entry.id;
    payload_bytes_ += entry.body.raw_bytes();
    ++size_;
    tail.live.push_back(std::move(entry));
}

std::optional<Entry> EntryLog::erase(EntryId id) {
    const std::size_t at = node_for(id);
    if (at >= nodes_.size()) return std::nullopt;
    Node& node = nodes_[at];
    const auto found = std::lower_bound(node.live.begin(), node.live.end(), id, entry_is_below);
    if (found == node.live.end() || found->id != id) return std::nullopt;
    Entry removed = std::move(*found);
    node.live.erase(found);
    ++node.deleted;
    --size_;
    payload_bytes_ -= removed.body.raw_bytes();
    if (node.live.empty()) {
        nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(at));
        if (at == 0) ++departed_nodes_;
    }
    return removed;
}

void EntryLog::drop_first_node(std::vector<Entry>& removed) {
    Node& node = nodes_.front();
    size_ -= node.live.size();
    for (Entry& entry : node.live) {
        payload_bytes_ -= entry.body.raw_bytes();
        removed.push_back(std::move(entry));
    }
    nodes_.pop_front();
    ++departed_nodes_;
}

void EntryLog::drop_head_of_first_node(std::size_t count, std::vector<Entry>& removed) {
    Node& node = nodes_.front();
    sim::ensure(count <= node.live.size(), "no more is trimmed from a node than it holds");
    const auto end = node.live.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto entry = node.live.begin(); entry != end; ++entry) {
        payload_bytes_ -= entry->body.raw_bytes();
        removed.push_back(std::move(*entry));
    }
    node.live.erase(node.live.begin(), end);
    node.deleted += count;
    size_ -= count;
}

std::vector<Entry> EntryLog::trim_to(std::uint64_t length, Trim::Precision precision,
                                     std::uint64_t limit) {
    std::vector<Entry> removed;
    while (!nodes_.empty() && size_ > length) {
        const std::size_t in_node = nodes_.front().live.size();
        if (limit != 0 && removed.size() + in_node > limit) break;
        if (size_ - in_node >= length) {
            drop_first_node(removed);
            continue;
        }
        if (precision == Trim::Precision::exact) drop_head_of_first_node(size_ - length, removed);
        break;
    }
    return removed;
}

std::vector<Entry> EntryLog::trim_below(EntryId id, Trim::Precision precision,
                                        std::uint64_t limit) {
    std::vector<Entry> removed;
    while (!nodes_.empty()) {
        const auto& live = nodes_.front().live;
        if (limit != 0 && removed.size() + live.size() > limit) break;
        if (nodes_.front().last_appended < id) {
            drop_first_node(removed);
            continue;
        }
        if (precision == Trim::Precision::exact) {
            const auto keep = std::lower_bound(live.begin(), live.end(), id, entry_is_below);
            drop_head_of_first_node(static_cast<std::size_t>(keep - live.begin()), removed);
        }
        break;
    }
    return removed;
}

void EntryLog::digest(Hasher& hasher) const {
    hasher.add(std::uint64_t{nodes_.size()});
    for (const Node& node : nodes_) {
        for (const EntryId id : {node.first, node.last_appended}) {
            hasher.add(id.ms);
            hasher.add(id.seq);
        }
        hasher.add(node.master.content_hash());
        hasher.add(node.deleted);
        hasher.add(std::uint64_t{node.listpack_bytes});
        hasher.add(std::uint64_t{node.live.size()});
        for (const Entry& entry : node.live) {
            hasher.add(entry.id.ms);
            hasher.add(entry.id.seq);
            hasher.add(entry.body.content_hash());
            hasher.add(entry.label);
        }
    }
}

}  // namespace redeliver::model::redis
