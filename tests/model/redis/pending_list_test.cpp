#include "model/redis/pending_list.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

using Ids64 = std::vector<std::uint64_t>;

PendingEntry row(std::uint64_t ms) { return {.id = {ms, 0}, .owner = 0}; }

Ids64 ids_of(const PendingList& list) {
    Ids64 ids;
    for (auto at = list.begin(); at != list.end(); at = list.after(at))
        ids.push_back(list.at(at).id.ms);
    return ids;
}

PendingList list_of(const Ids64& ids) {
    PendingList list;
    for (const std::uint64_t ms : ids) list.insert(row(ms));
    return list;
}

TEST(PendingList, IsInOrderWhateverTheOrderOfInsertion) {
    EXPECT_EQ(ids_of(list_of({5, 1, 3, 9, 2})), (Ids64{1, 2, 3, 5, 9}));
}

TEST(PendingList, FindsWhatIsThereAndNothingElse) {
    PendingList list = list_of({1, 3, 5});
    ASSERT_NE(list.find({3, 0}), nullptr);
    EXPECT_EQ(list.find({3, 0})->id, (EntryId{3, 0}));
    EXPECT_EQ(list.find({4, 0}), nullptr);
    list.erase(*list.find({3, 0}));
    EXPECT_EQ(list.find({3, 0}), nullptr);
    EXPECT_EQ(list.size(), 2u);
}

TEST(PendingList, TakesARowBackInItsOldPlace) {
    PendingList list = list_of({1, 2, 3});
    list.erase(*list.find({1, 0}));
    list.erase(*list.find({2, 0}));
    list.insert(row(1));
    EXPECT_EQ(ids_of(list), (Ids64{1, 3}));
    list.insert(row(2));
    EXPECT_EQ(ids_of(list), (Ids64{1, 2, 3}));
}

TEST(PendingList, KnowsItsEnds) {
    PendingList list = list_of({1, 2, 3});
    list.erase(*list.find({3, 0}));
    list.erase(*list.find({1, 0}));
    EXPECT_EQ(list.greatest(), (EntryId{2, 0}));
    EXPECT_EQ(list.at(list.lower_bound({0, 0})).id, (EntryId{2, 0}));
    EXPECT_EQ(list.lower_bound({3, 0}), list.end());
}

TEST(PendingList, StaysWholeThroughManyComingsAndGoings) {
    PendingList list;
    for (std::uint64_t ms = 1; ms <= 1'000; ++ms) {
        list.insert(row(ms));
        if (ms % 10 != 0) list.erase(*list.find({ms, 0}));
    }
    EXPECT_EQ(list.size(), 100u);
    EXPECT_EQ(ids_of(list).size(), 100u);
    EXPECT_EQ(ids_of(list).front(), 10u);
    EXPECT_EQ(ids_of(list).back(), 1'000u);
}

TEST(PendingList, HoldsAnEntryOnce) {
    PendingList list = list_of({1});
    EXPECT_THROW(list.insert(row(1)), sim::HarnessError);
}

}  // namespace
}  // namespace redeliver::model::redis
