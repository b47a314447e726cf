#include "model/redis/pending_list.h"

#include <algorithm>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

bool row_is_below(const PendingEntry& row, EntryId id) { return row.id < id; }

bool is_tombstone(const PendingEntry& row) { return row.owner == nobody; }

}  // namespace

PendingList::Place PendingList::place_of(EntryId id) const {
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first_);
    return static_cast<Place>(std::lower_bound(begin, rows_.end(), id, row_is_below) -
                              rows_.begin());
}

PendingList::Place PendingList::next_row(Place place) const {
    place = std::max(place, first_);
    while (place < rows_.size() && is_tombstone(rows_[place])) ++place;
    return place;
}

PendingEntry* PendingList::find(EntryId id) {
    Place place = recent_ + 1;
    if (place >= rows_.size() || rows_[place].id != id) place = place_of(id);
    if (place == rows_.size() || rows_[place].id != id || is_tombstone(rows_[place]))
        return nullptr;
    recent_ = place;
    return &rows_[place];
}

const PendingEntry* PendingList::find(EntryId id) const {
    const Place place = place_of(id);
    if (place == rows_.size() || rows_[place].id != id || is_tombstone(rows_[place]))
        return nullptr;
    return &rows_[place];
}

PendingEntry& PendingList::insert(const PendingEntry& row) {
    sim::ensure(row.owner != nobody, "a pending row has an owner");
    compact();
    ++size_;
    if (rows_.empty() || rows_.back().id < row.id) return rows_.emplace_back(row);
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), row.id, row_is_below);
    first_ = std::min(first_, static_cast<Place>(at - rows_.begin()));
    if (at->id != row.id) return *rows_.insert(at, row);
    sim::ensure(is_tombstone(*at), "an entry is pending once in a group");
    return *at = row;
}

void PendingList::erase(PendingEntry& row) {
    sim::ensure(!is_tombstone(row), "only a pending row can be erased");
    row.owner = nobody;
    --size_;
    first_ = next_row(first_);
}

EntryId PendingList::greatest() const {
    const auto last = std::find_if_not(rows_.rbegin(), rows_.rend(), is_tombstone);
    return last == rows_.rend() ? min_entry_id : last->id;
}

void PendingList::compact() {
    constexpr std::size_t few = 64;
    if (rows_.size() < few + 2 * size_) return;
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_tombstone), rows_.end());
    first_ = 0;
    recent_ = 0;
    sim::ensure(rows_.size() == size_, "what is no tombstone is a row");
}

}  // namespace redeliver::model::redis
