#include "model/database/hash_index.h"

#include <utility>

#include "sim/ensure.h"

namespace redeliver::model::database {

void HashIndex::add(std::uint32_t hash, RowId row) {
    sim::ensure(row != no_row, "an entry leads to a row");
    if (used_ * 2 >= entries_.size()) grow();
    put({.hash = hash, .row = row});
    ++used_;
}

void HashIndex::remove(std::uint32_t hash, RowId row) {
    for (std::uint32_t place = hash & mask();; place = (place + 1) & mask()) {
        const Entry& entry = entries_[place];
        if (entry.row == no_row) return;
        if (entry.row != row || entry.hash != hash) continue;
        --used_;
        return close_gap(place);
    }
}

bool HashIndex::contains(std::uint32_t hash, RowId row) const {
    Probe found = probe(hash);
    for (RowId other = found.next(); other != no_row; other = found.next())
        if (other == row) return true;
    return false;
}

void HashIndex::put(Entry entry) {
    std::uint32_t place = entry.hash & mask();
    while (entries_[place].row != no_row) place = (place + 1) & mask();
    entries_[place] = entry;
}

void HashIndex::grow() {
    sim::ensure(entries_.size() < (std::size_t{1} << 31), "an index has fewer than 2^30 entries");
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(entries_.size() * 2));
    for (const Entry& entry : old)
        if (entry.row != no_row) put(entry);
}

// Moves later entries of the run forward, so that no probe stops at the gap before its entry.
void HashIndex::close_gap(std::uint32_t gap) {
    for (std::uint32_t place = (gap + 1) & mask(); entries_[place].row != no_row;
         place = (place + 1) & mask()) {
        const std::uint32_t home = entries_[place].hash & mask();
        const bool may_move = ((place - home) & mask()) >= ((place - gap) & mask());
        if (!may_move) continue;
        entries_[gap] = entries_[place];
        gap = place;
    }
    entries_[gap] = {};
}

}  // namespace redeliver::model::database
