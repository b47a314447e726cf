#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "sim/choices.h"
#include "sim/step.h"
#include "sim/subject_table.h"

namespace redeliver::sim {

/// Whether the payloads of a kind hold no instants, durations or entry ids, so that two trials
/// which differ only in time agree on them.
template <Payload P>
inline constexpr bool is_timeless = requires {
    typename P::Timeless;
}
|| std::is_empty_v<P>;

/// Which kinds of step a sink wants to see: one bit per kind.
using KindMask = std::uint64_t;
inline constexpr KindMask every_kind = ~KindMask{0};
template <Payload... P>
inline constexpr KindMask kinds_of = ((KindMask{1} << P::kind) | ... | 0);

/// Numbers the steps of a trial, hashes them and hands them on.
///
/// `fingerprint` covers every field of every step, `behaviour` only their order and what they say
/// apart from time; both are kept whatever the sinks are, so that all recording levels agree.
class Recorder {
public:
    explicit Recorder(SubjectTable& subjects) : subjects_(subjects) {}

    /// Completes the step's number and `previous`, records it, and says its number.
    template <Payload P>
    StepNumber record(Step& step, const P& what) {
        step.carry(what);
        return append(step, is_timeless<P> ? sizeof(P) : 0);
    }

    /// Mixes something that is no step, such as a new name, into the fingerprint.
    void include(std::uint64_t value) { fingerprint_ = mix(fingerprint_, value); }

    /// Sinks see steps in the order in which they were added.
    void add_sink(StepSink& sink, KindMask kinds = every_kind);

    std::uint64_t fingerprint() const { return fingerprint_; }
    std::uint64_t behaviour() const { return behaviour_; }
    StepNumber last() const { return last_; }
    /// How much of the last step's payload says nothing about time.
    std::size_t timeless_bytes() const { return timeless_bytes_; }

private:
    StepNumber append(Step& step, std::size_t timeless_bytes);

    SubjectTable& subjects_;
    std::array<boost::container::small_vector<StepSink*, 4>, kind_limit> sinks_;
    std::uint64_t fingerprint_ = 0;
    std::uint64_t behaviour_ = 0;
    StepNumber last_ = no_step;
    std::size_t timeless_bytes_ = 0;
};

}  // namespace redeliver::sim
