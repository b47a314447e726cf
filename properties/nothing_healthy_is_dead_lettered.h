#pragma once

#include "properties/messages.h"
#include "properties/promise.h"

namespace redeliver::properties {

/// `nothing_healthy_is_dead_lettered`: also not when its workers crash or stall again and again. A
/// flaky message counts as healthy when its work fails less often than the poison threshold.
class NothingHealthyIsDeadLettered final : public Promise {
public:
    explicit NothingHealthyIsDeadLettered(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    void clear() override { messages_.clear(); }
    bool is_healthy(sim::Subject run) const {
        return messages_.is_curable(run, terms().poison_threshold);
    }

    Messages messages_;
};

}  // namespace redeliver::properties
