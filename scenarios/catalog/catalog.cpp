#include "scenarios/catalog/catalog.h"

#include <algorithm>

#include "scenarios/catalog/embedded.h"
#include "scenarios/json/codec.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

Scenario read(const EmbeddedFile& file) {
    const std::string file_name = std::string(file.name) + ".json";
    Scenario scenario = read_scenario(file.text, file_name);
    sim::ensure(scenario.name == file.name, "a story is named as its file");
    return scenario;
}

}  // namespace

const std::vector<std::string_view>& story_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const EmbeddedFile& file : embedded_catalog()) all.push_back(file.name);
        return all;
    }();
    return names;
}

std::optional<Scenario> find_story(std::string_view name) {
    const auto files = embedded_catalog();
    const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
    if (found == files.end()) return {};
    return read(*found);
}

std::vector<Scenario> all_stories() {
    std::vector<Scenario> stories;
    for (const EmbeddedFile& file : embedded_catalog()) stories.push_back(read(file));
    return stories;
}

}  // namespace redeliver::scenarios
