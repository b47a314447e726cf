#include "sim/recorder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/happenings.h"

namespace redeliver::sim {

namespace {

/// Steps that mark a fault rather than tell what it did.
constexpr KindMask fault_marks = kinds_of<FaultFired, Healed>;

}  // namespace

void Recorder::add_sink(StepSink& sink, KindMask kinds) {
    for (StepKind kind = 0; kind < kind_limit; ++kind)
        if ((kinds >> kind) & 1) sinks_[kind].push_back(&sink);
}

StepNumber Recorder::append(Step& step, std::size_t timeless_bytes) {
    ensure(last_ != 0xffff'ffff, "a trial has fewer than 2^32 steps");
    step.number = ++last_;
    timeless_bytes_ = timeless_bytes;
    StepNumber& previous = subjects_.last_step(step.subject);
    step.previous = step.subject == Subject::none ? no_step : previous;
    previous = step.number;
    fingerprint_ = XXH3_64bits_withSeed(&step, sizeof step, fingerprint_);
    if (((fault_marks >> step.kind) & 1) == 0) {
        const auto who = (std::uint64_t{static_cast<std::uint32_t>(step.subject)} << 32) |
                         (std::uint64_t{static_cast<std::uint16_t>(step.actor)} << 16) | step.kind;
        behaviour_ = mix(behaviour_, who);
        if (timeless_bytes > 0)
            behaviour_ = XXH3_64bits_withSeed(step.payload, timeless_bytes, behaviour_);
    }
    for (StepSink* const sink : sinks_[step.kind]) sink->observe(step);
    return step.number;
}

}  // namespace redeliver::sim
