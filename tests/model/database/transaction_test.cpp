#include <gtest/gtest.h>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class TransactionTest : public testing::Test {
protected:
    TransactionTest() {
        db.ask(alice, item::insert(1, "one", 10));
        db.ask(alice, Begin{});
    }
    Conversation db{item::schema()};
};

TEST_F(TransactionTest, ShowsItsChangesToItselfOnlyUntilItCommits) {
    db.ask(alice, item::insert(2, "two"));
    db.ask(alice, item::set_n({eq(item::id, 1)}, 11));
    EXPECT_THAT(db.told, IsEmpty());
    EXPECT_THAT(lines(db.ask(alice, item::select())),
                ElementsAre("(2, 'two', null, null)", "(1, 'one', 11, null)"));
    EXPECT_THAT(lines(db.ask(bob, item::select())), ElementsAre("(1, 'one', 10, null)"));

    EXPECT_EQ(db.ask(alice, Commit{}).tag, Tag::commit);

    EXPECT_THAT(db.told, ElementsAre("1 inserted (2, 'two', null, null)",
                                     "1 updated (1, 'one', 10, null) to (1, 'one', 11, null)",
                                     "1 committed 2"));
    EXPECT_THAT(lines(db.ask(bob, item::select())),
                ElementsAre("(2, 'two', null, null)", "(1, 'one', 11, null)"));
}

TEST_F(TransactionTest, LeavesNoTraceWhenRolledBack) {
    db.ask(alice, item::insert(2, "two"));
    db.ask(alice, Update{.table = item::table,
                         .where = {eq(item::id, 1)},
                         .set = {{item::name, "uno"}, {item::id, 5}}});
    db.ask(alice, item::remove({eq(item::id, 5)}));

    EXPECT_EQ(db.ask(alice, Rollback{}).tag, Tag::rollback);

    EXPECT_THAT(db.told, ElementsAre("1 rolled back: requested 00000"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)"));
    EXPECT_THAT(lines(db.ask(bob, item::select({eq(item::id, 1)}))),
                ElementsAre("(1, 'one', 10, null)"));
    EXPECT_TRUE(db.ask(bob, item::insert(2, "two")).ok());
    EXPECT_TRUE(db.ask(bob, item::insert(5, "uno")).ok());
}

TEST_F(TransactionTest, TellsTheNetEffectOnARowThatChangedTwice) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 11));
    db.ask(alice, item::set_n({eq(item::id, 1)}, 12));
    db.ask(alice, item::insert(2, "two"));
    db.ask(alice, item::set_n({eq(item::id, 2)}, 20));
    db.ask(alice, item::insert(3, "three"));
    db.ask(alice, item::remove({eq(item::id, 3)}));

    db.ask(alice, Commit{});

    EXPECT_THAT(db.told, ElementsAre("1 updated (1, 'one', 10, null) to (1, 'one', 12, null)",
                                     "1 inserted (2, 'two', 20, null)", "1 committed 2"));
    EXPECT_TRUE(db.ask(bob, item::insert(3, "three")).ok());
}

TEST_F(TransactionTest, TakesAnUpdateBackBeforeDeletingTheRow) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 11));
    db.ask(alice, item::remove({eq(item::id, 1)}));

    db.ask(alice, Commit{});

    EXPECT_THAT(db.told, ElementsAre("1 deleted (1, 'one', 10, null)", "1 committed 1"));
}

TEST_F(TransactionTest, MayDeleteARowAndInsertItsKeyAgain) {
    db.ask(alice, item::remove({eq(item::id, 1)}));
    EXPECT_TRUE(db.ask(alice, item::insert(1, "one", 99)).ok());

    db.ask(alice, Commit{});

    EXPECT_THAT(db.told, ElementsAre("1 deleted (1, 'one', 10, null)",
                                     "1 inserted (1, 'one', 99, null)", "1 committed 2"));
    EXPECT_THAT(lines(db.ask(bob, item::select({eq(item::name, "one")}))),
                ElementsAre("(1, 'one', 99, null)"));
}

TEST_F(TransactionTest, MayMoveAKeyAwayAndBack) {
    for (const char* name : {"uno", "one", "eins", "one"})
        EXPECT_TRUE(db.ask(alice, Update{.table = item::table, .set = {{item::name, name}}}).ok());

    db.ask(alice, Commit{});

    EXPECT_EQ(db.ask(bob, item::insert(2, "one")).state, SqlState::unique_violation);
    EXPECT_TRUE(db.ask(bob, item::insert(2, "uno")).ok());
    EXPECT_TRUE(db.ask(bob, item::insert(3, "eins")).ok());
}

TEST_F(TransactionTest, SeesWhatOthersCommittedBetweenItsStatements) {
    EXPECT_EQ(db.ask(alice, item::select()).affected, 1u);

    db.ask(bob, item::insert(2, "two"));

    EXPECT_EQ(db.ask(alice, item::select()).affected, 2u);
}

TEST_F(TransactionTest, RefusesEveryStatementAfterAnErrorUntilRollback) {
    db.ask(alice, item::insert(2, "two"));
    EXPECT_EQ(db.ask(alice, item::insert(1, "again")).state, SqlState::unique_violation);
    EXPECT_THAT(db.told, ElementsAre("1 rolled back: error 23505"));

    EXPECT_EQ(db.ask(alice, item::select()).state, SqlState::in_failed_sql_transaction);
    EXPECT_EQ(db.ask(alice, Begin{}).state, SqlState::in_failed_sql_transaction);
    EXPECT_TRUE(db.ask(bob, item::insert(2, "two")).ok()) << "what it held was let go at once";
    EXPECT_TRUE(db.ask(alice, Rollback{}).ok());

    EXPECT_THAT(db.told, IsEmpty());
    EXPECT_TRUE(db.ask(alice, item::select()).ok());
}

TEST_F(TransactionTest, AnswersRollbackWhenAnAbortedTransactionCommits) {
    db.ask(alice, item::insert(2, "two"));
    db.ask(alice, item::insert(1, "again"));

    const Result answer = db.ask(alice, Commit{});

    EXPECT_EQ(answer.state, SqlState::ok);
    EXPECT_EQ(answer.tag, Tag::rollback);
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)"));
}

TEST_F(TransactionTest, KeepsTheTimeAtWhichItBegan) {
    const auto began = db.now;
    db.now += 5s;

    db.ask(alice, item::set_n({}, now()));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.ask(bob, item::select({eq(item::n, began.time_since_epoch().count())})).affected,
              1u);
}

TEST_F(TransactionTest, OnlyWarnsOfABeginWithinOrAnEndWithout) {
    EXPECT_TRUE(db.ask(alice, Begin{}).ok());
    db.ask(alice, item::insert(2, "two"));
    EXPECT_EQ(db.ask(alice, Commit{}).tag, Tag::commit);
    EXPECT_EQ(db.rows(item::table).size(), 2u);

    EXPECT_EQ(db.ask(alice, Commit{}).tag, Tag::commit);
    EXPECT_EQ(db.ask(alice, Rollback{}).tag, Tag::rollback);
    EXPECT_THAT(db.told, IsEmpty());
}

TEST_F(TransactionTest, TellsAnEmptyCommitToo) {
    db.ask(alice, Commit{});

    EXPECT_THAT(db.told, ElementsAre("1 committed 0"));
}

}  // namespace
}  // namespace redeliver::model::database
