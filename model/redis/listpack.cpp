#include "model/redis/listpack.h"

#include <charconv>
#include <optional>
#include <system_error>

namespace redeliver::model::redis::listpack {
namespace {

std::size_t with_back_length(std::size_t encoded) {
    if (encoded <= 127) return encoded + 1;
    if (encoded < 16'383) return encoded + 2;
    if (encoded < 2'097'151) return encoded + 3;
    if (encoded < 268'435'455) return encoded + 4;
    return encoded + 5;
}

/// A number only if printing it gives the same text again.
std::optional<std::int64_t> canonical_integer(std::string_view text) {
    constexpr std::size_t longest = 20;
    if (text.empty() || text.size() > longest) return std::nullopt;
    const std::string_view digits = text.substr(text.front() == '-' ? 1 : 0);
    if (digits.empty() || digits.front() < '0' || digits.front() > '9') return std::nullopt;
    if (digits.front() == '0' && text != "0") return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::size_t encoded_bytes(std::int64_t number) {
    if (number >= 0 && number <= 127) return 1;
    if (number >= -4'096 && number <= 4'095) return 2;
    if (number >= -32'768 && number <= 32'767) return 3;
    if (number >= -8'388'608 && number <= 8'388'607) return 4;
    if (number >= -2'147'483'648 && number <= 2'147'483'647) return 5;
    return 9;
}

}  // namespace

std::size_t bytes_of(std::int64_t number) { return with_back_length(encoded_bytes(number)); }

std::size_t bytes_of(std::string_view text) {
    if (const auto number = canonical_integer(text)) return bytes_of(*number);
    if (text.size() < 64) return with_back_length(text.size() + 1);
    if (text.size() < 4'096) return with_back_length(text.size() + 2);
    return with_back_length(text.size() + 5);
}

}  // namespace redeliver::model::redis::listpack
