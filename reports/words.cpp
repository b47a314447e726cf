#include "reports/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace redeliver::reports {

namespace {

// A magnitude of microseconds in the largest unit that keeps it short.
std::string magnitude(std::uint64_t microseconds) {
    if (microseconds % 1'000 != 0 && microseconds < 1'000) return fmt::format("{}us", microseconds);
    const bool in_seconds = microseconds % 1'000'000 == 0 || microseconds >= 1'000'000;
    const std::uint64_t unit = in_seconds ? 1'000'000 : 1'000;
    std::string fraction = fmt::format("{:0{}}", microseconds % unit, in_seconds ? 6 : 3);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    return fmt::format("{}{}{}{}", microseconds / unit, fraction.empty() ? "" : ".", fraction,
                       in_seconds ? "s" : "ms");
}

}  // namespace

std::string moment(sim::Instant instant, Precision precision) {
    const std::int64_t microseconds = instant.time_since_epoch().count();
    if (precision == Precision::microseconds)
        return fmt::format("{}.{:06}s", microseconds / 1'000'000, microseconds % 1'000'000);
    return fmt::format("{}.{:03}s", microseconds / 1'000'000, microseconds / 1'000 % 1'000);
}

std::string length(sim::Duration duration) {
    const std::int64_t count = duration.count();
    if (count >= 0) return magnitude(static_cast<std::uint64_t>(count));
    return "-" + magnitude(~static_cast<std::uint64_t>(count) + 1);
}

std::string grouped(std::uint64_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
    return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

std::string fingerprint_text(std::uint64_t fingerprint) {
    return fmt::format("{:016x}", fingerprint);
}

std::string ordinal(std::uint64_t number) {
    const std::uint64_t last_two = number % 100;
    const bool is_teen = last_two >= 11 && last_two <= 13;
    switch (is_teen ? 0 : number % 10) {
    case 1: return fmt::format("{}st", number);
    case 2: return fmt::format("{}nd", number);
    case 3: return fmt::format("{}rd", number);
    default: return fmt::format("{}th", number);
    }
}

std::string shell_word(std::string_view argument) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./=:,+@").find(c) != std::string_view::npos;
    };
    if (!argument.empty() && std::ranges::all_of(argument, is_plain)) return std::string(argument);
    std::string quoted = "'";
    for (const char c : argument) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

}  // namespace redeliver::reports
