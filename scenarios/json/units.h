#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/time.h"

namespace redeliver::scenarios::json {

/// A whole number and a unit: `40us`, `250ms`, `30s`, `2m`, `1h`, `-3s`. Nothing for anything else,
/// or more than about 292,000 years.
std::optional<sim::Duration> parse_duration(std::string_view text);

/// In the largest unit that gives a whole number; `0s` for none.
std::string duration_text(sim::Duration duration);

}  // namespace redeliver::scenarios::json
