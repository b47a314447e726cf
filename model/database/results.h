#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/database/schema.h"
#include "model/database/value.h"

namespace redeliver::model::database {

/// How a statement ended. Source of codes and names: postgresql.org/docs/15/errcodes-appendix.html.
enum class SqlState : std::uint8_t {
    ok,                          ///< 00000
    numeric_value_out_of_range,  ///< 22003
    not_null_violation,          ///< 23502
    unique_violation,            ///< 23505
    in_failed_sql_transaction,   ///< 25P02: an earlier error has aborted the transaction
    deadlock_detected,           ///< 40P01
    too_many_connections,        ///< 53300: the session could not connect at all
    lock_not_available,          ///< 55P03: NOWAIT, or lock_timeout
    query_canceled,              ///< 57014: statement_timeout, or a cancel request
};

/// The five letters.
std::string_view code(SqlState state);

/// What PostgreSQL calls the condition, e.g. `unique_violation`.
std::string_view name(SqlState state);

/// The command as the answer names it; differs from what was asked only when COMMIT finds an
/// aborted transaction and answers `rollback`.
enum class Tag : std::uint8_t { none, begin, commit, rollback, insert, select, update, remove };

/// Somebody else's row, column by column. Valid as long as its owner says.
using RowView = std::span<const Value>;

/// The rows of a select, end to end.
class Rows {
public:
    std::size_t size() const { return width_ == 0 ? 0 : values_.size() / width_; }
    bool empty() const { return values_.empty(); }
    RowView operator[](std::size_t row) const { return {values_.data() + row * width_, width_}; }
    const Value& at(std::size_t row, ColumnId column) const;

    void append(RowView row);

private:
    boost::container::small_vector<Value, 8> values_;
    std::size_t width_ = 0;
};

/// The answer to one statement.
struct Result {
    SqlState state = SqlState::ok;
    Tag tag = Tag::none;
    std::uint64_t affected = 0;          ///< Rows inserted, selected, updated or deleted.
    std::optional<KeyId> violated = {};  ///< Of `unique_violation`: which key of the table.
    Rows rows = {};                      ///< Of a select.

    bool ok() const { return state == SqlState::ok; }
};

/// Depends on every field and every byte of the rows, on nothing else, and is the same everywhere.
std::uint64_t hash(const Result& result);

/// The same for one row.
std::uint64_t hash(RowView row);

}  // namespace redeliver::model::database
