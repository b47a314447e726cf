#include "reports/exports.h"

namespace redeliver::reports {

namespace {

constexpr Export all[] = {
    {"html", "report.html", "a page for a browser, whole in one file", html},
    {"json", "trace.json", "the trace as one JSON document", json},
    {"mermaid", "sequence.mmd", "a sequence diagram that GitHub and GitLab draw", mermaid},
    {"perfetto", "perfetto.json", "slices, flows and counters for ui.perfetto.dev", perfetto},
    {"shiviz", "shiviz.log", "every step with its vector clock, for ShiViz", shiviz},
    {"csv", "ledger.csv", "what became of every run, a row each", csv},
    {"ascii", "chart.txt", "a space-time chart for a terminal, in ASCII", ascii},
    {"junit", "junit.xml", "a test case for each promise, for CI", junit},
    {"summary", "summary.md", "what happened, for the summary of a step of GitHub Actions",
     summary},
    {"annotations", "annotations.txt", "workflow commands for a job of GitHub Actions",
     annotations},
};

}  // namespace

std::span<const Export> exports() { return all; }

}  // namespace redeliver::reports
