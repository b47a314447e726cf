#include "tests/conformance/postgresql/generate.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "tests/conformance/draw.h"

namespace redeliver::conformance::postgresql {
namespace {

using namespace model::database;
using namespace std::chrono_literals;

/// Draws the tables: two to five columns, one to three unique keys of one or two columns.
class Draftsman {
public:
    explicit Draftsman(const rc::Random& random) : draw_(random) {}

    Schema schema() {
        Schema schema;
        const std::uint64_t tables = 1 + draw_.below(2);
        for (std::uint64_t number = 1; number <= tables; ++number)
            schema.tables.push_back(table(fmt::format("t{}", number)));
        return schema;
    }

private:
    Table table(const std::string& name) {
        Table table{.name = name, .columns = {}};
        const std::uint64_t columns = 2 + draw_.below(4);
        for (std::uint64_t place = 0; place < columns; ++place)
            table.columns.push_back(
                {.name = std::string(1, static_cast<char>('a' + place)),
                 .type = place > 0 && draw_.chance(35) ? Type::text : Type::integer,
                 .nullable = place > 0 && draw_.chance(60) ? Nullable::yes : Nullable::no});
        const std::uint64_t keys = 1 + draw_.below(3);
        for (std::uint64_t number = 0; number < keys; ++number) add_key(table, number);
        if (draw_.chance(30))
            table.indexes.push_back({.name = name + "_idx", .columns = {column_of(table)}});
        return table;
    }

    void add_key(Table& table, std::uint64_t number) {
        UniqueKey key{.name = fmt::format("{}_k{}", table.name, number + 1), .columns = {}};
        // Most tables are known by their first column, some by no single one.
        key.columns.push_back(number == 0 && draw_.chance(75) ? ColumnId{0} : column_of(table));
        if (draw_.chance(30)) {
            const ColumnId other = column_of(table);
            if (other != key.columns[0]) key.columns.push_back(other);
        }
        const bool fills =
            std::all_of(key.columns.begin(), key.columns.end(), [&table](ColumnId column) {
                return table.columns[index(column)].nullable == Nullable::no;
            });
        if (number == 0 && fills && draw_.chance(60)) key.kind = UniqueKey::Kind::primary;
        table.unique_keys.push_back(std::move(key));
    }

    ColumnId column_of(const Table& table) {
        return static_cast<ColumnId>(draw_.below(table.columns.size()));
    }

    Draw draw_;
};

/// Writes what the sessions do.
class Author {
public:
    Author(const rc::Random& random, Schema schema) : draw_(random) {
        script_.schema = std::move(schema);
    }

    Script write() {
        script_.sessions = 2 + draw_.below(3);
        if (draw_.chance(28)) script_.lock_timeout = draw_.one_of({40ms, 300ms, 1000ms, 1500ms});
        if (draw_.chance(25))
            script_.statement_timeout = draw_.one_of({60ms, 700ms, 1200ms, 2000ms});
        for (std::size_t table = 0; table < script_.schema.tables.size(); ++table) {
            const std::uint64_t rows = draw_.below(5);
            for (std::uint64_t row = 0; row < rows; ++row)
                script_.rows.push_back(first_row(static_cast<TableId>(table)));
        }
        const std::uint64_t steps = 10 + draw_.below(16);
        in_transaction_.assign(script_.sessions, false);
        while (script_.steps.size() < steps) write_step();
        return std::move(script_);
    }

private:
    void write_step() {
        const std::size_t session = draw_.below(script_.sessions);
        const std::uint64_t kind = draw_.below(1'000);
        if (kind < 50)
            script_.steps.push_back(Pass{draw_.one_of<sim::Duration>({50ms, 400ms, 1s, 2500ms})});
        else if (kind < 75)
            script_.steps.push_back(Cancel{session});
        else if (kind < 83)
            leave(session);
        else if (kind < 87)
            part(session);
        else if (kind < 97)
            cross(session, (session + 1) % script_.sessions);
        else
            say(session, statement(session));
    }

    void leave(std::size_t session) {
        script_.steps.push_back(Leave{session});
        in_transaction_[session] = false;
    }

    void say(std::size_t session, Statement statement) {
        script_.steps.push_back(Say{session, std::move(statement)});
    }

    // What matters most is a COMMIT whose answer nobody hears.
    void part(std::size_t session) {
        if (in_transaction_[session] && draw_.chance(60))
            script_.steps.push_back(Part{session, Commit{}});
        else
            script_.steps.push_back(Part{session, statement(session)});
        in_transaction_[session] = false;
    }

    // Two transactions that each want first what the other wants second.
    void cross(std::size_t one, std::size_t other) {
        const auto table = static_cast<TableId>(draw_.below(script_.schema.tables.size()));
        Update first = update(table);
        Update second = update(table);
        const ColumnId key = of(table).unique_keys[0].columns[0];
        const Column& column = of(table).columns[index(key)];
        first.where = {eq(key, constant(column))};
        second.where = {eq(key, constant(column))};
        for (const std::size_t session : {one, other}) {
            if (!in_transaction_[session]) say(session, Begin{});
            in_transaction_[session] = true;
        }
        say(one, first);
        say(other, second);
        say(one, second);
        say(other, first);
    }

    // Half of the sessions' time is spent in transactions.
    Statement statement(std::size_t session) {
        const std::uint64_t kind = draw_.below(100);
        if (!in_transaction_[session] && kind < 50) {
            in_transaction_[session] = true;
            return Begin{};
        }
        if (kind < (in_transaction_[session] ? 12u : 2u)) {
            in_transaction_[session] = false;
            return draw_.chance(70) ? Statement(Commit{}) : Statement(Rollback{});
        }
        if (kind < 13) return Begin{};
        return on_table(static_cast<TableId>(draw_.below(script_.schema.tables.size())));
    }

    Statement on_table(TableId table) {
        const std::uint64_t kind = draw_.below(100);
        if (kind < 12) return insert(table, Insert::OnConflict::fail);
        if (kind < 34) return insert(table, Insert::OnConflict::do_nothing);
        if (kind < 60) return update(table);
        if (kind < 72) return Delete{.table = table, .where = conditions(table)};
        return select(table);
    }

    Insert first_row(TableId table) {
        Insert row = insert(table, Insert::OnConflict::do_nothing);
        for (std::size_t place = 0; place < row.row.size(); ++place) {
            const Column& column = of(table).columns[place];
            if (row.row[place].source == Term::Source::constant &&
                row.row[place].constant.is_null() && column.nullable == Nullable::no)
                row.row[place] = column.type == Type::text ? Term("a") : Term(1);
        }
        return row;
    }

    Insert insert(TableId table, Insert::OnConflict on_conflict) {
        Insert insert{.table = table, .row = {}, .on_conflict = on_conflict};
        for (const Column& column : of(table).columns) insert.row.push_back(term(column));
        return insert;
    }

    Update update(TableId table) {
        Update update{.table = table, .where = conditions(table), .set = {}};
        std::set<ColumnId> set;
        const std::uint64_t assignments = draw_.chance(75) ? 1 : 2;
        while (set.size() < assignments) set.insert(column(table));
        for (const ColumnId assigned : set) {
            const Column& column = of(table).columns[index(assigned)];
            const bool adds = column.type == Type::integer && draw_.chance(50);
            update.set.push_back({assigned, adds ? plus(draw_.between(-1, 2)) : term(column)});
        }
        return update;
    }

    Select select(TableId table) {
        using Lock = Select::Lock;
        Select select{.table = table, .where = conditions(table), .order = {}};
        select.lock = draw_.one_of({Lock::none, Lock::for_update, Lock::for_update,
                                    Lock::for_update_skip_locked, Lock::for_update_skip_locked,
                                    Lock::for_update_nowait});
        if (draw_.chance(40)) order(of(table), select);
        if (draw_.chance(40)) select.limit = draw_.below(3);
        return select;
    }

    // Rows that compare equal come in no order that PostgreSQL promises, so a key decides.
    void order(const Table& table, Select& select) {
        const auto key = std::find_if(
            table.unique_keys.begin(), table.unique_keys.end(), [&table](const UniqueKey& one) {
                return std::all_of(one.columns.begin(), one.columns.end(), [&](ColumnId column) {
                    return table.columns[index(column)].nullable == Nullable::no;
                });
            });
        if (key == table.unique_keys.end()) return;
        std::set<ColumnId> ordered;
        const auto by = [&](ColumnId column) {
            using Direction = Order::Direction;
            if (!ordered.insert(column).second) return;
            select.order.push_back(
                {column, draw_.chance(60) ? Direction::ascending : Direction::descending});
        };
        if (draw_.chance(50)) by(static_cast<ColumnId>(draw_.below(table.columns.size())));
        for (const ColumnId column : key->columns) by(column);
    }

    Conditions conditions(TableId table) {
        Conditions conditions;
        const std::uint64_t count = draw_.one_of({0u, 1u, 1u, 1u, 1u, 2u});
        for (std::uint64_t i = 0; i < count; ++i) conditions.push_back(condition(table));
        return conditions;
    }

    Condition condition(TableId table) {
        // A key's first column decides which row, most of the time.
        const ColumnId chosen =
            draw_.chance(50) ? of(table).unique_keys[0].columns[0] : column(table);
        const Column& column = of(table).columns[index(chosen)];
        Condition condition{
            .column = chosen,
            .comparison = draw_.one_of(
                {Comparison::eq, Comparison::eq, Comparison::eq, Comparison::eq, Comparison::ne,
                 Comparison::lt, Comparison::le, Comparison::gt, Comparison::ge, Comparison::in,
                 Comparison::is_null, Comparison::is_not_null})};
        switch (condition.comparison) {
        case Comparison::is_null:
        case Comparison::is_not_null: break;
        case Comparison::in:
            for (std::uint64_t left = draw_.below(4); left > 0; --left)
                condition.list.push_back(constant(column));
            break;
        default: condition.value = term(column);
        }
        return condition;
    }

    Term term(const Column& column) {
        if (column.type == Type::integer && draw_.chance(4))
            return now(draw_.one_of<sim::Duration>({0s, -1h, 1h}));
        return constant(column);
    }

    Value constant(const Column& column) {
        if (draw_.chance(column.nullable == Nullable::yes ? 15 : 1)) return nullptr;
        if (column.type == Type::text) return draw_.one_of({"a", "b", "c", "it's"});
        if (draw_.chance(1)) return std::numeric_limits<std::int64_t>::max() - draw_.between(0, 1);
        return draw_.between(1, 4);
    }

    const Table& of(TableId table) const { return script_.schema.tables[index(table)]; }
    ColumnId column(TableId table) {
        return static_cast<ColumnId>(draw_.below(of(table).columns.size()));
    }

    Draw draw_;
    Script script_;
    std::vector<bool> in_transaction_;
};

}  // namespace

Script script_of(std::uint64_t seed) {
    constexpr std::uint64_t for_schemas = 0x5ce3a;
    const rc::Random of_schema((seed / seeds_per_schema) ^ (for_schemas << 40));
    return Author(rc::Random(seed), Draftsman(of_schema).schema()).write();
}

}  // namespace redeliver::conformance::postgresql
