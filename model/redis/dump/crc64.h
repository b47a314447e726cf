#pragma once

#include <cstdint>
#include <string_view>

namespace redeliver::model::redis::dump {

/// The CRC-64 that ends a DUMP payload: polynomial 0xad93d23594c935a9, reflected, from 0.
/// Source: redis/src/crc64.c; of "123456789" it is 0xe9c6d914c4b8d9ca.
std::uint64_t crc64(std::string_view bytes);

}  // namespace redeliver::model::redis::dump
