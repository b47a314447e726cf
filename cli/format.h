#pragma once

#include <cstdint>

namespace redeliver::cli {

/// How an answer is written: for people, or for programs (`--json`).
enum class Format : std::uint8_t { text, json };

}  // namespace redeliver::cli
