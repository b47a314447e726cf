// The ledger as CSV. Source: RFC 4180; of cells that a spreadsheet would calculate, OWASP "CSV
// Injection".

#include <set>

#include "reports/exports.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

/// Always quoted. An apostrophe makes a spreadsheet take the cell as text.
std::string cell(std::string_view stranger) {
    constexpr std::string_view begins_a_formula = "=+-@\t\r";
    const bool is_formula =
        !stranger.empty() && begins_a_formula.find(stranger[0]) != std::string_view::npos;
    std::string quoted = is_formula ? "\"'" : "\"";
    for (const char each : scenarios::printable(stranger)) {
        quoted += each;
        if (each == '"') quoted += '"';
    }
    return quoted + "\"";
}

std::string row(const std::vector<std::string>& texts) {
    std::string line;
    for (const std::string& text : texts) line += (line.empty() ? "" : ",") + cell(text);
    return line + "\r\n";
}

std::string yes_or_no(bool is_so) { return is_so ? "yes" : "no"; }

}  // namespace

std::string csv(const Trace& trace) {
    std::vector<std::string> heading = {"run",    "intention", "session", "content",  "status",
                                        "reason", "accepted",  "told",    "forgotten"};
    std::set<std::string> counted;
    for (const TraceRun& run : trace.runs)
        for (const auto& [name, count] : run.counts) counted.insert(name);
    heading.insert(heading.end(), counted.begin(), counted.end());
    std::string ledger = row(heading);
    for (const TraceRun& run : trace.runs) {
        std::vector<std::string> cells = {run.run,
                                          run.intention,
                                          std::to_string(run.session),
                                          run.content,
                                          run.status,
                                          run.reason,
                                          yes_or_no(run.accepted),
                                          yes_or_no(run.told),
                                          yes_or_no(run.forgotten)};
        for (const std::string& name : counted) {
            const auto found = run.counts.find(name);
            cells.push_back(std::to_string(found == run.counts.end() ? 0 : found->second));
        }
        ledger += row(cells);
    }
    return ledger;
}

}  // namespace redeliver::reports
