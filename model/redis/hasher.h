#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace redeliver::model::redis {

/// Folds values into 64 bits, in order, by XXH3 seeded with what came before. Takes values only,
/// never addresses or padding, so that every little-endian machine computes the same.
class Hasher {
public:
    void add(std::uint64_t value);
    /// The length counts: "ab" then "c" differs from "a" then "bc".
    void add(std::string_view text);

    template <typename Number>
    requires std::is_integral_v<Number> || std::is_enum_v<Number>
    void add(Number value) { add(static_cast<std::uint64_t>(value)); }

    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0;
};

}  // namespace redeliver::model::redis
