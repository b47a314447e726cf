#include "model/redis/hasher.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace redeliver::model::redis {

void Hasher::add(std::uint64_t value) {
    value_ = XXH3_64bits_withSeed(&value, sizeof value, value_);
}

void Hasher::add(std::string_view text) {
    add(std::uint64_t{text.size()});
    value_ = XXH3_64bits_withSeed(text.data(), text.size(), value_);
}

}  // namespace redeliver::model::redis
