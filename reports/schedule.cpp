#include "reports/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/words.h"
#include "scenarios/json/printable.h"
#include "scenarios/json/units.h"

namespace redeliver::reports {

namespace {

/// Of a long list: no reader counts picks beyond these.
constexpr std::size_t most_picks = 8;

std::string picks_text(const std::vector<sim::Pick>& picks) {
    std::vector<std::string> texts;
    for (std::size_t index = 0; index < std::min(picks.size(), most_picks); ++index)
        texts.push_back(
            fmt::format("at branching {} past {}", picks[index].branching, picks[index].take));
    std::string text = fmt::format("one goes first {}", fmt::join(texts, ", "));
    if (picks.size() > most_picks)
        text += fmt::format(", and at {} more", counted(picks.size() - most_picks, "branching"));
    return text;
}

std::string priorities_text(const sim::Schedule& schedule) {
    std::string text = "urgent first: ";
    text += scenarios::printable(fmt::format("{}", fmt::join(schedule.order, ", ")));
    if (schedule.changes.empty()) return text;
    return text + fmt::format("; last from step {} on is whose turn it then is",
                              fmt::join(schedule.changes, ", "));
}

}  // namespace

std::string schedule_text(const sim::Schedule& schedule) {
    if (schedule.is_none()) return "as it comes";
    std::string text =
        fmt::format("of what is due within {}, ", scenarios::json::duration_text(schedule.slack));
    if (!schedule.picks.empty()) return text + picks_text(schedule.picks);
    if (!schedule.order.empty() || !schedule.changes.empty())
        return text + priorities_text(schedule);
    return text + "as it comes";
}

}  // namespace redeliver::reports
