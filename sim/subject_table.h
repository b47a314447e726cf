#pragma once

#include <cstdint>
#include <vector>

#include "sim/ensure.h"
#include "sim/operation.h"
#include "sim/step.h"

namespace redeliver::sim {

/// Per subject: its last step, and how often each kind of operation has been performed for it.
///
/// One dense row per subject, so that counting costs an index and not a search.
class SubjectTable {
public:
    explicit SubjectTable(std::size_t operation_kinds) : stride_(operation_kinds + 1) {}

    StepNumber& last_step(Subject subject) { return row(subject)[0]; }

    /// Counts one more operation and says which occurrence it is, from 1.
    std::uint32_t count(Subject subject, OperationKind operation) {
        ensure(operation + 1u < stride_, "an operation is one of those the world was given");
        return ++row(subject)[operation + 1u];
    }

    /// How often it has been performed so far.
    std::uint32_t performed(Subject subject, OperationKind operation) {
        ensure(operation + 1u < stride_, "an operation is one of those the world was given");
        return row(subject)[operation + 1u];
    }

private:
    std::uint32_t* row(Subject subject) {
        const std::uint32_t series = series_of(subject);
        if (series >= rows_.size()) rows_.resize(series + 1);
        auto& rows = rows_[series];
        const std::size_t start = number_of(subject) * stride_;
        if (start + stride_ > rows.size()) rows.resize((start + stride_) * 2);
        return rows.data() + start;
    }

    std::size_t stride_;
    std::vector<std::vector<std::uint32_t>> rows_;
};

}  // namespace redeliver::sim
