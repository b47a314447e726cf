#pragma once

#include <cstdint>

#include "properties/promise.h"
#include "properties/run_table.h"

namespace redeliver::properties {

/// `one_run_per_intention`: what gate one is for. Vacuous unless some message was submitted twice.
class OneRunPerIntention final : public Promise {
public:
    explicit OneRunPerIntention(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Intention {
        std::uint32_t submissions = 0;
        std::uint32_t runs = 0;
        sim::Subject first = sim::Subject::none;
    };

    void clear() override { intentions_.clear(); }
    void accepted(const sim::Step& step);

    RunTable<Intention> intentions_;
};

}  // namespace redeliver::properties
