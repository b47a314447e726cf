#include <algorithm>

#include "model/database/relation.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

using sim::ensure;

RowId Relation::draft(Holder holder) {
    const RowId place = take_place();
    rows_[place]->holder = holder;
    return place;
}

void Relation::publish(RowId row_id) {
    Row& row = *rows_[row_id];
    ensure(row.birth == 0 && row.holder != nobody, "only a draft is published");
    row.birth = row.stamp = next_stamp_++;
    row.change = Change::written;
    row.pending = in_place;
}

void Relation::discard(RowId row_id) {
    ensure(rows_[row_id]->birth == 0, "only a draft is discarded");
    retire_place(row_id);
}

Value* Relation::rewrite(RowId row_id, std::uint64_t touched) {
    Row& row = *rows_[row_id];
    const Value* const seen = visible(row_id, row.holder);
    ensure(row.holder != nobody && seen != nullptr, "a row is rewritten by its holder");
    const std::uint32_t made = take_image();
    *images_[made] = {.stamp = next_stamp_++,
                      .touched = touched,
                      .older = row.change == Change::none ? no_image : row.pending};
    row.pending = made;
    row.change = Change::written;
    return std::copy_n(seen, width_, image_values_[made]) - width_;
}

void Relation::enter_indexes(RowId row_id) {
    const Row& row = *rows_[row_id];
    const std::uint64_t touched =
        row.pending == in_place ? every_column : images_[row.pending]->touched;
    if ((touched & indexed_columns_) == 0) return;
    for (OrderedIndex& plain : indexes_)
        if ((plain.columns() & touched) != 0)
            plain.add(image(row_id, row.pending), row.birth, row_id);
}

void Relation::enter_keys(RowId row_id) {
    for (std::size_t place = 0; place < keys_.size(); ++place) {
        const auto hash = hash_key(static_cast<KeyId>(place), values_[row_id]);
        if (hash) keys_[place].rows.add(*hash, row_id);
    }
}

void Relation::enter_key(RowId row_id, KeyId key_id) {
    const Value* const values = image(row_id, rows_[row_id]->pending);
    const auto hash = hash_key(key_id, values);
    if (!hash) return;
    Key& key = keys_[index(key_id)];
    const Images images = all_images(row_id);
    const auto has_entry = [&](const Value* other) {
        return other != values && same_key(key, other, values);
    };
    if (std::none_of(images.begin(), images.end(), has_entry)) key.rows.add(*hash, row_id);
}

bool Relation::newest_needs_key(RowId row_id, KeyId key_id) const {
    const Row& row = *rows_[row_id];
    const Key& key = keys_[index(key_id)];
    ensure(row.change == Change::written, "a row has a newest image once it was written");
    if (row.pending == in_place) return true;
    const Image& newest = *images_[row.pending];
    if ((newest.touched & key.columns_mask) == 0) return false;
    const Value* const before =
        newest.older == no_image ? values_[row_id] : image(row_id, newest.older);
    return !same_key(key, before, image_values_[row.pending]);
}

void Relation::remove(RowId row_id) {
    Row& row = *rows_[row_id];
    ensure(row.holder != nobody && visible(row_id, row.holder) != nullptr,
           "a row is removed by its holder");
    if (row.change == Change::none) row.pending = no_image;
    row.change = Change::removed;
}

Relation::Outcome Relation::commit(RowId row_id) {
    Row& row = *rows_[row_id];
    Outcome outcome;
    if (row.change != Change::none) {
        const bool removed = row.change == Change::removed;
        const std::uint32_t newest = row.pending;
        const Value* const survivor = removed ? nullptr : image(row_id, newest);
        leave_superseded(row_id, survivor);
        if (row.committed) outcome = {.before = values_[row_id], .stamp_before = row.stamp};
        if (!removed && newest != in_place) {
            std::swap_ranges(values_[row_id], values_[row_id] + width_, image_values_[newest]);
            row.stamp = images_[newest]->stamp;
            if (row.committed) outcome.before = image_values_[newest];
        }
        retire_images(row);
        row.committed = !removed;
        if (!removed) outcome.after = values_[row_id];
        if (removed) retire_place(row_id);
    }
    row.holder = nobody;
    return outcome;
}

void Relation::roll_back(RowId row_id) {
    Row& row = *rows_[row_id];
    if (row.change != Change::none) {
        leave_superseded(row_id, row.committed ? values_[row_id] : nullptr);
        retire_images(row);
        if (!row.committed) retire_place(row_id);
    }
    row.holder = nobody;
}

RowId Relation::restore(RowView values, std::uint64_t birth, std::uint64_t stamp) {
    const RowId place = take_place();
    Row& row = *rows_[place];
    std::copy(values.begin(), values.end(), values_[place]);
    row.birth = birth;
    row.stamp = stamp;
    row.committed = true;
    enter_all(place);
    return place;
}

void Relation::revert(RowId row_id, RowView values, std::uint64_t stamp) {
    Row& row = *rows_[row_id];
    ensure(row.committed && row.holder == nobody, "only a committed row is reverted");
    leave_all(row_id, values_[row_id], nullptr, every_column);
    std::copy(values.begin(), values.end(), values_[row_id]);
    row.stamp = stamp;
    enter_all(row_id);
}

void Relation::forget(RowId row_id) {
    Row& row = *rows_[row_id];
    ensure(row.committed && row.holder == nobody, "only a committed row is forgotten");
    leave_all(row_id, values_[row_id], nullptr, every_column);
    row.committed = false;
    retire_place(row_id);
}

const Value* Relation::keep_copy(const Value* values) {
    const std::uint32_t copy = take_image();
    std::copy_n(values, width_, image_values_[copy]);
    retired_images_.push_back(copy);
    return image_values_[copy];
}

void Relation::reclaim() {
    for (const RowId place : retired_places_) {
        ensure(rows_[place]->queue == 0, "nobody waits for a row that is gone");
        free_places_.push_back(place);
    }
    retired_places_.clear();
    free_images_.insert(free_images_.end(), retired_images_.begin(), retired_images_.end());
    retired_images_.clear();
}

RowId Relation::take_place() {
    if (free_places_.empty()) {
        rows_.grow();
        return values_.grow();
    }
    const RowId place = free_places_.back();
    free_places_.pop_back();
    *rows_[place] = {};
    return place;
}

std::uint32_t Relation::take_image() {
    if (free_images_.empty()) {
        images_.grow();
        return image_values_.grow();
    }
    const std::uint32_t image = free_images_.back();
    free_images_.pop_back();
    return image;
}

std::uint64_t Relation::touched_columns(const Row& row) const {
    if (!row.committed || row.change == Change::removed) return every_column;
    std::uint64_t touched = 0;
    for (std::uint32_t next = row.pending; next != no_image; next = images_[next]->older)
        touched |= images_[next]->touched;
    return touched;
}

// Takes every image but the survivor's out of the keys and indexes.
void Relation::leave_superseded(RowId row_id, const Value* survivor) {
    const std::uint64_t touched = touched_columns(*rows_[row_id]);
    if ((touched & indexed_columns_) == 0) return;
    for (const Value* const superseded : all_images(row_id))
        if (superseded != survivor) leave_all(row_id, superseded, survivor, touched);
}

void Relation::leave_all(RowId row_id, const Value* values, const Value* kept,
                         std::uint64_t touched) {
    for (std::size_t place = 0; place < keys_.size(); ++place) {
        Key& key = keys_[place];
        if ((key.columns_mask & touched) == 0) continue;
        if (kept != nullptr && same_key(key, values, kept)) continue;
        const auto hash = hash_key(static_cast<KeyId>(place), values);
        if (hash) key.rows.remove(*hash, row_id);
    }
    for (OrderedIndex& plain : indexes_) {
        if ((plain.columns() & touched) == 0) continue;
        if (kept != nullptr && plain.same_entry(values, kept)) continue;
        plain.remove(values, rows_[row_id]->birth, row_id);
    }
}

void Relation::enter_all(RowId row_id) {
    enter_keys(row_id);
    for (OrderedIndex& plain : indexes_) plain.add(values_[row_id], rows_[row_id]->birth, row_id);
}

void Relation::retire_images(Row& row) {
    std::uint32_t next = row.pending;
    while (next != no_image && next != in_place) {
        retired_images_.push_back(next);
        next = images_[next]->older;
    }
    row.pending = no_image;
    row.change = Change::none;
}

void Relation::retire_place(RowId row_id) {
    Row& row = *rows_[row_id];
    row.birth = 0;
    row.holder = nobody;
    retired_places_.push_back(row_id);
}

}  // namespace redeliver::model::database
