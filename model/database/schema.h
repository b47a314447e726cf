#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/database/value.h"

namespace redeliver::model::database {

/// A table's place in its schema, from 0.
enum class TableId : std::uint8_t {};
/// A column's place in its table, from 0.
enum class ColumnId : std::uint8_t {};
/// A unique key's place in its table's list, from 0; PostgreSQL checks keys in that order.
enum class KeyId : std::uint8_t {};

constexpr std::size_t index(TableId table) { return static_cast<std::size_t>(table); }
constexpr std::size_t index(ColumnId column) { return static_cast<std::size_t>(column); }
constexpr std::size_t index(KeyId key) { return static_cast<std::size_t>(key); }

enum class Type : std::uint8_t { integer, text };
enum class Nullable : std::uint8_t { no, yes };

struct Column {
    std::string name;
    Type type = Type::integer;
    Nullable nullable = Nullable::no;
};

/// A primary key or a unique constraint. Rows with a null in a unique key never conflict.
struct UniqueKey {
    enum class Kind : std::uint8_t { unique, primary };
    std::string name;
    std::vector<ColumnId> columns;
    Kind kind = Kind::unique;
};

/// A plain index, which changes what a statement costs and nothing else. It serves conditions that
/// fix every column but the last by `equals`; the last, if a number, may also be a range or the
/// order of a select, as in `status = 0 and created_at < 17 order by created_at limit 10`.
struct Index {
    std::string name;
    std::vector<ColumnId> columns;
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::vector<UniqueKey> unique_keys = {};
    std::vector<Index> indexes = {};

    /// The column of that name, if there is one.
    std::optional<ColumnId> find_column(std::string_view column_name) const;
};

/// The tables of one server. A value: a wrong variant of a system, say without its unique key, is
/// the same schema without that key.
struct Schema {
    std::vector<Table> tables;

    std::optional<TableId> find_table(std::string_view table_name) const;
};

/// Most columns of one table, and most of one key.
inline constexpr std::size_t max_columns = 64;
inline constexpr std::size_t max_key_columns = 8;

/// Stops with a harness error unless names are unique, columns exist, sizes are within the limits
/// and the columns of a primary key are not nullable. A server checks the schema it is given.
void ensure_valid(const Schema& schema);

}  // namespace redeliver::model::database
