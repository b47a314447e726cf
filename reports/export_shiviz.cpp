// A log for ShiViz, with a vector clock on each line. Source: bestchai.bitbucket.io/shiviz, "input
// log format": a file begins with the pattern that reads its lines and one that parts executions,
// here none; a host's own entry begins with 1 and grows by one with each of its events.

#include <fmt/format.h>

#include <map>
#include <set>

#include "reports/exports.h"
#include "reports/sequence.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

constexpr std::string_view pattern = R"((?<host>\S+) (?<clock>\{[^}]*\}) (?<event>.*))";

using Clock = std::map<std::string, std::uint32_t>;

/// Names without blanks, quotes and braces, so that one pattern reads every line; no two alike.
class Hosts {
public:
    const std::string& of(std::string_view node) {
        const auto known = hosts_.find(node);
        if (known != hosts_.end()) return known->second;
        std::string host;
        for (const char each : node) host += is_plain(each) ? each : '_';
        if (host.empty()) host = "world";
        std::string unique = host;
        for (int number = 2; !taken_.insert(unique).second; ++number)
            unique = fmt::format("{}.{}", host, number);
        return hosts_.emplace(std::string(node), unique).first->second;
    }

private:
    static bool is_plain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    }

    std::map<std::string, std::string, std::less<>> hosts_;
    std::set<std::string> taken_;
};

void merge(const Clock& from, Clock& into) {
    for (const auto& [host, count] : from) into[host] = std::max(into[host], count);
}

std::string clock_text(const Clock& clock) {
    std::string text;
    for (const auto& [host, count] : clock)
        text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", host, count);
    return "{" + text + "}";
}

}  // namespace

std::string shiviz(const Trace& trace) {
    std::map<sim::StepNumber, std::vector<sim::StepNumber>> sent_to;
    std::map<sim::StepNumber, Clock> on_the_wire;
    for (const TraceMessage& message : messages_of(trace)) {
        if (message.fate != TraceMessage::Fate::arrived) continue;
        sent_to[message.received].push_back(message.sent);
        on_the_wire[message.sent];
    }
    Hosts hosts;
    std::map<std::string, Clock> clocks;
    std::string log = fmt::format("{}\n\n", pattern);
    for (const TraceStep& step : trace.steps) {
        const std::string& host = hosts.of(place_of(trace, step));
        Clock& clock = clocks[host];
        if (const auto arrivals = sent_to.find(step.number); arrivals != sent_to.end())
            for (const sim::StepNumber sent : arrivals->second) merge(on_the_wire[sent], clock);
        ++clock[host];
        if (const auto sending = on_the_wire.find(step.number); sending != on_the_wire.end())
            sending->second = clock;
        const std::string event = fmt::format(
            "{} step {} {} {}", moment(sim::at(sim::Duration{step.at_us})), step.number, step.kind,
            note_text(trace, {.step = &step, .message = nullptr, .broken = {}}));
        log += fmt::format("{} {} {}\n", host, clock_text(clock), scenarios::printable(event));
    }
    return log;
}

}  // namespace redeliver::reports
