#pragma once

#include <cstdint>

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `work_is_executed_once`: what at-least-once delivery cannot promise. Broken when work on a run
/// is begun again, whatever became of the first time; the evidence counts how often in all.
class WorkIsExecutedOnce final : public Promise {
public:
    explicit WorkIsExecutedOnce(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        std::uint32_t executions = 0;
    };

    void settle() override;
    void clear() override;

    RunTable<Run> runs_;
    std::uint64_t too_many_ = 0;
};

}  // namespace redeliver::properties
