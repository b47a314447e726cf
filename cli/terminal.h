#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include "reports/look.h"

namespace redeliver::cli {

/// What decides how text may look, taken from the process so that tests can say it themselves.
struct Surroundings {
    /// A variable of the environment; empty when unset.
    std::function<std::string_view(const char*)> variable;
    bool is_terminal = false;
    /// Columns that the terminal says it has; 0 when it does not say.
    std::size_t columns = 0;
};

/// Of a file descriptor of this process.
Surroundings surroundings_of(int descriptor);

/// Colour only on a terminal that is not dumb, and not when NO_COLOR is set (no-color.org). UTF-8
/// when the locale says so. COLUMNS goes before what the terminal says.
reports::Look look_in(const Surroundings& surroundings);

}  // namespace redeliver::cli
