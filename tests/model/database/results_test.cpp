#include "model/database/results.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/ensure.h"

namespace redeliver::model::database {
namespace {

Result with_row(std::vector<Value> row) {
    Result result{.affected = 1};
    result.rows.append(row);
    return result;
}

TEST(SqlState, HasTheFiveLettersOfTheManual) {
    EXPECT_EQ(code(SqlState::ok), "00000");
    EXPECT_EQ(code(SqlState::numeric_value_out_of_range), "22003");
    EXPECT_EQ(code(SqlState::not_null_violation), "23502");
    EXPECT_EQ(code(SqlState::unique_violation), "23505");
    EXPECT_EQ(code(SqlState::in_failed_sql_transaction), "25P02");
    EXPECT_EQ(code(SqlState::deadlock_detected), "40P01");
    EXPECT_EQ(code(SqlState::too_many_connections), "53300");
    EXPECT_EQ(code(SqlState::lock_not_available), "55P03");
    EXPECT_EQ(code(SqlState::query_canceled), "57014");
    EXPECT_EQ(name(SqlState::deadlock_detected), "deadlock_detected");
}

TEST(Result, HashesByEveryField) {
    const Result plain;
    EXPECT_EQ(hash(plain), hash(Result{}));
    EXPECT_NE(hash(plain), hash(Result{.state = SqlState::unique_violation}));
    EXPECT_NE(hash(plain), hash(Result{.tag = Tag::commit}));
    EXPECT_NE(hash(plain), hash(Result{.affected = 1}));
    EXPECT_NE(hash(plain), hash(Result{.violated = KeyId{0}}));
    EXPECT_NE(hash(Result{.violated = KeyId{1}}), hash(Result{.violated = KeyId{0}}));
}

TEST(Result, HashesByEveryByteOfItsRows) {
    EXPECT_NE(hash(Result{.affected = 1}), hash(with_row({nullptr})));
    EXPECT_NE(hash(with_row({1})), hash(with_row({2})));
    EXPECT_NE(hash(with_row({"a"})), hash(with_row({"b"})));
    EXPECT_NE(hash(with_row({0})), hash(with_row({nullptr})));
    EXPECT_NE(hash(with_row({"", "a"})), hash(with_row({"a", ""})));
    EXPECT_EQ(hash(with_row({std::string(99, 'x')})), hash(with_row({std::string(99, 'x')})));
}

TEST(Result, HashesTheSameOnEveryMachine) {
    EXPECT_EQ(hash(with_row({1, "one", nullptr})), 15306222750740788420u);
}

TEST(Rows, GiveNoCellOutsideTheirBounds) {
    const Result result = with_row({1, 2});

    EXPECT_EQ(result.rows.at(0, ColumnId{1}), Value(2));
    EXPECT_THROW(result.rows.at(1, ColumnId{0}), sim::HarnessError);
    EXPECT_THROW(result.rows.at(0, ColumnId{2}), sim::HarnessError);
}

TEST(Rows, HaveOneWidth) {
    Result result = with_row({1, 2});
    const std::vector<Value> narrow = {1};

    EXPECT_THROW(result.rows.append(narrow), sim::HarnessError);
}

}  // namespace
}  // namespace redeliver::model::database
