#include <gtest/gtest.h>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class DeadlineTest : public testing::Test {
protected:
    void start(Configuration configuration) {
        db.emplace(item::schema(), configuration);
        for (const int id : {1, 2, 3}) db->ask(alice, item::insert(id, nullptr, 0));
    }
    void begins(SessionId session, std::int64_t by_locking) {
        db->ask(session, Begin{});
        db->ask(session, item::lock({eq(item::id, by_locking)}));
    }
    void waits(SessionId session, std::int64_t for_row) {
        ASSERT_EQ(db->say(session, item::set_n({eq(item::id, for_row)}, 9)), std::nullopt);
    }
    std::optional<Conversation> db;
};

TEST_F(DeadlineTest, IsNoneWhileNobodyWaits) {
    start({});
    begins(alice, 1);
    EXPECT_EQ(db->server.next_deadline(), std::nullopt);

    waits(bob, 1);
    EXPECT_EQ(db->server.next_deadline(), db->now + 1s);
    db->pass(1s);

    EXPECT_EQ(db->server.next_deadline(), std::nullopt) << "a wait is looked at once";
    EXPECT_EQ(db->take_answer(bob), std::nullopt);
}

TEST_F(DeadlineTest, EndsADeadlockAtTheFirstWaitersCheckAndSparesTheOther) {
    start({});
    begins(alice, 1);
    begins(bob, 2);
    waits(alice, 2);
    db->pass(400ms);
    waits(bob, 1);

    db->pass(599ms);
    EXPECT_EQ(db->take_answer(alice), std::nullopt);
    db->pass(1ms);

    EXPECT_EQ(db->take_answer(alice)->state, SqlState::deadlock_detected);
    EXPECT_THAT(db->told, ElementsAre("1 rolled back: error 40P01"));
    EXPECT_EQ(db->take_answer(bob)->affected, 1u);
    EXPECT_EQ(db->ask(alice, item::select()).state, SqlState::in_failed_sql_transaction);
}

// Alice is due for both; the server looks at its timeouts before it tells a deadlock.
TEST_F(DeadlineTest, OfALockTimeoutIsToldBeforeADeadlockAtTheSameInstant) {
    start({.lock_timeout = 1s, .deadlock_timeout = 1s});
    begins(alice, 1);
    begins(bob, 2);
    waits(alice, 2);
    db->pass(1ms);
    waits(bob, 1);

    db->pass(999ms);

    EXPECT_EQ(db->take_answer(alice)->state, SqlState::lock_not_available);
    EXPECT_EQ(db->take_answer(bob)->affected, 1u);
}

TEST_F(DeadlineTest, FindsADeadlockThatClosesAfterTheFirstCheckAtTheSecond) {
    start({});
    begins(alice, 1);
    begins(bob, 2);
    waits(alice, 2);
    db->pass(5s);
    waits(bob, 1);

    db->pass(1s);

    EXPECT_EQ(db->take_answer(bob)->state, SqlState::deadlock_detected);
    EXPECT_TRUE(db->take_answer(alice)->ok());
}

TEST_F(DeadlineTest, FindsADeadlockOfThree) {
    start({});
    begins(alice, 1);
    begins(bob, 2);
    begins(carol, 3);
    waits(alice, 2);
    waits(bob, 3);
    waits(carol, 1);

    db->pass(1s);

    EXPECT_EQ(db->take_answer(alice)->state, SqlState::deadlock_detected);
    EXPECT_TRUE(db->take_answer(carol)->ok());
    EXPECT_EQ(db->take_answer(bob), std::nullopt);
    db->ask(carol, Rollback{});
    EXPECT_TRUE(db->take_answer(bob)->ok());
}

TEST_F(DeadlineTest, FindsADeadlockOverKeys) {
    start({});
    db->ask(alice, Begin{});
    db->ask(bob, Begin{});
    db->ask(alice, item::insert(10));
    db->ask(bob, item::insert(11));
    ASSERT_EQ(db->say(alice, item::insert(11)), std::nullopt);
    ASSERT_EQ(db->say(bob, item::insert_or_skip(10)), std::nullopt);

    db->pass(1s);

    EXPECT_EQ(db->take_answer(alice)->state, SqlState::deadlock_detected);
    EXPECT_EQ(db->take_answer(bob)->affected, 1u);
}

TEST_F(DeadlineTest, FindsADeadlockThroughATurnInAQueue) {
    start({});
    begins(alice, 1);
    begins(bob, 2);
    db->ask(carol, Begin{});
    waits(carol, 1);
    waits(bob, 1);
    ASSERT_THAT(db->told, ElementsAre("2 waits for 3's turn"));
    waits(alice, 2);

    db->pass(1s);

    EXPECT_EQ(db->take_answer(carol)->state, SqlState::deadlock_detected);
    EXPECT_EQ(db->take_answer(alice)->state, SqlState::deadlock_detected)
        << "without carol bob waits for alice herself";
    EXPECT_EQ(db->take_answer(bob)->affected, 1u);
}

TEST_F(DeadlineTest, DoesNotTakeAWaiterOutsideTheCycleForItsVictim) {
    start({});
    begins(alice, 1);
    db->ask(alice, item::lock({eq(item::id, 3)}));
    begins(bob, 2);
    waits(carol, 3);
    db->pass(100ms);
    waits(alice, 2);
    db->pass(100ms);
    waits(bob, 1);

    db->pass(800ms);
    EXPECT_EQ(db->take_answer(carol), std::nullopt);
    db->pass(100ms);

    EXPECT_EQ(db->take_answer(alice)->state, SqlState::deadlock_detected);
    EXPECT_TRUE(db->take_answer(carol)->ok());
}

TEST_F(DeadlineTest, EndsAWaitAfterTheLockTimeout) {
    start({.lock_timeout = 300ms});
    begins(alice, 1);
    waits(bob, 1);

    db->pass(300ms);

    EXPECT_EQ(db->take_answer(bob)->state, SqlState::lock_not_available);
    EXPECT_THAT(db->told, ElementsAre("2 rolled back: error 55P03"));
}

TEST_F(DeadlineTest, CountsTheLockTimeoutFromEachWaitAnew) {
    start({.lock_timeout = 300ms});
    begins(alice, 1);
    begins(bob, 2);
    ASSERT_EQ(db->say(carol, item::set_n({}, 5)), std::nullopt);
    db->pass(200ms);
    db->ask(alice, Commit{});
    ASSERT_THAT(db->told, ElementsAre("1 committed 0", "3 waits for 2"));

    db->pass(299ms);
    EXPECT_EQ(db->take_answer(carol), std::nullopt);
    db->pass(1ms);

    EXPECT_EQ(db->take_answer(carol)->state, SqlState::lock_not_available);
}

TEST_F(DeadlineTest, CountsTheStatementTimeoutFromTheStatementsBeginning) {
    start({.statement_timeout = 300ms});
    begins(alice, 1);
    begins(bob, 2);
    ASSERT_EQ(db->say(carol, item::set_n({}, 5)), std::nullopt);
    db->pass(200ms);
    db->ask(alice, Commit{});

    db->pass(100ms);

    EXPECT_EQ(db->take_answer(carol)->state, SqlState::query_canceled);
    EXPECT_EQ(db->rows(item::table)[0], "(1, null, 0, null)") << "what it had done is undone";
}

TEST_F(DeadlineTest, TellsTheLockTimeoutIfBothAreDueAtOnce) {
    start({.lock_timeout = 300ms, .statement_timeout = 300ms});
    begins(alice, 1);
    waits(bob, 1);

    db->pass(300ms);

    EXPECT_EQ(db->take_answer(bob)->state, SqlState::lock_not_available);
}

TEST_F(DeadlineTest, PassesTheTurnOnWhenTheFirstInAQueueGivesUp) {
    start({.lock_timeout = 300ms});
    begins(alice, 1);
    waits(bob, 1);
    db->pass(100ms);
    waits(carol, 1);

    db->pass(200ms);
    EXPECT_EQ(db->take_answer(bob)->state, SqlState::lock_not_available);
    EXPECT_THAT(db->told, ElementsAre("2 rolled back: error 55P03", "3 waits for 1"));
    db->ask(alice, Commit{});

    EXPECT_TRUE(db->take_answer(carol)->ok());
}

TEST_F(DeadlineTest, LetsACancelRequestEndAWait) {
    start({});
    begins(alice, 1);
    waits(bob, 1);

    db->cancel(bob);

    EXPECT_EQ(db->take_answer(bob)->state, SqlState::query_canceled);
    db->cancel(bob);
    db->cancel(SessionId{99});
    EXPECT_EQ(db->take_answer(bob), std::nullopt) << "too late, nothing to cancel";
    db->ask(alice, Commit{});
}

TEST_F(DeadlineTest, LeavesNoRowOfAnInsertThatGaveUp) {
    start({.lock_timeout = 300ms});
    db->ask(alice, Begin{});
    db->ask(alice, item::insert(10, "ten"));
    ASSERT_EQ(db->say(bob, item::insert(11, "ten")), std::nullopt);
    ASSERT_EQ(db->say(carol, item::insert_or_skip(12, "ten")), std::nullopt);

    db->pass(300ms);
    db->ask(alice, Rollback{});

    EXPECT_EQ(db->take_answer(bob)->state, SqlState::lock_not_available);
    EXPECT_EQ(db->take_answer(carol)->state, SqlState::lock_not_available);
    EXPECT_EQ(db->rows(item::table).size(), 3u);
    for (const int id : {10, 11, 12}) EXPECT_TRUE(db->ask(dave, item::insert(id)).ok());
}

}  // namespace
}  // namespace redeliver::model::database
