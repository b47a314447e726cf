#pragma once

#include <string>

#include "reports/look.h"
#include "scenarios/explore/trial.h"

namespace redeliver::reports {

/// All tables as they are after a step, each row marked `+` (added), `-` (removed) or `~` (changed,
/// with the old value of a cell in square brackets) against the moment before it.
std::string state_text(const scenarios::StateChange& change, const Look& look);

}  // namespace redeliver::reports
