#include "reports/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/words.h"

namespace redeliver::reports {

Bearing bearing_of(const TracePromise& promise, const Trace& trace) {
    const bool is_broken = promise.verdict == "violated";
    if (promise.expected == "holds") {
        if (is_broken) return Bearing::wrong;
        return promise.verdict == "holds" ? Bearing::as_expected : Bearing::not_shown;
    }
    if (promise.expected != "breaks" || is_broken) return Bearing::as_expected;
    // Only a story with faults of its own must break it in every trial; the others say so here.
    const bool is_accused = std::ranges::any_of(trace.complaints, [&](const std::string& each) {
        return each.starts_with(promise.name + " ");
    });
    return is_accused ? Bearing::wrong : Bearing::not_shown;
}

std::string_view verdict_word(const Trace& trace) {
    if (trace.outcome == "as_expected") return "PASS";
    return trace.outcome == "wrong" ? "FAIL" : "UNPROVEN";
}

std::string finding(const TracePromise& promise) {
    if (promise.verdict != "violated") return "";
    const std::string whom = promise.subject.empty() ? "" : promise.subject + " ";
    return fmt::format("at {}, step {}: {}{}", moment(sim::at(sim::Duration{promise.at_us})),
                       promise.step, whom, promise.evidence);
}

std::vector<std::string> other_complaints(const Trace& trace) {
    std::vector<std::string> others;
    for (const std::string& complaint : trace.complaints)
        if (std::ranges::none_of(trace.promises, [&](const TracePromise& promise) {
                return complaint.starts_with(promise.name + " ");
            }))
            others.push_back(complaint);
    return others;
}

std::vector<std::string> commands_of(const Trace& trace) {
    if (!trace.commands.empty()) return trace.commands;
    return {fmt::format("redeliver replay {} --seed {}", shell_word(trace.story), trace.seed)};
}

}  // namespace redeliver::reports
