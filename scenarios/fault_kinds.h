#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scenarios/scenario.h"
#include "sim/operation.h"

/// The catalogue of what a plan can draw: what each kind is, where it strikes, and which story of
/// the catalogue shows it.
namespace redeliver::scenarios {

/// Where in a trial a fault is placed: at a point of an operation, or (nothing) at an instant.
using Phase = std::optional<sim::Point>;

/// `before_send`, …, `end`; `instant`.
std::string_view text(Phase place);

/// All of them, points first.
std::span<const Phase> all_phases();

struct FaultKindInfo {
    FaultKind kind;
    std::string_view name;
    std::string_view sentence;
    /// What is drawn, with units and bounds.
    std::string_view parameters;
    /// What a case file says of it: the key of its `what`.
    std::string_view written_as;
    std::string_view story;
    std::span<const Phase> phases;
};

/// In the order of FaultKind.
std::span<const FaultKindInfo> fault_kinds();
const FaultKindInfo& info_of(FaultKind kind);

}  // namespace redeliver::scenarios
