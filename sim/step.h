#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/names.h"
#include "sim/time.h"

namespace redeliver::sim {

/// Position of a step in its trial, counted from 1.
using StepNumber = std::uint32_t;
inline constexpr StepNumber no_step = 0;

/// What kind of thing happened. A plain number here: the engine's own kinds are below
/// `first_free_kind` (sim/happenings.h), the others belong to the layers above.
using StepKind = std::uint16_t;
inline constexpr StepKind first_free_kind = 24;
inline constexpr StepKind kind_limit = 64;

inline constexpr std::size_t payload_size = 32;

/// What a step of one kind says besides its header: small, trivially copyable, without padding, so
/// that hashing its bytes hashes its meaning and nothing else.
template <class P>
concept Payload = std::is_trivially_copyable_v<P> && sizeof(P) <= payload_size &&
                  alignof(P) <= 8 && requires {
    { P::kind } -> std::convertible_to<StepKind>;
}
&&(std::is_empty_v<P> || std::has_unique_object_representations_v<P>);

/// One thing that happened in a trial, with its two edges.
///
/// `cause` is the step that made it happen, `previous` the last step before it on the same subject;
/// both are `no_step` where there is none. Steps are the only record of a trial: whatever judges or
/// renders it is a function of them.
struct Step {
    Instant at{};
    StepNumber number = no_step;
    StepNumber cause = no_step;
    StepNumber previous = no_step;
    Subject subject = Subject::none;
    NodeId actor = NodeId::none;
    StepKind kind = 0;
    std::uint32_t incarnation = 0;
    alignas(8) std::byte payload[payload_size] = {};

    /// The payload, or nullptr when the step is of another kind.
    template <Payload P>
    const P* as() const {
        return kind == P::kind ? reinterpret_cast<const P*>(payload) : nullptr;
    }

    template <Payload P>
    void carry(const P& what) {
        kind = P::kind;
        if constexpr (!std::is_empty_v<P>) std::memcpy(payload, &what, sizeof(P));
    }
};
static_assert(sizeof(Step) == 64 && std::has_unique_object_representations_v<Step>);

/// Whoever wants to see steps as they happen.
class StepSink {
public:
    virtual void observe(const Step& step) = 0;

protected:
    ~StepSink() = default;
};

}  // namespace redeliver::sim
