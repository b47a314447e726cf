#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>

#include "model/database/results.h"
#include "model/database/schema.h"
#include "model/database/statements.h"
#include "sim/time.h"

namespace redeliver::model::database {

/// A term as a value for one row. `own` is the column's present value, used by `plus`; nothing
/// comes back if the number would leave the 64 bits (PostgreSQL: numeric_value_out_of_range).
std::optional<Value> evaluate(const Term& term, const Value* own, sim::WallTime transaction_began);

/// The same for a term that needs no row. A time beyond 64 bits is a harness error.
Value present_value(const Term& term, sim::WallTime transaction_began);

/// The conditions of one statement, ready to be put to many rows. Refers to them, so they must
/// outlive it.
class Filter {
public:
    Filter(const Conditions& conditions, sim::WallTime transaction_began);

    /// Whether every condition is true of a row.
    bool matches(const Value* row) const;

    /// The columns that some condition fixes by `eq`, a bit each.
    std::uint64_t fixed_columns() const { return fixed_; }
    /// What it fixes such a column to.
    const Value& fixed_value(ColumnId column) const;

    /// The numbers a column may have, as far as the conditions bound it: both ends included.
    struct Range {
        std::int64_t least;
        std::int64_t greatest;
        bool bounded;  ///< By anything at all: nulls are then left out.
    };
    Range range(ColumnId column) const;

private:
    struct Bound {
        ColumnId column;
        Comparison comparison;
        Value computed;         ///< Of a term that is no constant.
        const Value* constant;  ///< Else.
        const std::vector<Value>* list;

        const Value& value() const { return constant == nullptr ? computed : *constant; }
    };

    static Truth holds(const Bound& bound, const Value& value);

    boost::container::small_vector<Bound, 4> bounds_;
    std::uint64_t fixed_ = 0;
};

}  // namespace redeliver::model::database
