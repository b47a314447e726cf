#include "model/database/results.h"

#include "model/database/hashing.h"
#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

struct StateText {
    std::string_view code;
    std::string_view name;
};

StateText text_of(SqlState state) {
    switch (state) {
    case SqlState::ok: return {"00000", "successful_completion"};
    case SqlState::numeric_value_out_of_range: return {"22003", "numeric_value_out_of_range"};
    case SqlState::not_null_violation: return {"23502", "not_null_violation"};
    case SqlState::unique_violation: return {"23505", "unique_violation"};
    case SqlState::in_failed_sql_transaction: return {"25P02", "in_failed_sql_transaction"};
    case SqlState::deadlock_detected: return {"40P01", "deadlock_detected"};
    case SqlState::too_many_connections: return {"53300", "too_many_connections"};
    case SqlState::lock_not_available: return {"55P03", "lock_not_available"};
    case SqlState::query_canceled: return {"57014", "query_canceled"};
    }
    sim::ensure(false, "the state is one of the enumeration's");
    return {};
}

}  // namespace

std::string_view code(SqlState state) { return text_of(state).code; }

std::string_view name(SqlState state) { return text_of(state).name; }

const Value& Rows::at(std::size_t row, ColumnId column) const {
    sim::ensure(row < size() && index(column) < width_, "the row and column are in the result");
    return values_[row * width_ + index(column)];
}

void Rows::append(RowView row) {
    sim::ensure(empty() || width_ == row.size(), "the rows of a result have one width");
    width_ = row.size();
    values_.insert(values_.end(), row.begin(), row.end());
}

std::uint64_t hash(RowView row) {
    std::uint64_t digest = row.size();
    for (const Value& value : row) digest = hash(value, digest);
    return digest;
}

std::uint64_t hash(const Result& result) {
    const std::uint64_t violated = result.violated ? index(*result.violated) + 1 : 0;
    std::uint64_t digest = mix(static_cast<std::uint64_t>(result.state) |
                               static_cast<std::uint64_t>(result.tag) << 8 | violated << 16);
    digest = mix(digest ^ result.affected);
    digest = mix(digest ^ result.rows.size());
    for (std::size_t row = 0; row < result.rows.size(); ++row)
        digest = mix(digest ^ hash(result.rows[row]));
    return digest;
}

}  // namespace redeliver::model::database
