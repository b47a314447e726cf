#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// The stories that redeliver comes with, in the order in which they are shown. Each is a JSON file
/// beside this one, embedded in the binary; the file's name is the story's.
const std::vector<std::string_view>& story_names();

/// Nothing when there is no story of this name.
std::optional<Scenario> find_story(std::string_view name);

/// All of them, in their order.
std::vector<Scenario> all_stories();

}  // namespace redeliver::scenarios
