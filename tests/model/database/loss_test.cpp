#include <gtest/gtest.h>

#include "sim/ensure.h"
#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// The simulated epoch is a whole multiple of 600 ms since the Unix epoch, so flushes come at 0 ms,
// 600 ms, 1,200 ms …
const Configuration flushes_late = {
    .synchronous_commit = SynchronousCommit::off, .wal_flush_interval = 600ms, .retain = 600ms};

TEST(Restart, KeepsCommitsAndForgetsTransactionsConnectionsAndWaits) {
    Conversation db(item::schema());
    db.ask(carol, item::insert(1));
    db.ask(alice, Begin{});
    db.ask(alice, item::set_n({}, 5));
    db.ask(alice, item::insert(2));
    ASSERT_EQ(db.say(bob, item::set_n({}, 6)), std::nullopt);
    ASSERT_EQ(db.say(carol, item::insert_or_skip(2)), std::nullopt);

    db.lose_process();

    EXPECT_THAT(db.told,
                ElementsAre("1 rolled back: server lost 00000", "2 rolled back: server lost 00000",
                            "3 rolled back: server lost 00000"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, null, null, null)"));
    EXPECT_EQ(db.server.connections(), 0u);
    EXPECT_EQ(db.server.next_deadline(), std::nullopt);
    EXPECT_EQ(db.take_answer(bob), std::nullopt);
    EXPECT_EQ(db.ask(bob, item::set_n({}, 7)).affected, 1u);
    EXPECT_TRUE(db.ask(bob, item::insert(2)).ok());
}

TEST(Restart, AfterTheLossOfTheMachineKeepsSynchronousCommitsToo) {
    Conversation db(item::schema());
    db.ask(alice, item::insert(1));

    db.lose_machine();

    EXPECT_THAT(db.told, IsEmpty());
    EXPECT_EQ(db.rows(item::table).size(), 1u);
}

TEST(Restart, LosesCommitsSinceTheLastFlushIfTheyAreNotSynchronous) {
    for (const bool machine : {false, true}) {
        Conversation db(item::schema(), flushes_late);
        db.ask(alice, item::insert(1));
        db.pass(600ms);
        db.ask(alice, item::insert(2));
        db.pass(1ms);
        db.ask(alice, item::insert(3));
        db.pass(598ms);

        if (machine)
            db.lose_machine();
        else
            db.lose_process();

        EXPECT_THAT(db.told, ElementsAre("forgot (3, null, null, null) for ()"));
        EXPECT_THAT(db.rows(item::table),
                    ElementsAre("(1, null, null, null)", "(2, null, null, null)"));
    }
}

TEST(Restart, LosesNothingThatAFlushHasReached) {
    Conversation db(item::schema(), flushes_late);
    db.pass(1ms);
    db.ask(alice, item::insert(1));
    db.pass(599ms);

    db.lose_machine();

    EXPECT_EQ(db.rows(item::table).size(), 1u);
}

TEST(Restart, IsAHarnessErrorIfItWouldLoseWhatIsNotRetained) {
    Conversation db(item::schema(), {.synchronous_commit = SynchronousCommit::off});

    EXPECT_THROW(db.lose_process(), sim::HarnessError);
}

class FailOver : public testing::Test {
protected:
    FailOver() {
        db.ask(alice, item::insert(1, "one", 10));
        db.ask(alice, item::insert(2, "two", 20));
        db.pass(10s);
    }
    Conversation db{item::schema({{"items_n_idx", {item::n}}}), {.retain = 5s}};
};

TEST_F(FailOver, LosesCommitsThatAreNewerThanTheLag) {
    db.ask(alice, item::insert(3));
    db.pass(1s);
    db.ask(alice, item::insert(4));

    db.fail_over(1s);

    EXPECT_THAT(db.told, ElementsAre("forgot (4, null, null, null) for ()"));
    EXPECT_EQ(db.rows(item::table).size(), 3u);
}

TEST_F(FailOver, RevertsUpdatesAndDeletesAndTellsTheNetEffectOnARow) {
    db.ask(alice, item::set_n({eq(item::id, 1)}, 11));
    db.ask(alice, Update{.table = item::table,
                         .where = {eq(item::id, 1)},
                         .set = {{item::name, "uno"}, {item::n, 12}}});
    db.ask(alice, item::set_n({eq(item::id, 2)}, 21));
    db.ask(alice, item::remove({eq(item::id, 2)}));
    db.ask(alice, item::insert(2, "again"));
    db.ask(alice, item::insert(5, "brief"));
    db.ask(alice, item::remove({eq(item::id, 5)}));
    db.pass(1s);

    db.fail_over(2s);

    EXPECT_THAT(db.told, ElementsAre("forgot (1, 'uno', 12, null) for (1, 'one', 10, null)",
                                     "forgot () for (2, 'two', 20, null)",
                                     "forgot (2, 'again', null, null) for ()"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)", "(2, 'two', 20, null)"));
}

TEST_F(FailOver, LeavesKeysAndIndexesAsTheyWere) {
    db.ask(alice, Update{.table = item::table,
                         .where = {eq(item::id, 1)},
                         .set = {{item::id, 7}, {item::name, "uno"}, {item::n, 5}}});
    db.ask(alice, item::remove({eq(item::id, 2)}));

    db.fail_over(1s);

    EXPECT_THAT(lines(db.ask(bob, item::select({le(item::n, 10)}))),
                ElementsAre("(1, 'one', 10, null)"));
    EXPECT_EQ(db.ask(bob, item::select({eq(item::n, 5)})).affected, 0u);
    EXPECT_EQ(db.ask(bob, item::insert(2)).state, SqlState::unique_violation);
    EXPECT_EQ(db.ask(bob, item::insert(3, "one")).violated, KeyId{1});
    EXPECT_TRUE(db.ask(bob, item::insert(7, "uno")).ok());
}

TEST_F(FailOver, CanUndoWhatAnEarlierOneRestored) {
    db.ask(alice, item::set_n({eq(item::id, 2)}, 21));
    db.pass(1s);
    db.ask(alice, item::remove({eq(item::id, 2)}));
    db.ask(alice, item::insert(3));
    db.ask(alice, item::insert(4));
    db.fail_over(500ms);
    ASSERT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)", "(2, 'two', 21, null)"));

    db.fail_over(2s);

    EXPECT_THAT(db.told, ElementsAre("forgot (2, 'two', 21, null) for (2, 'two', 20, null)"));
}

TEST_F(FailOver, RollsBackOpenTransactionsFirst) {
    db.ask(alice, Begin{});
    db.ask(alice, item::set_n({}, 0));

    db.fail_over(0s);

    EXPECT_THAT(db.told, ElementsAre("1 rolled back: server lost 00000"));
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'one', 10, null)", "(2, 'two', 20, null)"));
}

TEST_F(FailOver, IsAHarnessErrorBeyondWhatIsRetained) {
    EXPECT_THROW(db.fail_over(6s), sim::HarnessError);
    EXPECT_THROW(db.fail_over(-1s), sim::HarnessError);
}

TEST(FailOverWithoutSynchronousCommit, LosesAtLeastWhatWasNotFlushed) {
    Conversation db(item::schema(), flushes_late);
    db.pass(500ms);
    db.ask(alice, item::insert(1));
    db.pass(99ms);

    db.fail_over(0ms);

    EXPECT_THAT(db.told, ElementsAre("forgot (1, null, null, null) for ()"));
}

}  // namespace
}  // namespace redeliver::model::database
