#include "model/redis/dump/load_value.h"

#include "model/redis/dump/crc64.h"
#include "model/redis/dump/load_stream.h"
#include "model/redis/dump/payload_reader.h"

namespace redeliver::model::redis::dump {
namespace {

constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t footer_bytes = checksum_bytes + 2;
constexpr unsigned newest_version = 10;

constexpr std::uint8_t string_type = 0;
/// Up to 6.2.
constexpr std::uint8_t stream_type = 15;
/// From 7.0 on: with entries_added, entries_read and the like.
constexpr std::uint8_t counted_stream_type = 19;

std::uint64_t footer_number(std::string_view bytes) {
    std::uint64_t value = 0;
    for (auto c = bytes.rbegin(); c != bytes.rend(); ++c)
        value = value << 8 | static_cast<unsigned char>(*c);
    return value;
}

Value load_any(PayloadReader& reader, std::string_view key, Names& names) {
    switch (reader.byte()) {
    case string_type: return {.held = reader.string(), .expires_at = {}};
    case stream_type:
        return {.held = load_stream(reader, Counted::no, key, names), .expires_at = {}};
    case counted_stream_type:
        return {.held = load_stream(reader, Counted::yes, key, names), .expires_at = {}};
    default: throw BadData{};
    }
}

}  // namespace

bool is_intact(std::string_view payload) {
    if (payload.size() < footer_bytes) return false;
    const std::string_view footer = payload.substr(payload.size() - footer_bytes);
    if (footer_number(footer.substr(0, 2)) > newest_version) return false;
    return crc64(payload.substr(0, payload.size() - checksum_bytes)) ==
           footer_number(footer.substr(2));
}

std::optional<Value> load_value(std::string_view payload, std::string_view key, Names& names) try {
    PayloadReader reader(payload.substr(0, payload.size() - footer_bytes));
    return load_any(reader, key, names);
} catch (const BadData&) {
    return std::nullopt;
}

}  // namespace redeliver::model::redis::dump
