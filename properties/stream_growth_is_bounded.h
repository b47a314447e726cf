#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/promise.h"

namespace redeliver::properties {

/// `stream_growth_is_bounded`: no stream that workers read ever holds more than Terms::stream_bound
/// entries. XADD with MAXLEN adds first and trims second, in one command: only what is left after
/// the command counts. A loss is no excuse.
class StreamGrowthIsBounded final : public Promise {
public:
    explicit StreamGrowthIsBounded(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Stream {
        sim::Name name{};
        std::uint64_t length = 0;
    };
    /// An entry that made its stream too long, unless the same command trims it.
    struct Suspicion {
        sim::Step added;
        std::uint64_t length = 0;
        sim::StepNumber last = sim::no_step;  ///< Of the command's steps so far.
    };

    void settle() override { confirm(); }
    void clear() override;
    Stream& stream(sim::Name name);
    void grow(const sim::Step& step, sim::Name name);
    void shrink(const sim::Step& step, sim::Name name);
    void confirm();

    std::vector<Stream> streams_;
    std::optional<Suspicion> suspicion_;
};

}  // namespace redeliver::properties
