#include "model/database/ordered_index.h"

#include <algorithm>
#include <array>

#include "model/database/hashing.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

using Wanted = std::array<const Value*, max_key_columns>;

Wanted pick(const Value* values, const std::vector<ColumnId>& columns) {
    Wanted wanted{};
    for (std::size_t place = 0; place < columns.size(); ++place)
        wanted[place] = values + index(columns[place]);
    return wanted;
}

}  // namespace

void SortedEntries::add(const SortedEntry& entry) {
    const bool at_the_end = chunks_.empty() || last_.back() < entry;
    if (at_the_end && (chunks_.empty() || chunks_.back().size() == chunk_capacity)) {
        chunks_.emplace_back();
        last_.emplace_back();
    }
    std::size_t chunk = at_the_end ? chunks_.size() - 1 : chunk_for(entry);
    if (chunks_[chunk].size() == chunk_capacity) {
        split(chunk);
        chunk = chunk_for(entry);
    }
    auto& entries = chunks_[chunk];
    const auto place = std::lower_bound(entries.begin(), entries.end(), entry);
    if (place != entries.end() && !(entry < *place)) return;
    entries.insert(place, entry);
    last_[chunk] = entries.back();
}

void SortedEntries::remove(const SortedEntry& entry) {
    const std::size_t chunk = chunk_for(entry);
    if (chunk == chunks_.size()) return;
    auto& entries = chunks_[chunk];
    const auto found = std::lower_bound(entries.begin(), entries.end(), entry);
    if (found == entries.end() || entry < *found) return;
    sim::ensure(found->row == entry.row, "a row's age names it");
    entries.erase(found);
    if (entries.empty()) {
        chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(chunk));
        last_.erase(last_.begin() + static_cast<std::ptrdiff_t>(chunk));
    } else {
        last_[chunk] = entries.back();
    }
}

SortedEntries::Place SortedEntries::seek(const SortedEntry& bound) const {
    const std::size_t chunk = chunk_for(bound);
    if (chunk == chunks_.size()) return {.chunk = chunk, .offset = 0};
    const auto& entries = chunks_[chunk];
    const auto found = std::lower_bound(entries.begin(), entries.end(), bound);
    return {.chunk = chunk, .offset = static_cast<std::size_t>(found - entries.begin())};
}

const SortedEntry* SortedEntries::next(Place& place) const {
    if (place.chunk == chunks_.size()) return nullptr;
    const SortedEntry* const entry = &chunks_[place.chunk][place.offset];
    if (++place.offset == chunks_[place.chunk].size()) place = {place.chunk + 1, 0};
    return entry;
}

// The first chunk whose last entry is not less: where the entry is, if anywhere.
std::size_t SortedEntries::chunk_for(const SortedEntry& entry) const {
    return static_cast<std::size_t>(std::lower_bound(last_.begin(), last_.end(), entry) -
                                    last_.begin());
}

void SortedEntries::split(std::size_t chunk) {
    const auto place = static_cast<std::ptrdiff_t>(chunk);
    auto& full = chunks_[chunk];
    const auto middle = full.begin() + chunk_capacity / 2;
    std::vector<SortedEntry> upper(middle, full.end());
    full.erase(middle, full.end());
    last_.insert(last_.begin() + place, full.back());
    chunks_.insert(chunks_.begin() + place + 1, std::move(upper));
}

OrderedIndex::OrderedIndex(const Index& declared, const Table& table) : matched_(declared.columns) {
    for (const ColumnId column : declared.columns) columns_ |= std::uint64_t{1} << index(column);
    const ColumnId last = declared.columns.back();
    if (table.columns[index(last)].type != Type::integer) return;
    sorted_ = last;
    matched_.pop_back();
}

void OrderedIndex::add(const Value* values, std::uint64_t birth, RowId row) {
    const Wanted wanted = pick(values, matched_);
    const std::uint32_t hash = hash_of(wanted.data());
    std::uint32_t bucket = find_bucket(hash, wanted.data());
    if (bucket == no_row) bucket = make_bucket(hash, wanted.data());
    buckets_[bucket].entries.add(entry_of(values, birth, row));
}

void OrderedIndex::remove(const Value* values, std::uint64_t birth, RowId row) {
    const Wanted wanted = pick(values, matched_);
    const std::uint32_t hash = hash_of(wanted.data());
    const std::uint32_t bucket = find_bucket(hash, wanted.data());
    if (bucket == no_row) return;
    buckets_[bucket].entries.remove(entry_of(values, birth, row));
    if (!buckets_[bucket].entries.empty()) return;
    bucket_index_.remove(hash, bucket);
    free_buckets_.push_back(bucket);
}

const SortedEntries* OrderedIndex::find(const Value* const* wanted) const {
    const std::uint32_t bucket = find_bucket(hash_of(wanted), wanted);
    return bucket == no_row ? nullptr : &buckets_[bucket].entries;
}

bool OrderedIndex::same_entry(const Value* left, const Value* right) const {
    const auto same = [&](ColumnId column) { return left[index(column)] == right[index(column)]; };
    return std::all_of(matched_.begin(), matched_.end(), same) && (!sorted_ || same(*sorted_));
}

SortedEntry OrderedIndex::entry_of(const Value* values, std::uint64_t birth, RowId row) const {
    SortedEntry entry{.birth = birth, .row = row};
    if (!sorted_) return entry;
    const Value& value = values[index(*sorted_)];
    if (value.is_null())
        entry.null = true;
    else
        entry.number = value.integer();
    return entry;
}

std::uint32_t OrderedIndex::hash_of(const Value* const* wanted) const {
    std::uint64_t digest = 0;
    for (std::size_t place = 0; place < matched_.size(); ++place)
        digest = hash(*wanted[place], digest);
    return static_cast<std::uint32_t>(digest);
}

std::uint32_t OrderedIndex::find_bucket(std::uint32_t hash, const Value* const* wanted) const {
    HashIndex::Probe probe = bucket_index_.probe(hash);
    for (std::uint32_t bucket = probe.next(); bucket != no_row; bucket = probe.next()) {
        const std::vector<Value>& matched = buckets_[bucket].matched;
        std::size_t place = 0;
        while (place < matched.size() && matched[place] == *wanted[place]) ++place;
        if (place == matched.size()) return bucket;
    }
    return no_row;
}

std::uint32_t OrderedIndex::make_bucket(std::uint32_t hash, const Value* const* wanted) {
    std::uint32_t bucket = static_cast<std::uint32_t>(buckets_.size());
    if (free_buckets_.empty()) {
        buckets_.emplace_back();
    } else {
        bucket = free_buckets_.back();
        free_buckets_.pop_back();
    }
    std::vector<Value>& matched = buckets_[bucket].matched;
    matched.clear();
    for (std::size_t place = 0; place < matched_.size(); ++place) matched.push_back(*wanted[place]);
    bucket_index_.add(hash, bucket);
    return bucket;
}

}  // namespace redeliver::model::database
