#include "tests/conformance/fuzz/framing.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

namespace redeliver::conformance {
namespace {

/// Takes replies off the front of `left`; what a method could not take, it leaves broken.
class Framing {
public:
    explicit Framing(std::string_view bytes) : left_(bytes) {}

    bool at_end() const { return left_.empty(); }

    bool take_reply() {
        if (left_.empty()) return false;
        const char type = left_.front();
        left_.remove_prefix(1);
        switch (type) {
        case end_of_connection: return true;
        case '+':
        case '-':
        case ':':
        case ',':
        case '(':
        case '#':
        case '_': return take_line().has_value();
        case '$':
        case '=':
        case '!': return take_text();
        case '*':
        case '~':
        case '>': return take_replies(1);
        case '%': return take_replies(2);
        default: return false;
        }
    }

private:
    std::optional<std::string_view> take_line() {
        const std::size_t end = left_.find("\r\n");
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view line = left_.substr(0, end);
        left_.remove_prefix(end + 2);
        if (line.find_first_of("\r\n") != std::string_view::npos) return std::nullopt;
        return line;
    }

    std::optional<long long> take_count() {
        const auto line = take_line();
        if (!line) return std::nullopt;
        long long count = 0;
        const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), count);
        if (error != std::errc{} || end != line->data() + line->size()) return std::nullopt;
        return count;
    }

    bool take_text() {
        const auto size = take_count();
        if (!size || *size < -1) return false;
        if (*size == -1) return true;
        const auto bytes = static_cast<std::size_t>(*size);
        if (left_.size() < bytes + 2 || left_.substr(bytes, 2) != "\r\n") return false;
        left_.remove_prefix(bytes + 2);
        return true;
    }

    bool take_replies(long long each) {
        const auto count = take_count();
        if (!count || *count < -1) return false;
        for (long long i = 0; i < *count * each; ++i)
            if (!take_reply()) return false;
        return true;
    }

    std::string_view left_;
};

}  // namespace

bool is_resp(std::string_view bytes) {
    Framing framing(bytes);
    while (!framing.at_end())
        if (!framing.take_reply()) return false;
    return true;
}

}  // namespace redeliver::conformance
