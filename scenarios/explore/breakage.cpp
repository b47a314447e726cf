#include "scenarios/explore/breakage.h"

#include <algorithm>

#include "model/subjects.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using properties::Holds;
using properties::Verdict;

/// "has 3 replies (and 2 more like it)" is found as well where it has 2 and nobody is like it.
std::string without_numbers(std::string_view evidence) {
    std::string text{evidence.substr(0, evidence.find(" (and "))};
    std::erase_if(text, [](char each) { return each >= '0' && each <= '9'; });
    return text;
}

std::optional<model::Content> content_of(const Plan& plan, sim::Subject subject) {
    if (!model::is_run(subject)) return {};
    const auto message =
        std::ranges::find(plan.messages, sim::number_of(subject), &Message::number);
    if (message == plan.messages.end()) return {};
    return message->content;
}

bool is_cap(sim::Ending ending) {
    return ending == sim::Ending::out_of_steps || ending == sim::Ending::out_of_time;
}

}  // namespace

const Verdict& verdict_of(const TrialResult& result, std::string_view promise) {
    const auto found = std::ranges::find(result.verdicts, promise, &PromiseVerdict::name);
    sim::ensure(found != result.verdicts.end(), "the promise exists and was judged");
    return found->verdict;
}

std::optional<Breakage> breakage_of(const TrialResult& result, const Plan& plan,
                                    std::string_view promise) {
    const Verdict& verdict = verdict_of(result, promise);
    if (verdict.holds != Holds::violated || is_cap(result.ending)) return {};
    return Breakage{.promise = std::string(promise),
                    .breach = verdict.breach,
                    .finding = without_numbers(verdict.evidence),
                    .content = content_of(plan, verdict.subject)};
}

std::optional<std::string> first_broken(const Scenario& scenario, const TrialResult& result) {
    const auto broke = [&](std::string_view promise) {
        return verdict_of(result, promise).holds == Holds::violated;
    };
    for (const auto* const listed : {&scenario.expect.holds, &scenario.expect.breaks}) {
        const auto found = std::ranges::find_if(*listed, broke);
        if (found != listed->end()) return *found;
    }
    const auto any = std::ranges::find_if(
        result.verdicts, [&](const PromiseVerdict& each) { return broke(each.name); });
    if (any == result.verdicts.end()) return {};
    return std::string(any->name);
}

}  // namespace redeliver::scenarios
