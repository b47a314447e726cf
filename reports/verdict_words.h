#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/trace.h"

/// What came of a trial, as continuous integration is told.
namespace redeliver::reports {

/// How a promise did beside what the story expects of it.
enum class Bearing : std::uint8_t { as_expected, wrong, not_shown };

Bearing bearing_of(const TracePromise& promise, const Trace& trace);

/// `PASS`, `FAIL` or `UNPROVEN`.
std::string_view verdict_word(const Trace& trace);

/// `at 30.551s, step 247: run-2 was worked on a second time`; empty unless the promise broke.
std::string finding(const TracePromise& promise);

/// What the trial is accused of beside promises: totals, caps.
std::vector<std::string> other_complaints(const Trace& trace);

/// Commands that show the trial again; where the trace holds none, the one by seed.
std::vector<std::string> commands_of(const Trace& trace);

}  // namespace redeliver::reports
