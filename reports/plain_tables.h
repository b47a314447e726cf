#pragma once

#include <vector>

#include "reports/table_comparison.h"
#include "scenarios/explore/trial.h"

namespace redeliver::reports {

/// How a pending list says how long an entry has been idle: at the moment of the snapshot, or as
/// the milliseconds of the broker's clock, since the trial began, from which on it has been. The
/// latter only changes when something happens to the entry.
enum class Idle : std::uint8_t { length, since };

/// The servers' data at one moment: see state_tables.
std::vector<PlainTable> plain_tables(const scenarios::StateSnapshot& state,
                                     const scenarios::Recording& texts, Idle idle);

}  // namespace redeliver::reports
