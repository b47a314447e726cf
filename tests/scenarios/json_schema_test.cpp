// The published schemas say what the codec does, and the catalogue keeps to both.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "properties/property.h"
#include "properties/rare_paths.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/catalog/embedded.h"
#include "scenarios/json/codec.h"
#include "scenarios/json/scenario_fields.h"
#include "scenarios/node_names.h"
#include "tests/scenarios/json_collector.h"

namespace redeliver::scenarios {
namespace {

using Json = nlohmann::json;
using testing::ElementsAreArray;
using testing::UnorderedElementsAreArray;

Json parsed(std::string_view text) {
    return Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
}

Json schema_named(std::string_view name) {
    for (const EmbeddedFile& file : embedded_schemas())
        if (file.name == name) return parsed(file.text);
    ADD_FAILURE() << "there is no schema " << name;
    return {};
}

const Json& scenario_schema() {
    static const Json schema = schema_named("scenario.schema");
    return schema;
}

/// What a document violates; empty when it keeps to the schema.
std::string violations(const Json& schema_document, const Json& document) {
    using Adapter = valijson::adapters::NlohmannJsonAdapter;
    valijson::Schema schema;
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(Adapter(schema_document), schema);
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema, Adapter(document), &results)) return {};
    std::string all;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const std::string& step : error.context) all += step;
        all += ": " + error.description + "\n";
    }
    return all;
}

/// The schema of a member, by the codec's pointer: `/workload/messages/*/content`.
const Json& resolved(const Json& node) {
    const auto reference = node.find("$ref");
    if (reference == node.end()) return node;
    const std::string path = reference->get<std::string>().substr(1);
    return resolved(scenario_schema().at(Json::json_pointer(path)));
}

const Json& schema_at(const std::string& pointer) {
    const Json* node = &scenario_schema();
    for (std::size_t from = 1; from < pointer.size();) {
        const std::size_t to = std::min(pointer.find('/', from), pointer.size());
        const std::string key = pointer.substr(from, to - from);
        const Json& parent = resolved(*node);
        node = key == "*" ? &parent.at("items") : &parent.at("properties").at(key);
        from = to + 1;
    }
    return resolved(*node);
}

json::Collector::Members members_of_scenario() {
    Scenario scenario;
    json::Collector::Members members;
    json::Collector collector{members};
    json::scenario_fields(collector, scenario);
    return members;
}

TEST(ScenarioSchema, IsKeptByEveryStoryOfTheCatalogue) {
    ASSERT_GE(embedded_catalog().size(), 25u);
    for (const EmbeddedFile& file : embedded_catalog())
        EXPECT_EQ(violations(scenario_schema(), parsed(file.text)), "") << file.name;
}

TEST(ScenarioSchema, IsKeptByWhatIsWritten) {
    for (const Scenario& story : all_stories())
        EXPECT_EQ(violations(scenario_schema(), parsed(write_scenario(story))), "") << story.name;
}

TEST(ScenarioSchema, HasTheKeysOfTheCodecAndNoOthers) {
    const auto members = members_of_scenario();
    std::map<std::string, std::vector<std::string>> keys;
    for (const auto& [pointer, member] : members) {
        const std::size_t slash = pointer.rfind('/');
        keys[pointer.substr(0, slash)].push_back(pointer.substr(slash + 1));
    }
    for (const auto& [parent, expected] : keys) {
        // Kinds of fault exclude each other; the collector sees only the first of each.
        if (parent.starts_with("/faults/pinned/*")) continue;
        std::vector<std::string> described;
        for (const auto& [key, value] : schema_at(parent).at("properties").items())
            described.push_back(key);
        EXPECT_THAT(described, UnorderedElementsAreArray(expected)) << parent;
        EXPECT_EQ(schema_at(parent).at("additionalProperties"), false) << parent;
    }
}

TEST(ScenarioSchema, AllowsTheWordsOfTheCodecAndNoOthers) {
    for (const auto& [pointer, member] : members_of_scenario()) {
        if (member.kind != "word" && member.kind != "words") continue;
        // Which nodes there are depends on how many of each.
        if (pointer == "/schedule/order") continue;
        const Json& schema = schema_at(pointer);
        const Json& words = member.kind == "words" ? schema.at("items") : schema;
        EXPECT_THAT(words.at("enum").get<std::vector<std::string>>(),
                    ElementsAreArray(member.words))
            << pointer;
    }
}

TEST(ScenarioSchema, AllowsTheNumbersOfTheCodecAndNoOthers) {
    for (const auto& [pointer, member] : members_of_scenario()) {
        if (member.kind != "number" && member.kind != "span") continue;
        const Json& schema = schema_at(pointer);
        const Json& range = member.kind == "span" ? schema.at("items") : schema;
        EXPECT_EQ(range.at("minimum"), member.range.least) << pointer;
        // How many users there are, and how often they try, is not for a schema to know.
        const bool depends =
            pointer == "/workload/messages/*/user" || pointer == "/workload/messages/*/submissions";
        if (!depends && range.contains("maximum")) {
            EXPECT_EQ(range.at("maximum"), member.range.most) << pointer;
        }
    }
}

TEST(ScenarioSchema, AllowsTheNamesOfTheCodecAndNoOthers) {
    std::size_t names = 0;
    for (const auto& [pointer, member] : members_of_scenario())
        if (member.kind == "actor name") {
            ++names;
            const Json schema = schema_named("scenario.schema").at("definitions").at("actor_name");
            EXPECT_EQ(schema_at(pointer).at("allOf").at(0).at("$ref"), "#/definitions/actor_name");
            EXPECT_EQ(schema.at("maxLength"), json::max_actor_name);
            EXPECT_THAT(schema.at("not").at("enum").get<std::vector<std::string>>(),
                        ElementsAreArray(taken_names));
        }
    EXPECT_EQ(names, 4u);
}

TEST(ScenarioSchema, DescribesEveryKindOfFault) {
    const Json& fault = schema_at("/faults/pinned/*");
    const std::vector<std::string> faults = {
        R"({"at": "1s", "target": "worker-1", "crash": {"of": "machine"}})",
        R"({"operation": "XACK", "subject": "run-1", "occurrence": 2, "drop": {}})",
        R"({"operation": "work", "subject": "run-1", "point": "middle", "pause": {"lasts": "1s"}})",
        R"({"at": "1s", "target": "worker-1", "reset": {}})",
        R"({"at": "1s", "target": "worker-1", "slow": {"percent": 300, "lasts": "1s"}})",
        R"({"at": "1s", "target": "worker-1", "partition": {"to": "redis", "lasts": "1s"}})",
        R"({"at": "1s", "target": "redis", "clock_step": {"by": "-1s"}})",
        R"({"at": "1s", "target": "redis", "failover": {"lag": "1s"}})",
        R"({"at": "1s", "target": "worker-1", "half_open": {}})",
        R"({"at": "1s", "target": "worker-1", "latency": {"by": "50ms", "lasts": "1s"}})",
        R"({"at": "1s", "target": "redis", "clock_drift": {"gains": "-9ms", "lasts": "1s"}})",
        R"({"at": "1s", "target": "redis", "order": {"words": "XTRIM koda:runs MAXLEN 0"}})"};
    std::size_t whats = 0;
    for (const std::string& text : faults) {
        const Json scenario =
            parsed(R"({"name": "a", "story": "b", "faults": {"pinned": [)" + text + "]}}");
        EXPECT_EQ(violations(scenario_schema(), scenario), "") << text;
        EXPECT_NO_THROW(read_scenario(scenario.dump(), "a.json")) << text;
        ++whats;
    }
    EXPECT_EQ(whats, std::variant_size_v<sim::What>);
    EXPECT_EQ(fault.at("allOf").at(0).at("oneOf").size(), whats);
}

TEST(ScenarioSchema, RefusesWhatTheCodecRefuses) {
    const std::vector<std::string> members = {
        R"("quite": "2m")",
        R"("seeds": 0)",
        R"("seeds": "many")",
        R"("quiet": 120)",
        R"("quiet": "2 minutes")",
        R"("system": {"worker": {"claim": "fresh-first"}})",
        R"("system": {"worker": {"work_time": {"from": "1s"}}})",
        R"("system": {"worker": {"work_time": {"mean": "1s", "median": "1s"}}})",
        R"("system": {"worker": {"name": "mill-2"}})",
        R"("system": {"worker": {"name": "redis"}})",
        R"("expect": {"holds": ["everything"]})",
        R"("expect": {"holds": ["no_run_lost", "no_run_lost"]})",
        R"("expect": {"totals": {"replies": 1}})",
        R"("workload": {"messages": [{}]})",
        R"("faults": {"random": {"reset": [1]}})",
        R"("faults": {"random": {"reset": 1}})",
        R"("faults": {"pinned": [{"at": "1s", "target": "redis"}]})",
        R"("faults": {"pinned": [{"at": "1s", "crash": {}}]})",
        R"("faults": {"pinned": [{"at": "1s", "target": "redis", "crash": {}, "reset": {}}]})",
        R"("faults": {"pinned": [{"operation": "XACKK", "subject": "run-1", "crash": {}}]})",
        R"("repaired_by": {"scenario": "a"})",
        R"("repaired_by": {"scenario": "A", "differs": "/system/worker/claim"})"};
    for (const std::string& each : members) {
        const std::string text = R"({"name": "a", "story": "b", )" + each + "}";
        EXPECT_NE(violations(scenario_schema(), parsed(text)), "") << each;
        EXPECT_THROW(read_scenario(text, "a.json"), BadInput) << each;
    }
}

TEST(PlantedBugsSchema, IsKeptByTheCatalogue) {
    const Json schema = schema_named("planted-bugs.schema");
    EXPECT_EQ(violations(schema, parsed(embedded_planted_bugs().front().text)), "");
    EXPECT_NE(violations(schema, parsed(R"({"bugs": [{"name": "a"}]})")), "");
    for (const EmbeddedFile& base : embedded_bug_bases())
        EXPECT_EQ(violations(scenario_schema(), parsed(base.text)), "") << base.name;
}

TEST(PlantedBugsSchema, KnowsTheWordsThereAre) {
    const Json bug = schema_named("planted-bugs.schema").at("definitions").at("bug");
    EXPECT_THAT(bug.at("properties").at("breaks").at("enum").get<std::vector<std::string>>(),
                ElementsAreArray(json::promise_names().words()));
    EXPECT_THAT(bug.at("properties").at("needs").at("enum").get<std::vector<std::string>>(),
                ElementsAreArray(json::words_of(Needs{})));
}

TEST(CaseSchema, IsKeptByWrittenCases) {
    const Json schema = schema_named("case.schema");
    for (const Scenario& story : all_stories()) {
        const Case recorded{
            .scenario = story,
            .plan = {.messages = story.workload.messages, .faults = story.faults.pinned},
            .seed = 7,
            .build = "0.1.0 3005f78",
            .fingerprint = 0x0123456789abcdef,
            .step_hashes = {1, 0xffffffff},
            .checkpoints = {2}};
        EXPECT_EQ(violations(schema, parsed(write_case(recorded))), "") << story.name;
        EXPECT_NO_THROW(read_case(write_case(recorded), "a.json")) << story.name;
    }
}

TEST(CaseSchema, RefusesACaseWithoutItsPlan) {
    Json recorded = parsed(write_case({.scenario = all_stories().front(),
                                       .plan = {},
                                       .build = "0.1.0",
                                       .step_hashes = {},
                                       .checkpoints = {}}));
    const Json schema = schema_named("case.schema");
    ASSERT_EQ(violations(schema, recorded), "");

    recorded.erase("plan");

    EXPECT_NE(violations(schema, recorded), "");
    EXPECT_THROW(read_case(recorded.dump(), "a.json"), BadInput);
}

TEST(CaseSchema, DefinesAScenarioAsTheOtherSchemaDoes) {
    const Json definitions = schema_named("case.schema").at("definitions");
    for (const auto& [name, definition] : scenario_schema().at("definitions").items())
        EXPECT_EQ(definitions.at(name), definition) << name;
    EXPECT_EQ(definitions.at("scenario").at("properties"), scenario_schema().at("properties"));
}

TEST(RunReportSchema, KnowsThePromisesAndRarePathsThereAre) {
    const Json definitions = schema_named("run-report.schema").at("definitions");
    const Json& promise = definitions.at("promise").at("properties").at("name").at("enum");
    const Json& path = definitions.at("story").at("properties").at("reached").at("items");

    EXPECT_THAT(promise.get<std::vector<std::string>>(),
                ElementsAreArray(json::promise_names().words()));
    EXPECT_THAT(path.at("properties").at("name").at("enum").get<std::vector<std::string>>(),
                ElementsAreArray(json::rare_path_names().words()));
}

}  // namespace
}  // namespace redeliver::scenarios
