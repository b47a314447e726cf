#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// How large the server's listpacks get, which decides where stream nodes end, which decides what
/// approximate trimming removes. Source: redis/src/listpack.c (7.0.15).
namespace redeliver::model::redis::listpack {

/// Header and terminator of an empty listpack.
inline constexpr std::size_t empty_bytes = 7;

/// One element holding this integer, its back length included.
std::size_t bytes_of(std::int64_t number);

/// One element holding this text; what reads as a canonical integer is stored as one.
std::size_t bytes_of(std::string_view text);

}  // namespace redeliver::model::redis::listpack
