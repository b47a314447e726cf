#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scenarios/json/codec.h"
#include "scenarios/json/nearest.h"
#include "scenarios/json/parse.h"
#include "scenarios/json/pointer.h"
#include "scenarios/json/printable.h"
#include "scenarios/json/reader.h"
#include "scenarios/json/scenario_fields.h"
#include "scenarios/json/writer.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios {

namespace {

using json::Value;

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
    throw BadInput({.file = file}, message);
}

/// The keys between the dots; none of them is empty.
std::vector<std::string_view> keys_of(std::string_view path, const std::string& file) {
    std::vector<std::string_view> keys;
    while (true) {
        const std::size_t dot = path.find('.');
        keys.push_back(path.substr(0, dot));
        if (keys.back().empty()) refuse(file, "found an empty key in the path");
        if (keys.size() > json::max_nesting) refuse(file, "found too many keys in the path");
        if (dot == std::string_view::npos) return keys;
        path.remove_prefix(dot + 1);
    }
}

/// `5s` and `never` need no quotes on a command line.
Value value_of(std::string_view written, const std::string& file) {
    const bool is_json = !written.empty() && std::string_view{"{[\"-0123456789"}.find(
                                                 written.front()) != std::string_view::npos;
    const bool is_number =
        is_json && written.find_first_not_of("0123456789") == std::string_view::npos;
    const bool has_structure =
        is_json && std::string_view{"{[\""}.find(written.front()) != std::string_view::npos;
    if (is_number || has_structure) return json::parse(written, file);
    return json::text_value(std::string(written));
}

void forget_lines(Value& value) {
    value.line = 0;
    for (Value& child : value.children) forget_lines(child);
}

std::vector<std::string_view> keys_in(const Value& object) {
    std::vector<std::string_view> keys;
    for (const Value& member : object.children) keys.push_back(member.key);
    return keys;
}

/// Paths begin at `/system` or at the outermost object.
void make_absolute(std::vector<std::string_view>& keys, const Value& scenario,
                   const std::string& file) {
    std::vector<std::string_view> outermost = keys_in(scenario);
    for (const char* const optional : {"repaired_by", "schedule"})
        if (scenario.find(optional) == nullptr) outermost.emplace_back(optional);
    if (std::ranges::find(outermost, keys.front()) != outermost.end()) return;
    std::vector<std::string_view> valid = keys_in(*scenario.find("system"));
    if (std::ranges::find(valid, keys.front()) == valid.end()) {
        valid.insert(valid.end(), outermost.begin(), outermost.end());
        refuse(file, fmt::format("unknown key '{}'{}", printable(keys.front(), 60),
                                 json::advice(keys.front(), valid)));
    }
    keys.insert(keys.begin(), "system");
}

/// The child of this key, made if need be: whether it may exist is for the reader to say.
Value& child(Value& parent, std::string_view key) {
    if (parent.kind != Value::Kind::object && parent.kind != Value::Kind::list)
        parent = {.kind = Value::Kind::object, .key = parent.key};
    const std::string token = json::pointer_token(key);
    if (const Value* const found = json::resolve(parent, token)) return const_cast<Value&>(*found);
    return parent.children.emplace_back(Value{.key = std::string(key)});
}

Value written(Scenario scenario) {
    json::Writer writer;
    json::scenario_fields(writer, scenario);
    return writer.take();
}

/// What `system.worker.name` leads to; nullptr for what is no name of actors.
std::string* actor_name_at(const std::vector<std::string_view>& keys, System& system) {
    if (keys.size() != 3 || keys[0] != "system" || keys[2] != "name") return nullptr;
    if (keys[1] == "users") return &system.users.name;
    if (keys[1] == "gateway") return &system.gateway.name;
    if (keys[1] == "worker") return &system.worker.name;
    return keys[1] == "relay" ? &system.relay.name : nullptr;
}

/// The scenario with its actors called otherwise. Whether they may be is for the reader to say.
Scenario renamed(const Scenario& scenario, const std::vector<std::string_view>& keys,
                 const std::string& name) {
    Scenario result = scenario;
    *actor_name_at(keys, result.system) = name;
    follow_names(scenario.system, result.system, result.faults.pinned, result.schedule);
    return result;
}

}  // namespace

void apply_setting(Scenario& scenario, std::string_view setting) {
    const std::string file = fmt::format("--set {}", setting);
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
        refuse(file,
               "found no '=': a setting is a path and a value, such as "
               "worker.idle_threshold=5s");
    Value whole = written(scenario);
    std::vector<std::string_view> keys = keys_of(setting.substr(0, equals), file);
    make_absolute(keys, whole, file);
    Value value = value_of(setting.substr(equals + 1), file);
    forget_lines(value);
    if (actor_name_at(keys, scenario.system) != nullptr && value.kind == Value::Kind::text)
        whole = written(renamed(scenario, keys, value.text));
    Value* changed = &whole;
    for (const std::string_view key : keys) changed = &child(*changed, key);
    value.key = changed->key;
    *changed = std::move(value);

    Scenario result;
    json::Reader reader{file, whole};
    json::scenario_fields(reader, result);
    reader.finish();
    scenario = std::move(result);
}

void apply_setting(Case& recorded, std::string_view setting) {
    const System had = recorded.scenario.system;
    apply_setting(recorded.scenario, setting);
    follow_names(had, recorded.scenario.system, recorded.plan.faults, recorded.plan.schedule);
}

}  // namespace redeliver::scenarios
