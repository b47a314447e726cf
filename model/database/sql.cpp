#include "model/database/sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

const Table& table_of(const Schema& schema, TableId table) {
    sim::ensure(index(table) < schema.tables.size(), "a statement's table exists");
    return schema.tables[index(table)];
}

const std::string& name_of(const Table& table, ColumnId column) {
    sim::ensure(index(column) < table.columns.size(), "a statement's columns are the table's");
    return table.columns[index(column)].name;
}

std::string plus(std::int64_t amount) {
    if (amount == 0) return {};
    return amount > 0 ? fmt::format(" + {}", amount) : fmt::format(" + ({})", amount);
}

std::string expression(const Term& term, const std::string& own_column) {
    switch (term.source) {
    case Term::Source::constant: return literal(term.constant);
    case Term::Source::now:
        return "(extract(epoch from now()) * 1000000)::bigint" + plus(term.constant.integer());
    case Term::Source::own_column: return own_column + plus(term.constant.integer());
    }
    sim::ensure(false, "a term has one of the three sources");
    return {};
}

std::string_view symbol(Comparison comparison) {
    switch (comparison) {
    case Comparison::eq: return "=";
    case Comparison::ne: return "<>";
    case Comparison::lt: return "<";
    case Comparison::le: return "<=";
    case Comparison::gt: return ">";
    case Comparison::ge: return ">=";
    case Comparison::is_null: return "is null";
    case Comparison::is_not_null: return "is not null";
    case Comparison::in: return "in";
    }
    sim::ensure(false, "a comparison is one of the enumeration's");
    return {};
}

// `in ()` is no SQL, but PostgreSQL has a list that nothing is in.
std::string list_of(const Condition& condition) {
    std::vector<std::string> literals;
    for (const Value& value : condition.list) literals.push_back(literal(value));
    if (literals.empty()) literals.push_back("null");
    return fmt::format("({})", fmt::join(literals, ", "));
}

std::string operand(const Condition& condition, const std::string& column) {
    switch (condition.comparison) {
    case Comparison::is_null:
    case Comparison::is_not_null: return {};
    case Comparison::in: return " " + list_of(condition);
    default: return " " + expression(condition.value, column);
    }
}

std::string where(const Table& table, const Conditions& conditions) {
    std::string text;
    for (const Condition& condition : conditions) {
        const std::string& column = name_of(table, condition.column);
        text += text.empty() ? " where " : " and ";
        text += fmt::format("{} {}{}", column, symbol(condition.comparison),
                            operand(condition, column));
    }
    return text;
}

std::string order_by(const Table& table, const Select& select) {
    std::string text;
    for (const Order& by : select.order) {
        text += text.empty() ? " order by " : ", ";
        text += name_of(table, by.column);
        // Nulls are larger than everything, either way.
        if (by.direction == Order::Direction::descending) text += " desc";
    }
    return text;
}

std::string_view locking_clause(Select::Lock lock) {
    switch (lock) {
    case Select::Lock::none: return "";
    case Select::Lock::for_update: return " for update";
    case Select::Lock::for_update_skip_locked: return " for update skip locked";
    case Select::Lock::for_update_nowait: return " for update nowait";
    }
    sim::ensure(false, "a locking clause is one of the enumeration's");
    return {};
}

std::vector<std::string_view> names_of(const Table& table, const std::vector<ColumnId>& columns) {
    std::vector<std::string_view> names;
    for (const ColumnId column : columns) names.push_back(name_of(table, column));
    return names;
}

struct Writer {
    const Schema& schema;

    std::string operator()(const Begin&) const { return "begin"; }
    std::string operator()(const Commit&) const { return "commit"; }
    std::string operator()(const Rollback&) const { return "rollback"; }

    std::string operator()(const Insert& insert) const {
        std::vector<std::string> values;
        for (const Term& term : insert.row) values.push_back(expression(term, {}));
        const bool absorbs = insert.on_conflict == Insert::OnConflict::do_nothing;
        return fmt::format("insert into {} values ({}){}", table_of(schema, insert.table).name,
                           fmt::join(values, ", "), absorbs ? " on conflict do nothing" : "");
    }

    std::string operator()(const Select& select) const {
        const Table& from = table_of(schema, select.table);
        const std::string limit =
            select.limit == Select::unlimited ? "" : fmt::format(" limit {}", select.limit);
        return fmt::format("select * from {}{}{}{}{}", from.name, where(from, select.where),
                           order_by(from, select), limit, locking_clause(select.lock));
    }

    std::string operator()(const Update& update) const {
        const Table& table = table_of(schema, update.table);
        std::vector<std::string> assignments;
        for (const Assignment& assignment : update.set) {
            const std::string& column = name_of(table, assignment.column);
            assignments.push_back(column + " = " + expression(assignment.value, column));
        }
        return fmt::format("update {} set {}{}", table.name, fmt::join(assignments, ", "),
                           where(table, update.where));
    }

    std::string operator()(const Delete& removal) const {
        const Table& from = table_of(schema, removal.table);
        return fmt::format("delete from {}{}", from.name, where(from, removal.where));
    }
};

}  // namespace

std::string sql(const Schema& schema, const Statement& statement) {
    return std::visit(Writer{schema}, statement);
}

std::string sql(const Table& table) {
    std::vector<std::string> parts;
    for (const Column& column : table.columns)
        parts.push_back(fmt::format("{} {}{}", column.name,
                                    column.type == Type::integer ? "bigint" : "text collate \"C\"",
                                    column.nullable == Nullable::no ? " not null" : ""));
    for (const UniqueKey& key : table.unique_keys)
        parts.push_back(fmt::format("constraint {} {} ({})", key.name,
                                    key.kind == UniqueKey::Kind::primary ? "primary key" : "unique",
                                    fmt::join(names_of(table, key.columns), ", ")));
    std::string text = fmt::format("create table {} ({})", table.name, fmt::join(parts, ", "));
    for (const Index& plain : table.indexes)
        text += fmt::format("; create index {} on {} ({})", plain.name, table.name,
                            fmt::join(names_of(table, plain.columns), ", "));
    return text;
}

std::string literal(const Value& value) {
    if (value.is_null()) return "null";
    if (value.is_integer()) return std::to_string(value.integer());
    std::string text = "'";
    for (const char byte : value.text()) {
        if (byte == '\'') text += '\'';
        text += byte;
    }
    return text + "'";
}

}  // namespace redeliver::model::database
