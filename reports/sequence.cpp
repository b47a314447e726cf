#include "reports/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace redeliver::reports {

namespace {

using sim::StepNumber;
using Fate = TraceMessage::Fate;
using Way = TraceMessage::Way;

bool is_shown(const Trace& trace, StepNumber number) {
    const TraceStep* const step = find_step(trace, number);
    return step != nullptr && step->is_shown;
}

/// What a server did for the request that this step answers is told by the step before it.
bool brought_something(const Trace& trace, StepNumber replied) {
    const TraceStep* const answer = find_step(trace, replied);
    return answer != nullptr && is_shown(trace, answer->cause);
}

/// Requests that are worth an arrow, by the step that sent them.
std::set<StepNumber> requests_drawn(const Trace& trace, const std::vector<TraceMessage>& messages) {
    std::set<StepNumber> drawn;
    for (const TraceMessage& message : messages) {
        const bool is_request = message.way == Way::request;
        const StepNumber replied = is_request ? message.other : message.sent;
        if (!message.about.empty() || is_shown(trace, message.dropped) ||
            (is_request && (is_shown(trace, message.received) || is_shown(trace, message.ended))) ||
            brought_something(trace, replied))
            drawn.insert(is_request ? message.sent : message.other);
    }
    drawn.erase(sim::no_step);
    return drawn;
}

bool is_drawn(const TraceMessage& message, const std::set<StepNumber>& requests) {
    if (message.way == Way::request) return requests.contains(message.sent);
    return message.other == sim::no_step || requests.contains(message.other);
}

/// Where the arrow of a message stands: a request where it starts, an answer where it ends.
StepNumber row_of(const TraceMessage& message) {
    const bool has_arrived = message.way == Way::answer && message.fate == Fate::arrived;
    return has_arrived ? message.received : message.sent;
}

std::map<StepNumber, std::vector<const TracePromise*>> broken_promises(const Trace& trace) {
    std::map<StepNumber, std::vector<const TracePromise*>> broken;
    for (const TracePromise& promise : trace.promises)
        if (promise.verdict == "violated" && !trace.steps.empty())
            broken[promise.step == sim::no_step ? trace.steps.back().number : promise.step]
                .push_back(&promise);
    return broken;
}

}  // namespace

Sequence::Sequence(const Trace& trace) : messages(messages_of(trace)) {
    const std::set<StepNumber> requests = requests_drawn(trace, messages);
    std::multimap<StepNumber, const TraceMessage*> arrows;
    for (const TraceMessage& message : messages)
        if (is_drawn(message, requests)) arrows.emplace(row_of(message), &message);
    drawn = arrows.size();
    const auto broken = broken_promises(trace);
    for (const TraceStep& step : trace.steps) {
        const auto [first, last] = arrows.equal_range(step.number);
        for (auto arrow = first; arrow != last; ++arrow)
            rows.push_back({.step = &step, .message = arrow->second, .broken = {}});
        const auto breaks = broken.find(step.number);
        const bool is_event = step.kind == "FaultFired" || step.kind == "Crashed";
        if (step.is_shown || is_event || breaks != broken.end()) {
            rows.push_back({.step = &step, .message = nullptr, .broken = {}});
            if (breaks != broken.end()) rows.back().broken = breaks->second;
        }
    }
}

StepNumber heart_of(const Trace& trace) {
    if (const TracePromise* const broken = trace.first_broken();
        broken != nullptr && broken->step != sim::no_step)
        return broken->step;
    const auto fault = std::ranges::find(trace.steps, "FaultFired", &TraceStep::kind);
    return fault == trace.steps.end() ? 1 : fault->number;
}

std::string note_text(const Trace& trace, const SequenceRow& row) {
    const TraceStep& step = *row.step;
    const auto fault = std::ranges::find(trace.faults, step.fault, &TraceFault::number);
    if (step.kind == "FaultFired" && fault != trace.faults.end())
        return fmt::format("fault {} strikes, {}", step.fault, fault->text);
    std::string text = step.what;
    for (const std::string* const part : {&step.about, &step.how})
        if (!part->empty()) text += (text.empty() ? "" : " ") + *part;
    return text;
}

std::string message_text(const TraceMessage& message) {
    return message.about.empty() ? message.what : message.what + " " + message.about;
}

SequenceCounts counts_of(std::span<const SequenceRow> rows) {
    SequenceCounts counts;
    for (const SequenceRow& row : rows) {
        if (row.message != nullptr) {
            ++counts.messages;
            if (row.message->fate == Fate::lost) ++counts.lost;
        } else {
            if (row.step->kind == "FaultFired") ++counts.faults;
            if (row.step->kind == "Crashed") ++counts.crashes;
        }
    }
    return counts;
}

SequenceCounts counts_of(const Trace& trace, const Sequence& sequence) {
    SequenceCounts counts;
    counts.messages = sequence.messages.size();
    counts.lost = static_cast<std::size_t>(
        std::ranges::count(sequence.messages, Fate::lost, &TraceMessage::fate));
    counts.faults =
        static_cast<std::size_t>(std::ranges::count(trace.steps, "FaultFired", &TraceStep::kind));
    counts.crashes =
        static_cast<std::size_t>(std::ranges::count(trace.steps, "Crashed", &TraceStep::kind));
    return counts;
}

}  // namespace redeliver::reports
