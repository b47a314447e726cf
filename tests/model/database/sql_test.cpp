#include "model/database/sql.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/database/chat_schema.h"

namespace redeliver::model::database {
namespace {

using namespace std::chrono_literals;

const Schema schema = {
    {{.name = "t",
      .columns = {{.name = "id"},
                  {.name = "name", .type = Type::text, .nullable = Nullable::yes},
                  {.name = "at", .nullable = Nullable::yes}},
      .unique_keys =
          {{.name = "t_pkey", .columns = {ColumnId{0}}, .kind = UniqueKey::Kind::primary},
           {.name = "t_name_at_key", .columns = {ColumnId{1}, ColumnId{2}}}},
      .indexes = {{.name = "t_at_idx", .columns = {ColumnId{2}}}}}}};
constexpr TableId t{0};
constexpr ColumnId id{0};
constexpr ColumnId name{1};
constexpr ColumnId at{2};

TEST(Sql, TransactionsAreOneWord) {
    EXPECT_EQ(sql(schema, Begin{}), "begin");
    EXPECT_EQ(sql(schema, Commit{}), "commit");
    EXPECT_EQ(sql(schema, Rollback{}), "rollback");
}

TEST(Sql, AnInsertHasATermPerColumn) {
    EXPECT_EQ(sql(schema, Insert{.table = t, .row = {1, "it's", now()}}),
              "insert into t values (1, 'it''s', (extract(epoch from now()) * 1000000)::bigint)");
    EXPECT_EQ(
        sql(schema, Insert{.table = t,
                           .row = {-1, nullptr, now(-2us)},
                           .on_conflict = Insert::OnConflict::do_nothing}),
        "insert into t values (-1, null, (extract(epoch from now()) * 1000000)::bigint + (-2))"
        " on conflict do nothing");
}

TEST(Sql, ASelectNamesConditionsOrderLimitAndLockInThatOrder) {
    Select select{
        .table = t,
        .where = {eq(name, "a"), ge(at, now())},
        .lock = Select::Lock::for_update_skip_locked,
        .order = {{.column = at}, {.column = id, .direction = Order::Direction::descending}},
        .limit = 3};
    EXPECT_EQ(sql(schema, select),
              "select * from t where name = 'a' and at >= (extract(epoch from now()) * "
              "1000000)::bigint order by at, id desc limit 3 for update skip locked");
    select = {.table = t, .lock = Select::Lock::for_update_nowait};
    EXPECT_EQ(sql(schema, select), "select * from t for update nowait");
    select.lock = Select::Lock::for_update;
    EXPECT_EQ(sql(schema, select), "select * from t for update");
}

TEST(Sql, EveryComparisonHasItsSymbol) {
    const auto where = [](Condition condition) {
        return sql(schema, Delete{.table = t, .where = {std::move(condition)}});
    };
    EXPECT_EQ(where(ne(id, 1)), "delete from t where id <> 1");
    EXPECT_EQ(where(lt(id, 1)), "delete from t where id < 1");
    EXPECT_EQ(where(le(id, 1)), "delete from t where id <= 1");
    EXPECT_EQ(where(gt(id, 1)), "delete from t where id > 1");
    EXPECT_EQ(where(is_null(at)), "delete from t where at is null");
    EXPECT_EQ(where(is_not_null(at)), "delete from t where at is not null");
    EXPECT_EQ(where(in(name, {"a", nullptr})), "delete from t where name in ('a', null)");
    EXPECT_EQ(where(in(id, {})), "delete from t where id in (null)");
}

TEST(Sql, AnUpdateMayAddToItsOwnColumn) {
    EXPECT_EQ(sql(schema, Update{.table = t,
                                 .where = {eq(id, 7)},
                                 .set = {{at, plus(-3)}, {id, plus(1)}, {name, nullptr}}}),
              "update t set at = at + (-3), id = id + 1, name = null where id = 7");
}

TEST(Sql, ATableNamesItsKeysAndThenItsIndexes) {
    EXPECT_EQ(sql(schema.tables[0]),
              "create table t (id bigint not null, name text collate \"C\", at bigint, constraint "
              "t_pkey primary key (id), constraint t_name_at_key unique (name, at)); create index "
              "t_at_idx on t (at)");
}

}  // namespace
}  // namespace redeliver::model::database
