#include <gtest/gtest.h>

#include "sim/ensure.h"
#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Autocommit : public testing::Test {
protected:
    Conversation db{item::schema()};
};

TEST_F(Autocommit, KeepsAnInsertedRowForEverybody) {
    const Result answer = db.ask(alice, item::insert(1, "one", 10));

    EXPECT_EQ(answer.state, SqlState::ok);
    EXPECT_EQ(answer.tag, Tag::insert);
    EXPECT_EQ(answer.affected, 1u);
    EXPECT_THAT(db.told, ElementsAre("1 inserted (1, 'one', 10, null)", "1 committed 1"));
    EXPECT_THAT(lines(db.ask(bob, item::select())), ElementsAre("(1, 'one', 10, null)"));
}

TEST_F(Autocommit, RefusesASecondRowWithThePrimaryKeyAndNamesTheKey) {
    db.ask(alice, item::insert(1, "one"));

    const Result answer = db.ask(alice, item::insert(1, "other"));

    EXPECT_EQ(answer.state, SqlState::unique_violation);
    EXPECT_EQ(answer.violated, KeyId{0});
    EXPECT_EQ(answer.affected, 0u);
    EXPECT_THAT(db.told, ElementsAre("1 rolled back: error 23505"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', null, null)"));
}

TEST_F(Autocommit, LeavesNothingInTheFirstKeyWhenTheSecondIsViolated) {
    db.ask(alice, item::insert(1, "one"));

    EXPECT_EQ(db.ask(alice, item::insert(2, "one")).violated, KeyId{1});

    EXPECT_TRUE(db.ask(alice, item::insert(2, "two")).ok());
}

TEST_F(Autocommit, LetsNullsShareAUniqueKey) {
    db.ask(alice, item::insert(1, nullptr));

    EXPECT_TRUE(db.ask(alice, item::insert(2, nullptr)).ok());
}

TEST_F(Autocommit, AbsorbsAConflictingInsertWithoutAnError) {
    db.ask(alice, item::insert(1, "one", 10));

    const Result answer = db.ask(alice, item::insert_or_skip(2, "one", 20));

    EXPECT_EQ(answer.state, SqlState::ok);
    EXPECT_EQ(answer.affected, 0u);
    EXPECT_TRUE(answer.rows.empty());
    EXPECT_THAT(db.told, ElementsAre("1 absorbed (2, 'one', 20, null) for (1, 'one', 10, null) by "
                                     "key 1"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)"));
}

TEST_F(Autocommit, RefusesNullWhereAColumnForbidsItEvenOnConflictDoNothing) {
    EXPECT_EQ(db.ask(alice, item::insert(nullptr)).state, SqlState::not_null_violation);
    EXPECT_EQ(db.ask(alice, item::insert_or_skip(nullptr)).state, SqlState::not_null_violation);
    EXPECT_THAT(db.rows(item::table), IsEmpty());
}

TEST_F(Autocommit, UpdatesEveryMatchingRowAndCountsThem) {
    db.ask(alice, item::insert(1, "one", 10));
    db.ask(alice, item::insert(2, "two", 20));
    db.ask(alice, item::insert(3, "three", 20));

    const Result answer = db.ask(alice, item::set_n({eq(item::n, 20)}, 21));

    EXPECT_EQ(answer.tag, Tag::update);
    EXPECT_EQ(answer.affected, 2u);
    EXPECT_THAT(db.told, ElementsAre("1 updated (2, 'two', 20, null) to (2, 'two', 21, null)",
                                     "1 updated (3, 'three', 20, null) to (3, 'three', 21, null)",
                                     "1 committed 2"));
}

TEST_F(Autocommit, MovesAnUpdatedRowToTheEndOfAScan) {
    db.ask(alice, item::insert(1));
    db.ask(alice, item::insert(2));

    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));

    EXPECT_THAT(lines(db.ask(alice, item::select())),
                ElementsAre("(2, null, null, null)", "(1, null, 5, null)"));
}

TEST_F(Autocommit, FindsARowUnderItsNewKeyAndFreesTheOld) {
    db.ask(alice, item::insert(1, "one"));

    db.ask(alice, Update{.table = item::table, .set = {{item::name, "uno"}, {item::id, 7}}});

    EXPECT_THAT(lines(db.ask(alice, item::select({eq(item::name, "uno")}))),
                ElementsAre("(7, 'uno', null, null)"));
    EXPECT_THAT(lines(db.ask(alice, item::select({eq(item::id, 1)}))), IsEmpty());
    EXPECT_TRUE(db.ask(alice, item::insert(1, "one")).ok());
}

TEST_F(Autocommit, UndoesTheWholeUpdateWhenOneRowViolatesAKey) {
    db.ask(alice, item::insert(1, "one"));
    db.ask(alice, item::insert(2, "two"));

    const Result answer =
        db.ask(alice, Update{.table = item::table, .set = {{item::name, "same"}}});

    EXPECT_EQ(answer.state, SqlState::unique_violation);
    EXPECT_EQ(answer.violated, KeyId{1});
    EXPECT_THAT(db.rows(item::table),
                ElementsAre("(1, 'one', null, null)", "(2, 'two', null, null)"));
    EXPECT_TRUE(db.ask(alice, item::insert(3, "same")).ok());
}

TEST_F(Autocommit, RefusesToUpdateARequiredColumnToNullOnlyIfARowMatches) {
    const Update update = {.table = item::table, .set = {{item::id, nullptr}}};
    EXPECT_TRUE(db.ask(alice, update).ok());

    db.ask(alice, item::insert(1));

    EXPECT_EQ(db.ask(alice, update).state, SqlState::not_null_violation);
}

TEST_F(Autocommit, AddsToAColumnsOwnValueAndLeavesNullNull) {
    db.ask(alice, item::insert(1, "one", 10));
    db.ask(alice, item::insert(2, "two", nullptr));

    db.ask(alice, item::set_n({}, plus(-3)));

    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 7, null)", "(2, 'two', null, null)"));
}

TEST_F(Autocommit, RefusesASumThatLeavesSixtyFourBits) {
    db.ask(alice, item::insert(1, "one", std::numeric_limits<std::int64_t>::max()));

    EXPECT_EQ(db.ask(alice, item::set_n({}, plus(1))).state, SqlState::numeric_value_out_of_range);
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 9223372036854775807, null)"));
}

TEST_F(Autocommit, DeletesMatchingRowsAndCountsThem) {
    db.ask(alice, item::insert(1));
    db.ask(alice, item::insert(2));
    db.ask(alice, item::insert(3));

    const Result answer = db.ask(alice, item::remove({ge(item::id, 2)}));

    EXPECT_EQ(answer.tag, Tag::remove);
    EXPECT_EQ(answer.affected, 2u);
    EXPECT_THAT(db.told, ElementsAre("1 deleted (2, null, null, null)",
                                     "1 deleted (3, null, null, null)", "1 committed 2"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, null, null, null)"));
}

TEST_F(Autocommit, WritesTheServersTimeInMicrosecondsSinceTheEpoch) {
    db.now = sim::WallTime{std::chrono::microseconds{1'000'000}};

    db.ask(alice, item::insert(1, "now", now()));
    db.ask(alice, item::insert(2, "then", now(std::chrono::milliseconds{-1})));

    EXPECT_THAT(db.rows(item::table),
                ElementsAre("(1, 'now', 1000000, null)", "(2, 'then', 999000, null)"));
    EXPECT_EQ(db.ask(alice, item::select({lt(item::n, now())})).affected, 1u);
}

TEST_F(Autocommit, StopsTheTrialForAStatementThatDoesNotFitTheSchema) {
    EXPECT_THROW(db.ask(alice, item::insert("text")), sim::HarnessError);
    EXPECT_THROW(db.ask(alice, item::select({eq(item::name, 1)})), sim::HarnessError);
    EXPECT_THROW(db.ask(alice, item::select({eq(ColumnId{4}, 1)})), sim::HarnessError);
    EXPECT_THROW(db.ask(alice, Insert{.table = item::table, .row = {1}}), sim::HarnessError);
    EXPECT_THROW(db.ask(alice, Select{.table = TableId{1}}), sim::HarnessError);
    EXPECT_THROW(db.ask(alice, item::insert(1, "one", plus(1))), sim::HarnessError);
}

}  // namespace
}  // namespace redeliver::model::database
