#pragma once

#include <string>

#include "sim/fault.h"

namespace redeliver::reports {

/// A fault in words: `before XACK for run-6 is sent: crash whoever does it, restart after 2s`.
std::string fault_text(const sim::Fault& fault);

}  // namespace redeliver::reports
