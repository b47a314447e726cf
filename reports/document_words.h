#pragma once

#include <string_view>

#include "reports/trial_report.h"
#include "scenarios/explore/campaign.h"
#include "sim/happenings.h"

/// Words that documents have for values; their schemas list them.
namespace redeliver::reports {

std::string_view document_word(scenarios::Expected expected);
std::string_view document_word(sim::Ending ending);
std::string_view document_word(Judgement::Outcome outcome);

}  // namespace redeliver::reports
