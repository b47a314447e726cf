#pragma once

#include "reports/describe.h"

/// The functions behind `describe`, one per kind of step. Not for use outside it.
namespace redeliver::reports::kinds {

/// What the functions look at.
struct Context {
    const scenarios::Recording& recording;
    const sim::Step& step;

    std::string text(sim::Name name) const { return std::string(recording.text(name)); }
    std::string text(sim::NodeId node) const { return std::string(recording.text(node)); }
    std::string text(sim::Subject subject) const { return recording.text(subject); }
    /// `XACK`.
    std::string operation(sim::OperationKind operation) const;
    /// `, fault 1` when a fault of the plan made it happen; faults are numbered from 1.
    std::string by_fault() const;
};

/// Fills in what and detail, and the mark where it is not always the same.
using Describe = void (*)(const Context& context, Line& line);

struct Kind {
    Describe describe = nullptr;
    Mark mark = Mark::none;
    Interest interest = Interest::everybody;
    std::uint32_t weight = 0;
};

/// The entry of one kind; nullptr when the number is none of the engine's.
const Kind* find_engine_kind(sim::StepKind kind);
const Kind* find_broker_kind(sim::StepKind kind);
const Kind* find_database_kind(sim::StepKind kind);
const Kind* find_actor_kind(sim::StepKind kind);

/// Reads the payload that a step of this kind carries.
template <sim::Payload P>
const P& payload(const Context& context) {
    return *context.step.as<P>();
}

struct NumberedKind {
    sim::StepKind number;
    Kind kind;
};

template <std::size_t N>
const Kind* find_kind(const NumberedKind (&table)[N], sim::StepKind number) {
    for (const NumberedKind& each : table)
        if (each.number == number) return &each.kind;
    return nullptr;
}

}  // namespace redeliver::reports::kinds
