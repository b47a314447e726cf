#include "model/database/filter.h"

#include <algorithm>
#include <limits>

#include "sim/ensure.h"

namespace redeliver::model::database {

namespace {

using Numbers = std::numeric_limits<std::int64_t>;

Truth truth(bool is_so) { return is_so ? Truth::yes : Truth::no; }

Truth negation(Truth truth_value) {
    if (truth_value == Truth::unknown) return Truth::unknown;
    return truth(truth_value == Truth::no);
}

// SQL's `value in (list)`: unknown, not false, if nothing in the list equals but something is null.
Truth is_in(const Value& value, const std::vector<Value>& list) {
    Truth found = Truth::no;
    for (const Value& wanted : list) {
        const Truth same = equals(value, wanted);
        if (same == Truth::yes) return Truth::yes;
        if (same == Truth::unknown) found = Truth::unknown;
    }
    return found;
}

}  // namespace

std::optional<Value> evaluate(const Term& term, const Value* own, sim::WallTime transaction_began) {
    if (term.source == Term::Source::constant) return term.constant;
    std::int64_t base = transaction_began.time_since_epoch().count();
    if (term.source == Term::Source::own_column) {
        sim::ensure(own != nullptr, "only an assignment refers to its own column");
        if (own->is_null()) return Value{};
        base = own->integer();
    }
    std::int64_t sum = 0;
    if (__builtin_add_overflow(base, term.constant.integer(), &sum)) return std::nullopt;
    return Value{sum};
}

Value present_value(const Term& term, sim::WallTime transaction_began) {
    if (term.source == Term::Source::constant) return term.constant;
    const std::optional<Value> time = evaluate(term, nullptr, transaction_began);
    sim::ensure(time.has_value(), "a time stays within 64 bits");
    return *time;
}

Filter::Filter(const Conditions& conditions, sim::WallTime transaction_began) {
    for (const Condition& condition : conditions) {
        Bound& bound = bounds_.emplace_back(condition.column, condition.comparison, Value{},
                                            &condition.value.constant, &condition.list);
        if (condition.value.source != Term::Source::constant) {
            bound.computed = present_value(condition.value, transaction_began);
            bound.constant = nullptr;
        }
        if (condition.comparison == Comparison::eq)
            fixed_ |= std::uint64_t{1} << index(condition.column);
    }
}

bool Filter::matches(const Value* row) const {
    return std::all_of(bounds_.begin(), bounds_.end(), [row](const Bound& bound) {
        return holds(bound, row[index(bound.column)]) == Truth::yes;
    });
}

const Value& Filter::fixed_value(ColumnId column) const {
    const auto found = std::find_if(bounds_.begin(), bounds_.end(), [column](const Bound& bound) {
        return bound.column == column && bound.comparison == Comparison::eq;
    });
    sim::ensure(found != bounds_.end(), "a condition fixes the column");
    return found->value();
}

Filter::Range Filter::range(ColumnId column) const {
    Range range{.least = Numbers::min(), .greatest = Numbers::max(), .bounded = false};
    for (const Bound& bound : bounds_) {
        if (bound.column != column || !bound.value().is_integer()) continue;
        const std::int64_t number = bound.value().integer();
        const bool from = bound.comparison == Comparison::gt || bound.comparison == Comparison::ge;
        const bool to = bound.comparison == Comparison::lt || bound.comparison == Comparison::le;
        const bool exactly = bound.comparison == Comparison::eq;
        if (from || exactly) range.least = std::max(range.least, number);
        if (to || exactly) range.greatest = std::min(range.greatest, number);
        if (from || to || exactly) range.bounded = true;
    }
    return range;
}

Truth Filter::holds(const Bound& bound, const Value& value) {
    switch (bound.comparison) {
    case Comparison::eq: return equals(value, bound.value());
    case Comparison::ne: return negation(equals(value, bound.value()));
    case Comparison::lt: return less_than(value, bound.value());
    case Comparison::gt: return less_than(bound.value(), value);
    case Comparison::le: return negation(less_than(bound.value(), value));
    case Comparison::ge: return negation(less_than(value, bound.value()));
    case Comparison::is_null: return truth(value.is_null());
    case Comparison::is_not_null: return truth(!value.is_null());
    case Comparison::in: return is_in(value, *bound.list);
    }
    sim::ensure(false, "the comparison is one of the enumeration's");
    return Truth::unknown;
}

}  // namespace redeliver::model::database
