#include "model/database/statement_check.h"

#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

using sim::ensure;

void ensure_type(const Column& column, const Value& value) {
    const Type type = value.is_text() ? Type::text : Type::integer;
    ensure(value.is_null() || type == column.type, "a value has the type of its column");
}

void ensure_fits(const Column& column, const Term& term) {
    if (term.source == Term::Source::constant) return ensure_type(column, term.constant);
    ensure(column.type == Type::integer, "only a number can be computed");
}

const Column& column_of(const Table& table, ColumnId column) {
    ensure(index(column) < table.columns.size(), "a statement's columns are the table's");
    return table.columns[index(column)];
}

void ensure_fits(const Table& table, const Conditions& conditions) {
    for (const Condition& condition : conditions) {
        const Column& column = column_of(table, condition.column);
        ensure_fits(column, condition.value);
        ensure(condition.value.source != Term::Source::own_column,
               "a condition compares with a constant or the time");
        for (const Value& value : condition.list) ensure_type(column, value);
    }
}

void ensure_fits(const Table& table, const Insert& insert) {
    ensure(insert.row.size() == table.columns.size(), "an insert has a term per column");
    for (std::size_t place = 0; place < insert.row.size(); ++place) {
        ensure_fits(table.columns[place], insert.row[place]);
        ensure(insert.row[place].source != Term::Source::own_column,
               "a row to be inserted has no values yet");
    }
}

void ensure_fits(const Table& table, const Select& select) {
    ensure_fits(table, select.where);
    for (const Order& by : select.order) column_of(table, by.column);
}

void ensure_fits(const Table& table, const Update& update) {
    ensure_fits(table, update.where);
    ensure(!update.set.empty(), "an update sets something");
    std::uint64_t seen = 0;
    for (const Assignment& assignment : update.set) {
        ensure_fits(column_of(table, assignment.column), assignment.value);
        const std::uint64_t bit = std::uint64_t{1} << index(assignment.column);
        ensure((seen & bit) == 0, "an update sets a column once");
        seen |= bit;
    }
}

void ensure_fits(const Table& table, const Delete& removal) { ensure_fits(table, removal.where); }

struct Check {
    const Schema& schema;

    void operator()(const Begin&) const {}
    void operator()(const Commit&) const {}
    void operator()(const Rollback&) const {}
    template <typename OnTable>
    void operator()(const OnTable& statement) const {
        ensure(index(statement.table) < schema.tables.size(), "a statement's table exists");
        ensure_fits(schema.tables[index(statement.table)], statement);
    }
};

}  // namespace

void ensure_fits(const Schema& schema, const Statement& statement) {
    std::visit(Check{schema}, statement);
}

}  // namespace redeliver::model::database
