#include <gtest/gtest.h>

#include <limits>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lock = Select::Lock;

// Three rows; Alice is in a transaction.
class RowLock : public testing::Test {
protected:
    RowLock() {
        for (const int id : {1, 2, 3}) db.ask(alice, item::insert(id, nullptr, 0));
        db.ask(alice, Begin{});
    }
    void waits(SessionId session, const Statement& statement) {
        ASSERT_EQ(db.say(session, statement), std::nullopt);
    }
    Conversation db{item::schema()};
};

TEST_F(RowLock, OfForUpdateMakesUpdateDeleteAndForUpdateWait) {
    db.ask(alice, item::lock({eq(item::id, 1)}));
    waits(bob, item::set_n({eq(item::id, 1)}, 5));
    EXPECT_THAT(db.told, ElementsAre("2 waits for 1"));
    waits(carol, item::remove({eq(item::id, 1)}));
    EXPECT_THAT(db.told, ElementsAre("3 waits for 2's turn"));
    waits(dave, item::lock({eq(item::id, 1)}));
    EXPECT_THAT(db.told, ElementsAre("4 waits for 2's turn"));

    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
    EXPECT_EQ(db.take_answer(carol)->affected, 1u);
    EXPECT_EQ(db.take_answer(dave)->affected, 0u) << "the row is gone";
}

// Row 1 would do, if it were not locked; row 2 would not.
TEST_F(RowLock, IsWaitedForOnlyOnceTheNewValuesOfTheRowAreComputed) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    db.ask(bob, item::set_n({eq(item::id, 2)}, most));
    db.ask(alice, item::lock({eq(item::id, 2)}));

    EXPECT_EQ(db.ask(bob, item::set_n({eq(item::id, 2)}, plus(1))).state,
              SqlState::numeric_value_out_of_range);
    db.ask(alice, item::lock({eq(item::id, 1)}));
    waits(bob, item::set_n({}, plus(1)));
    db.ask(alice, Rollback{});
    EXPECT_EQ(db.take_answer(bob)->state, SqlState::numeric_value_out_of_range);
    EXPECT_THAT(db.rows(item::table)[0], "(1, null, 0, null)");
}

TEST_F(RowLock, DoesNotHinderReaders) {
    db.ask(alice, item::set_n({}, 5));

    EXPECT_THAT(lines(db.ask(bob, item::select({eq(item::id, 1)}))),
                ElementsAre("(1, null, 0, null)"));
}

TEST_F(RowLock, IsLetGoByARollbackToo) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    waits(bob, item::set_n({eq(item::id, 1)}, plus(1)));

    db.ask(alice, Rollback{});

    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
    EXPECT_THAT(db.rows(item::table)[0], "(1, null, 1, null)");
}

TEST_F(RowLock, IsLetGoAtOnceWhenAnErrorAbortsTheTransaction) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    waits(bob, item::set_n({eq(item::id, 1)}, plus(1)));

    db.ask(alice, item::insert(1));

    EXPECT_EQ(db.take_answer(bob)->affected, 1u);
}

TEST_F(RowLock, WaitedForLooksAgainWhetherTheRowStillMatches) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    waits(bob, item::set_n({eq(item::n, 0)}, plus(100)));

    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 2u);
    EXPECT_THAT(db.rows(item::table),
                ElementsAre("(1, null, 5, null)", "(2, null, 100, null)", "(3, null, 100, null)"));
}

TEST_F(RowLock, WaitedForDoesNotLookForRowsThatMatchOnlyNow) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 7));
    db.ask(alice, item::set_n({eq(item::id, 2)}, 7));
    waits(bob, item::remove({eq(item::n, 0)}));

    db.ask(alice, item::insert(4, nullptr, 0));
    db.ask(carol, item::insert(5, nullptr, 0));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 1u) << "only row 3 both was and is there";
}

TEST_F(RowLock, WaitedForChangesTheRowAsItIsNow) {
    db.ask(alice, Update{.table = item::table,
                         .where = {eq(item::id, 1)},
                         .set = {{item::n, plus(1)}, {item::note, "alice"}}});
    waits(bob, item::set_n({eq(item::id, 1)}, plus(10)));

    db.ask(alice, Commit{});

    EXPECT_THAT(db.rows(item::table)[0], "(1, null, 11, 'alice')");
}

TEST_F(RowLock, WaitedForSkipsARowThatWasDeletedThoughItsKeyCameBack) {
    db.ask(alice, item::remove({eq(item::id, 1)}));
    waits(bob, item::set_n({eq(item::id, 1)}, 5));

    db.ask(alice, item::insert(1, "again"));
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 0u);
    EXPECT_THAT(lines(db.ask(bob, item::select({eq(item::id, 1)}))),
                ElementsAre("(1, 'again', null, null)"));
}

TEST_F(RowLock, StaysOnARowThatNoLongerMatched) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    db.ask(bob, Begin{});
    waits(bob, item::set_n({eq(item::id, 1), eq(item::n, 0)}, 9));
    db.ask(alice, Commit{});
    ASSERT_EQ(db.take_answer(bob)->affected, 0u);

    waits(carol, item::set_n({eq(item::id, 1)}, 7));
    EXPECT_THAT(db.told, ElementsAre("3 waits for 2"));
    db.ask(bob, Commit{});

    EXPECT_EQ(db.take_answer(carol)->affected, 1u);
}

TEST_F(RowLock, ForUpdateGivesTheRowAsItIsAfterTheWait) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    waits(bob, item::lock({eq(item::id, 1)}));

    db.ask(alice, Commit{});

    EXPECT_THAT(lines(*db.take_answer(bob)), ElementsAre("(1, null, 5, null)"));
}

TEST_F(RowLock, ForUpdateFillsItsLimitWithRowsThatStillMatch) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    Select oldest = item::lock({eq(item::n, 0)});
    oldest.order = {{item::id}};
    oldest.limit = 1;
    waits(bob, oldest);

    db.ask(alice, Commit{});

    EXPECT_THAT(lines(*db.take_answer(bob)), ElementsAre("(2, null, 0, null)"));
}

TEST_F(RowLock, IsSkippedBySkipLocked) {
    db.ask(alice, item::lock({eq(item::id, 1)}));

    Select next = item::lock({}, Lock::for_update_skip_locked);
    next.order = {{item::id}};
    next.limit = 1;
    db.ask(bob, Begin{});

    EXPECT_THAT(lines(db.ask(bob, next)), ElementsAre("(2, null, 0, null)"));
    EXPECT_THAT(lines(db.ask(carol, next)), ElementsAre("(3, null, 0, null)"));
    EXPECT_THAT(lines(db.ask(bob, next)), ElementsAre("(2, null, 0, null)")) << "its own";
}

TEST_F(RowLock, FailsNowaitOnlyIfAWantedRowIsHeld) {
    db.ask(alice, item::lock({eq(item::id, 1)}));
    db.ask(bob, Begin{});

    EXPECT_EQ(db.ask(bob, item::lock({eq(item::id, 2)}, Lock::for_update_nowait)).affected, 1u);
    EXPECT_EQ(db.ask(bob, item::lock({}, Lock::for_update_nowait)).state,
              SqlState::lock_not_available);
    EXPECT_THAT(db.told, ElementsAre("2 rolled back: error 55P03"));
    EXPECT_EQ(db.ask(carol, item::lock({eq(item::id, 2)}, Lock::for_update_nowait)).affected, 1u);
}

TEST_F(RowLock, NowaitStopsAtItsLimitBeforeAHeldRow) {
    db.ask(alice, item::lock({eq(item::id, 2)}));
    Select first = item::lock({}, Lock::for_update_nowait);
    first.order = {{item::id}};
    first.limit = 1;

    EXPECT_EQ(db.ask(bob, first).affected, 1u);
}

TEST_F(RowLock, PassesAlongTheQueueInOrder) {
    db.ask(alice, item::lock({eq(item::id, 1)}));
    for (const SessionId session : {bob, carol, dave}) {
        db.ask(session, Begin{});
        waits(session, item::set_n({eq(item::id, 1)}, plus(1)));
    }

    db.ask(alice, Commit{});
    EXPECT_TRUE(db.take_answer(bob).has_value());
    EXPECT_THAT(db.told, ElementsAre("1 committed 0", "3 waits for 2"));
    db.ask(bob, Rollback{});
    EXPECT_TRUE(db.take_answer(carol).has_value());
    EXPECT_THAT(db.told, ElementsAre("2 rolled back: requested 00000", "4 waits for 3"));
    db.ask(carol, Commit{});

    EXPECT_TRUE(db.take_answer(dave).has_value());
    db.ask(dave, Commit{});
    EXPECT_THAT(db.rows(item::table)[0], "(1, null, 2, null)");
}

TEST_F(RowLock, WaitedForAgainOnANewerVersionIsOutsideTheQueueOfThatVersion) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    db.ask(bob, Begin{});
    waits(bob, item::set_n({eq(item::id, 1)}, plus(1)));
    waits(carol, item::set_n({eq(item::id, 1)}, plus(10)));
    db.ask(alice, Commit{});
    ASSERT_THAT(db.told, testing::Contains("3 waits for 2"));

    waits(alice, item::set_n({eq(item::id, 1)}, plus(100)));
    EXPECT_THAT(db.told, ElementsAre("1 waits for 2")) << "not for carol's turn";
    db.ask(bob, Commit{});

    EXPECT_TRUE(db.take_answer(carol).has_value());
    EXPECT_TRUE(db.take_answer(alice).has_value());
    EXPECT_EQ(db.rows(item::table)[0], "(1, null, 116, null)");
}

TEST_F(RowLock, OfOneStatementIsTakenRowByRow) {
    db.ask(alice, item::lock({eq(item::id, 2)}));
    waits(bob, item::set_n({}, 5));

    EXPECT_TRUE(db.ask(alice, item::lock({eq(item::id, 3)})).ok());
    waits(carol, item::lock({eq(item::id, 1)}));
    EXPECT_THAT(db.told, ElementsAre("3 waits for 2")) << "Bob has got as far as row 1";
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob)->affected, 3u);
}

TEST_F(RowLock, IsNotNeededForRowsOnlyTheOwnTransactionSees) {
    db.ask(alice, item::insert(4, nullptr, 0));

    EXPECT_EQ(db.ask(bob, item::set_n({}, 1)).affected, 3u);
    EXPECT_EQ(db.ask(alice, item::set_n({}, 2)).affected, 4u);
    EXPECT_THAT(lines(db.ask(bob, item::select({eq(item::id, 4)}))), IsEmpty());
}

}  // namespace
}  // namespace redeliver::model::database
