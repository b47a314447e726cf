#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redeliver::cli {

/// What an option may be.
struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = ~std::uint64_t{0};
};

/// A whole number in decimal. Throws UsageError naming the option, what was found and what is
/// allowed: for text, signs, blanks, fractions, and whatever does not fit.
std::uint64_t parse_number(std::string_view option, std::string_view text, Bounds bounds);

}  // namespace redeliver::cli
