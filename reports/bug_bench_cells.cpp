#include "reports/bug_bench_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/bug_bench.h"
#include "reports/words.h"
#include "scenarios/json/words.h"

namespace redeliver::reports {

using scenarios::BugResult;
using scenarios::Hunting;
using scenarios::SmallCase;

std::string needs_text(scenarios::Needs needs) {
    std::string text{scenarios::json::words_of(needs)[static_cast<std::size_t>(needs)]};
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string trials_text(const Hunting& hunting) {
    if (hunting.repeats == 0) return "";
    if (hunting.found == 0) return "-";
    if (hunting.found == hunting.repeats) return grouped(hunting.median_trials);
    return fmt::format("{} ({} of {})", grouped(hunting.median_trials), hunting.found,
                       hunting.repeats);
}

std::string milliseconds_text(const Hunting& hunting) {
    return hunting.found == 0 ? "" : fmt::format("{:.1f}", hunting.median_milliseconds);
}

std::string drawn_text(const BugResult& result) {
    return grouped(result.shown_at_random) + " of " + grouped(result.broken_at_random);
}

std::string small_text(const SmallCase* small) {
    if (small == nullptr) return "-";
    return fmt::format("{} + {}, {}", small->faults, small->messages, grouped(small->steps));
}

const SmallCase* smallest_case(const BugResult& result) {
    const SmallCase* smallest = nullptr;
    const auto size = [](const SmallCase& small) {
        return std::tuple(small.faults, small.messages, small.steps);
    };
    for (const Hunting& hunting : result.huntings)
        if (hunting.small && (smallest == nullptr || size(*hunting.small) < size(*smallest)))
            smallest = &*hunting.small;
    return smallest;
}

}  // namespace redeliver::reports
