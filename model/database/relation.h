#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/database/hash_index.h"
#include "model/database/ordered_index.h"
#include "model/database/results.h"
#include "model/database/schema.h"
#include "model/database/stable_array.h"

namespace redeliver::model::database {

/// Who changes or locks rows: an open transaction, named by its session's slot plus one.
using Holder = std::uint32_t;
inline constexpr Holder nobody = 0;

/// The rows of one table with their keys and indexes: what PostgreSQL calls a relation.
///
/// Invariants:
/// 1. A row is held by one transaction at most, and only its holder has changed it.
/// 2. Everybody else sees the committed values, which lie in place until the holder commits.
/// 3. Each key has an entry for every image of a row, superseded ones too, until the holder ends:
/// to
///    others its outcome is open for all of them. (An insert enters its keys one by one.)
/// 4. What a call has removed or replaced keeps its values until `reclaim`, so that events may
/// refer
///    to it.
class Relation {
public:
    enum class Change : std::uint8_t { none, written, removed };

    struct Row {
        std::uint64_t birth = 0;  ///< Unique and growing among a table's rows; 0 while unused.
        std::uint64_t stamp = 0;  ///< When the values in place were written; orders a plain scan.
        Holder holder = nobody;
        std::uint32_t pending = 0;  ///< The holder's newest image.
        std::uint32_t queue = 0;    ///< Of sessions that wait for the row; 0 is none.
        bool committed = false;     ///< Are the values in place there for everybody?
        Change change = Change::none;
    };

    struct Conflict {
        /// `undecided` until the row's holder ends.
        enum class Kind : std::uint8_t { none, undecided, certain };
        Kind kind = Kind::none;
        RowId row = no_row;
    };

    explicit Relation(const Table& table);

    const Table& table() const { return table_; }
    std::uint32_t places() const { return rows_.size(); }
    Row& row(RowId row) { return *rows_[row]; }
    const Row& row(RowId row) const { return *rows_[row]; }
    const std::vector<OrderedIndex>& indexes() const { return indexes_; }

    /// The values in place: of the committed row, or of one being inserted.
    Value* values(RowId row) { return values_[row]; }
    const Value* values(RowId row) const { return values_[row]; }
    RowView view(const Value* values) const { return {values, width_}; }

    /// What a transaction sees of a row, or nullptr.
    const Value* visible(RowId row, Holder viewer) const {
        const Row& state = *rows_[row];
        const bool changed_by_viewer = state.holder == viewer && state.change != Change::none;
        if (!changed_by_viewer) return state.committed ? values_[row] : nullptr;
        return state.change == Change::removed ? nullptr : image(row, state.pending);
    }
    /// When that was written.
    std::uint64_t visible_stamp(RowId row, Holder viewer) const;

    /// The row a transaction sees that has these values in a key's columns, or `no_row`.
    RowId find(KeyId key, const Value* const* wanted, Holder viewer) const;

    /// Whether another row than `row` has the values' key, or may have it.
    Conflict find_conflict(KeyId key, const Value* values, Holder viewer, RowId row) const;

    /// A place for a row that nobody sees yet; its values are to be filled in.
    RowId draft(Holder holder);
    /// Makes it visible to its holder. Its keys are not entered yet.
    void publish(RowId row);
    /// Drops it, unpublished.
    void discard(RowId row);

    /// Gives the holder a new image of the row, a copy of what it sees, to be changed in the
    /// columns of `touched` (a bit each).
    Value* rewrite(RowId row, std::uint64_t touched);
    /// Enters the newest image in the plain indexes.
    void enter_indexes(RowId row);
    /// Enters the values in place in all keys, none of which they conflict with.
    void enter_keys(RowId row);
    /// Enters the newest image in one key, which it must not conflict with.
    void enter_key(RowId row, KeyId key);
    /// Whether the newest image, if not the first, differs in a key from the one before it.
    bool newest_needs_key(RowId row, KeyId key) const;
    /// Has the holder remove the row.
    void remove(RowId row);

    /// What a commit made of one row. No values before: inserted; none after: deleted.
    struct Outcome {
        const Value* before = nullptr;
        const Value* after = nullptr;
        std::uint64_t stamp_before = 0;
    };
    /// Makes the holder's changes everybody's and lets go of the row.
    Outcome commit(RowId row);
    /// Undoes the holder's changes and lets go of the row.
    void roll_back(RowId row);

    /// Where the row of that birth is, if anywhere; `guess` is where it probably is.
    RowId locate(RowId guess, std::uint64_t birth) const;

    /// Puts a committed row there as it once was, for the undoing of a lost commit.
    RowId restore(RowView values, std::uint64_t birth, std::uint64_t stamp);
    /// Gives a committed row that nobody holds other values.
    void revert(RowId row, RowView values, std::uint64_t stamp);
    /// Takes away a committed row that nobody holds.
    void forget(RowId row);

    /// A copy of the values that stays until `reclaim`.
    const Value* keep_copy(const Value* values);
    /// Uses again what was removed or replaced before this call.
    void reclaim();

    /// The values' hash in a key; nothing if one is null, for then no key has them.
    std::optional<std::uint32_t> hash_key(KeyId key, const Value* values) const;
    std::uint64_t key_columns(KeyId key) const { return keys_[index(key)].columns_mask; }
    std::size_t keys() const { return keys_.size(); }

private:
    struct Key {
        std::vector<ColumnId> columns;
        std::uint64_t columns_mask = 0;
        HashIndex rows;
    };
    struct Image {
        std::uint64_t stamp = 0;
        std::uint64_t touched = 0;  // Columns in which it may differ from the older one.
        std::uint32_t older = 0;
    };
    using Images = boost::container::small_vector<const Value*, 4>;

    static constexpr std::uint32_t no_image = ~0u;
    static constexpr std::uint32_t in_place = no_image - 1;
    static constexpr std::uint64_t every_column = ~std::uint64_t{0};

    std::uint32_t take_place();
    std::uint32_t take_image();
    const Value* image(RowId row, std::uint32_t image) const {
        return image == in_place ? values_[row] : image_values_[image];
    }
    Images all_images(RowId row) const;
    bool same_key(const Key& key, const Value* left, const Value* right) const;
    bool has_image_with_key(RowId row, const Key& key, const Value* values) const;
    Conflict judge(const Key& key, RowId row, const Value* values, Holder viewer) const;
    std::uint64_t touched_columns(const Row& row) const;
    void leave_all(RowId row, const Value* values, const Value* kept, std::uint64_t touched);
    void leave_superseded(RowId row, const Value* survivor);
    void enter_all(RowId row);
    void retire_images(Row& row);
    void retire_place(RowId row);

    const Table& table_;
    std::size_t width_;
    std::uint64_t next_stamp_ = 1;
    StableArray<Row> rows_{1};
    StableArray<Value> values_;
    StableArray<Image> images_{1};
    StableArray<Value> image_values_;
    std::vector<Key> keys_;
    std::vector<OrderedIndex> indexes_;
    std::uint64_t indexed_columns_ = 0;  // Of any key or index.
    std::vector<RowId> free_places_;
    std::vector<RowId> retired_places_;
    std::vector<std::uint32_t> free_images_;
    std::vector<std::uint32_t> retired_images_;
};

}  // namespace redeliver::model::database
