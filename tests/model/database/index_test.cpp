#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "model/database/hash_index.h"
#include "model/database/ordered_index.h"

namespace redeliver::model::database {
namespace {

std::multiset<RowId> rows_under(const HashIndex& index, std::uint32_t hash) {
    std::multiset<RowId> rows;
    HashIndex::Probe probe = index.probe(hash);
    for (RowId row = probe.next(); row != no_row; row = probe.next()) rows.insert(row);
    return rows;
}

// Hashes that crowd together at both ends of the table, so that runs of entries wrap around.
RC_GTEST_PROP(HashIndex, HoldsExactlyWhatWasAddedAndNotRemoved, ()) {
    const auto hash = rc::gen::map(rc::gen::inRange<std::uint32_t>(0, 8),
                                   [](std::uint32_t near) { return near - 4; });
    using Step = std::tuple<bool, std::uint32_t, RowId>;
    const auto steps = *rc::gen::container<std::vector<Step>>(
        rc::gen::tuple(rc::gen::arbitrary<bool>(), hash, rc::gen::inRange<RowId>(0, 5)));
    HashIndex index;
    std::set<std::pair<std::uint32_t, RowId>> spec;
    for (const auto& [adds, key, row] : steps) {
        if (!adds) {
            index.remove(key, row);
            spec.erase({key, row});
        } else if (spec.insert({key, row}).second) {
            index.add(key, row);
        }
        for (std::uint32_t near = 0; near < 8; ++near) {
            std::multiset<RowId> expected;
            for (const auto& [other, its_row] : spec)
                if (other == near - 4) expected.insert(its_row);
            RC_ASSERT(rows_under(index, near - 4) == expected);
        }
    }
}

TEST(HashIndex, GrowsWithoutLosingAnEntry) {
    HashIndex index;
    for (RowId row = 0; row < 10'000; ++row) index.add(row * 0x9e3779b9u, row);

    for (RowId row = 0; row < 10'000; ++row)
        EXPECT_EQ(rows_under(index, row * 0x9e3779b9u), std::multiset<RowId>{row});
}

std::vector<std::int64_t> numbers_from(const SortedEntries& entries, std::int64_t bound) {
    std::vector<std::int64_t> numbers;
    auto place = entries.seek({.number = bound});
    while (const SortedEntry* entry = entries.next(place))
        numbers.push_back(entry->null ? -1 : entry->number);
    return numbers;
}

RC_GTEST_PROP(SortedEntries, WalkInOrderFromAnyBound, ()) {
    using Step = std::pair<bool, std::int64_t>;
    // Few enough numbers that removals hit, many enough steps that chunks split.
    const auto steps = *rc::gen::resize(
        100,
        rc::gen::container<std::vector<Step>>(
            500, rc::gen::pair(rc::gen::map(rc::gen::inRange(0, 3), [](int n) { return n > 0; }),
                               rc::gen::inRange<std::int64_t>(0, 300))));
    SortedEntries entries;
    std::set<std::int64_t> spec;
    for (const auto& [adds, number] : steps) {
        const SortedEntry entry{.number = number,
                                .birth = static_cast<std::uint64_t>(number) + 1,
                                .row = static_cast<RowId>(number)};
        if (adds) {
            entries.add(entry);
            spec.insert(number);
        } else {
            entries.remove(entry);
            spec.erase(number);
        }
    }
    for (const std::int64_t bound : {0, 1, 150, 299, 300}) {
        const std::vector<std::int64_t> expected(spec.lower_bound(bound), spec.end());
        RC_ASSERT(numbers_from(entries, bound) == expected);
    }
    RC_ASSERT(entries.empty() == spec.empty());
}

TEST(SortedEntries, PutNullsLastAndEqualNumbersByAge) {
    SortedEntries entries;
    entries.add({.birth = 1, .row = 1, .null = true});
    entries.add({.number = 5, .birth = 3, .row = 3});
    entries.add({.number = 5, .birth = 2, .row = 2});
    entries.add({.number = 5, .birth = 2, .row = 2});

    auto place = entries.seek({.number = 0});
    std::vector<RowId> rows;
    while (const SortedEntry* entry = entries.next(place)) rows.push_back(entry->row);

    EXPECT_EQ(rows, (std::vector<RowId>{2, 3, 1}));
}

}  // namespace
}  // namespace redeliver::model::database
