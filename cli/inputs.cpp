#include "cli/inputs.h"

#include <fmt/format.h>

#include "cli/errors.h"
#include "cli/files.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/nearest.h"

namespace redeliver::cli {

namespace {

using scenarios::Scenario;

Scenario named_story(const std::string& name) {
    if (auto story = scenarios::find_story(name)) return *std::move(story);
    const std::string_view near = scenarios::json::nearest(name, scenarios::story_names());
    const std::string advice = near.empty() ? "" : fmt::format("; the nearest is '{}'", near);
    throw UsageError(fmt::format(
        "there is no story '{}'{} (redeliver list shows all; a file has a / or ends in .json)",
        name, advice));
}

Scenario story_of(const std::string& argument) {
    Input input = read_input(argument);
    if (auto* const story = std::get_if<Scenario>(&input)) return std::move(*story);
    throw UsageError(
        fmt::format("{} is a case, not a story: redeliver replay {}", argument, argument));
}

}  // namespace

bool is_file(std::string_view argument) {
    return argument.find('/') != std::string_view::npos || argument.ends_with(".json");
}

Input read_input(const std::string& argument) {
    if (!is_file(argument)) return named_story(argument);
    const std::string text = read_file(argument);
    if (scenarios::kind_of(text, argument) == scenarios::FileKind::case_file)
        return scenarios::read_case(text, argument);
    return scenarios::read_scenario(text, argument);
}

std::vector<Selected> select_stories(const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& settings) {
    std::vector<Selected> selected;
    for (const std::string& argument : arguments)
        selected.push_back({argument, story_of(argument)});
    if (arguments.empty())
        for (Scenario& story : scenarios::all_stories())
            if (story.name != measuring_story) selected.push_back({story.name, std::move(story)});
    for (Selected& each : selected) {
        for (const std::string& setting : settings)
            scenarios::apply_setting(each.scenario, setting);
        if (!is_plain_name(each.scenario.name))
            throw UsageError(fmt::format("{}: found the name '{}', allowed are a-z, 0-9 and -",
                                         each.argument, each.scenario.name));
    }
    return selected;
}

}  // namespace redeliver::cli
