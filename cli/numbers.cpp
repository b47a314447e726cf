#include "cli/numbers.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/errors.h"
#include "scenarios/json/printable.h"

namespace redeliver::cli {

std::uint64_t parse_number(std::string_view option, std::string_view text, Bounds bounds) {
    std::uint64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const bool is_number = error == std::errc{} && end == last && !text.empty();
    if (is_number && number >= bounds.least && number <= bounds.most) return number;
    throw UsageError(fmt::format("{}: found '{}', allowed is a whole number from {} to {}", option,
                                 scenarios::printable(text, 40), bounds.least, bounds.most));
}

}  // namespace redeliver::cli
