#include "scenarios/explore/knobs.h"

#include <algorithm>
#include <charconv>

#include "scenarios/json/scenario_fields.h"
#include "scenarios/json/units.h"
#include "scenarios/json/words.h"
#include "scenarios/json/writer.h"
#include "scenarios/policies.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

constexpr std::string_view system_prefix = "/system/";

struct WordKnob {
    std::string path;
    std::vector<std::string_view> words;
};

std::vector<std::string_view> listed(json::Words words) { return {words.begin(), words.end()}; }

/// Policies, and the settings of the servers, which no step names as a decision.
std::vector<WordKnob> word_knobs() {
    std::vector<WordKnob> all = {
        {"broker.appendfsync", listed(json::words_of(Appendfsync{}))},
        {"database.synchronous_commit", listed(json::words_of(SynchronousCommit{}))},
        {"database.replication", listed(json::words_of(Replication{}))}};
    for (const PolicyInfo& policy : policy_table())
        if (policy.values.size() > 1)
            all.push_back({path_of(policy.path).value(), listed(policy.values)});
    return all;
}

bool is_of_the_world(std::string_view path) {
    return path == "worker.work_time" || path == "network.latency";
}

std::optional<Knob> knob_of(std::string path, const json::Value& value,
                            const std::vector<WordKnob>& words) {
    using Kind = json::Value::Kind;
    if (is_of_the_world(path)) return {};
    if (value.kind == Kind::number) return Knob{Knob::Kind::number, std::move(path), value.text};
    if (value.kind != Kind::text) return {};
    if (json::parse_duration(value.text))
        return Knob{Knob::Kind::duration, std::move(path), value.text};
    const auto known = std::ranges::find(words, path, &WordKnob::path);
    if (known == words.end()) return {};
    return Knob{Knob::Kind::word, std::move(path), value.text, known->words};
}

}  // namespace

std::string Knob::set_to(std::string_view other) const { return path + "=" + std::string(other); }

std::int64_t Knob::amount() const {
    if (kind == Kind::duration) return json::parse_duration(value)->count();
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

std::string Knob::text_of(std::int64_t amount) const {
    sim::ensure(kind != Kind::word, "only numbers and durations are amounts");
    return kind == Kind::duration ? json::duration_text(Duration{amount}) : std::to_string(amount);
}

std::vector<Knob> knobs_of(const Scenario& scenario) {
    Scenario copy = scenario;
    json::Writer writer;
    json::system_fields(writer, copy.system);
    const json::Value system = writer.take();
    const std::vector<WordKnob> words = word_knobs();
    std::vector<Knob> knobs;
    for (const json::Value& part : system.children)
        for (const json::Value& value : part.children)
            if (auto knob = knob_of(part.key + "." + value.key, value, words))
                knobs.push_back(*std::move(knob));
    return knobs;
}

std::optional<std::string> value_in(const Scenario& scenario, std::string_view path) {
    const std::vector<Knob> knobs = knobs_of(scenario);
    const auto found = std::ranges::find(knobs, path, &Knob::path);
    if (found == knobs.end()) return {};
    return found->value;
}

std::optional<std::string> path_of(std::string_view pointer) {
    if (!pointer.starts_with(system_prefix)) return {};
    std::string path{pointer.substr(system_prefix.size())};
    std::ranges::replace(path, '/', '.');
    return path;
}

}  // namespace redeliver::scenarios
