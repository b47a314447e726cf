#include "model/database/hashing.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace redeliver::model::database {

std::uint64_t hash_bytes(const void* bytes, std::size_t size, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, size, seed);
}

std::uint64_t hash(const Value& value, std::uint64_t seed) {
    const std::uint64_t kind_seed = mix(seed + static_cast<std::uint64_t>(value.kind()) + 1);
    if (value.is_null()) return kind_seed;
    if (value.is_integer())
        return mix(kind_seed ^ mix(static_cast<std::uint64_t>(value.integer())));
    const std::string_view text = value.text();
    return hash_bytes(text.data(), text.size(), kind_seed);
}

}  // namespace redeliver::model::database
