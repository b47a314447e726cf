#pragma once

#include <cstdint>
#include <vector>

namespace redeliver::model::database {

/// A row's place in its table. Places are used again; see Relation::Row::birth.
using RowId = std::uint32_t;
inline constexpr RowId no_row = ~RowId{0};

/// From the hash of a key to the rows that may have it: open addressing with linear probing, 8
/// bytes an entry. Keys are not kept, so whoever looks up compares them; one hash may have many
/// rows.
class HashIndex {
public:
    HashIndex() : entries_(16) {}

    void add(std::uint32_t hash, RowId row);

    /// Removes the pair if it is there.
    void remove(std::uint32_t hash, RowId row);

    bool contains(std::uint32_t hash, RowId row) const;

    /// Walks the rows under one hash, in an order that must not be let through to anyone.
    class Probe {
    public:
        /// The next row, or `no_row` at the end.
        RowId next() {
            while (true) {
                const Entry& entry = index_.entries_[place_];
                if (entry.row == no_row) return no_row;
                place_ = (place_ + 1) & index_.mask();
                if (entry.hash == hash_) return entry.row;
            }
        }

    private:
        friend HashIndex;
        Probe(const HashIndex& searched, std::uint32_t hash)
            : index_(searched), hash_(hash), place_(hash & searched.mask()) {}

        const HashIndex& index_;
        std::uint32_t hash_;
        std::uint32_t place_;
    };
    /// The index must not change while the probe is in use.
    Probe probe(std::uint32_t hash) const { return {*this, hash}; }

private:
    struct Entry {
        std::uint32_t hash = 0;
        RowId row = no_row;
    };

    std::uint32_t mask() const { return static_cast<std::uint32_t>(entries_.size() - 1); }
    void put(Entry entry);
    void grow();
    void close_gap(std::uint32_t gap);

    std::vector<Entry> entries_;
    std::uint32_t used_ = 0;
};

}  // namespace redeliver::model::database
