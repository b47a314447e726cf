#include "model/redis/dump/lzf.h"

namespace redeliver::model::redis::dump {
namespace {

/// A run of three bytes becomes 264 at most: what claims more is no LZF, and gets no memory.
constexpr std::size_t most_per_byte = 264;
constexpr unsigned literal_below = 32;
constexpr unsigned long_run = 7;

unsigned byte_value(char c) { return static_cast<unsigned char>(c); }

}  // namespace

std::optional<std::string> decompress_lzf(std::string_view compressed, std::size_t size) {
    if (size / most_per_byte > compressed.size()) return std::nullopt;
    std::string text;
    text.reserve(size);
    std::size_t at = 0;
    while (at < compressed.size()) {
        const unsigned control = byte_value(compressed[at++]);
        if (control < literal_below) {
            const std::size_t length = control + 1;
            if (length > compressed.size() - at || length > size - text.size()) return std::nullopt;
            text.append(compressed, at, length);
            at += length;
            continue;
        }
        std::size_t length = control >> 5;
        if (length == long_run) {
            if (at == compressed.size()) return std::nullopt;
            length += byte_value(compressed[at++]);
        }
        length += 2;
        if (at == compressed.size()) return std::nullopt;
        const std::size_t back = ((control & 0x1f) << 8) + byte_value(compressed[at++]) + 1;
        if (back > text.size() || length > size - text.size()) return std::nullopt;
        // Byte by byte: a run may repeat what it is itself writing.
        for (std::size_t i = 0; i < length; ++i) text.push_back(text[text.size() - back]);
    }
    if (text.size() != size) return std::nullopt;
    return text;
}

}  // namespace redeliver::model::redis::dump
