#pragma once

#include <string>

#include "sim/schedule.h"

namespace redeliver::reports {

/// A schedule in words: `what is due within 5ms may be overtaken: at branching 12 the 2nd comes
/// first`.
std::string schedule_text(const sim::Schedule& schedule);

}  // namespace redeliver::reports
