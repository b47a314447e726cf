#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/json/fields.h"
#include "scenarios/json/value.h"

/// What single JSON values stand for, and what to say of those that stand for nothing.
namespace redeliver::scenarios::json {

/// `[a-z0-9-]+`, at most `max_name` long.
bool is_name(std::string_view text);

/// `[a-z][a-z_]*`, at most `max_actor_name` long.
bool is_actor_name(std::string_view text);

/// Nothing for what is no whole number in the range.
std::optional<std::uint64_t> decode_number(const Value& value, NumberRange range);
std::optional<sim::Duration> decode_duration(const Value& value, DurationRange range);
/// Exactly so many lower-case hexadecimal digits.
std::optional<std::uint64_t> decode_hex(std::string_view digits, std::size_t count);
std::string encode_hex(std::uint64_t number, std::size_t count);

/// `found 0, allowed are whole numbers from 1 to 10000`.
std::string not_in(const Value& value, NumberRange range);
std::string not_in(const Value& value, DurationRange range);
std::string unknown_word(const Value& value, const Vocabulary& valid);

/// `{"from","to"}` is uniform, `{"mean"}` exponential, `{"median"}` log-normal.
sim::Distribution decode_distribution(Fields& in);
/// A duration for a fixed one, else such an object.
Value encode_distribution(const sim::Distribution& distribution);

}  // namespace redeliver::scenarios::json
