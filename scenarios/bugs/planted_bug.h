#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// What it takes for a mistake to break its promise.
enum class Needs : std::uint8_t {
    no_fault,    ///< it shows in most trials without any fault
    one_fault,   ///< in none without, and in some with a single fault
    two_faults,  ///< in none with a single fault, whichever and wherever
    schedule     ///< no fault either, but an order of things that few trials have
};

/// A mistake that real systems make, as one value of a system that is right otherwise: what whoever
/// looks for bugs is measured by.
struct PlantedBug {
    std::string name;
    std::string mistake;  ///< One sentence.
    std::string base;     ///< The small system that it is planted in.
    /// Settings of both the right and the wrong system, as `--set` takes them.
    std::vector<std::string> given = {};
    std::string planted;     ///< The setting that is the mistake.
    std::string taken_back;  ///< The same value as the right system has it.
    std::string breaks;      ///< The promise.
    Needs needs = Needs::one_fault;
    Scenario right;
    Scenario wrong;
};

/// Reads a catalogue: `{"bugs": [{"name": …, "mistake": …, "base": …, "given": […], "set": …,
/// "breaks": …, "needs": …}]}`. Throws BadInput for what is not allowed, as scenarios are read.
/// `bases` are the systems that may be named.
std::vector<PlantedBug> read_planted_bugs(std::string_view text, std::string_view file_name,
                                          const std::vector<Scenario>& bases);

/// The systems that redeliver plants its bugs in: scenarios/bugs/bases/.
const std::vector<Scenario>& bug_bases();

/// The mistakes that redeliver comes with, in the order in which they are shown:
/// scenarios/bugs/planted-bugs.json, embedded in the binary.
const std::vector<PlantedBug>& planted_bugs();

}  // namespace redeliver::scenarios
