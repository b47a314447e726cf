#include "scenarios/json/codec.h"

#include "scenarios/json/parse.h"
#include "scenarios/json/reader.h"
#include "scenarios/json/scenario_fields.h"
#include "scenarios/json/writer.h"

namespace redeliver::scenarios {

namespace {

template <class Visit>
void read(std::string_view text, std::string_view file_name, Visit visit) {
    const std::string file{file_name};
    const json::Value value = json::parse(text, file_name);
    json::Reader reader{file, value};
    visit(reader);
    reader.finish();
}

template <class Visit>
std::string write(Visit visit) {
    json::Writer writer;
    visit(writer);
    return json::print(writer.take());
}

}  // namespace

Scenario read_scenario(std::string_view text, std::string_view file_name) {
    Scenario scenario;
    read(text, file_name, [&](json::Fields& in) { json::scenario_fields(in, scenario); });
    return scenario;
}

// Members are named through references that a reader assigns to, hence the copies here and below.
std::string write_scenario(const Scenario& scenario) {
    Scenario copy = scenario;
    return write([&](json::Fields& in) { json::scenario_fields(in, copy); });
}

Plan read_plan(std::string_view text, std::string_view file_name, const Scenario& scenario) {
    Plan plan;
    read(text, file_name, [&](json::Fields& in) { json::plan_fields(in, plan, scenario); });
    return plan;
}

std::string write_plan(const Plan& plan) {
    Plan copy = plan;
    return write([&](json::Fields& in) { json::plan_fields(in, copy, {}); });
}

Case read_case(std::string_view text, std::string_view file_name) {
    Case recorded;
    read(text, file_name, [&](json::Fields& in) { json::case_fields(in, recorded); });
    return recorded;
}

std::string write_case(const Case& recorded) {
    Case copy = recorded;
    return write([&](json::Fields& in) { json::case_fields(in, copy); });
}

FileKind kind_of(std::string_view text, std::string_view file_name) {
    const std::string file{file_name};
    const json::Value value = json::parse(text, file_name);
    const json::Reader must_be_an_object{file, value};
    const bool is_case = value.find("plan") != nullptr || value.find("fingerprint") != nullptr;
    return is_case ? FileKind::case_file : FileKind::scenario;
}

}  // namespace redeliver::scenarios
