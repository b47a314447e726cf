#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "model/redis/commands.h"
#include "model/redis/hasher.h"
#include "model/redis/replies.h"

namespace redeliver::model::redis {

/// When a stream starts a new node: Configuration::stream_node_max_entries and _max_bytes.
struct NodeLimits {
    std::uint64_t entries;
    std::uint64_t bytes;
};

/// The live entries of a stream in id order, partitioned into nodes as the real server does,
/// because approximate trimming removes whole nodes only.
///
///  1. Entries are in strictly ascending order of id, within and across nodes.
///  2. A node remembers what was deleted from it: deleted entries still fill it up.
///  3. A node leaves with its last live entry, unless exact MINID trimming emptied it (as in 7.0).
///
/// Source: streamAppendItem, streamTrim, streamIteratorRemoveEntry in redis/src/t_stream.c
/// (7.0.15).
class EntryLog {
    struct Node {
        EntryId first;          ///< of the entry that opened the node, live or not
        EntryId last_appended;  ///< of the entry appended last, live or not
        Body master;            ///< entries with the same fields need not repeat them
        std::uint64_t deleted = 0;
        std::size_t listpack_bytes = 0;  ///< without the counts of live and deleted entries
        std::vector<Entry> live;

        std::size_t bytes() const;
    };

public:
    /// Points at a live entry, or past the end. Any change of the log invalidates it.
    class Cursor {
    public:
        bool at_end() const { return node_ >= log_->nodes_.size(); }
        const Entry& operator*() const { return log_->nodes_[node_].live[index_]; }
        const Entry* operator->() const { return &**this; }
        void next();
        /// False, without moving, at the first entry.
        bool back();

    private:
        friend EntryLog;
        Cursor(const EntryLog* log, std::size_t node, std::size_t index)
            : log_(log), node_(node), index_(index) {}
        void skip_empty_nodes();

        const EntryLog* log_;
        std::size_t node_;
        std::size_t index_;
    };

    /// Where a reader looked last, so that the next look near there needs no search.
    using Hint = std::uint64_t;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t nodes() const { return nodes_.size(); }
    /// Under which ids the server keeps its nodes, ascending: those they were opened with.
    std::vector<EntryId> node_ids() const;
    std::uint64_t payload_bytes() const { return payload_bytes_; }

    /// The least and greatest live id; 0-0 when empty.
    EntryId first_id() const;
    EntryId last_id() const;

    /// The least id that a node still holds, live or deleted; the greatest id there is where there
    /// is no node. Source: streamGetEdgeID, told not to skip tombstones.
    EntryId first_held_id() const { return nodes_.empty() ? max_entry_id : nodes_.front().first; }

    const Entry* find(EntryId id) const;
    bool contains(EntryId id) const { return find(id) != nullptr; }

    Cursor begin() const;
    /// The first live entry at or above `id`.
    Cursor lower_bound(EntryId id) const;
    Cursor lower_bound(EntryId id, Hint& hint) const;

    /// `entry.id` must be above every id the log ever held.
    void append(Entry entry, NodeLimits limits);

    std::optional<Entry> erase(EntryId id);

    /// Removes from the head, and returns what it removed, in order.
    /// `limit` 0 is none; else it stops before a node that would exceed it.
    std::vector<Entry> trim_to(std::uint64_t length, Trim::Precision precision,
                               std::uint64_t limit);
    std::vector<Entry> trim_below(EntryId id, Trim::Precision precision, std::uint64_t limit);

    /// Entries and nodes: the nodes decide what approximate trimming will remove.
    void digest(Hasher& hasher) const;

private:
    std::size_t node_for(EntryId id) const;
    bool is_node_for(std::size_t node, EntryId id) const;
    Cursor lower_bound_in(std::size_t node, EntryId id) const;
    bool must_open_node(const Body& body, NodeLimits limits) const;
    void drop_first_node(std::vector<Entry>& removed);
    void drop_head_of_first_node(std::size_t count, std::vector<Entry>& removed);

    std::deque<Node> nodes_;
    std::size_t size_ = 0;
    std::uint64_t payload_bytes_ = 0;
    /// How many nodes have left at the front: makes a Hint survive trimming.
    std::uint64_t departed_nodes_ = 0;
};

}  // namespace redeliver::model::redis
