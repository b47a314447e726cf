#pragma once

#include <string>
#include <string_view>

#include "scenarios/case.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

/// Scenarios, plans and cases as JSON text. A file is the struct: the same names, enumerations as
/// words, durations as `"250ms"`; `//` and `/* */` comments are allowed. The schemas in
/// docs/schemas/ say the same to other programs.
///
/// Files may come from anyone. Every reader throws BadInput, and nothing else, for a text that is
/// no JSON, holds a key twice, an unknown key or word, the wrong type or a value out of range,
/// names an actor that the scenario does not have, or exceeds the caps in scenarios/json/limits.h.
/// What is read can be run; `file_name` only appears in messages.
///
/// Writers spell everything out, in a fixed order; reading gives back the same value. They do not
/// judge: what C++ code built out of bounds is written, and refused when read.
namespace redeliver::scenarios {

Scenario read_scenario(std::string_view text, std::string_view file_name);
std::string write_scenario(const Scenario& scenario);

/// `scenario` tells which nodes, users and sessions there are to name.
Plan read_plan(std::string_view text, std::string_view file_name, const Scenario& scenario);
std::string write_plan(const Plan& plan);

Case read_case(std::string_view text, std::string_view file_name);
std::string write_case(const Case& recorded);

/// What a file is, as far as its outermost keys tell; throws BadInput if it is no JSON object.
enum class FileKind { scenario, case_file };
FileKind kind_of(std::string_view text, std::string_view file_name);

/// Changes one value: `worker.idle_threshold=5s`, `workload.runs=3`, `faults.random.reset=[0,2]`.
/// A path is relative to `/system`, or begins with an outermost key of a scenario. The changed
/// scenario is checked as a file would be; throws BadInput naming the setting. What names an actor
/// follows when a setting calls it otherwise: `worker.name=mill`.
void apply_setting(Scenario& scenario, std::string_view setting);
void apply_setting(Case& recorded, std::string_view setting);

}  // namespace redeliver::scenarios
