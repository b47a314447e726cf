#include "model/redis/entry_id.h"

#include <gtest/gtest.h>

namespace redeliver::model::redis {
namespace {

constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();

std::optional<EntryId> parse(std::string_view text) { return parse_entry_id(text, 0); }

TEST(EntryId, OrdersByMillisecondsThenSequence) {
    EXPECT_LT((EntryId{1, 9}), (EntryId{2, 0}));
    EXPECT_LT((EntryId{2, 0}), (EntryId{2, 1}));
}

TEST(EntryId, IsPrintedAsTwoDecimalNumbers) {
    EXPECT_EQ(to_string({0, 0}), "0-0");
    EXPECT_EQ(to_string({top, top}), "18446744073709551615-18446744073709551615");
}

TEST(EntryId, ReadsBothHalves) { EXPECT_EQ(parse("15-3"), (EntryId{15, 3})); }

TEST(EntryId, TakesTheMissingSequenceItIsTold) {
    EXPECT_EQ(parse_entry_id("15", 0), (EntryId{15, 0}));
    EXPECT_EQ(parse_entry_id("15", top), (EntryId{15, top}));
}

// Each of these was asked of redis-server 7.0.15.
TEST(EntryId, AcceptsTheOdditiesThatTheServerAccepts) {
    EXPECT_EQ(parse("08"), (EntryId{8, 0}));
    EXPECT_EQ(parse("+1-+2"), (EntryId{1, 2}));
    EXPECT_EQ(parse(" 1- 2"), (EntryId{1, 2}));
    EXPECT_EQ(parse("\t1-\n3"), (EntryId{1, 3}));
    EXPECT_EQ(parse("1--0"), (EntryId{1, 0}));
    EXPECT_EQ(parse("1--05"), (EntryId{1, top - 4}));
    EXPECT_EQ(parse("1- -5"), (EntryId{1, top - 4}));
    EXPECT_EQ(parse(std::string_view("1\0zz-3", 6)), (EntryId{1, 0}));
    EXPECT_EQ(parse("18446744073709551615"), (EntryId{top, 0}));
}

TEST(EntryId, RefusesWhatTheServerRefuses) {
    for (const char* text : {"", "-", "+", "*", "$", ">", "1-", "-1", "1--5", "1-2-3", "1-2 ",
                             "0x5-1", "1e3", "18446744073709551616", "1-18446744073709551616"})
        EXPECT_EQ(parse(text), std::nullopt) << text;
    EXPECT_EQ(parse(std::string(127, '0')), (EntryId{0, 0}));
    EXPECT_EQ(parse(std::string(128, '0')), std::nullopt);
}

TEST(EntryId, CarriesBetweenSequenceAndMilliseconds) {
    EXPECT_EQ(increment({1, top}), (EntryId{2, 0}));
    EXPECT_EQ(decrement({2, 0}), (EntryId{1, top}));
    EXPECT_EQ(increment({1, 1}), (EntryId{1, 2}));
    EXPECT_EQ(decrement({1, 1}), (EntryId{1, 0}));
}

TEST(EntryId, HasNoNeighbourBeyondTheEnds) {
    EXPECT_EQ(increment(max_entry_id), std::nullopt);
    EXPECT_EQ(decrement(min_entry_id), std::nullopt);
}

}  // namespace
}  // namespace redeliver::model::redis
