#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/trace.h"

namespace redeliver::reports {

/// A form that a trace can be written in.
struct Export {
    std::string_view name;      ///< As `report --format` takes it: `mermaid`.
    std::string_view file;      ///< In the folder: `sequence.mmd`.
    std::string_view sentence;  ///< Who reads it, and what is left out.
    std::string (*render)(const Trace& trace);
};

/// All of them. Each is a function of the trace alone, so the same trace gives the same bytes
/// everywhere.
std::span<const Export> exports();

/// One HTML file with everything in it, which needs no network: what broke, for which message, why,
/// and what would have prevented it, above all steps and tables.
std::string html(const Trace& trace);

/// The trace as one JSON document: `about` is the first line of the file, `steps` the others.
std::string json(const Trace& trace);

/// A Mermaid sequence diagram of at most 50,000 characters: cut, with a note that says so, round
/// the first step that breaks a promise.
std::string mermaid(const Trace& trace);

/// Chrome's trace JSON: what lasts as slices, messages as flows, pending entries and lag as
/// counters.
std::string perfetto(const Trace& trace);

/// Every step on a line of its own with a vector clock, `host {clock} event`, after the two lines
/// that ShiViz wants first.
std::string shiviz(const Trace& trace);

/// What became of every run, a row each.
std::string csv(const Trace& trace);

/// A space-time chart for a terminal, in ASCII, 120 columns wide.
std::string ascii(const Trace& trace);

/// A test suite in JUnit's XML: a case for each promise that the story expects to hold or to break.
std::string junit(const Trace& trace);

/// Markdown for GITHUB_STEP_SUMMARY.
std::string summary(const Trace& trace);

/// Workflow commands that annotate a job of GitHub Actions.
std::string annotations(const Trace& trace);

}  // namespace redeliver::reports
