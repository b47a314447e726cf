#include "model/redis/dump/payload_reader.h"

#include "model/redis/dump/lzf.h"

namespace redeliver::model::redis::dump {
namespace {

/// The two highest bits of a length say how it is written.
enum class Form : std::uint8_t { six_bits = 0, fourteen_bits = 1, longer = 2, encoded = 3 };

constexpr std::uint8_t thirty_two_bits = 0x80;
constexpr std::uint8_t sixty_four_bits = 0x81;

constexpr std::uint8_t int8_string = 0;
constexpr std::uint8_t int16_string = 1;
constexpr std::uint8_t int32_string = 2;
constexpr std::uint8_t lzf_string = 3;

Form form_of(std::uint8_t first) { return static_cast<Form>(first >> 6); }
std::uint8_t low_bits(std::uint8_t first) { return first & 0x3f; }

}  // namespace

std::string_view PayloadReader::raw(std::size_t size) {
    if (size > left()) throw BadData{};
    const std::string_view bytes = bytes_.substr(at_, size);
    at_ += size;
    return bytes;
}

std::uint8_t PayloadReader::byte() { return static_cast<std::uint8_t>(raw(1).front()); }

std::uint64_t PayloadReader::big_endian(std::size_t size) {
    std::uint64_t number = 0;
    for (const char c : raw(size)) number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

std::uint64_t PayloadReader::little_endian(std::size_t size) {
    std::uint64_t number = 0;
    const std::string_view bytes = raw(size);
    for (auto c = bytes.rbegin(); c != bytes.rend(); ++c)
        number = number << 8 | static_cast<unsigned char>(*c);
    return number;
}

std::uint64_t PayloadReader::length() {
    const std::uint8_t first = byte();
    switch (form_of(first)) {
    case Form::six_bits: return low_bits(first);
    case Form::fourteen_bits: return std::uint64_t{low_bits(first)} << 8 | byte();
    case Form::longer:
        if (first == thirty_two_bits) return big_endian(4);
        if (first == sixty_four_bits) return big_endian(8);
        break;
    case Form::encoded: break;
    }
    throw BadData{};
}

std::string PayloadReader::encoded_string(std::uint8_t encoding) {
    switch (encoding) {
    case int8_string: return std::to_string(static_cast<std::int8_t>(little_endian(1)));
    case int16_string: return std::to_string(static_cast<std::int16_t>(little_endian(2)));
    case int32_string: return std::to_string(static_cast<std::int32_t>(little_endian(4)));
    case lzf_string: break;
    default: throw BadData{};
    }
    const std::uint64_t compressed = length();
    const std::uint64_t size = length();
    auto text = decompress_lzf(raw(compressed), size);
    if (!text) throw BadData{};
    return std::move(*text);
}

std::string PayloadReader::string() {
    if (left() == 0) throw BadData{};
    const auto first = static_cast<std::uint8_t>(bytes_[at_]);
    if (form_of(first) != Form::encoded) return std::string(raw(length()));
    ++at_;
    return encoded_string(low_bits(first));
}

std::int64_t PayloadReader::milliseconds() { return static_cast<std::int64_t>(little_endian(8)); }

PayloadReader::RawId PayloadReader::raw_id() {
    const std::uint64_t ms = big_endian(8);
    return {.ms = ms, .seq = big_endian(8)};
}

}  // namespace redeliver::model::redis::dump
