#include <fmt/format.h>

#include <algorithm>

#include "reports/bug_bench.h"
#include "reports/bug_bench_cells.h"
#include "reports/columns.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

using scenarios::BugBench;
using scenarios::BugResult;
using scenarios::Hunting;
using scenarios::SmallCase;

Cell trials_cell(const Hunting& hunting) {
    const bool is_missed = hunting.repeats > 0 && hunting.found == 0;
    return {trials_text(hunting), is_missed ? Tone::faint : Tone::plain};
}

void add_heading(Columns& table, const BugResult& first) {
    std::vector<Cell> heading = {{"bug", Tone::faint}, {"needs", Tone::faint}};
    for (const Hunting& hunting : first.huntings) {
        heading.push_back({std::string(hunting.hunter->name), Tone::faint});
        heading.push_back({"ms", Tone::faint});
    }
    heading.push_back({"calm", Tone::faint});
    heading.push_back({"drawn", Tone::faint});
    heading.push_back({"shrunk", Tone::faint});
    table.add(std::move(heading));
}

void add_row(Columns& table, const BugResult& result) {
    std::vector<Cell> row = {
        {result.bug->name, result.complaints.empty() ? Tone::plain : Tone::bad},
        {needs_text(result.bug->needs)}};
    for (const Hunting& hunting : result.huntings) {
        row.push_back(trials_cell(hunting));
        row.push_back({milliseconds_text(hunting), Tone::faint});
    }
    row.push_back({grouped(result.shown_without_faults)});
    row.push_back({drawn_text(result)});
    row.push_back({small_text(smallest_case(result))});
    table.add(std::move(row));
}

std::string complaints_text(const BugBench& bench, const Look& look) {
    std::string text;
    for (const BugResult& result : bench.bugs)
        for (const std::string& complaint : result.complaints)
            text += painted(Tone::bad, result.bug->name, look) + " " + complaint + "\n";
    for (const std::string& complaint : bench.complaints)
        text += painted(Tone::bad, "of all bugs ", look) + complaint + "\n";
    return text;
}

std::string last_line(const BugBench& bench) {
    const auto found = static_cast<std::uint64_t>(
        std::ranges::count_if(bench.bugs, [](const BugResult& each) { return each.is_found(); }));
    return fmt::format(
        "{} of {} found, {}\n", grouped(found), counted(bench.bugs.size(), "bug"),
        bench.is_as_it_should_be() ? "all as the catalogue says" : "not as the catalogue says");
}

}  // namespace

std::string bug_bench_text(const BugBench& bench, const Look& look) {
    if (bench.bugs.empty()) return last_line(bench);
    std::vector<Column> layout = {{}, {}};
    layout.resize(bench.bugs.front().huntings.size() * 2 + 4, Column{.align = Align::right});
    layout.push_back({});
    Columns table(layout);
    add_heading(table, bench.bugs.front());
    for (const BugResult& result : bench.bugs) add_row(table, result);
    std::string text = table.render(look);
    text +=
        "\nOf each strategy the median of the attempts and milliseconds until the bug showed; calm "
        "and\ndrawn: in how many of 1,000 seeds, without and with the faults that the base draws, "
        "and of "
        "how\nmany in which its promise broke; shrunk: faults + messages, steps of the smallest "
        "case.\n\n";
    return text + complaints_text(bench, look) + last_line(bench);
}

}  // namespace redeliver::reports
