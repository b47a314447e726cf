#include "tests/conformance/reply_frame.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

namespace redeliver::conformance {
namespace {

/// The line at `at`, without its end.
std::optional<std::string_view> line_at(std::string_view bytes, std::size_t at) {
    const auto end = bytes.find("\r\n", at);
    if (end == std::string_view::npos) return std::nullopt;
    return bytes.substr(at, end - at);
}

std::int64_t count_in(std::string_view line) {
    std::int64_t count = 0;
    const char* const end = line.data() + line.size();
    const auto [rest, error] = std::from_chars(line.data() + 1, end, count);
    if (error != std::errc{} || rest != end)
        throw std::runtime_error("a reply has a length that is no number: " + std::string(line));
    return count;
}

/// How many values follow the line as parts of the same reply.
std::int64_t parts_behind(std::string_view line) {
    switch (line.front()) {
    case '*':
    case '~':
    case '>': return count_in(line);
    case '%':
    case '|': return 2 * count_in(line);
    default: return 0;
    }
}

bool has_bytes_behind(char kind) { return kind == '$' || kind == '=' || kind == '!'; }

bool is_kind(char kind) {
    return std::string_view("+-:$*%~>_,#(=!|").find(kind) != std::string_view::npos;
}

}  // namespace

std::optional<std::size_t> reply_length(std::string_view bytes) {
    std::size_t at = 0;
    for (std::int64_t values_left = 1; values_left > 0; --values_left) {
        const auto line = line_at(bytes, at);
        if (!line) return std::nullopt;
        if (line->empty() || !is_kind(line->front()))
            throw std::runtime_error("no reply begins like this: " + std::string(*line));
        at += line->size() + 2;
        if (has_bytes_behind(line->front())) {
            const auto length = count_in(*line);
            if (length >= 0) at += static_cast<std::size_t>(length) + 2;
            if (at > bytes.size()) return std::nullopt;
        }
        values_left += std::max<std::int64_t>(parts_behind(*line), 0);
    }
    return at;
}

std::string readable(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto line = line_at(bytes, at);
        if (!line) return text + std::string(bytes.substr(at));
        text += text.empty() ? "" : " ";
        text += *line;
        at += line->size() + 2;
    }
    return text;
}

}  // namespace redeliver::conformance
