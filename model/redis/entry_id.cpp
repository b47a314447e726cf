#include "model/redis/entry_id.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace redeliver::model::redis {
namespace {

constexpr std::size_t longest_text = 127;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// isspace() of the C locale, whatever the locale is.
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Written the one way string2ll() reads: no sign but minus, no leading zero.
bool is_canonical(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    if (text == "0") return true;
    return !text.empty() && text.front() != '0' && std::all_of(text.begin(), text.end(), is_digit);
}

/// strtoull() over the whole text. It negates in unsigned arithmetic rather than refuse a minus.
std::optional<std::uint64_t> read_loosely(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    const bool negated = text.starts_with('-');
    if (negated || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return negated ? std::uint64_t{0} - value : value;
}

/// string2ull(): a small number in canonical form is refused when negative; whatever string2ll()
/// cannot read is left to strtoull(), so that " -5" and "-05" mean 2^64-5.
std::optional<std::uint64_t> read_half(std::string_view text) {
    if (is_canonical(text)) {
        std::int64_t small = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), small);
        if (error == std::errc{} && text != "-0" && small < 0) return std::nullopt;
    }
    return read_loosely(text);
}

}  // namespace

std::string to_string(EntryId id) {
    std::string text = std::to_string(id.ms);
    text += '-';
    text += std::to_string(id.seq);
    return text;
}

std::optional<EntryId> parse_entry_id(std::string_view text, std::uint64_t missing_seq) {
    if (text.size() > longest_text) return std::nullopt;
    text = text.substr(0, text.find('\0'));  // The server copies it into a C string.
    const auto dash = text.find('-');
    const auto ms = read_half(text.substr(0, dash));
    if (!ms) return std::nullopt;
    if (dash == std::string_view::npos) return EntryId{*ms, missing_seq};
    const auto seq = read_half(text.substr(dash + 1));
    if (!seq) return std::nullopt;
    return EntryId{*ms, *seq};
}

}  // namespace redeliver::model::redis
