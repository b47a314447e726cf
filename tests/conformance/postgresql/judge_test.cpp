// What the judge of the database model knows without a server.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/database/sql.h"
#include "tests/conformance/postgresql/answer.h"
#include "tests/conformance/postgresql/generate.h"
#include "tests/conformance/postgresql/modelled_database.h"
#include "tests/conformance/postgresql/script.h"
#include "tests/conformance/postgresql/shrink.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;
using namespace std::chrono_literals;

constexpr TableId t{0};
constexpr ColumnId a{0};
constexpr ColumnId b{1};

Schema one_table() {
    return {
        {{.name = "t",
          .columns = {{.name = "a"}, {.name = "b", .nullable = Nullable::yes}},
          .unique_keys = {{.name = "t_k1", .columns = {a}}, {.name = "t_k2", .columns = {b}}}}}};
}

Script two_sessions(std::vector<Step> steps) {
    return {
        .schema = one_table(), .rows = {{.table = t, .row = {1, 1}}}, .steps = std::move(steps)};
}

TEST(AnswerTest, SaysAllThatPostgresqlWouldSay) {
    const Table table = one_table().tables[0];
    Result result{.tag = Tag::select, .affected = 1};
    const std::vector<Value> row = {1, nullptr};
    result.rows.append(row);
    EXPECT_EQ(describe(result, &table), "SELECT 1 (1, null)");
    EXPECT_EQ(describe({.tag = Tag::insert, .affected = 1}, &table), "INSERT 0 1");
    EXPECT_EQ(describe({.tag = Tag::rollback}, nullptr), "ROLLBACK");
    EXPECT_EQ(describe({.state = SqlState::unique_violation, .violated = KeyId{1}}, &table),
              "error 23505 t_k2");
    EXPECT_EQ(describe({.state = SqlState::deadlock_detected}, nullptr), "error 40P01");
}

TEST(ScriptTest, ShowsAColumnForEachSession) {
    const Script script = two_sessions({});
    const std::string text =
        in_columns(script, {{0, "begin;"}, {1, "commit;"}, {1, "  => COMMIT"}});
    EXPECT_EQ(text,
              "create table t (a bigint not null, b bigint, constraint t_k1 unique (a), constraint "
              "t_k2 unique (b));\n"
              "insert into t values (1, 1);\n" +
                  fmt::format("{:<55}{:<55}\n", "session 1", "session 2") + std::string(110, '-') +
                  "\nbegin;\n" + std::string(55, ' ') + "commit;\n" + std::string(55, ' ') +
                  "  => COMMIT\n");
}

TEST(ScriptTest, NumbersTheLinesOfMoreSessionsThanFit) {
    Script script = two_sessions({});
    script.sessions = 12;
    EXPECT_TRUE(in_columns(script, {{11, "begin;"}}).ends_with("  12  begin;\n"));
}

TEST(GenerateTest, TablesDifferInColumnsKeysAndNulls) {
    std::map<std::size_t, int> by_keys, by_columns, by_sessions;
    int nullable_key = 0, of_two_columns = 0, primary = 0;
    for (std::uint64_t seed = 0; seed < 200 * seeds_per_schema; seed += seeds_per_schema) {
        const Script script = script_of(seed);
        ++by_sessions[script.sessions];
        for (const Table& table : script.schema.tables) {
            ++by_keys[table.unique_keys.size()];
            ++by_columns[table.columns.size()];
            for (const UniqueKey& key : table.unique_keys) {
                if (key.kind == UniqueKey::Kind::primary) ++primary;
                if (key.columns.size() == 2) ++of_two_columns;
                nullable_key +=
                    std::any_of(key.columns.begin(), key.columns.end(), [&table](ColumnId column) {
                        return table.columns[index(column)].nullable == Nullable::yes;
                    });
            }
        }
    }
    for (std::size_t keys = 1; keys <= 3; ++keys) EXPECT_GE(by_keys[keys], 30) << keys;
    for (std::size_t columns = 2; columns <= 5; ++columns) EXPECT_GE(by_columns[columns], 30);
    for (std::size_t sessions = 2; sessions <= 4; ++sessions) EXPECT_GE(by_sessions[sessions], 30);
    EXPECT_GE(nullable_key, 50);
    EXPECT_GE(of_two_columns, 50);
    EXPECT_GE(primary, 50);
}

TEST(GenerateTest, ASeedMeansTheSameEveryTime) {
    const auto text = [](std::uint64_t seed) {
        const Script script = script_of(seed);
        std::vector<Line> lines;
        for (const Step& step : script.steps) lines.push_back(line_of(script, step));
        return in_columns(script, lines);
    };
    EXPECT_EQ(text(7), text(7));
    EXPECT_NE(text(7), text(8));
}

// Bob waits at the row, Carol for her turn behind him.
TEST(ModelledDatabaseTest, WhoAwaitsATurnWaitsForEverybodyBefore) {
    Script script = two_sessions({});
    script.sessions = 4;
    Tally tally;
    ModelledDatabase database(script, {}, sim::wall_start, tally);
    for (std::size_t client = 0; client < 4; ++client) database.come(client);
    const Update take{.table = t, .where = {eq(a, 1)}, .set = {{b, plus(1)}}};
    database.say(0, Begin{}, sim::wall_start);
    for (std::size_t client = 0; client < 4; ++client) database.say(client, take, sim::wall_start);
    EXPECT_EQ(database.blockers(0), (std::set<std::size_t>{}));
    EXPECT_EQ(database.blockers(1), (std::set<std::size_t>{0}));
    EXPECT_EQ(database.blockers(2), (std::set<std::size_t>{1}));
    EXPECT_EQ(database.blockers(3), (std::set<std::size_t>{1, 2}));

    database.say(0, Commit{}, sim::wall_start);
    EXPECT_EQ(tally.waited, 3u);
    EXPECT_EQ(tally.rechecked, 3u);
    EXPECT_EQ(database.content(t), (std::multiset<std::string>{"(1, 5)"}));
}

TEST(ModelledDatabaseTest, AnInsertThatWaitedIsCountedByWhatCameOfIt) {
    const Script script = two_sessions({});
    for (const bool commits : {true, false}) {
        Tally tally;
        ModelledDatabase database(script, {}, sim::wall_start, tally);
        database.come(0);
        database.come(1);
        const Insert insert{
            .table = t, .row = {2, 2}, .on_conflict = Insert::OnConflict::do_nothing};
        database.say(0, Begin{}, sim::wall_start);
        database.say(0, insert, sim::wall_start);
        database.say(1, insert, sim::wall_start);
        EXPECT_TRUE(database.is_waiting(1));
        database.say(0, commits ? Statement(Commit{}) : Statement(Rollback{}), sim::wall_start);
        EXPECT_EQ(tally.absorbed_after_wait, commits ? 1u : 0u);
        EXPECT_EQ(tally.inserted_after_wait, commits ? 0u : 1u);
    }
}

// "Fails" when session 2 deletes something while session 1 has a transaction open.
TEST(ShrinkTest, OnlyWhatMattersIsLeft) {
    const auto fails = [](const Script& script) {
        bool open = false;
        for (const Step& step : script.steps) {
            const auto* const say = std::get_if<Say>(&step);
            if (say == nullptr) continue;
            if (std::holds_alternative<Begin>(say->statement)) open = true;
            if (open && std::holds_alternative<Delete>(say->statement)) return true;
        }
        return false;
    };
    Script script = two_sessions({Say{1, Delete{.table = t}}, Pass{1s}, Say{2, Begin{}},
                                  Say{0, Select{.table = t}}, Cancel{0},
                                  Say{1, Delete{.table = t, .where = {eq(a, 1), eq(b, 2)}}},
                                  Leave{1}, Say{2, Commit{}}});
    script.sessions = 3;
    script.lock_timeout = 1s;
    const Script small = shrink(std::move(script), fails);
    ASSERT_EQ(small.steps.size(), 2u);
    EXPECT_EQ(line_of(small, small.steps[0]).text, "begin;");
    EXPECT_EQ(line_of(small, small.steps[1]).text, "delete from t;");
    EXPECT_EQ(small.sessions, 2u);
    EXPECT_TRUE(small.rows.empty());
    EXPECT_TRUE(small.schema.tables[0].unique_keys.empty());
    EXPECT_EQ(small.lock_timeout, 0s);
}

}  // namespace
}  // namespace redeliver::conformance::postgresql
