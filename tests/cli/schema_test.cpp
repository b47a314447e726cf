// What programs read is what the published schemas say.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "scenarios/catalog/embedded.h"
#include "tests/cli/program.h"

namespace redeliver::cli {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

Json schema_named(std::string_view name) {
    const auto schemas = scenarios::embedded_schemas();
    const auto found = std::ranges::find(schemas, name, &scenarios::EmbeddedFile::name);
    EXPECT_NE(found, schemas.end()) << name;
    return found == schemas.end() ? Json() : Json::parse(found->text);
}

/// Empty when the document is as the schema says.
std::string objections(const Json& document, const Json& schema_document) {
    valijson::Schema schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(Adapter(schema_document), schema);
    valijson::ValidationResults results;
    valijson::Validator().validate(schema, Adapter(document), &results);
    std::string text;
    for (const auto& each : results) text += each.description + "\n";
    return text;
}

TEST(RunJson, IsAsItsSchemaSays) {
    const Json document =
        Json::parse(run_program({.arguments = {"run", "crash-before-xack", "standard", "--seeds",
                                               "20", "--jobs", "1", "--json"}})
                        .out);
    EXPECT_EQ(objections(document, schema_named("run-report.schema")), "");
}

TEST(RunJson, WithSurprisesIsAsItsSchemaSays) {
    const Json document = Json::parse(
        run_program({.arguments = {"run", "ack-after-work", "--seeds", "1", "--jobs", "1", "--set",
                                   "worker.acknowledge=before_work", "--json"}})
            .out);
    ASSERT_FALSE(document["stories"][0]["surprises"].empty());
    EXPECT_EQ(objections(document, schema_named("run-report.schema")), "");
}

TEST(RunJson, WithoutAPieceIsNotWhatTheSchemaSays) {
    const Json document = {{"as_expected", true}, {"stories", {{{"name", "short"}}}}};
    EXPECT_NE(objections(document, schema_named("run-report.schema")), "");
}

TEST(ExplainJson, IsAsItsSchemaSays) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, std::vector<std::string>{"--out", "small.json"}}) {
        std::vector<std::string> arguments = {"explain", "check-then-insert", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Json document =
            Json::parse(run_program({.arguments = arguments, .folder = folder.path()}).out);
        ASSERT_FALSE(document["variations"]["passing"].empty());
        EXPECT_EQ(objections(document, schema_named("explanation.schema")), "");
    }
}

TEST(TraceLines, AreAsTheirSchemaSays) {
    const Json schema = schema_named("trace.schema");
    for (const std::string story : {"crash-before-xack", "poison-to-dead-letter", "standard"}) {
        const TemporaryFolder folder;
        run_program({.arguments = {"report", story, "--out", "page"}, .folder = folder.path()});
        std::ifstream in(folder.path() / "page" / "trace.jsonl");
        std::size_t number = 0;
        for (std::string line; number < 400 && std::getline(in, line); ++number)
            ASSERT_EQ(objections(Json::parse(line), schema), "") << story << ": " << line;
        EXPECT_GT(number, 100u);
    }
    EXPECT_NE(objections({{"number", 1}, {"at_us", 0}}, schema), "") << "without its kind";
}

TEST(ExploreJson, IsAsItsSchemaSays) {
    for (const std::string strategy : {"random", "swarm", "enumerate"}) {
        const Json document =
            Json::parse(run_program({.arguments = {"explore", "crash-before-xack", "--strategy",
                                                   strategy, "--trials", "300", "--json"}})
                            .out);
        EXPECT_EQ(objections(document, schema_named("explore-report.schema")), "") << strategy;
        EXPECT_FALSE(document["breaches"].empty()) << strategy;
    }
}

TEST(BenchJson, IsAsItsSchemaSays) {
    const Json document =
        Json::parse(run_program({.arguments = {"bench", "--bugs", "--only", "ack-before-work",
                                               "--only", "check-then-insert", "--repeats", "1",
                                               "--trials", "20", "--json"}})
                        .out);
    ASSERT_EQ(document["bugs"].size(), 2u);
    EXPECT_EQ(objections(document, schema_named("bug-bench-report.schema")), "");
}

TEST(FaultListJson, IsAsItsSchemaSays) {
    const Json document =
        Json::parse(run_program({.arguments = {"list", "--faults", "--json"}}).out);
    EXPECT_EQ(objections(document, schema_named("fault-list.schema")), "");
}

TEST(CaseFile, IsAsItsSchemaSays) {
    const TemporaryFolder folder;
    run_program({.arguments = {"run", "ack-after-work", "--seeds", "1", "--set",
                               "worker.acknowledge=before_work", "--out", "found"},
                 .folder = folder.path()});
    const Json document =
        Json::parse(std::ifstream(folder.path() / "found/ack-after-work/1/case.json"));
    EXPECT_EQ(objections(document, schema_named("case.schema")), "");
}

}  // namespace
}  // namespace redeliver::cli
