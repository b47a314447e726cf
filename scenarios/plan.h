#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/fault.h"

namespace redeliver::scenarios {

/// What one trial will do to the system, spelled out: the workload and the faults. A value that can
/// be written to a case file, edited, shrunk and replayed; nothing in it refers to another element,
/// so removing one renumbers none.
struct Plan {
    std::vector<Message> messages;
    sim::FaultPlan faults;
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

/// Expands a seed: draws the workload, then the faults, each from its own draws.
Plan expand(const Scenario& scenario, const AddressBook& book, std::uint64_t seed);

/// The workload alone, as `expand` draws it.
std::vector<Message> draw_messages(const Scenario& scenario, std::uint64_t seed);

}  // namespace redeliver::scenarios
