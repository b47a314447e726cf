#include "scenarios/bugs/planted_bug.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/catalog/embedded.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/parse.h"
#include "scenarios/json/reader.h"
#include "scenarios/json/scenario_fields.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

constexpr std::size_t max_bugs = 1'000;
constexpr std::size_t max_setting = 2'000;

json::Vocabulary names_of(const std::vector<Scenario>& bases) {
    std::vector<std::string> names;
    for (const Scenario& base : bases) names.push_back(base.name);
    return {"base", std::move(names)};
}

/// Whether it could be applied; a reader has thrown if not.
void apply(json::Fields& in, std::string_view key, const std::string& setting, Scenario& to) {
    try {
        apply_setting(to, setting);
    } catch (const BadInput& error) {
        in.reject(key, error.what());
    }
}

/// Builds both systems, and tells what differs between them.
void build(json::Fields& in, PlantedBug& bug, const std::vector<Scenario>& bases) {
    const auto base = std::ranges::find(bases, bug.base, &Scenario::name);
    if (base == bases.end()) return;  // Missing, of which a reader complains at the end.
    bug.right = *base;
    bug.right.name = bug.name;
    bug.right.story = bug.mistake;
    for (const std::string& setting : bug.given) apply(in, "given", setting, bug.right);
    bug.wrong = bug.right;
    apply(in, "set", bug.planted, bug.wrong);
    const std::string path = bug.planted.substr(0, bug.planted.find('='));
    const auto right = value_in(bug.right, path);
    if (!right)
        return in.reject("set", fmt::format("found '{}', wanted is a policy, a number or a "
                                            "duration of the system, such as worker.claim=never",
                                            bug.planted));
    if (right == value_in(bug.wrong, path))
        in.reject("set",
                  fmt::format("found '{}', which is what the right system has", bug.planted));
    bug.taken_back = fmt::format("{}={}", path, *right);
}

void bug_fields(json::Fields& in, PlantedBug& bug, const json::Vocabulary& base_names,
                const std::vector<Scenario>& bases) {
    in.name("name", bug.name);
    in.prose("mistake", bug.mistake, json::max_story);
    in.one_of("base", bug.base, base_names);
    in.texts("given", bug.given, max_setting);
    in.prose("set", bug.planted, max_setting);
    in.one_of("breaks", bug.breaks, json::promise_names());
    in.word("needs", bug.needs);
    in.require({"name", "mistake", "base", "set", "breaks", "needs"});
    if (!bug.planted.empty()) build(in, bug, bases);
}

void reject_repeated(json::Fields& in, const std::vector<PlantedBug>& bugs) {
    for (auto bug = bugs.begin(); bug != bugs.end(); ++bug)
        if (std::find_if(bugs.begin(), bug, [&](const PlantedBug& earlier) {
                return earlier.name == bug->name;
            }) != bug)
            in.reject("bugs", fmt::format("found the name '{}' twice", bug->name));
}

}  // namespace

std::vector<PlantedBug> read_planted_bugs(std::string_view text, std::string_view file_name,
                                          const std::vector<Scenario>& bases) {
    const std::string file{file_name};
    const json::Value value = json::parse(text, file_name);
    const json::Vocabulary base_names = names_of(bases);
    std::vector<PlantedBug> bugs;
    json::Reader in{file, value};
    in.objects("bugs", bugs, max_bugs, [&](json::Fields& inner, PlantedBug& bug) {
        bug_fields(inner, bug, base_names, bases);
    });
    in.require({"bugs"});
    reject_repeated(in, bugs);
    in.finish();
    return bugs;
}

const std::vector<Scenario>& bug_bases() {
    static const std::vector<Scenario> bases = [] {
        std::vector<Scenario> all;
        for (const EmbeddedFile& file : embedded_bug_bases())
            all.push_back(read_scenario(file.text, std::string(file.name) + ".json"));
        return all;
    }();
    return bases;
}

const std::vector<PlantedBug>& planted_bugs() {
    static const std::vector<PlantedBug> bugs = [] {
        const EmbeddedFile& file = embedded_planted_bugs().front();
        return read_planted_bugs(file.text, std::string(file.name) + ".json", bug_bases());
    }();
    return bugs;
}

}  // namespace redeliver::scenarios
