#include "scenarios/json/units.h"

#include <fmt/format.h>

#include <charconv>

namespace redeliver::scenarios::json {

namespace {

struct Unit {
    std::string_view text;
    std::int64_t microseconds;
};

/// The largest first.
constexpr Unit units[] = {
    {"h", 3'600'000'000}, {"m", 60'000'000}, {"s", 1'000'000}, {"ms", 1'000}, {"us", 1}};

}  // namespace

std::optional<sim::Duration> parse_duration(std::string_view text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{}) return {};
    const std::string_view written{rest, static_cast<std::size_t>(end - rest)};
    for (const auto& [unit, microseconds] : units) {
        if (written != unit) continue;
        std::int64_t product = 0;
        if (__builtin_mul_overflow(number, microseconds, &product)) return {};
        return sim::Duration{product};
    }
    return {};
}

std::string duration_text(sim::Duration duration) {
    if (duration == sim::Duration::zero()) return "0s";
    for (const auto& [unit, microseconds] : units)
        if (duration.count() % microseconds == 0)
            return fmt::format("{}{}", duration.count() / microseconds, unit);
    return {};
}

}  // namespace redeliver::scenarios::json
