#include "model/database/value.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <utility>

#include "sim/ensure.h"

namespace redeliver::model::database {
namespace {

TEST(Value, KeepsTextsOfEveryLength) {
    for (const std::size_t length : {0u, 1u, 21u, 22u, 23u, 1'000u}) {
        const std::string text(length, 'x');
        const Value value(text);
        EXPECT_EQ(value.text(), text);

        Value copy = value;
        const Value moved = std::move(copy);
        copy = moved;
        EXPECT_EQ(copy, value);
        EXPECT_EQ(moved.text(), text);
    }
}

TEST(Value, MayBeAssignedToItselfAndSwapped) {
    Value large(std::string(100, 'a'));
    const Value& same = large;
    large = same;
    Value small = 7;
    swap(large, small);

    EXPECT_EQ(large, Value(7));
    EXPECT_EQ(small.text(), std::string(100, 'a'));
}

TEST(Value, TellsNullZeroAndTheEmptyTextApart) {
    EXPECT_EQ(Value(), Value(nullptr));
    EXPECT_NE(Value(), Value(0));
    EXPECT_NE(Value(0), Value(""));
    EXPECT_NE(Value(""), Value());
}

TEST(Value, ComparesWithNullToUnknown) {
    EXPECT_EQ(equals(nullptr, nullptr), Truth::unknown);
    EXPECT_EQ(equals(1, nullptr), Truth::unknown);
    EXPECT_EQ(less_than(nullptr, "a"), Truth::unknown);
    EXPECT_EQ(equals(1, 1), Truth::yes);
    EXPECT_EQ(less_than(-1, 1), Truth::yes);
    EXPECT_EQ(less_than("b", "a"), Truth::no);
}

TEST(Value, ComparesTextsByteByByte) {
    EXPECT_EQ(less_than("B", "a"), Truth::yes);
    EXPECT_EQ(less_than("a", "ab"), Truth::yes);
    EXPECT_EQ(less_than("z", "\xc3\xa4"), Truth::yes) << "bytes are unsigned";
}

TEST(Value, SortsNullsLast) {
    EXPECT_TRUE(in_sort_order(5, nullptr) < 0);
    EXPECT_TRUE(in_sort_order(nullptr, nullptr) == 0);
    EXPECT_TRUE(in_sort_order(nullptr, "a") > 0);
}

TEST(Value, IsAHarnessErrorWhenTakenForAnotherKind) {
    EXPECT_THROW(Value("1").integer(), sim::HarnessError);
    EXPECT_THROW(Value(1).text(), sim::HarnessError);
    EXPECT_THROW(equals(1, "1"), sim::HarnessError);
}

TEST(Value, DescribesItselfWithoutHarmToATerminal) {
    EXPECT_EQ(describe(Value()), "null");
    EXPECT_EQ(describe(Value(-7)), "-7");
    EXPECT_EQ(describe(Value("a\x1b[2J'\\\xff")), "'a\\x1b[2J\\x27\\x5c\\xff'");
}

RC_GTEST_PROP(Value, OrdersTextsAsStdStringDoes,
              (const std::string& left, const std::string& right)) {
    RC_ASSERT((in_sort_order(left, right) < 0) == (left < right));
    RC_ASSERT((Value(left) == Value(right)) == (left == right));
}

}  // namespace
}  // namespace redeliver::model::database
