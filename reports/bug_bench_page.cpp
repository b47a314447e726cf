#include <algorithm>
#include <string>
#include <vector>

#include "reports/bug_bench.h"
#include "reports/bug_bench_cells.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

using scenarios::BugBench;
using scenarios::BugResult;
using scenarios::Hunting;

constexpr std::string_view introduction =
    R"(# Planted bugs

How good is a strategy at finding mistakes? This page measures it by mistakes that are known: each is one value of a
small system that is right otherwise, and each has been made in real systems. It is what
`redeliver bench --bugs --markdown` prints.

A bug counts as found in a trial when **the promise it is known for breaks, and the very same plan and seed keep that
promise with the mistake taken back**. What breaks it either way is not what was planted.

)";

constexpr std::string_view legend =
    R"(
- **needs**: *no fault*: it shows in at least one in ten trials without any fault; *schedule*: in fewer, for it takes a
  rare order of things and still no fault; *one fault*: in none of 1,000 trials without a fault; *two faults*: nor with any single
  fault at any step, all of them tried.
- each **strategy**: the medians of the attempts and of the milliseconds until the bug showed, of 20 repeats with other
  seeds; in brackets how many repeats found it, where not all did; `-` if none. The milliseconds are processor time of the
  machine on which the page was made; all else is the same everywhere. A strategy without an end was given 10,000 attempts. Pairs
  are tried only of bugs that need them.
- **calm** and **drawn**: in how many of 1,000 seeds it shows without faults, and with those that its base draws; the second
  number is in how many its promise breaks, which may be by no fault of the mistake.
- **shrunk**: faults + messages, steps of the smallest case.

)";

std::string row_of(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) row += " " + cell + " |";
    return row + "\n";
}

std::string heading(const BugResult& first) {
    std::vector<std::string> cells = {"bug", "breaks", "needs"};
    for (const Hunting& hunting : first.huntings) cells.emplace_back(hunting.hunter->name);
    cells.insert(cells.end(), {"calm", "drawn", "shrunk"});
    std::vector<std::string> rule(3, "---");
    rule.resize(cells.size() - 1, "---:");
    rule.emplace_back("---");
    return row_of(cells) + row_of(rule);
}

std::string row_of(const BugResult& result) {
    std::vector<std::string> cells = {"`" + result.bug->name + "`", "`" + result.bug->breaks + "`",
                                      needs_text(result.bug->needs)};
    for (const Hunting& hunting : result.huntings)
        cells.push_back(hunting.found == 0
                            ? trials_text(hunting)
                            : trials_text(hunting) + ", " + milliseconds_text(hunting) + " ms");
    cells.push_back(grouped(result.shown_without_faults));
    cells.push_back(drawn_text(result));
    cells.push_back(small_text(smallest_case(result)));
    return row_of(cells);
}

/// `38 need one fault`, for each need.
std::string totals(const BugBench& bench) {
    using scenarios::Needs;
    const auto count = [&](Needs needs) {
        return grouped(static_cast<std::uint64_t>(std::ranges::count_if(
            bench.bugs, [&](const BugResult& each) { return each.bug->needs == needs; })));
    };
    return counted(bench.bugs.size(), "bug") + ": " + count(Needs::no_fault) + " need no fault, " +
           count(Needs::one_fault) + " one, " + count(Needs::two_faults) + " two, " +
           count(Needs::schedule) + " a schedule.\n\n";
}

std::string mistake(const scenarios::PlantedBug& bug) {
    std::string text = "- `" + bug.name + "`: " + bug.mistake + " `" + bug.planted +
                       "` instead of `" + bug.taken_back.substr(bug.taken_back.find('=') + 1) +
                       "` in `" + bug.base + "`";
    if (!bug.given.empty()) text += " with";
    for (const std::string& setting : bug.given)
        text += (&setting == &bug.given.front() ? " `" : ", `") + setting + "`";
    return text + ".\n";
}

}  // namespace

std::string bug_bench_markdown(const BugBench& bench) {
    std::string page(introduction);
    page += totals(bench);
    if (!bench.bugs.empty()) page += heading(bench.bugs.front());
    for (const BugResult& result : bench.bugs) page += row_of(result);
    page += legend;
    page += "## The mistakes\n\n";
    for (const BugResult& result : bench.bugs) page += mistake(*result.bug);
    return page +
           "\nThe bases are in scenarios/bugs/bases/, the catalogue is "
           "scenarios/bugs/planted-bugs.json. To look at one:\n"
           "`redeliver bench --bugs --only NAME --out found`, then "
           "`redeliver explain found/NAME/case.json`.\n";
}

}  // namespace redeliver::reports
