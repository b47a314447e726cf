#pragma once

#include <string>

#include "reports/trace.h"

namespace redeliver::reports {

/// The part of a page that can be read without a script: HTML without any.
std::string page_static(const Trace& trace);

}  // namespace redeliver::reports
