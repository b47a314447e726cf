#pragma once

#include <cstdint>
#include <string_view>

#include "sim/operation.h"

namespace redeliver::sim {

/// A product of two 64-bit numbers.
__extension__ using Wide = unsigned __int128;

/// Two well-mixed 64-bit values become one: a 64 × 64 → 128 bit product folded by xor.
constexpr std::uint64_t mix(std::uint64_t left, std::uint64_t right) {
    const Wide product =
        static_cast<Wide>(left ^ 0x9e37'79b9'7f4a'7c15) * (right ^ 0xd1b5'4a32'd192'ed03);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// FNV-1a: a fixed number for a text, the same on every machine.
constexpr std::uint64_t text_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
    for (const char letter : text)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x0000'0100'0000'01b3;
    return hash;
}

/// What a draw decides, such as the latency of a request. Hashed at compile time.
struct Label {
    std::uint64_t value;
    consteval explicit Label(std::string_view text) : value(text_hash(text)) {}
};

/// Whom a draw is about: equal in every plan that names the same thing, whatever else it holds.
enum class SubjectKey : std::uint64_t {};

/// Every nondeterministic decision of a trial.
///
/// A draw is a function of (seed, label, subject, operation, occurrence) and of nothing else, so
/// that a new draw somewhere leaves all others as they were, and removing a fault shifts at most
/// draws of the same subject. Integers only.
class Choices {
public:
    explicit Choices(std::uint64_t seed) : seed_(mix(seed, 0x5eed)) {}

    /// 64 uniform bits.
    std::uint64_t bits(Label label, SubjectKey subject, OperationKind operation,
                       std::uint32_t occurrence) const {
        const auto about = mix(static_cast<std::uint64_t>(subject), label.value);
        const auto which = (std::uint64_t{operation} << 32) | occurrence;
        return mix(mix(seed_, about), mix(which, about));
    }

    /// 64 uniform bits for a subject without an operation.
    std::uint64_t bits(Label label, SubjectKey subject, std::uint32_t occurrence = 0) const {
        return bits(label, subject, 0, occurrence);
    }

private:
    std::uint64_t seed_;
};

/// A number below `limit` out of uniform bits; 0 for a limit of 0. The bias is below 2^-32 for
/// limits up to 2^32.
constexpr std::uint64_t below(std::uint64_t limit, std::uint64_t bits) {
    return static_cast<std::uint64_t>((static_cast<Wide>(bits) * limit) >> 64);
}

/// True in `per_million` of a million cases.
constexpr bool chance(std::uint64_t per_million, std::uint64_t bits) {
    return below(1'000'000, bits) < per_million;
}

}  // namespace redeliver::sim
