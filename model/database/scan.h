#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/database/filter.h"
#include "model/database/relation.h"
#include "model/database/statements.h"

namespace redeliver::model::database {

/// A row that a statement found when it began. If its `birth` differs later, the row is gone; if
/// its `stamp` does, it has changed.
struct Candidate {
    RowId row = no_row;
    std::uint64_t birth = 0;
    std::uint64_t stamp = 0;
    const Value* seen = nullptr;  ///< Valid until anything changes.
};

/// What a statement looks for. A statement runs to its end, or to its first wait, before anybody
/// else does anything, so what it finds at once *is* its snapshot.
struct Scan {
    enum class HeldByOthers : std::uint8_t { included, left_out };
    const Relation& relation;
    const Filter& filter;
    Holder viewer = nobody;
    std::span<const Order> order = {};
    std::size_t limit = Select::unlimited;
    HeldByOthers held_by_others = HeldByOthers::included;
};

/// Finds rows by the first unique key whose columns the filter fixes, else by a plain index that
/// serves, else by looking at all. The result depends on none of this. See Select for the order.
void collect(const Scan& scan, std::vector<Candidate>& found);

}  // namespace redeliver::model::database
