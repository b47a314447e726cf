#include "model/redis/resp/integer.h"

#include <charconv>
#include <system_error>

namespace redeliver::model::redis::resp {

std::optional<std::int64_t> read_integer(std::string_view text) {
    if (text == "0") return 0;
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    if (text.size() <= first) return std::nullopt;
    if (text[first] < '1' || text[first] > '9') return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace redeliver::model::redis::resp
