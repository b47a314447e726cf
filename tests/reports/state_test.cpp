#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/database/chat_schema.h"
#include "model/steps.h"
#include "reports/state_tables.h"
#include "reports/state_text.h"
#include "reports/table_comparison.h"
#include "tests/reports/recordings.h"

namespace redeliver::reports {
namespace {

namespace redis = model::redis;
namespace database = model::database;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

TEST(CompareTables, MarksAddedRemovedAndChangedRowsInPlace) {
    const PlainTable before{"t", {{"key"}, {"value"}}, {{"a", "1"}, {"b", "2"}, {"c", "3"}}};
    const PlainTable after{"t", {{"key"}, {"value"}}, {{"a", "1"}, {"c", "4"}, {"d", "5"}}};
    const StateTable table = compare_tables({before}, {after}).at(0);

    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.rows[0].change, Change::same);
    EXPECT_EQ(table.rows[1].change, Change::removed);
    EXPECT_EQ(table.rows[1].cells[0].text, "b");
    EXPECT_EQ(table.rows[2].change, Change::changed);
    EXPECT_EQ(table.rows[2].cells[1].was, "3");
    EXPECT_EQ(table.rows[3].change, Change::added);
}

TEST(CompareTables, TakesAColumnThatDoesNotCountForNoChange) {
    const std::vector<PlainTable::Column> columns = {{"id"}, {"idle", PlainTable::Counts::no}};
    const StateTable table =
        compare_tables({{"t", columns, {{"1-0", "1s"}}}}, {{"t", columns, {{"1-0", "2s"}}}}).at(0);
    EXPECT_EQ(table.rows[0].change, Change::same);
    EXPECT_EQ(table.rows[0].cells[1].text, "2s");
}

TEST(CompareTables, ShowsATableThatIsNewOrGone) {
    const PlainTable table{"t", {{"key"}}, {{"a"}}};
    EXPECT_EQ(compare_tables({}, {table}).at(0).rows[0].change, Change::added);
    EXPECT_EQ(compare_tables({table}, {}).at(0).rows[0].change, Change::removed);
}

redis::StreamSnapshot stream_with(std::vector<redis::PendingSnapshot> pending) {
    redis::StreamSnapshot stream;
    stream.entries = {{.id = {990, 0}, .body = {{"runId", "run-6"}, {"sessionId", "2"}}}};
    stream.last_id = {990, 0};
    stream.groups = {{.name = "workers",
                      .last_delivered_id = {990, 0},
                      .entries_read = 1,
                      .lag = 0,
                      .pending = std::move(pending),
                      .consumers = {{.name = "worker-1", .seen_at = {}, .pending = 1}}}};
    return stream;
}

redis::PendingSnapshot pending_row(std::string consumer, std::uint64_t deliveries) {
    return {.id = {990, 0},
            .consumer = std::move(consumer),
            .delivered_at = redis::to_millis(sim::wall_start + 991ms),
            .idle_time = 5s,
            .delivery_count = deliveries};
}

database::Snapshot runs(database::chat::RunStatus status) {
    const database::Schema schema = database::chat::schema({});
    database::Snapshot snapshot;
    snapshot.tables = {{"runs", schema.tables[0].columns, {}}};
    snapshot.tables[0].rows = {
        {database::Value(static_cast<std::uint32_t>(model::run_of(6))), database::Value("key-6"),
         database::Value(2), database::Value(status), database::Value(),
         database::Value((sim::wall_start + 985ms).time_since_epoch().count()), database::Value(),
         database::Value()}};
    return snapshot;
}

scenarios::StateChange claim() {
    scenarios::StateChange change;
    change.texts = empty_recording();
    change.before.broker.streams["koda:runs"] = stream_with({pending_row("worker-1", 1)});
    change.after.broker.streams["koda:runs"] = stream_with({pending_row("worker-2", 2)});
    change.before.database = runs(database::chat::RunStatus::pending);
    change.after.database = runs(database::chat::RunStatus::pending);
    change.step.number = 14;
    change.step.at = sim::at(31002ms);
    change.step.actor = worker_2;
    change.step.subject = model::run_of(6);
    change.step.carry(model::Claimed{.entry = {990, 0, stream_name},
                                     .from = worker_1_name,
                                     .to = worker_2_name,
                                     .delivery_count = 2,
                                     .idle_time_ms = 30000});
    return change;
}

TEST(StateText, MarksTheClaimInThePendingListWithTheOldOwner) {
    const std::string text = state_text(claim(), {.charset = Charset::ascii});
    EXPECT_THAT(text, HasSubstr("after step 14 at 31.002000s: worker-2 XAUTOCLAIM run-6, 990-0 "
                                "from worker-1, idle 30s, delivery 2\n"));
    EXPECT_THAT(text, HasSubstr("pending list of workers in koda:runs\n"
                                "  id     consumer             deliveries  delivered at  idle\n"
                                "~ 990-0  worker-2 [worker-1]  2 [1]       0.991s        5s\n"));
}

TEST(StateText, ShowsRunsByNameWithTheirStatusAndInstantsOfTheTrial) {
    scenarios::StateChange change = claim();
    change.after.database = runs(database::chat::RunStatus::done);
    EXPECT_THAT(state_text(change, {}),
                HasSubstr("~ run-6   key-6            2           done [pending]  null    "
                          "0.985000s   null    null\n"));
}

TEST(StateText, ShowsWhatATransactionHasNotCommittedYet) {
    scenarios::StateChange change = claim();
    database::Snapshot& data = change.after.database;
    data.transactions = {
        {.session = database::SessionId{9},
         .state = database::Snapshot::Transaction::State::open,
         .began = sim::wall_start,
         .changes = {
             {.table = database::chat::runs, .before = {}, .after = data.tables[0].rows[0]}}}};
    EXPECT_THAT(state_text(change, {}), HasSubstr("open transactions\n"));
    EXPECT_THAT(state_text(change, {}), HasSubstr("+ session 9 #1  open   runs   nothing  (run-6"));
}

TEST(StateText, MakesAStrangersBytesHarmless) {
    scenarios::StateChange change = claim();
    change.after.broker.streams["koda:runs"].groups[0].pending[0].consumer = "w\x1b[2J";
    change.after.broker.strings["mark\r"] = {.value = std::string("\0\xff", 2), .expires_at = {}};
    const std::string text = state_text(change, {});
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, HasSubstr("\\xff"));
}

}  // namespace
}  // namespace redeliver::reports
