#pragma once

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `no_run_lost`: the second headline promise. Whoever had a row once is owed an end, also when a
/// loss of the database took the row away.
class NoRunLost final : public Promise {
public:
    explicit NoRunLost(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        bool is_accepted = false;
        model::Status status = model::Status::none;
    };

    void settle() override;
    void clear() override { runs_.clear(); }

    RunTable<Run> runs_;
};

}  // namespace redeliver::properties
