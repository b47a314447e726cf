#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/case.h"
#include "scenarios/scenario.h"

namespace redeliver::cli {

/// The one story that is for measuring only: it takes long and shows nothing new.
inline constexpr std::string_view measuring_story = "long";

/// Whether an argument names a file rather than a story: it has a `/` or ends in `.json`.
bool is_file(std::string_view argument);

/// What an argument stands for: a story of the catalogue or of a file, or a case. Throws UsageError
/// for a name that is no story, with the nearest one, and BadInput for what a file says.
using Input = std::variant<scenarios::Scenario, scenarios::Case>;
Input read_input(const std::string& argument);

/// A story that will be run.
struct Selected {
    std::string argument;  ///< As `replay` would be told.
    scenarios::Scenario scenario;
};

/// The stories of these arguments, or, if there are none, the whole catalogue but the one that is
/// for measuring, with the settings applied to each. Throws UsageError for a case, and for a name
/// that may not become part of a path.
std::vector<Selected> select_stories(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& settings);

}  // namespace redeliver::cli
