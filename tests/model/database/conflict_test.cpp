#include <gtest/gtest.h>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using testing::ElementsAre;

// Alice holds the key; Bob wants it.
class KeyConflict : public testing::Test {
protected:
    void bob_waits_with(const Statement& statement) {
        ASSERT_EQ(db.say(bob, statement), std::nullopt);
        ASSERT_THAT(db.told, ElementsAre("2 waits for 1"));
    }
    void alice_did(const Statement& statement) {
        db.ask(alice, Begin{});
        ASSERT_TRUE(db.ask(alice, statement).ok());
    }
    Conversation db{item::schema()};
};

TEST_F(KeyConflict, WithAnUncommittedInsertWaitsAndThenInsertsAfterARollback) {
    alice_did(item::insert(1, "one", 10));
    bob_waits_with(item::insert_or_skip(1, "one", 20));

    db.ask(alice, Rollback{});

    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
    EXPECT_THAT(db.told, ElementsAre("1 rolled back: requested 00000",
                                     "2 inserted (1, 'one', 20, null)", "2 committed 1"));
}

TEST_F(KeyConflict, WithAnUncommittedInsertWaitsAndThenIsAbsorbedAfterACommit) {
    alice_did(item::insert(1, "one", 10));
    bob_waits_with(item::insert_or_skip(1, "one", 20));

    db.ask(alice, Commit{});

    const auto answer = db.take_answer(bob);
    EXPECT_EQ(answer->state, SqlState::ok);
    EXPECT_EQ(answer->affected, 0u);
    EXPECT_THAT(db.told,
                ElementsAre("1 inserted (1, 'one', 10, null)", "1 committed 1",
                            "2 absorbed (1, 'one', 20, null) for (1, 'one', 10, null) by key 0"));
}

TEST_F(KeyConflict, OfAPlainInsertFailsAfterACommitAndSucceedsAfterARollback) {
    alice_did(item::insert(1, "one"));
    bob_waits_with(item::insert(1, "uno"));
    db.ask(alice, Commit{});
    EXPECT_EQ(db.take_answer(bob)->state, SqlState::unique_violation);

    alice_did(item::insert(2, "two"));
    bob_waits_with(item::insert(3, "two"));
    db.ask(alice, Rollback{});
    EXPECT_TRUE(db.take_answer(bob)->ok());
}

TEST_F(KeyConflict, WithAnUncommittedDeleteWaitsForWhatBecomesOfIt) {
    db.ask(alice, item::insert(1, "one"));
    alice_did(item::remove({}));
    bob_waits_with(item::insert_or_skip(1, "uno"));
    db.ask(alice, Rollback{});
    EXPECT_EQ(db.take_answer(bob)->affected, 0u);

    alice_did(item::remove({}));
    bob_waits_with(item::insert_or_skip(1, "uno"));
    db.ask(alice, Commit{});
    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'uno', null, null)"));
}

TEST_F(KeyConflict, WithARowInChangeWaitsThoughItsKeyStays) {
    db.ask(alice, item::insert(1, "one"));
    alice_did(item::set_n({}, 5));

    bob_waits_with(item::insert_or_skip(1, "uno"));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 0u);
}

TEST_F(KeyConflict, WithARowThatIsOnlyLockedIsCertainAtOnce) {
    db.ask(alice, item::insert(1, "one"));
    alice_did(item::lock({}));

    EXPECT_EQ(db.ask(bob, item::insert_or_skip(1, "uno")).affected, 0u);
    EXPECT_EQ(db.ask(bob, item::insert(1, "uno")).state, SqlState::unique_violation);
}

TEST_F(KeyConflict, WithAKeyThatAnUpdateTakesOrLeavesWaits) {
    db.ask(alice, item::insert(1, "one"));
    alice_did(Update{.table = item::table, .set = {{item::name, "uno"}}});
    bob_waits_with(item::insert_or_skip(2, "uno"));
    ASSERT_EQ(db.say(carol, item::insert_or_skip(3, "one")), std::nullopt);

    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 0u);
    EXPECT_EQ(db.take_answer(carol)->affected, 1u);
}

TEST_F(KeyConflict, WithAKeyThatAnUpdateHadOnlyBetweenTwoStatementsWaitsToo) {
    db.ask(alice, item::insert(1, "one"));
    alice_did(Update{.table = item::table, .set = {{item::name, "between"}}});
    db.ask(alice, Update{.table = item::table, .set = {{item::name, "last"}}});

    bob_waits_with(item::insert_or_skip(2, "between"));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
}

TEST_F(KeyConflict, WithTheOwnTransactionNeedsNoWait) {
    alice_did(item::insert(1, "one"));

    EXPECT_EQ(db.ask(alice, item::insert_or_skip(1, "uno")).affected, 0u);
    EXPECT_EQ(db.ask(alice, item::insert(2, "one")).state, SqlState::unique_violation);
}

TEST_F(KeyConflict, OfAnUpdateWaitsForTheKeyAndThenFailsOrGoesOn) {
    db.ask(bob, item::insert(1, "one"));
    alice_did(item::insert(2, "two"));
    const Update take_two = {
        .table = item::table, .where = {eq(item::id, 1)}, .set = {{item::name, "two"}}};
    bob_waits_with(take_two);
    db.ask(alice, Rollback{});
    EXPECT_EQ(db.take_answer(bob)->affected, 1u);

    alice_did(item::insert(3, "three"));
    bob_waits_with(
        Update{.table = item::table, .where = {eq(item::id, 1)}, .set = {{item::name, "three"}}});
    db.ask(alice, Commit{});
    EXPECT_EQ(db.take_answer(bob)->state, SqlState::unique_violation);
    EXPECT_THAT(db.rows(item::table),
                ElementsAre("(1, 'two', null, null)", "(3, 'three', null, null)"));
}

TEST_F(KeyConflict, OfAPlainInsertHoldsItsFirstKeyWhileItWaitsForItsSecond) {
    alice_did(item::insert(1, "one"));
    bob_waits_with(item::insert(2, "one"));

    EXPECT_EQ(db.say(carol, item::insert(2, "two")), std::nullopt);
    EXPECT_THAT(db.told, ElementsAre("3 waits for 2"));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->state, SqlState::unique_violation);
    EXPECT_TRUE(db.take_answer(carol)->ok());
}

TEST_F(KeyConflict, OfDoNothingHoldsNoKeyWhileItWaits) {
    alice_did(item::insert(1, "one"));
    bob_waits_with(item::insert_or_skip(2, "one"));

    EXPECT_TRUE(db.ask(carol, item::insert(2, "two")).ok());
    db.ask(alice, Rollback{});

    EXPECT_EQ(db.take_answer(bob)->affected, 0u) << "its first key was taken while it waited";
}

TEST_F(KeyConflict, IsSettledInTheOrderInWhichSessionsBeganToWait) {
    alice_did(item::insert(1, "one"));
    ASSERT_EQ(db.say(carol, item::insert_or_skip(1, "carol")), std::nullopt);
    ASSERT_EQ(db.say(bob, item::insert_or_skip(1, "bob")), std::nullopt);

    db.ask(alice, Rollback{});

    EXPECT_EQ(db.take_answer(carol)->affected, 1u);
    EXPECT_EQ(db.take_answer(bob)->affected, 0u);
}

TEST_F(KeyConflict, MayBeWaitedForAgainBehindTheNextHolder) {
    alice_did(item::insert(1, "one"));
    db.ask(carol, Begin{});
    ASSERT_EQ(db.say(carol, item::insert(1, "carol")), std::nullopt);
    ASSERT_EQ(db.say(bob, item::insert_or_skip(1, "bob")), std::nullopt);

    db.ask(alice, Rollback{});
    EXPECT_THAT(db.told, ElementsAre("1 rolled back: requested 00000", "2 waits for 3"));
    EXPECT_TRUE(db.take_answer(carol)->ok());
    db.ask(carol, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 0u);
}

TEST_F(KeyConflict, ShowsEachEventTheRowAsItWasThen) {
    db.ask(alice, item::insert(1, "one", 0));
    alice_did(item::set_n({}, 1));
    ASSERT_EQ(db.say(bob, item::set_n({}, plus(10))), std::nullopt);
    ASSERT_EQ(db.say(carol, item::set_n({}, plus(100))), std::nullopt);

    db.ask(alice, Commit{});

    EXPECT_THAT(
        db.told,
        ElementsAre("1 updated (1, 'one', 0, null) to (1, 'one', 1, null)", "1 committed 1",
                    "2 updated (1, 'one', 1, null) to (1, 'one', 11, null)", "2 committed 1",
                    "3 updated (1, 'one', 11, null) to (1, 'one', 111, null)", "3 committed 1"));
}

}  // namespace
}  // namespace redeliver::model::database
