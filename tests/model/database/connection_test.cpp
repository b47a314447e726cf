#include <gtest/gtest.h>

#include "sim/ensure.h"
#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Connection, IsRefusedBeyondTheLimitUntilOneIsClosed) {
    Conversation db(item::schema(), {.connection_limit = 2});
    db.ask(alice, item::select());
    EXPECT_EQ(db.server.connect(bob), SqlState::ok);

    EXPECT_EQ(db.server.connect(carol), SqlState::too_many_connections);
    EXPECT_EQ(db.ask(carol, item::insert(1)).state, SqlState::too_many_connections);
    EXPECT_EQ(db.server.connections(), 2u);
    EXPECT_THAT(db.rows(item::table), IsEmpty());
    db.disconnect(alice);

    EXPECT_TRUE(db.ask(carol, item::insert(1)).ok());
}

TEST(Connection, OpensOnce) {
    Conversation db(item::schema());
    db.server.connect(alice);

    EXPECT_THROW(db.server.connect(alice), sim::HarnessError);
}

TEST(Connection, ThatClosesRollsBackAndLetsWaitersGoOn) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(1, "alice"));
    ASSERT_EQ(db.say(bob, item::insert(1, "bob")), std::nullopt);

    db.disconnect(alice);

    EXPECT_THAT(db.told, ElementsAre("1 rolled back: disconnected 00000",
                                     "2 inserted (1, 'bob', null, null)", "2 committed 1"));
    EXPECT_TRUE(db.take_answer(bob)->ok());
    EXPECT_EQ(db.server.connections(), 1u);
}

TEST(Connection, ThatClosesOutsideATransactionLeavesEverything) {
    Conversation db(item::schema());
    db.ask(alice, item::insert(1));

    db.disconnect(alice);
    EXPECT_THAT(db.told, IsEmpty());
    db.disconnect(alice);
    db.disconnect(SessionId{99});

    EXPECT_EQ(db.rows(item::table).size(), 1u);
    EXPECT_EQ(db.server.connections(), 0u);
}

TEST(Connection, LostDuringAWaitDoesNotKeepTheStatementFromCommitting) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(1, "alice"));
    ASSERT_EQ(db.say(bob, item::insert(1, "bob")), std::nullopt);

    db.disconnect(bob);
    EXPECT_EQ(db.server.connections(), 2u) << "the backend is still there";
    db.ask(alice, Rollback{});

    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'bob', null, null)"));
    EXPECT_EQ(db.take_answer(bob), std::nullopt);
    EXPECT_EQ(db.server.connections(), 1u);
}

TEST(Connection, LostDuringAWaitInATransactionRollsBackAfterTheStatement) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(1, "alice"));
    db.ask(bob, Begin{});
    db.ask(bob, item::insert(2, "bob"));
    ASSERT_EQ(db.say(bob, item::insert(1, "bob")), std::nullopt);

    db.disconnect(bob);
    ASSERT_EQ(db.say(carol, item::insert(2, "carol")), std::nullopt) << "an orphan keeps its locks";
    db.ask(alice, Rollback{});

    EXPECT_THAT(db.rows(item::table), ElementsAre("(2, 'carol', null, null)"));
    EXPECT_TRUE(db.take_answer(carol)->ok());
}

TEST(Connection, MayComeBackUnderItsNumberBesideItsOrphan) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(1, "alice"));
    ASSERT_EQ(db.say(bob, item::insert_or_skip(1, "bob")), std::nullopt);
    db.disconnect(bob);

    EXPECT_TRUE(db.ask(bob, item::insert(2, "bob is back")).ok());
    db.ask(alice, Commit{});

    EXPECT_EQ(db.take_answer(bob), std::nullopt) << "the answer was the orphan's";
    EXPECT_EQ(db.server.connections(), 2u);
}

TEST(Connection, ExecutesStatementsInTheOrderSentThoughTheFirstWaits) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(1, "alice"));
    ASSERT_EQ(db.say(bob, Begin{})->tag, Tag::begin);
    ASSERT_EQ(db.say(bob, item::insert(1, "bob")), std::nullopt);
    ASSERT_EQ(db.say(bob, item::set_n({}, 5)), std::nullopt);
    ASSERT_EQ(db.say(bob, Commit{}), std::nullopt);

    db.ask(alice, Rollback{});

    EXPECT_EQ(db.take_answer(bob)->tag, Tag::insert);
    EXPECT_EQ(db.take_answer(bob)->tag, Tag::update);
    EXPECT_EQ(db.take_answer(bob)->tag, Tag::commit);
    EXPECT_THAT(db.rows(item::table), ElementsAre("(1, 'bob', 5, null)"));
}

}  // namespace
}  // namespace redeliver::model::database
