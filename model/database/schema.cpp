#include "model/database/schema.h"

#include <algorithm>
#include <set>

#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

using sim::ensure;

void ensure_columns_exist(const Table& table, const std::vector<ColumnId>& columns) {
    ensure(!columns.empty() && columns.size() <= max_key_columns, "a key has one to eight columns");
    std::set<ColumnId> seen;
    for (const ColumnId column : columns) {
        ensure(index(column) < table.columns.size(), "a key's columns are the table's");
        ensure(seen.insert(column).second, "a key names a column once");
    }
}

void ensure_valid_key(const Table& table, const UniqueKey& key) {
    ensure_columns_exist(table, key.columns);
    if (key.kind == UniqueKey::Kind::unique) return;
    for (const ColumnId column : key.columns)
        ensure(table.columns[index(column)].nullable == Nullable::no,
               "the columns of a primary key are not nullable");
}

void ensure_valid(const Table& table) {
    ensure(!table.columns.empty() && table.columns.size() <= max_columns,
           "a table has one to 64 columns");
    std::set<std::string> names;
    for (const Column& column : table.columns)
        ensure(names.insert(column.name).second, "a table's columns have different names");
    std::size_t primary_keys = 0;
    for (const UniqueKey& key : table.unique_keys) {
        ensure_valid_key(table, key);
        primary_keys += key.kind == UniqueKey::Kind::primary ? 1 : 0;
    }
    ensure(primary_keys <= 1, "a table has at most one primary key");
    for (const Index& plain : table.indexes) ensure_columns_exist(table, plain.columns);
}

}  // namespace

std::optional<ColumnId> Table::find_column(std::string_view column_name) const {
    for (std::size_t place = 0; place < columns.size(); ++place)
        if (columns[place].name == column_name) return static_cast<ColumnId>(place);
    return std::nullopt;
}

std::optional<TableId> Schema::find_table(std::string_view table_name) const {
    for (std::size_t place = 0; place < tables.size(); ++place)
        if (tables[place].name == table_name) return static_cast<TableId>(place);
    return std::nullopt;
}

void ensure_valid(const Schema& schema) {
    ensure(schema.tables.size() <= 256, "a schema has at most 256 tables");
    std::set<std::string> names;
    for (const Table& table : schema.tables) {
        ensure(names.insert(table.name).second, "tables have different names");
        ensure_valid(table);
    }
}

}  // namespace redeliver::model::database
