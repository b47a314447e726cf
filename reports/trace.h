#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/trial_report.h"
#include "scenarios/explore/explain.h"
#include "scenarios/explore/trial.h"

/// A trial as a document of its own: what pages and exports are made of, and nothing else is.
///
/// As a file it is JSON Lines, ASCII: the first line says what the trial was and what came of it,
/// then comes one line for each step. docs/schemas/trace.schema.json describes both kinds of line.
/// There is no path, no wall time and no address in it, so the same trial gives the same bytes on
/// every machine. Times are microseconds since the trial began.
namespace redeliver::reports {

inline constexpr std::uint32_t trace_version = 1;

/// Who has a lane.
struct TraceNode {
    std::string name;
    std::string role;  ///< `user`, `gateway`, `worker`, `relay`, `broker`, `database`, …
};

/// A row of a table that came, went or changed. Applied one after the other, from the first on.
struct RowChange {
    enum class Kind : std::uint8_t { insert, replace, erase } kind = Kind::insert;
    std::uint32_t row = 0;           ///< Its place, from 0, when this change is its turn.
    std::vector<std::string> cells;  ///< Of `erase`, none.
};

/// What a step did to one table. A table comes with its columns and may go.
struct TableChange {
    enum class Kind : std::uint8_t { change, create, drop } kind = Kind::change;
    std::string title;
    std::uint32_t place = 0;           ///< Of `create`: among the tables, from 0.
    std::vector<std::string> columns;  ///< Of `create` only.
    std::vector<RowChange> rows;
};

/// An entry that was given to a consumer, or taken off its list.
struct TraceDelivery {
    std::string entry;     ///< `1767225600203-0`
    std::string consumer;  ///< Who has it now, or had it when it was acknowledged.
    std::string from;      ///< Of a claim, the owner before; else empty.
    std::uint32_t count = 0;
    std::uint32_t idle_ms = 0;  ///< Of a claim: for how long nobody had touched it.
};

struct TraceStep {
    sim::StepNumber number = sim::no_step;
    std::int64_t at_us = 0;
    std::string kind;   ///< `Sent`, `Crashed`, …: docs/trace.md lists them.
    std::string actor;  ///< A node's name; empty for the world.
    std::uint32_t incarnation = 0;
    std::string subject;  ///< A run, or a node; may be empty.
    sim::StepNumber cause = sim::no_step;
    sim::StepNumber previous = sim::no_step;
    std::string mark;  ///< `crash`, `claim`, …; empty for most.
    /// In words, as `replay` has them: the command or verb, the run, the rest.
    std::string what;
    std::string about;
    std::string how;
    /// The other end: whom a request, an answer or a partition is for.
    std::string peer;
    std::uint32_t fault = 0;      ///< Of FaultFired: its number in the plan, from 1.
    std::uint32_t execution = 0;  ///< Of WorkStarted and WorkFinished.
    bool is_shown = false;        ///< Whether a timeline shows it unless told to show all.
    std::optional<TraceDelivery> delivery;
    std::vector<TableChange> tables;
};

/// How the broker's wall clock goes from a step on: it shows `at_us + ahead_us + at_us
/// * gains_ppm / 1,000,000` microseconds, rounded down, since the beginning.
struct TraceClock {
    sim::StepNumber from = sim::no_step;
    std::int64_t ahead_us = 0;
    std::int64_t gains_ppm = 0;
};

struct TraceSentence {
    sim::StepNumber step = sim::no_step;
    std::int64_t at_us = 0;
    std::string text;
};

struct TracePromise {
    std::string name;
    std::string sentence;
    std::string expected;  ///< `holds`, `breaks` or `nothing`.
    std::string verdict;   ///< `holds`, `violated`, `vacuous` or `inconclusive`.
    std::uint64_t excused = 0;
    // Of a violation:
    sim::StepNumber step = sim::no_step;
    std::int64_t at_us = 0;
    std::string subject;
    std::string evidence;
    std::vector<TraceSentence> why;
};

struct TraceFault {
    std::uint32_t number = 0;  ///< In the plan, from 1.
    std::string text;
    bool fired = false;
    std::string need;     ///< `needed`, `not_needed`, or empty where that was not tried.
    std::string command;  ///< That shows the trial without it.
};

/// What became of a run: see properties::Biography.
struct TraceRun {
    std::string run;
    std::string intention;
    std::uint32_t session = 0;
    std::string content;
    std::string status;
    std::string reason;
    bool accepted = false;
    bool told = false;
    bool forgotten = false;
    std::map<std::string, std::uint32_t> counts;  ///< `deliveries`, `executions`, `replies`, …
};

struct TracePath {
    std::string name;
    std::string sentence;
    std::uint64_t count = 0;
};

/// A value of the system that a reader can change.
struct TraceKnob {
    std::string path;   ///< `worker.claim`
    std::string value;  ///< As a file has it.
    std::vector<std::string> words;
};

/// The same trial with one thing changed, really run.
struct TraceNeighbour {
    std::string path;     ///< Of the knob; empty where a fault was left out.
    std::string value;    ///< What it was set to.
    std::string title;    ///< `worker.claim = never`, `without fault 1`.
    std::string command;  ///< That shows it.
    std::string outcome;  ///< `as_expected`, `wrong` or `inconclusive`.
    std::map<std::string, std::string> verdicts;  ///< By promise.
    std::map<std::string, std::uint64_t> totals;
    sim::StepNumber first_difference = sim::no_step;  ///< In its own steps; none if there is none.
    std::uint32_t steps = 0;
    /// Those that a timeline shows, without tables.
    std::vector<TraceStep> shown;
};

/// The last step after which some future kept the promise.
struct TraceChance {
    sim::StepNumber after = sim::no_step;
    std::uint32_t futures = 0;
    std::uint32_t keeping = 0;
    std::string command;
};

/// What was found about the first promise that broke, by running the trial in other ways.
struct TraceExplanation {
    std::string promise;
    std::string shrunk;                ///< How small it became and what 1-minimal means, or empty.
    std::vector<std::string> passing;  ///< Titles of neighbours that keep it, the nearest first.
    std::optional<TraceChance> chance;
};

struct Trace {
    std::string story;
    std::string sentence;  ///< What the story says of itself.
    std::uint64_t seed = 1;
    std::string build;
    std::uint64_t fingerprint = 0;
    std::string outcome;
    std::vector<std::string> complaints;
    std::string ending;
    std::int64_t end_us = 0;
    std::int64_t heal_us = 0;      ///< From here on nothing is broken any more.
    std::int64_t idle_us = 0;      ///< The idle threshold.
    std::uint32_t deliveries = 0;  ///< The poison threshold.
    std::vector<TraceNode> nodes;
    std::vector<TraceClock> broker_clock;
    std::vector<TraceFault> faults;
    std::vector<TracePromise> promises;
    std::map<std::string, std::uint64_t> totals;
    std::vector<TraceRun> runs;
    std::vector<TracePath> reached;
    std::vector<TraceKnob> knobs;
    std::vector<std::string>
        commands;  ///< That show this trial again; by file first, then by seed.
    std::optional<TraceExplanation> explanation;
    std::vector<TraceNeighbour> neighbours;
    std::vector<TableChange> tables;  ///< That are there before the first step.
    std::vector<TraceStep> steps;

    /// The one that is explained, else one that was to hold, else one that was to break. Nullptr
    /// if none of those broke: of others the story does not speak.
    const TracePromise* first_broken() const;
};

/// A promise that the trial broke, and what was found out by running it in other ways.
struct WhyBroken {
    std::string promise;
    scenarios::Explanation explanation;
};

/// A step of a recording, without what it did to tables.
TraceStep trace_step(const scenarios::Recording& recording, const sim::Step& step);

/// Everything that the trial itself says. `runner` runs it once more for its tables.
/// Sentences about a promise that is explained are told as the explanation tells them.
Trace trace_of(scenarios::TrialRunner& runner, const Trial& trial,
               const std::optional<WhyBroken>& why = {});

std::string write_trace(const Trace& trace);

/// Throws scenarios::BadInput, which names the line, what was found and what is allowed.
Trace read_trace(std::string_view text, const std::string& file);

}  // namespace redeliver::reports
