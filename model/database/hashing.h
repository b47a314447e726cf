#pragma once

#include <cstddef>
#include <cstdint>

#include "model/database/value.h"

namespace redeliver::model::database {

/// XXH3 of bytes: the same on every machine, and quick for short keys.
std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed);

/// Spreads all 64 bits over all 64 bits, one to one (the finalizer of splitmix64).
constexpr std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31);
}

/// A digest of a value with its kind: null, 0 and '' all differ.
std::uint64_t hash(const Value& value, std::uint64_t seed);

}  // namespace redeliver::model::database
