#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace redeliver::model::redis::dump {

/// What LZF-compressed bytes were before; nothing unless that is exactly `size` bytes.
/// Source: redis/src/lzf_d.c.
std::optional<std::string> decompress_lzf(std::string_view compressed, std::size_t size);

}  // namespace redeliver::model::redis::dump
