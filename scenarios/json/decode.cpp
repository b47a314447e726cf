#include "scenarios/json/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "scenarios/json/nearest.h"
#include "scenarios/json/units.h"

namespace redeliver::scenarios::json {

bool is_name(std::string_view text) {
    const auto is_allowed = [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-';
    };
    return !text.empty() && text.size() <= max_name && std::ranges::all_of(text, is_allowed);
}

bool is_actor_name(std::string_view text) {
    const auto is_letter = [](char each) { return each >= 'a' && each <= 'z'; };
    const auto is_allowed = [&](char each) { return is_letter(each) || each == '_'; };
    return !text.empty() && text.size() <= max_actor_name && is_letter(text.front()) &&
           std::ranges::all_of(text, is_allowed);
}

std::optional<std::uint64_t> decode_number(const Value& value, NumberRange range) {
    if (value.kind != Value::Kind::number) return {};
    std::uint64_t number = 0;
    const char* const end = value.text.data() + value.text.size();
    const auto [rest, error] = std::from_chars(value.text.data(), end, number);
    if (error != std::errc{} || rest != end) return {};
    if (number < range.least || number > range.most) return {};
    return number;
}

std::optional<sim::Duration> decode_duration(const Value& value, DurationRange range) {
    if (value.kind != Value::Kind::text) return {};
    const auto duration = parse_duration(value.text);
    if (!duration || *duration < range.least || *duration > range.most) return {};
    return duration;
}

std::optional<std::uint64_t> decode_hex(std::string_view digits, std::size_t count) {
    constexpr std::string_view allowed = "0123456789abcdef";
    if (digits.size() != count || digits.find_first_not_of(allowed) != std::string_view::npos)
        return {};
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    return number;
}

std::string encode_hex(std::uint64_t number, std::size_t count) {
    return fmt::format("{:0{}x}", number, count);
}

std::string not_in(const Value& value, NumberRange range) {
    return fmt::format("found {}, allowed are whole numbers from {} to {}", describe(value),
                       range.least, range.most);
}

std::string not_in(const Value& value, DurationRange range) {
    return fmt::format(
        "found {}, allowed are durations from \"{}\" to \"{}\": a whole number and its unit, us, "
        "ms, s, m or h",
        describe(value), duration_text(range.least), duration_text(range.most));
}

std::string unknown_word(const Value& value, const Vocabulary& valid) {
    const std::vector<std::string_view> words{valid.words().begin(), valid.words().end()};
    return fmt::format("found {}, which is no {}{}", describe(value), valid.noun(),
                       advice(value.text, words));
}

namespace {

using Shape = sim::Distribution::Shape;

constexpr std::array<std::string_view, 3> shape_keys = {"from", "mean", "median"};
constexpr std::array shapes = {Shape::uniform, Shape::exponential, Shape::lognormal};

}  // namespace

sim::Distribution decode_distribution(Fields& in) {
    const std::size_t which = in.alternative(shape_keys, 0);
    sim::Distribution distribution{.shape = shapes[which]};
    in.duration(shape_keys[which], distribution.low);
    if (distribution.shape != Shape::uniform) return distribution;
    in.duration("to", distribution.high);
    in.require({"to"});
    if (distribution.high < distribution.low && in.has("to", {}) == Fields::Presence::present)
        in.reject("to", fmt::format("found \"{}\", which is less than \"from\"",
                                    duration_text(distribution.high)));
    return distribution;
}

Value encode_distribution(const sim::Distribution& distribution) {
    if (distribution.shape == Shape::fixed) return text_value(duration_text(distribution.low));
    const auto shape = std::ranges::find(shapes, distribution.shape);
    Value object = object_value();
    const auto add = [&](std::string_view key, sim::Duration duration) {
        object.children.push_back(text_value(duration_text(duration)));
        object.children.back().key = key;
    };
    add(shape_keys[static_cast<std::size_t>(shape - shapes.begin())], distribution.low);
    if (distribution.shape == Shape::uniform) add("to", distribution.high);
    return object;
}

}  // namespace redeliver::scenarios::json
