// What GitHub Actions shows: a summary of a step, and annotations. Source: actions/toolkit,
// packages/core/src/command.ts (escapeData, escapeProperty).

#include <fmt/format.h>

#include <algorithm>

#include "reports/exports.h"
#include "reports/verdict_words.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

// ------------------------------------------------------------------ Markdown

/// On one line, and nothing in it is Markdown or HTML.
std::string plain(std::string_view stranger) {
    constexpr std::string_view special = "\\`*_{}[]()#+!|<>~&@$:";
    std::string safe;
    for (const char each : scenarios::printable(stranger)) {
        if (each == '<') {
            safe += "&lt;";
        } else if (each == '>') {
            safe += "&gt;";
        } else if (each == '&') {
            safe += "&amp;";
        } else {
            if (special.find(each) != std::string_view::npos) safe += '\\';
            safe += each;
        }
    }
    return safe;
}

/// Between fences longer than any run of backticks inside.
std::string code(const std::vector<std::string>& lines) {
    std::string text;
    std::size_t run = 0;
    std::size_t longest = 2;
    for (const std::string& line : lines) {
        text += scenarios::printable(line) + "\n";
        for (const char each : line) longest = std::max(longest, run = each == '`' ? run + 1 : 0);
    }
    const std::string fence(longest + 1, '`');
    return fence + "text\n" + text + fence + "\n";
}

std::string promise_lines(const TracePromise& promise) {
    std::string text = fmt::format("\n**{} broke** {}. {}\n\n", plain(promise.name),
                                   plain(finding(promise)), plain(promise.sentence));
    if (promise.expected == "breaks") text += "The story expects it.\n\n";
    for (const TraceSentence& sentence : promise.why)
        text += fmt::format("1. {} {}\n", plain(moment(sim::at(sim::Duration{sentence.at_us}))),
                            plain(sentence.text));
    return text;
}

std::string ledger(const Trace& trace) {
    std::string text = "\n### Ledger\n\n| what | messages |\n| --- | ---: |\n";
    for (const auto& [name, value] : trace.totals)
        if (value > 0) text += fmt::format("| {} | {} |\n", plain(name), grouped(value));
    return text;
}

// ------------------------------------------------------------------ workflow commands

std::string escaped_data(std::string_view text) {
    std::string safe;
    for (const char each : text) {
        switch (each) {
        case '%': safe += "%25"; break;
        case '\r': safe += "%0D"; break;
        case '\n': safe += "%0A"; break;
        default: safe += each;
        }
    }
    return safe;
}

std::string escaped_property(std::string_view text) {
    std::string safe;
    for (const char each : escaped_data(text)) {
        switch (each) {
        case ':': safe += "%3A"; break;
        case ',': safe += "%2C"; break;
        default: safe += each;
        }
    }
    return safe;
}

/// `lines` are joined by line ends, which the command holds escaped.
std::string command(std::string_view name, std::string_view title,
                    const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + scenarios::printable(line);
    return fmt::format("::{} title={}::{}\n", name, escaped_property(scenarios::printable(title)),
                       escaped_data(text));
}

std::vector<std::string> annotation(const Trace& trace, const TracePromise& promise) {
    std::vector<std::string> lines = {promise.verdict == "violated"
                                          ? promise.name + " broke " + finding(promise)
                                          : promise.name + " was expected to break and did not"};
    for (const TraceSentence& sentence : promise.why)
        lines.push_back(moment(sim::at(sim::Duration{sentence.at_us})) + " " + sentence.text);
    for (const std::string& each : commands_of(trace)) lines.push_back(each);
    return lines;
}

}  // namespace

std::string summary(const Trace& trace) {
    std::string text = fmt::format("## {}: {}, seed {}\n\n{}\n", verdict_word(trace),
                                   plain(trace.story), trace.seed, plain(trace.sentence));
    for (const std::string& complaint : trace.complaints)
        text += fmt::format("\n- {}", plain(complaint));
    if (!trace.complaints.empty()) text += "\n";
    for (const TracePromise& promise : trace.promises)
        if (promise.verdict == "violated") text += promise_lines(promise);
    text += ledger(trace);
    return text + "\n### See it again\n\n" + code(commands_of(trace));
}

std::string annotations(const Trace& trace) {
    const std::string title = fmt::format("{}, seed {}", trace.story, trace.seed);
    std::string text;
    for (const TracePromise& promise : trace.promises) {
        const bool is_wrong = bearing_of(promise, trace) == Bearing::wrong;
        if (is_wrong || promise.verdict == "violated")
            text += command(is_wrong ? "error" : "notice", title, annotation(trace, promise));
    }
    for (const std::string& complaint : other_complaints(trace))
        text += command(trace.outcome == "wrong" ? "error" : "warning", title, {complaint});
    if (text.empty())
        text =
            command("notice", title, {fmt::format("{}: {}", verdict_word(trace), trace.sentence)});
    return text;
}

}  // namespace redeliver::reports
