#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "scenarios/fault_kinds.h"
#include "scenarios/scenario.h"
#include "sim/fault.h"
#include "sim/schedule.h"

namespace redeliver::scenarios {

/// What one trial will do to the system, spelled out: the workload, the faults, and which of
/// several things comes first. A value that can
/// be written to a case file, edited, shrunk and replayed; nothing in it refers to another element,
/// so removing one renumbers none.
struct Plan {
    std::vector<Message> messages;
    sim::FaultPlan faults;
    sim::Schedule schedule = {};
    bool operator==(const Plan&) const = default;
};

/// An operation that a fault-free trial performed: where faults can be placed.
struct AddressEntry {
    sim::Address address;
    sim::NodeId node;
    sim::NodeId server;  ///< None for work.
    sim::Instant at{};
};

/// The operations of one fault-free trial of a scenario, in order, and how long it took.
struct AddressBook {
    std::vector<AddressEntry> entries;
    sim::Instant end{};
};

/// A plan, and which kind each of its faults was drawn as: nothing for the pinned ones.
struct DrawnPlan {
    Plan plan;
    std::vector<std::optional<FaultKind>> kinds;
};

/// Expands a seed: draws the workload, then the faults, each from its own draws.
DrawnPlan draw_plan(const Scenario& scenario, const AddressBook& book, std::uint64_t seed);
Plan expand(const Scenario& scenario, const AddressBook& book, std::uint64_t seed);

/// Where faults of each kind that the scenario draws can strike at all.
std::set<std::pair<FaultKind, Phase>> drawable_phases(const Scenario& scenario,
                                                      const AddressBook& book);

/// The workload alone, as `expand` draws it.
std::vector<Message> draw_messages(const Scenario& scenario, std::uint64_t seed);

}  // namespace redeliver::scenarios
