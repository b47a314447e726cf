// Every mistake that a user can make in a file, and what is said of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scenarios/json/codec.h"
#include "scenarios/json/limits.h"

namespace redeliver::scenarios {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What is said of a text; empty when nothing is wrong with it.
std::string complaint(std::string_view text) {
    try {
        read_scenario(text, "mine.json");
        return {};
    } catch (const BadInput& error) {
        return error.what();
    }
}

/// A scenario with these members besides name and story.
std::string scenario_with(const std::string& members) {
    return "{\n\"name\": \"mine\",\n\"story\": \"A story.\",\n" + members + "\n}";
}

std::string fault(const std::string& text) {
    return complaint(scenario_with(R"("faults": {"pinned": [)" + text + "]}"));
}

TEST(BadInputTest, BrokenJsonIsShownByLineAndColumn) {
    EXPECT_THAT(complaint("{\n  \"name\": \"mine\",\n  \"story\" 5\n}"),
                AllOf(StartsWith("mine.json:3:12: this is no JSON: "), HasSubstr("expected ':'")));
    EXPECT_THAT(complaint(""), StartsWith("mine.json:1:1: this is no JSON: "));
    EXPECT_THAT(complaint("{\"name\": \"mine\""), HasSubstr("unexpected end of input"));
    EXPECT_THAT(complaint(scenario_with("\"seeds\": 5") + "}"), StartsWith("mine.json:5:2: "));
    EXPECT_THAT(complaint("{\"name\": \"a\xff\"}"), HasSubstr("\\xff"));
    EXPECT_THAT(complaint("{ /* never closed "), HasSubstr("comment"));
}

TEST(BadInputTest, AWholeThatIsNoObjectIsRefused) {
    EXPECT_EQ(complaint("[]"), "mine.json:1: found a list, wanted is an object");
    EXPECT_EQ(complaint("5"), "mine.json:1: found 5, wanted is an object");
}

TEST(BadInputTest, AKeyThatOccursTwiceIsNamedWithBothLines) {
    EXPECT_EQ(complaint(scenario_with("\"system\": {\"worker\": {\"batch\": 5,\n\"batch\": 6}}")),
              "mine.json:5: /system/worker/batch: key 'batch' occurs twice, first on line 4");
    EXPECT_EQ(complaint("{\"faults\": {\"pinned\": [{},\n{\"at\": \"1s\", \"at\": \"2s\"}]}}"),
              "mine.json:2: /faults/pinned/1/at: key 'at' occurs twice, first on line 2");
}

TEST(BadInputTest, AnUnknownKeyIsNamedWithTheNearestValidOne) {
    EXPECT_EQ(complaint(scenario_with("\"quite\": \"2m\"")),
              "mine.json:4: /quite: unknown key 'quite'; nearest is 'quiet'; allowed are 'name', "
              "'story', 'system', 'workload', 'faults', 'schedule', 'expect', 'seeds', "
              "'repaired_by', 'quiet', 'stream_bound'");
    EXPECT_THAT(complaint(scenario_with("\"system\": {\n\"worker\": {\n\"idle_treshold\": 5}}")),
                StartsWith("mine.json:6: /system/worker/idle_treshold: unknown key "
                           "'idle_treshold'; nearest is 'idle_threshold'; allowed are 'count', "));
    EXPECT_THAT(complaint(scenario_with("\"a/b~\\u001b\": 1")),
                StartsWith("mine.json:4: /a~1b~0\\x1b: unknown key 'a/b~\\x1b'"));
}

TEST(BadInputTest, AnUnknownWordIsNamedWithTheNearestValidOne) {
    EXPECT_EQ(complaint(scenario_with("\"system\": {\"worker\": {\"claim\": \"fresh-first\"}}")),
              "mine.json:4: /system/worker/claim: found \"fresh-first\"; nearest is 'fresh_first'; "
              "allowed are 'abandoned_first', 'fresh_first', 'never'");
    EXPECT_THAT(complaint(scenario_with("\"system\": {\"worker\": {\"claim\": true}}")),
                HasSubstr("found true; allowed are 'abandoned_first'"));
    EXPECT_THAT(complaint(scenario_with("\"expect\": {\"holds\": [\"exactly_one_replay\"]}")),
                HasSubstr("/expect/holds/0: found \"exactly_one_replay\", which is no promise; "
                          "nearest is 'exactly_one_reply'"));
    EXPECT_THAT(complaint(scenario_with("\"expect\": {\"reaches\": [\"retried_submision\"]}")),
                HasSubstr("which is no rare path; nearest is 'retried_submission'"));
    EXPECT_THAT(complaint(scenario_with("\"expect\": {\"totals\": {\"efects\": 3}}")),
                HasSubstr("unknown key 'efects'; nearest is 'effects'"));
}

TEST(BadInputTest, AMissingKeyIsNamed) {
    EXPECT_EQ(complaint("{\"name\": \"mine\"}"), "mine.json:1: key 'story' is missing");
    EXPECT_THAT(complaint(scenario_with("\"workload\": {\"messages\": [{}]}")),
                HasSubstr("/workload/messages/0: key 'number' is missing"));
}

TEST(BadInputTest, AWrongTypeIsShownWithWhatIsWanted) {
    EXPECT_EQ(
        complaint(scenario_with("\"seeds\": \"many\"")),
        "mine.json:4: /seeds: found \"many\", allowed are whole numbers from 1 to 1000000000");
    EXPECT_THAT(complaint(scenario_with("\"seeds\": 1.5")), HasSubstr("found 1.5, allowed are"));
    EXPECT_THAT(complaint(scenario_with("\"seeds\": null")), HasSubstr("found null, allowed are"));
    EXPECT_EQ(complaint(scenario_with("\"system\": 5")),
              "mine.json:4: /system: found 5, wanted is an object");
    EXPECT_THAT(complaint(scenario_with("\"expect\": {\"holds\": \"all\"}")),
                HasSubstr("/expect/holds: found \"all\", wanted is a list of words"));
    EXPECT_THAT(complaint("{\"name\": 5}"), HasSubstr("/name: found 5, wanted is a name"));
    EXPECT_THAT(complaint(scenario_with("\"faults\": {\"random\": {\"reset\": 2}}")),
                HasSubstr("/faults/random/reset: found 2, wanted is a pair such as [0, 2]"));
}

TEST(BadInputTest, DurationsAreShownWithTheirForm) {
    EXPECT_EQ(complaint(scenario_with("\"faults\": {\"longest\": \"5 seconds\"}")),
              "mine.json:4: /faults/longest: found \"5 seconds\", allowed are durations from "
              "\"1ms\" to \"8760h\": a whole number and its unit, us, ms, s, m or h");
    EXPECT_THAT(complaint(scenario_with("\"faults\": {\"until\": 10}")), HasSubstr("found 10"));
    EXPECT_THAT(complaint(scenario_with("\"faults\": {\"until\": \"-1s\"}")), HasSubstr("-1s"));
    EXPECT_THAT(complaint(scenario_with("\"faults\": {\"until\": \"8761h\"}")), HasSubstr("8760h"));
}

TEST(BadInputTest, DistributionsAreOneOfFourForms) {
    const auto latency = [](const std::string& text) {
        return complaint(scenario_with("\"system\": {\"network\": {\"latency\": " + text + "}}"));
    };
    EXPECT_EQ(latency("\"5ms\""), "");
    EXPECT_EQ(latency(R"({"mean": "5ms"})"), "");
    EXPECT_EQ(latency(R"({"median": "5ms"})"), "");
    EXPECT_EQ(latency(R"({"from": "1ms", "to": "5ms"})"), "");
    EXPECT_THAT(latency(R"({"from": "1ms"})"), HasSubstr("key 'to' is missing"));
    EXPECT_THAT(latency(R"({"from": "5ms", "to": "1ms"})"), HasSubstr("less than \"from\""));
    EXPECT_THAT(latency(R"({"mean": "5ms", "median": "5ms"})"),
                HasSubstr("found 'median' beside 'mean'; allowed is exactly one of 'from', 'mean', "
                          "'median'"));
    EXPECT_THAT(latency("{}"), HasSubstr("found none of 'from', 'mean', 'median'; one is needed"));
    EXPECT_THAT(latency(R"({"maen": "5ms"})"), HasSubstr("nearest is 'mean'"));
    EXPECT_THAT(latency("7"), HasSubstr("found 7, allowed are durations"));
}

TEST(BadInputTest, NamesBecomePathsAndHoldNothingElse) {
    const auto named = [](const std::string& name) {
        return complaint("{\"name\": \"" + name + "\", \"story\": \"A story.\"}");
    };
    EXPECT_EQ(named("crash-before-xack-2"), "");
    EXPECT_EQ(named(std::string(64, 'a')), "");
    for (const char* const name : {"", "../etc", "A", "a b", "a_b", "a\\u0000", "\\u001b[31m", "ü"})
        EXPECT_THAT(named(name), HasSubstr("allowed is a name of 1 to 64 letters a-z, digits"))
            << name;
    EXPECT_THAT(named(std::string(65, 'a')), HasSubstr("1 to 64"));
}

TEST(BadInputTest, ActorsHaveNamesOfLetters) {
    const auto workers = [](const std::string& name) {
        return complaint(scenario_with("\"system\": {\"worker\": {\"name\": " + name + "}}"));
    };
    EXPECT_EQ(workers("\"stamp_mill\""), "");
    EXPECT_EQ(workers('"' + std::string(24, 'a') + '"'), "");
    EXPECT_EQ(workers("\"mill-2\""),
              "mine.json:4: /system/worker/name: found \"mill-2\", allowed is a name of 1 to 24 "
              "letters a-z and '_', the first of them a letter");
    for (const char* const name :
         {"\"\"", "\"_mill\"", "\"Mill\"", "\"mill2\"", "\"a b\"", "\"ü\""})
        EXPECT_THAT(workers(name), HasSubstr("allowed is a name of 1 to 24 letters")) << name;
    EXPECT_THAT(workers('"' + std::string(25, 'a') + '"'), HasSubstr("1 to 24"));
    EXPECT_EQ(workers("5"), "mine.json:4: /system/worker/name: found 5, wanted is a name");
}

TEST(BadInputTest, NoTwoNodesAndNoRunHaveOneName) {
    const auto system = [](const std::string& text) {
        return complaint(scenario_with("\"system\": {\n" + text + "}"));
    };
    EXPECT_EQ(system(R"("users": {"name": "worker"})"),
              "mine.json:5: /system/users/name: found \"worker\", allowed is any name but 'redis', "
              "'postgres', 'republisher', 'pruner', 'run', 'gateway', 'worker', 'relay'");
    EXPECT_THAT(system(R"("gateway": {"name": "mill"}, "worker": {"name": "mill"})"),
                HasSubstr("/system/gateway/name: found \"mill\", allowed is any name but"));
    for (const char* const name : {"redis", "postgres", "republisher", "pruner", "run"})
        EXPECT_THAT(system(std::string(R"("relay": {"name": ")") + name + "\"}"),
                    HasSubstr("/system/relay/name: found"))
            << name;
    EXPECT_EQ(system(R"("users": {"name": "worker"}, "worker": {"name": "user"})"), "");
}

TEST(BadInputTest, FaultsNameActorsAsTheSystemDoes) {
    const auto mills = [](const std::string& fault) {
        return complaint(scenario_with(
            R"("system": {"worker": {"name": "mill"}}, "faults": {"pinned": [)" + fault + "]}"));
    };
    EXPECT_EQ(mills(R"({"at": "1s", "target": "mill-2", "crash": {}})"), "");
    EXPECT_EQ(mills(R"({"operation": "XREADGROUP", "subject": "mill-2", "node": "mill-2",
                        "crash": {}})"),
              "");
    EXPECT_THAT(mills(R"({"at": "1s", "target": "worker-2", "crash": {}})"),
                HasSubstr("found \"worker-2\", which is no node"));
    EXPECT_EQ(mills(R"({"at": "1s", "target": "mill-1",
                        "order": {"words": "restart under a new name", "lasts": "1s"}})"),
              "");
    EXPECT_THAT(mills(R"({"at": "1s", "target": "redis", "order": {"words": "GET koda:runs"}})"),
                HasSubstr("\"XGROUP DELCONSUMER koda:runs workers mill-1\""));
}

TEST(BadInputTest, AStoryIsVisibleText) {
    EXPECT_EQ(complaint("{\"name\": \"a\", \"story\": \"A \\u001b[31m red one.\"}"),
              "mine.json:1: /story: found \"A \\x1b[31m red one.\", which holds invisible "
              "characters");
    EXPECT_THAT(complaint("{\"name\": \"a\", \"story\": \"" + std::string(2'001, 'a') + "\"}"),
                HasSubstr("found a text of 2001 bytes, allowed are 1 to 2000"));
}

TEST(BadInputTest, NumbersOutOfRangeAreShownWithTheRange) {
    const auto system = [](const std::string& text) {
        return complaint(scenario_with("\"system\": {" + text + "}"));
    };
    EXPECT_THAT(system(R"("worker": {"count": 0})"), HasSubstr("found 0, allowed are whole numbers "
                                                               "from 1 to 10000"));
    EXPECT_THAT(system(R"("worker": {"count": 10001})"), HasSubstr("found 10001"));
    EXPECT_THAT(system(R"("worker": {"count": -1})"), HasSubstr("found -1"));
    EXPECT_THAT(system(R"("worker": {"count": 99999999999999999999999})"), HasSubstr("found 999"));
    EXPECT_THAT(system(R"("worker": {"count": 1e3})"), HasSubstr("found 1e3"));
    EXPECT_THAT(system(R"("users": {"attempts": 17})"), HasSubstr("from 1 to 16"));
}

TEST(BadInputTest, CountsThatTakeAllMemoryAreRefused) {
    EXPECT_THAT(complaint(scenario_with(R"("workload": {"runs": 2000001})")),
                HasSubstr("from 0 to 2000000"));
    EXPECT_THAT(
        complaint(scenario_with(R"("workload": {"runs": 2000000, "messages": [{"number": 1}]})")),
        HasSubstr("/workload/runs: found 2000001 messages in all, allowed are 2000000"));
    EXPECT_THAT(
        complaint(scenario_with(R"("system": {"gateway": {"count": 100, "handlers": 300}})")),
        HasSubstr("/system: found 30007 users, workers and handlers of gateways together, "
                  "allowed are 30000"));
    EXPECT_THAT(complaint(scenario_with(R"("faults": {"random": {"reset": [0, 1001]}})")),
                HasSubstr("/faults/random/reset/1: found 1001"));
}

TEST(BadInputTest, ListsHaveAnEnd) {
    std::string messages;
    for (std::size_t each = 0; each <= json::max_listed_messages; ++each)
        messages += each == 0 ? "{}" : ",{}";
    EXPECT_THAT(complaint(scenario_with("\"workload\": {\"messages\": [" + messages + "]}")),
                HasSubstr("found a list of 100001, allowed are at most 100000"));

    std::string faults;
    for (std::size_t each = 0; each <= json::max_faults; ++each) faults += each == 0 ? "{}" : ",{}";
    EXPECT_THAT(fault(faults), HasSubstr("found a list of 10001, allowed are at most 10000"));
}

TEST(BadInputTest, NestingSizeAndNumberOfValuesHaveAnEnd) {
    EXPECT_THAT(complaint(std::string(64, '[') + std::string(64, ']')), HasSubstr("found a list"));
    EXPECT_EQ(complaint(std::string(65, '[')),
              "mine.json:1: found lists and objects nested more than 64 deep, which no file needs");
    EXPECT_EQ(complaint(std::string(json::max_file_bytes + 1, ' ')),
              "mine.json: found 16777217 bytes, allowed are 16777216");
    std::string many = "[1";
    for (std::size_t each = 0; each < json::max_values; ++each) many += ",1";
    EXPECT_THAT(complaint(many), HasSubstr("found more than 2000000 values"));
}

TEST(BadInputTest, PairsHaveTwoEndsInOrder) {
    EXPECT_THAT(complaint(scenario_with(R"("faults": {"random": {"reset": [3, 2]}})")),
                HasSubstr("found [3, 2], but the least comes first"));
    EXPECT_THAT(complaint(scenario_with(R"("faults": {"random": {"reset": [1]}})")),
                HasSubstr("found a list of 1, wanted is a pair"));
}

TEST(BadInputTest, AFaultHasOneWhenAndOneWhat) {
    EXPECT_THAT(fault(R"({"target": "worker-1", "crash": {}})"),
                HasSubstr("found none of 'at', 'operation'; one is needed"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1"})"),
                HasSubstr("found none of 'crash', 'pause', 'drop'"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1", "crush": {}})"),
                HasSubstr("unknown key 'crush'; nearest is 'crash'"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1", "crash": {}, "reset": {}})"),
                HasSubstr("/faults/pinned/0/reset: found 'reset' beside 'crash'"));
    EXPECT_THAT(fault(R"({"at": "1s", "crash": {}})"), HasSubstr("key 'target' is missing"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1", "pause": {}})"),
                HasSubstr("/faults/pinned/0/pause: key 'lasts' is missing"));
}

TEST(BadInputTest, AFaultNamesOperationsNodesAndRunsThatThereAre) {
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-4", "crash": {}})"),
                HasSubstr("found \"worker-4\", which is no node; nearest is 'worker-1'"));
    EXPECT_THAT(fault(R"({"operation": "XACKK", "subject": "run-1", "crash": {}})"),
                HasSubstr("which is no operation; nearest is 'XACK'"));
    EXPECT_THAT(fault(R"({"operation": "XACK", "subject": "run-13", "crash": {}})"),
                HasSubstr("found \"run-13\", which is neither a run from run-1 to run-12 nor a "
                          "node"));
    EXPECT_THAT(fault(R"({"operation": "XACK", "crash": {}})"),
                HasSubstr("key 'subject' is missing"));
    EXPECT_THAT(
        fault(R"({"operation": "XACK", "subject": "run-1", "node": "wroker-1", "crash": {}})"),
        HasSubstr("/faults/pinned/0/node: found \"wroker-1\", which is no node; nearest is "
                  "'worker-1'"));
    EXPECT_THAT(fault(R"({"operation": "XACK", "subject": "run-1", "occurrence": 0, "crash": {}})"),
                HasSubstr("found 0"));
}

TEST(BadInputTest, AFaultStrikesWhereItCan) {
    EXPECT_THAT(
        fault(R"({"operation": "XACK", "subject": "run-1", "point": "middle", "crash": {}})"),
        HasSubstr("found \"middle\"; work has the points start, middle and end"));
    EXPECT_THAT(
        fault(R"({"operation": "work", "subject": "run-1", "point": "before_send", "crash": {}})"),
        HasSubstr("found \"before_send\"; work has the points"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1", "drop": {}})"),
                HasSubstr("a message is dropped at a step of a request"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1", "failover": {"lag": "1s"}})"),
                HasSubstr("only a server fails over"));
    EXPECT_THAT(fault(R"({"at": "1s", "target": "worker-1",
                          "partition": {"to": "worker-1", "lasts": "1s"}})"),
                HasSubstr("between two different nodes"));
}

TEST(BadInputTest, MessagesAreOfUsersThatThereAreAndToldApart) {
    EXPECT_THAT(complaint(scenario_with(R"("workload": {"messages": [{"number": 1, "user": 5}]})")),
                HasSubstr("/workload/messages/0/user: found 5, allowed are whole numbers from 1 to "
                          "4"));
    EXPECT_THAT(
        complaint(scenario_with(R"("workload": {"messages": [{"number": 2}, {"number": 2}]})")),
        HasSubstr("found number 2 twice"));
    EXPECT_THAT(
        complaint(scenario_with(R"("workload": {"messages": [{"number": 1, "submissions": 5}]})")),
        HasSubstr("from 1 to 4"));
}

TEST(BadInputTest, CountsOfAWorkloadFitEachOther) {
    EXPECT_THAT(complaint(scenario_with(R"("workload": {"runs": 3, "poison": 2, "flaky": 2})")),
                HasSubstr("found 3, but poison, killers and flaky ask for 4"));
    EXPECT_THAT(complaint(scenario_with(R"("workload": {"runs": 3, "duplicates": 4})")),
                HasSubstr("found 4, but there are only 3 runs"));
    EXPECT_THAT(complaint(scenario_with(
                    R"("system": {"users": {"attempts": 9}}, "workload": {"duplicates": 1})")),
                HasSubstr("more than the 16 ids that a message has"));
}

TEST(BadInputTest, APromiseIsExpectedToHoldOrToBreakAndOnce) {
    EXPECT_THAT(complaint(scenario_with(
                    R"("expect": {"holds": ["no_run_lost"], "breaks": ["no_run_lost"]})")),
                HasSubstr("found \"no_run_lost\", which \"holds\" names as well"));
    EXPECT_THAT(complaint(scenario_with(R"("expect": {"holds": ["no_run_lost", "no_run_lost"]})")),
                HasSubstr("/expect/holds/1: found \"no_run_lost\" for the second time"));
}

TEST(BadInputTest, ATwinDiffersInAValueOfTheSystem) {
    EXPECT_THAT(
        complaint(scenario_with(
            R"("repaired_by": {"scenario": "other", "differs": "/system/worker/acknowlege"})")),
        HasSubstr("which is no value of the system; nearest is "
                  "'/system/worker/acknowledge'"));
    EXPECT_THAT(complaint(scenario_with(R"("repaired_by": {"scenario": "other"})")),
                HasSubstr("key 'differs' is missing"));
}

TEST(BadInputTest, WhatIsMerelyLateIsNotJudgedLost) {
    EXPECT_THAT(complaint(scenario_with(
                    "\"quiet\": \"1m\", \"system\": {\"worker\": {\"idle_threshold\": \"90s\"}}")),
                HasSubstr("/quiet: found \"1m\", but worker.idle_threshold is \"90s\""));
    EXPECT_THAT(
        complaint(scenario_with(R"("workload": {"messages": [{"number": 1, "work_time": "1h"}]})")),
        HasSubstr("found \"2m\"") /* the default */);
    EXPECT_THAT(complaint(scenario_with(
                    R"("system": {"worker": {"deduplicate": "lease", "lease_time": "3m"}})")),
                HasSubstr("but worker.lease_time is \"3m\""));
    EXPECT_EQ(complaint(scenario_with(R"("system": {"worker": {"lease_time": "3m"}})")), "");
}

TEST(BadInputTest, ABatchThatCannotBeOneTransactionIsRefused) {
    EXPECT_THAT(complaint(scenario_with(
                    R"("system": {"worker": {"commit": "batch", "deduplicate": "lease"}})")),
                AllOf(HasSubstr("/system/worker/commit"),
                      HasSubstr("does not go with \"deduplicate\": \"lease\"")));
    EXPECT_THAT(complaint(scenario_with(
                    R"("system": {"worker": {"commit": "batch", "mark_done": "after_reply"}})")),
                HasSubstr("goes with \"mark_done\": \"with_reply\" only"));
    EXPECT_EQ(complaint(scenario_with(
                  R"("system": {"worker": {"commit": "batch", "deduplicate": "none"}})")),
              "");
}

}  // namespace
}  // namespace redeliver::scenarios
