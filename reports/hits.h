#pragma once

#include <string>
#include <vector>

#include "reports/json_text.h"
#include "reports/look.h"
#include "scenarios/explore/exploration.h"

/// What the faults that a story draws came to, by kind and by phase.
namespace redeliver::reports {

/// A table of effective hits; empty when nothing is drawn.
std::string hits_text(const scenarios::Exploration& result, const Look& look);

Json hits_json(const scenarios::Exploration& result);

/// A sentence for each kind and phase that had fewer effective hits, or that there were none to
/// count.
std::vector<std::string> too_few_hits(const scenarios::Exploration& result, std::uint64_t least);

}  // namespace redeliver::reports
