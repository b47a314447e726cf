#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace redeliver::model::redis {

/// The id of a stream entry, written `ms-seq`. Ids of one stream only grow.
struct EntryId {
    std::uint64_t ms = 0;
    std::uint64_t seq = 0;

    friend constexpr auto operator<=>(const EntryId&, const EntryId&) = default;
};

inline constexpr EntryId min_entry_id{0, 0};
inline constexpr EntryId max_entry_id{std::numeric_limits<std::uint64_t>::max(),
                                      std::numeric_limits<std::uint64_t>::max()};

/// What XREADGROUP's `>` means: the server cannot tell it from the greatest id written out.
inline constexpr EntryId undelivered = max_entry_id;

/// `ms-seq` in decimal, as every reply shows it.
std::string to_string(EntryId id);

/// Reads `ms` or `ms-seq`; a missing seq becomes `missing_seq`. Like the server it accepts leading
/// zeros, blanks and a plus sign in either half, and refuses hexadecimal, exponents, a second
/// minus, more than 127 characters and values above 2^64-1. Knows none of `-`, `+`, `*`, `$`, `>`.
/// Source: streamGenericParseIDOrReply in redis/src/t_stream.c (7.0.15), observed.
std::optional<EntryId> parse_entry_id(std::string_view text, std::uint64_t missing_seq);

/// The next greater id; none after the greatest.
constexpr std::optional<EntryId> increment(EntryId id) {
    if (id == max_entry_id) return std::nullopt;
    if (id.seq != std::numeric_limits<std::uint64_t>::max()) return EntryId{id.ms, id.seq + 1};
    return EntryId{id.ms + 1, 0};
}

/// The next smaller id; none before 0-0.
constexpr std::optional<EntryId> decrement(EntryId id) {
    if (id == min_entry_id) return std::nullopt;
    if (id.seq != 0) return EntryId{id.ms, id.seq - 1};
    return EntryId{id.ms - 1, std::numeric_limits<std::uint64_t>::max()};
}

}  // namespace redeliver::model::redis
