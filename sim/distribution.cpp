#include "sim/distribution.h"

#include <array>

namespace redeliver::sim {

namespace {

constexpr unsigned cells = 64;

/// Quantiles at i/64 in units of 1/65536: of an exponential distribution with mean 1 (the last one
/// at 0.999) and of a log-normal one with median 1 and sigma 0.5 (first and last at 0.001, 0.999).
using Quantiles = std::array<std::uint32_t, cells + 1>;

// clang-format off
constexpr Quantiles exponential_quantiles = {
    0, 1032, 2081, 3146, 4230, 5331, 6451, 7591, 8751, 9932, 11135, 12360, 13608, 14880,
    16178, 17502, 18854, 20233, 21643, 23083, 24556, 26063, 27605, 29184, 30802, 32461,
    34164, 35911, 37707, 39553, 41453, 43409, 45426, 47507, 49656, 51877, 54177, 56561,
    59034, 61604, 64280, 67069, 69982, 73031, 76228, 79590, 83133, 86879, 90852, 95082,
    99603, 104460, 109706, 115408, 121654, 128559, 136278, 145029, 155132, 167080, 181704,
    200558, 227130, 272557, 452707
};
constexpr Quantiles lognormal_quantiles = {
    13978, 22324, 25822, 28350, 30433, 32256, 33906, 35434, 36871, 38238, 39552, 40821,
    42057, 43265, 44451, 45620, 46775, 47921, 49059, 50194, 51327, 52460, 53596, 54737,
    55884, 57040, 58207, 59385, 60579, 61788, 63016, 64265, 65536, 66832, 68156, 69511,
    70899, 72324, 73788, 75297, 76855, 78466, 80136, 81871, 83679, 85567, 87546, 89626,
    91821, 94147, 96622, 99271, 102122, 105213, 108592, 112321, 116486, 121211, 126673,
    133153, 141127, 151498, 166329, 192392, 307267
};
// clang-format on

/// Linear between the two quantiles around the drawn point, in 16-bit fractions.
std::uint64_t interpolate(const Quantiles& quantiles, std::uint64_t bits) {
    const std::uint64_t cell = bits >> 58;
    const std::uint64_t fraction = (bits >> 42) & 0xffff;
    const std::uint64_t low = quantiles[cell];
    const std::uint64_t high = quantiles[cell + 1];
    return low + (((high - low) * fraction) >> 16);
}

Duration scale(Duration unit, std::uint64_t factor) {
    const Wide product = static_cast<Wide>(static_cast<std::uint64_t>(unit.count())) * factor;
    return Duration{static_cast<std::int64_t>(product >> 16)};
}

}  // namespace

Duration Distribution::sample(std::uint64_t bits) const {
    switch (shape) {
    case Shape::fixed: return low;
    case Shape::uniform:
        return low + Duration{static_cast<std::int64_t>(
                         below(static_cast<std::uint64_t>((high - low).count()) + 1, bits))};
    case Shape::exponential: return scale(low, interpolate(exponential_quantiles, bits));
    case Shape::lognormal: return scale(low, interpolate(lognormal_quantiles, bits));
    }
    return low;
}

Duration Distribution::longest() const { return sample(~std::uint64_t{0}); }

}  // namespace redeliver::sim
