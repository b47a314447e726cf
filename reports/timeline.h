#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/look.h"
#include "scenarios/explore/trial.h"

namespace redeliver::reports {

/// What a timeline shows of a trial.
enum class Detail : std::uint8_t {
    biography,  ///< what happened to runs, and the faults; idle polls are counted
    every_step  ///< requests, answers and polls as well, to the microsecond
};

/// One line per step, aligned: its number, when, who, a mark, what, about which run, how.
///
/// Steps at which a promise broke carry the mark of a breach and the promise's name, whatever the
/// detail. A wait of a second or more during which actors only polled is one line that counts the
/// polls. Not fast: meant for a trial that somebody reads.
std::string timeline(const scenarios::Recording& recording,
                     const std::vector<scenarios::PromiseVerdict>& verdicts, Detail detail,
                     const Look& look);

}  // namespace redeliver::reports
