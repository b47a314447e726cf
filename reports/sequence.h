#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/trace.h"
#include "reports/trace_messages.h"

/// What a diagram of a trace draws, row by row.
namespace redeliver::reports {

/// An arrow, or a note beside one node or about all.
struct SequenceRow {
    const TraceStep* step = nullptr;          ///< Where the row stands.
    const TraceMessage* message = nullptr;    ///< None of a note.
    std::vector<const TracePromise*> broken;  ///< That this step breaks; only of a note.
};

/// Left out are polls: requests about no run that brought nothing, and their answers.
struct Sequence {
    std::vector<TraceMessage> messages;  ///< All of the trace, also those left out.
    std::vector<SequenceRow> rows;
    std::size_t drawn = 0;  ///< Messages among the rows.

    explicit Sequence(const Trace& trace);
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;
};

/// The step round which a diagram is cut where it must be: the first that breaks a promise, or the
/// first fault, or the first step of all.
sim::StepNumber heart_of(const Trace& trace);

/// `fault 1 strikes: crash redis` for a fault of the plan, else what the step says of itself.
std::string note_text(const Trace& trace, const SequenceRow& row);

/// `XADD run-2`
std::string message_text(const TraceMessage& message);

/// `steps 1 to 269 of 269; 62 of 134 messages, …`: what is drawn and what there is.
struct SequenceCounts {
    std::size_t messages = 0;
    std::size_t lost = 0;
    std::size_t faults = 0;
    std::size_t crashes = 0;
};
SequenceCounts counts_of(std::span<const SequenceRow> rows);
SequenceCounts counts_of(const Trace& trace, const Sequence& sequence);

}  // namespace redeliver::reports
