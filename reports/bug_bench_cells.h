#pragma once

#include <string>

#include "scenarios/explore/bug_bench.h"

/// Only for the .cpp files of this folder that show how planted bugs were found.
namespace redeliver::reports {

/// `one fault`
std::string needs_text(scenarios::Needs needs);

/// `12`, `12 (18 of 20)` when not every repeat found it, `-` when none did, nothing when none was
/// made.
std::string trials_text(const scenarios::Hunting& hunting);

/// `3.2`; nothing when none was found.
std::string milliseconds_text(const scenarios::Hunting& hunting);

/// `403 of 512`: shown, of those in which the promise broke.
std::string drawn_text(const scenarios::BugResult& result);

/// `1 + 2, 104`: faults, messages, steps; `-` for none.
std::string small_text(const scenarios::SmallCase* small);

}  // namespace redeliver::reports
