#include "model/database/relation.h"

#include <algorithm>

#include "model/database/hashing.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

// Eight neighbouring numbers share a cache line of the index, for ids are mostly handed out in
// turn.
std::uint32_t hash_number(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return static_cast<std::uint32_t>(mix(bits >> 3) << 3 | (bits & 7));
}

// `value_of(place)` is the value of the key's column at that place.
template <typename ValueOf>
std::optional<std::uint32_t> hash_columns(std::size_t columns, ValueOf value_of) {
    if (columns == 1 && value_of(0).is_integer()) return hash_number(value_of(0).integer());
    std::uint64_t digest = 0;
    for (std::size_t place = 0; place < columns; ++place) {
        const Value& value = value_of(place);
        if (value.is_null()) return std::nullopt;
        digest = hash(value, digest);
    }
    return static_cast<std::uint32_t>(digest);
}

}  // namespace

Relation::Relation(const Table& table)
    : table_(table),
      width_(table.columns.size()),
      values_(table.columns.size()),
      image_values_(table.columns.size()) {
    for (const UniqueKey& declared : table.unique_keys) {
        Key& key = keys_.emplace_back();
        key.columns = declared.columns;
        for (const ColumnId column : key.columns)
            key.columns_mask |= std::uint64_t{1} << index(column);
        indexed_columns_ |= key.columns_mask;
    }
    for (const Index& declared : table.indexes) {
        indexes_.emplace_back(declared, table);
        indexed_columns_ |= indexes_.back().columns();
    }
}

std::uint64_t Relation::visible_stamp(RowId row_id, Holder viewer) const {
    const Row& row = *rows_[row_id];
    const bool rewritten =
        row.holder == viewer && row.change == Change::written && row.pending != in_place;
    return rewritten ? images_[row.pending]->stamp : row.stamp;
}

RowId Relation::locate(RowId guess, std::uint64_t birth) const {
    sim::ensure(birth != 0, "every row has a birth");
    if (rows_[guess]->birth == birth) return guess;
    for (RowId row = 0; row < places(); ++row)
        if (rows_[row]->birth == birth) return row;
    return no_row;
}

RowId Relation::find(KeyId key_id, const Value* const* wanted, Holder viewer) const {
    const Key& key = keys_[index(key_id)];
    const auto hash = hash_columns(
        key.columns.size(), [&](std::size_t place) -> const Value& { return *wanted[place]; });
    if (!hash) return no_row;
    HashIndex::Probe probe = key.rows.probe(*hash);
    for (RowId row = probe.next(); row != no_row; row = probe.next()) {
        const Value* const seen = visible(row, viewer);
        if (seen == nullptr) continue;
        std::size_t place = 0;
        while (place < key.columns.size() && seen[index(key.columns[place])] == *wanted[place])
            ++place;
        if (place == key.columns.size()) return row;
    }
    return no_row;
}

Relation::Conflict Relation::find_conflict(KeyId key_id, const Value* values, Holder viewer,
                                           RowId except) const {
    const auto hash = hash_key(key_id, values);
    if (!hash) return {};
    const Key& key = keys_[index(key_id)];
    HashIndex::Probe probe = key.rows.probe(*hash);
    for (RowId row = probe.next(); row != no_row; row = probe.next()) {
        if (row == except) continue;
        const Conflict conflict = judge(key, row, values, viewer);
        if (conflict.kind != Conflict::Kind::none) return conflict;
    }
    return {};
}

std::optional<std::uint32_t> Relation::hash_key(KeyId key_id, const Value* values) const {
    const Key& key = keys_[index(key_id)];
    return hash_columns(key.columns.size(), [&](std::size_t place) -> const Value& {
        return values[index(key.columns[place])];
    });
}

Relation::Images Relation::all_images(RowId row_id) const {
    const Row& row = *rows_[row_id];
    Images images;
    if (row.committed) images.push_back(values_[row_id]);
    if (row.change == Change::none) return images;
    for (std::uint32_t next = row.pending; next != no_image;
         next = next == in_place ? no_image : images_[next]->older)
        images.push_back(image(row_id, next));
    return images;
}

bool Relation::same_key(const Key& key, const Value* left, const Value* right) const {
    return std::all_of(key.columns.begin(), key.columns.end(), [&](ColumnId column) {
        return left[index(column)] == right[index(column)];
    });
}

// PostgreSQL looks at all versions of a row with a "dirty" snapshot: one that an open transaction
// has made, or superseded by a new version, leaves the question open until that transaction ends. A
// mere row lock does not. Source: HeapTupleSatisfiesDirty in access/heap/heapam_visibility.c.
Relation::Conflict Relation::judge(const Key& key, RowId row_id, const Value* values,
                                   Holder viewer) const {
    const Row& row = *rows_[row_id];
    if (row.change == Change::none || row.holder == viewer) {
        const Value* const seen = visible(row_id, viewer);
        if (seen == nullptr || !same_key(key, seen, values)) return {};
        return {Conflict::Kind::certain, row_id};
    }
    if (!has_image_with_key(row_id, key, values)) return {};
    return {Conflict::Kind::undecided, row_id};
}

bool Relation::has_image_with_key(RowId row, const Key& key, const Value* values) const {
    const Images images = all_images(row);
    return std::any_of(images.begin(), images.end(),
                       [&](const Value* image) { return same_key(key, image, values); });
}

}  // namespace redeliver::model::database
