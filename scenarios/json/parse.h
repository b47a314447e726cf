#pragma once

#include <string_view>

#include "scenarios/json/value.h"

namespace redeliver::scenarios::json {

/// The value that a JSON text holds; `//` and `/* */` comments count as space.
///
/// Throws BadInput for a text that is no JSON (with line and column), holds a key twice in one
/// object, or exceeds the caps on size, nesting and number of values.
Value parse(std::string_view text, std::string_view file_name);

}  // namespace redeliver::scenarios::json
