#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "sim/step.h"

namespace redeliver::reports {

/// Counts requests that were about no run and brought none: a worker that asked for entries and got
/// nothing, a republisher that found no stale row.
class IdlePolls {
public:
    /// Steps in their order, all of them.
    void observe(const sim::Step& step);

    /// Those sent since the last call that have brought nothing so far.
    std::uint64_t take_idle();

private:
    std::set<sim::StepNumber> idle_;
    std::map<sim::NodeId, sim::StepNumber> latest_;
};

}  // namespace redeliver::reports
