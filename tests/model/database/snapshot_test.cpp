#include "model/database/snapshot.h"

#include <gtest/gtest.h>

#include "tests/model/database/conversation.h"

namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> described(const std::vector<Snapshot::Row>& rows) {
    std::vector<std::string> lines;
    for (const Snapshot::Row& row : rows) lines.push_back(describe(RowView(row)));
    return lines;
}

TEST(SnapshotTest, ShowsCommittedRowsByPrimaryKey) {
    Conversation db(item::schema());
    db.ask(alice, item::insert(2, "two"));
    db.ask(alice, item::insert(1, "one"));

    const Snapshot snapshot = db.server.snapshot();

    ASSERT_EQ(snapshot.tables.size(), 1u);
    EXPECT_EQ(snapshot.tables[0].name, "items");
    EXPECT_EQ(snapshot.tables[0].columns[1].name, "name");
    EXPECT_THAT(described(snapshot.tables[0].rows),
                ElementsAre("(1, 'one', null, null)", "(2, 'two', null, null)"));
    EXPECT_THAT(snapshot.transactions, IsEmpty());
    EXPECT_THAT(snapshot.locks, IsEmpty());
    EXPECT_THAT(snapshot.waits, IsEmpty());
}

TEST(SnapshotTest, ShowsWhatOpenTransactionsWouldDo) {
    Conversation db(item::schema());
    db.ask(alice, item::insert(1, "one", 0));
    db.ask(alice, item::insert(2, "two", 0));
    db.ask(alice, Begin{});
    db.ask(alice, item::set_n({eq(item::id, 1)}, 5));
    db.ask(alice, item::remove({eq(item::id, 2)}));
    db.ask(alice, item::insert(3));

    const Snapshot snapshot = db.server.snapshot();

    ASSERT_EQ(snapshot.transactions.size(), 1u);
    const Snapshot::Transaction& open = snapshot.transactions[0];
    EXPECT_EQ(open.session, alice);
    EXPECT_EQ(open.state, Snapshot::Transaction::State::open);
    EXPECT_EQ(open.began, db.now);
    ASSERT_EQ(open.changes.size(), 3u);
    EXPECT_EQ(describe(RowView(open.changes[0].before)), "(1, 'one', 0, null)");
    EXPECT_EQ(describe(RowView(open.changes[0].after)), "(1, 'one', 5, null)");
    EXPECT_EQ(describe(RowView(open.changes[1].before)), "(2, 'two', 0, null)");
    EXPECT_EQ(describe(RowView(open.changes[1].after)), "()");
    EXPECT_EQ(describe(RowView(open.changes[2].before)), "()");
    EXPECT_EQ(describe(RowView(open.changes[2].after)), "(3, null, null, null)");
}

TEST(SnapshotTest, ShowsAnAbortedTransaction) {
    Conversation db(item::schema());
    db.ask(alice, Begin{});
    db.ask(alice, item::insert(nullptr));

    const Snapshot snapshot = db.server.snapshot();

    ASSERT_EQ(snapshot.transactions.size(), 1u);
    EXPECT_EQ(snapshot.transactions[0].state, Snapshot::Transaction::State::aborted);
    EXPECT_THAT(snapshot.locks, IsEmpty());
}

TEST(SnapshotTest, ShowsLocksHeldAndAwaitedAndWhoWaitsForWhom) {
    Conversation db(item::schema());
    db.ask(alice, item::insert(1, "one"));
    db.ask(alice, Begin{});
    db.ask(alice, item::lock({}));
    db.say(carol, item::remove({}));
    db.pass(1ms);
    db.say(bob, item::remove({}));

    const Snapshot snapshot = db.server.snapshot();

    ASSERT_EQ(snapshot.locks.size(), 3u);
    EXPECT_EQ(snapshot.locks[0].session, alice);
    EXPECT_EQ(snapshot.locks[0].state, Snapshot::Lock::State::held);
    EXPECT_EQ(describe(RowView(snapshot.locks[0].row)), "(1, 'one', null, null)");
    EXPECT_EQ(snapshot.locks[1].session, bob);
    EXPECT_EQ(snapshot.locks[1].state, Snapshot::Lock::State::awaited);
    ASSERT_EQ(snapshot.waits.size(), 2u);
    EXPECT_EQ(snapshot.waits[0].session, carol);
    EXPECT_EQ(snapshot.waits[0].blocker, alice);
    EXPECT_EQ(snapshot.waits[0].since, db.now - 1ms);
    EXPECT_EQ(snapshot.waits[1].session, bob);
    EXPECT_EQ(snapshot.waits[1].blocker, carol);
}

TEST(Digest, DependsOnCommittedRowsAloneNotOnHowTheyCameAbout) {
    Conversation straight(item::schema());
    straight.ask(alice, item::insert(1, "one", 10));
    straight.ask(alice, item::insert(2, "two", 20));

    Conversation crooked(item::schema());
    crooked.ask(bob, item::insert(3, "three"));
    crooked.ask(bob, item::insert(2, "two", 21));
    crooked.ask(bob, item::insert(1, "one", 10));
    crooked.ask(bob, item::set_n({eq(item::id, 2)}, plus(-1)));
    crooked.ask(bob, item::remove({eq(item::id, 3)}));
    EXPECT_EQ(straight.server.digest(), crooked.server.digest());

    crooked.ask(alice, Begin{});
    crooked.ask(alice, item::set_n({}, 0));
    EXPECT_EQ(straight.server.digest(), crooked.server.digest());
    crooked.ask(alice, Commit{});

    EXPECT_NE(straight.server.digest(), crooked.server.digest());
}

TEST(Digest, IsTheSameOnEveryMachine) {
    Conversation db(item::schema());
    EXPECT_EQ(db.server.digest(), 0u);

    db.ask(alice, item::insert(1, "one", 10));

    EXPECT_EQ(db.server.digest(), 10335627374867342367u);
}

}  // namespace
}  // namespace redeliver::model::database
