#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "model/database/schema.h"
#include "model/database/value.h"
#include "sim/time.h"

namespace redeliver::model::database {

/// What a statement may write where SQL has an expression: a constant, the server's time, or the
/// column's own value plus a number.
struct Term {
    enum class Source : std::uint8_t { constant, now, own_column };

    template <typename Constant>
    requires std::convertible_to<Constant, Value> Term(Constant&& value)
        : constant(std::forward<Constant>(value)) {}
    Term(Source from, std::int64_t amount) : constant(amount), source(from) {}

    /// The constant itself, or else what is added to the source.
    Value constant;
    Source source = Source::constant;
};

/// `now()`, plus an offset: when the *transaction* began, by the server's wall clock, in
/// microseconds since the Unix epoch. Source: postgresql.org/docs/15/functions-datetime.html
/// (9.9.5).
inline Term now(sim::Duration offset = {}) { return {Term::Source::now, offset.count()}; }

/// In an assignment, `column = column + amount`; null stays null.
inline Term plus(std::int64_t amount) { return {Term::Source::own_column, amount}; }

enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge, is_null, is_not_null, in };

/// `column comparison value`. A row matches only if the comparison is true, not if it is unknown.
struct Condition {
    ColumnId column;
    Comparison comparison = Comparison::eq;
    Term value = nullptr;
    std::vector<Value> list = {};  ///< Of `in` only.
};

inline Condition eq(ColumnId column, Term value) {
    return {column, Comparison::eq, std::move(value)};
}
inline Condition ne(ColumnId column, Term value) {
    return {column, Comparison::ne, std::move(value)};
}
inline Condition lt(ColumnId column, Term value) {
    return {column, Comparison::lt, std::move(value)};
}
inline Condition le(ColumnId column, Term value) {
    return {column, Comparison::le, std::move(value)};
}
inline Condition gt(ColumnId column, Term value) {
    return {column, Comparison::gt, std::move(value)};
}
inline Condition ge(ColumnId column, Term value) {
    return {column, Comparison::ge, std::move(value)};
}
inline Condition is_null(ColumnId column) { return {column, Comparison::is_null}; }
inline Condition is_not_null(ColumnId column) { return {column, Comparison::is_not_null}; }
inline Condition in(ColumnId column, std::vector<Value> list) {
    return {column, Comparison::in, nullptr, std::move(list)};
}

/// All must be true; none at all matches every row.
using Conditions = boost::container::small_vector<Condition, 2>;

struct Assignment {
    ColumnId column;
    Term value;
};

/// BEGIN. Inside a transaction PostgreSQL only warns: the answer is `ok`.
struct Begin {};

/// COMMIT. Of an aborted transaction it answers as ROLLBACK: `ok`, with the tag `rollback`.
struct Commit {};

struct Rollback {};

/// INSERT of one row, a term per column.
///
/// Waits while another open transaction has inserted, changed or deleted a row with the same key,
/// then inserts, or fails with `unique_violation`, or, `do_nothing`, is absorbed: `affected` is 0
/// and no row comes back. Fails with `not_null_violation` without waiting.
struct Insert {
    enum class OnConflict : std::uint8_t { fail, do_nothing };
    TableId table;
    boost::container::small_vector<Term, 8> row;
    OnConflict on_conflict = OnConflict::fail;
};

struct Order {
    enum class Direction : std::uint8_t { ascending, descending };
    ColumnId column;
    Direction direction = Direction::ascending;
};

/// SELECT of whole rows.
///
/// Without an order, rows come as a sequential scan meets them: the longest unchanged first. Ties
/// of an order go to the older row; PostgreSQL promises neither.
struct Select {
    /// What happens to rows that another transaction has locked or changed: `for_update` waits and
    /// then looks again, `skip_locked` leaves them out, `nowait` fails with `lock_not_available`.
    enum class Lock : std::uint8_t { none, for_update, for_update_skip_locked, for_update_nowait };
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    TableId table;
    Conditions where = {};
    Lock lock = Lock::none;
    boost::container::small_vector<Order, 1> order = {};
    std::size_t limit = unlimited;
};

/// UPDATE: waits for rows that another transaction has locked or changed, then looks again whether
/// they still match (as they are now) before it changes them.
struct Update {
    TableId table;
    Conditions where = {};
    boost::container::small_vector<Assignment, 2> set;
};

struct Delete {
    TableId table;
    Conditions where = {};
};

/// What a session can ask. Terms and conditions must fit the schema (arity, type, known columns):
/// a statement that PostgreSQL would refuse to plan is a harness error.
using Statement = std::variant<Begin, Commit, Rollback, Insert, Select, Update, Delete>;

}  // namespace redeliver::model::database
