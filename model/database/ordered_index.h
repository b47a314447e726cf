#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/database/hash_index.h"
#include "model/database/schema.h"
#include "model/database/value.h"

namespace redeliver::model::database {

/// Where a row stands among others of one bucket: by number, nulls last, then by age.
struct SortedEntry {
    std::int64_t number = 0;
    std::uint64_t birth = 0;
    RowId row = no_row;
    bool null = false;

    friend bool operator<(const SortedEntry& left, const SortedEntry& right) {
        if (left.null != right.null) return right.null;
        if (left.number != right.number) return left.number < right.number;
        return left.birth < right.birth;
    }
};

/// A sorted sequence in short sorted chunks: adding at the end, what growing time stamps do, moves
/// nothing, and anywhere else little.
class SortedEntries {
public:
    struct Place {
        std::size_t chunk;
        std::size_t offset;
    };

    /// Adds the entry unless it is there.
    void add(const SortedEntry& entry);
    /// Removes the entry if it is there.
    void remove(const SortedEntry& entry);
    bool empty() const { return chunks_.empty(); }

    /// The first place whose entry is not less than `bound`.
    Place seek(const SortedEntry& bound) const;
    /// The entry there, or nullptr at the end; moves on.
    const SortedEntry* next(Place& place) const;

private:
    static constexpr std::size_t chunk_capacity = 64;

    std::size_t chunk_for(const SortedEntry& entry) const;
    void split(std::size_t chunk);

    std::vector<std::vector<SortedEntry>> chunks_;  // None is empty.
    std::vector<SortedEntry> last_;  // Of each chunk, so that a search touches little.
};

/// A plain index: rows by the values of all columns but the last, and within them in the order of
/// the last, if that is a number. (Otherwise all columns are matched, and rows are in order of
/// age.)
class OrderedIndex {
public:
    OrderedIndex(const Index& declared, const Table& table);

    const std::vector<ColumnId>& matched_columns() const { return matched_; }
    std::optional<ColumnId> sorted_column() const { return sorted_; }
    std::uint64_t columns() const { return columns_; }  ///< A bit per column.

    void add(const Value* values, std::uint64_t birth, RowId row);
    /// Removes the entry if it is there.
    void remove(const Value* values, std::uint64_t birth, RowId row);

    /// The rows whose matched columns equal `wanted` (one value per matched column), if any.
    const SortedEntries* find(const Value* const* wanted) const;

    /// Whether two images of one row have the same entry.
    bool same_entry(const Value* left, const Value* right) const;

    SortedEntry entry_of(const Value* values, std::uint64_t birth, RowId row) const;

private:
    struct Bucket {
        std::vector<Value> matched;
        SortedEntries entries;
    };

    std::uint32_t hash_of(const Value* const* wanted) const;
    std::uint32_t find_bucket(std::uint32_t hash, const Value* const* wanted) const;
    std::uint32_t make_bucket(std::uint32_t hash, const Value* const* wanted);

    std::vector<ColumnId> matched_;
    std::optional<ColumnId> sorted_;
    std::uint64_t columns_ = 0;
    HashIndex bucket_index_;
    std::vector<Bucket> buckets_;
    std::vector<std::uint32_t> free_buckets_;
};

}  // namespace redeliver::model::database
