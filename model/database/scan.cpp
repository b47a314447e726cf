#include "model/database/scan.h"

#include <algorithm>
#include <array>

namespace redeliver::model::database {

namespace {

using Wanted = std::array<const Value*, max_key_columns>;

enum class Sorted : std::uint8_t { no, yes };

class Search {
public:
    Search(const Scan& scan, std::vector<Candidate>& found) : scan_(scan), found_(found) {}

    Sorted run() {
        if (look_up_key()) return Sorted::yes;  // One row at most.
        for (const OrderedIndex& plain : scan_.relation.indexes())
            if (serves(plain)) return walk(plain);
        for (RowId row = 0; row < scan_.relation.places(); ++row) consider(row);
        return Sorted::no;
    }

private:
    bool fixes(std::uint64_t columns) const {
        return (scan_.filter.fixed_columns() & columns) == columns;
    }

    Wanted wanted(const std::vector<ColumnId>& columns) const {
        Wanted wanted{};
        for (std::size_t place = 0; place < columns.size(); ++place)
            wanted[place] = &scan_.filter.fixed_value(columns[place]);
        return wanted;
    }

    bool look_up_key() {
        const Relation& relation = scan_.relation;
        for (std::size_t place = 0; place < relation.keys(); ++place) {
            const auto key = static_cast<KeyId>(place);
            if (!fixes(relation.key_columns(key))) continue;
            const Wanted values = wanted(relation.table().unique_keys[place].columns);
            const RowId row = relation.find(key, values.data(), scan_.viewer);
            if (row != no_row) consider(row);
            return true;
        }
        return false;
    }

    bool serves(const OrderedIndex& plain) const {
        std::uint64_t matched = plain.columns();
        if (plain.sorted_column()) matched &= ~(std::uint64_t{1} << index(*plain.sorted_column()));
        if (!fixes(matched)) return false;
        return matched != 0 || scan_.filter.range(*plain.sorted_column()).bounded;
    }

    bool gives_the_order(const OrderedIndex& plain) const {
        return scan_.order.size() == 1 && plain.sorted_column() == scan_.order[0].column &&
               scan_.order[0].direction == Order::Direction::ascending;
    }

    Sorted walk(const OrderedIndex& plain) {
        const bool in_order = gives_the_order(plain);
        const SortedEntries* const entries = plain.find(wanted(plain.matched_columns()).data());
        if (entries == nullptr) return Sorted::yes;
        Filter::Range range{.least = std::numeric_limits<std::int64_t>::min(),
                            .greatest = std::numeric_limits<std::int64_t>::max(),
                            .bounded = false};
        if (plain.sorted_column()) range = scan_.filter.range(*plain.sorted_column());
        auto place = entries->seek({.number = range.least});
        while (const SortedEntry* const entry = entries->next(place)) {
            if (range.bounded && (entry->null || entry->number > range.greatest)) break;
            if (in_order && found_.size() == scan_.limit) break;
            consider_entry(plain, *entry);
        }
        return in_order ? Sorted::yes : Sorted::no;
    }

    // A row in change has an entry for what it was and one for what it will be.
    void consider_entry(const OrderedIndex& plain, const SortedEntry& entry) {
        const Value* const seen = scan_.relation.visible(entry.row, scan_.viewer);
        if (seen == nullptr) return;
        const SortedEntry current = plain.entry_of(seen, entry.birth, entry.row);
        if (current.null == entry.null && current.number == entry.number) consider(entry.row);
    }

    void consider(RowId row_id) {
        const Relation::Row& row = scan_.relation.row(row_id);
        const Value* const seen = scan_.relation.visible(row_id, scan_.viewer);
        if (seen == nullptr || !scan_.filter.matches(seen)) return;
        if (scan_.held_by_others == Scan::HeldByOthers::left_out && row.holder != nobody &&
            row.holder != scan_.viewer)
            return;
        found_.push_back({.row = row_id,
                          .birth = row.birth,
                          .stamp = scan_.relation.visible_stamp(row_id, scan_.viewer),
                          .seen = seen});
    }

    const Scan& scan_;
    std::vector<Candidate>& found_;
};

bool comes_first(const Candidate& left, const Candidate& right, std::span<const Order> order) {
    for (const Order& by : order) {
        const auto compared =
            in_sort_order(left.seen[index(by.column)], right.seen[index(by.column)]);
        if (compared == 0) continue;
        return (by.direction == Order::Direction::ascending) == (compared < 0);
    }
    return order.empty() ? left.stamp < right.stamp : left.birth < right.birth;
}

}  // namespace

void collect(const Scan& scan, std::vector<Candidate>& found) {
    found.clear();
    const Sorted sorted = Search(scan, found).run();
    const std::size_t kept = std::min(scan.limit, found.size());
    if (sorted == Sorted::no) {
        const auto before = [&scan](const Candidate& left, const Candidate& right) {
            return comes_first(left, right, scan.order);
        };
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept),
                          found.end(), before);
    }
    found.resize(kept);
}

}  // namespace redeliver::model::database
