#include "reports/exports.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/reports/written_trace.h"

namespace redeliver::reports {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Everything that ends, opens or commands something in one of the formats, and what no format
/// may hold: NUL, an escape sequence, bytes that are no UTF-8.
const std::string hostile = std::string("end </script>]]><x y=\"1\"> ; # %% \x1b[2J ") +
                            std::string(1, '\0') +
                            "\xff\xc3 \r\n::error::x\n##[error]x | ` ``` * $$ \xe2\x80\xae\t end";
const std::string formula = "=cmd|'/c calc'!A1\n::error title=a::b";

TraceStep shown(TraceStep step) {
    step.is_shown = true;
    return step;
}

TracePromise promise(std::string name, std::string expected, std::string verdict) {
    TracePromise promise;
    promise.name = std::move(name);
    promise.expected = std::move(expected);
    promise.verdict = std::move(verdict);
    return promise;
}

TracePromise hostile_promise(const std::string& text, std::string expected, std::string verdict) {
    TracePromise made = promise(text, std::move(expected), std::move(verdict));
    made.sentence = text;
    made.step = 2;
    made.at_us = 2'000;
    made.subject = text;
    made.evidence = text;
    made.why = {{2, 2'000, text}, {2, 2'000, formula}};
    return made;
}

TraceRun hostile_run(const std::string& text) {
    TraceRun run;
    run.run = run.intention = run.content = run.status = run.reason = text;
    run.counts = {{hostile, 1}};
    return run;
}

/// A trace with a hostile text wherever a text can stand.
Trace hostile_trace() {
    WrittenTrace written;
    Trace& trace = written.trace;
    for (TraceNode& node : trace.nodes) node.name = hostile + node.name;
    const auto name = [](const std::string& node) { return hostile + node; };
    trace.story = hostile;
    trace.sentence = hostile;
    trace.build = hostile;
    trace.outcome = "wrong";
    trace.complaints = {formula, hostile};
    trace.commands = {hostile, formula};
    trace.faults = {{.number = 1, .text = hostile, .fired = true, .need = "", .command = hostile}};
    trace.promises = {hostile_promise(hostile, "holds", "violated"),
                      hostile_promise(formula, "breaks", "vacuous")};
    trace.totals = {{hostile, 1}};
    for (const std::string& each : {hostile, formula, std::string("-1"), std::string("@a")})
        trace.runs.push_back(hostile_run(each));
    trace.tables = {{.kind = TableChange::Kind::create,
                     .title = "groups of " + hostile,
                     .columns = {"group", "lag", "pending"},
                     .rows = {{RowChange::Kind::insert, 0, {hostile, hostile, "1"}}}}};
    written.exchange(name("worker-1"), name("redis"), hostile, hostile);
    TraceStep fired = WrittenTrace::event("FaultFired", name("worker-1"), hostile);
    fired.fault = 1;
    written.add(fired);
    for (const char* const kind : {"Crashed", "Restarted", "WorkStarted", "Claimed", "Healed"}) {
        TraceStep step = WrittenTrace::event(kind, name("worker-1"), hostile);
        step.how = formula;
        step.mark = hostile;
        written.add(step);
    }
    written.add(WrittenTrace::event(hostile, hostile, hostile));
    return trace;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        lines.push_back(text.substr(at, end - at));
    if (at < text.size()) lines.push_back(text.substr(at));
    return lines;
}

/// By the grammar of RFC 4180; what does not keep to it fails the test.
std::vector<std::vector<std::string>> parsed_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1);
    for (std::size_t at = 0; at < text.size();) {
        EXPECT_EQ(text[at], '"');
        std::string cell;
        for (++at; at < text.size(); ++at) {
            if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
            if (text[at] == '"') ++at;
            cell += text[at];
        }
        rows.back().push_back(cell);
        if (text[++at] == ',') {
            ++at;
        } else {
            EXPECT_EQ(text.substr(at, 2), "\r\n");
            at += 2;
            rows.emplace_back();
        }
    }
    rows.pop_back();
    return rows;
}

bool is_clean(const std::string& text) {
    return std::ranges::none_of(text, [](char each) {
        const auto byte = static_cast<unsigned char>(each);
        return (byte < 0x20 && byte != '\n' && byte != '\r') || byte == 0x7f || byte == 0xff;
    });
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++found;
    return found;
}

TEST(Exports, AreTheSameBytesForTheSameTrace) {
    for (const Export& form : exports())
        EXPECT_EQ(form.render(hostile_trace()), form.render(hostile_trace())) << form.name;
}

TEST(Exports, HaveNamesAndFilesOfTheirOwn) {
    std::set<std::string_view> names;
    std::set<std::string_view> files;
    for (const Export& form : exports()) {
        EXPECT_TRUE(names.insert(form.name).second) << form.name;
        EXPECT_TRUE(files.insert(form.file).second) << form.file;
    }
}

TEST(Exports, OfATraceOfNothingAreWritten) {
    for (const Export& form : exports()) EXPECT_NE(form.render(Trace{}), "") << form.name;
}

TEST(Exports, HoldNoControlCharacterOfAStranger) {
    for (const Export& form : exports())
        EXPECT_TRUE(form.name == "html" || is_clean(form.render(hostile_trace()))) << form.name;
}

// ------------------------------------------------------------------ Mermaid

TEST(Mermaid, KeepsHostileTextsInsideItsLines) {
    const std::regex line(
        R"(sequenceDiagram|    (%% [^\n]*|participant n\d+ as [^;#]*|rect rgb\([0-9, ]+\)|end|)"
        R"(n\d+(->>|-->>|-x|--x|-\)|--\))n\d+: [^;#]*|Note over n\d+(,n\d+)?: [^;#]*))");
    const std::regex entity("#[0-9]+;");
    const std::regex end(R"(\b[eE][nN][dD]\b)");
    for (const std::string& each : lines_of(mermaid(hostile_trace()))) {
        const std::string text = std::regex_replace(each, entity, "_");
        EXPECT_TRUE(std::regex_match(text, line)) << each;
        EXPECT_TRUE(each == "    end" || !std::regex_search(text, end)) << each;
        EXPECT_THAT(each, Not(HasSubstr("<")));
    }
}

TEST(Mermaid, DrawsMessagesByTheirFate) {
    WrittenTrace written;
    written.exchange("gateway-1", "redis", "XADD", "run-1");
    const auto sent = written.send("worker-1", "redis", "XACK", "run-1");
    written.add(
        shown(WrittenTrace::on_the_wire("Dropped", "worker-1", "redis", "XACK", "run-1", sent)));
    written.send("worker-2", "redis", "XACK", "run-1");

    EXPECT_THAT(
        mermaid(written.trace),
        AllOf(HasSubstr("    n1->>n2: XADD run-1\n"), HasSubstr("    n2-->>n1: XADD run-1\n"),
              HasSubstr("    n3-xn2: XACK run-1\n"), HasSubstr("    n4-)n2: XACK run-1\n"),
              HasSubstr("%% messages 4 of 4, lost 1 of 1")));
}

TEST(Mermaid, LeavesOutPollsAndSaysSo) {
    WrittenTrace written;
    written.exchange("worker-1", "redis", "XREADGROUP", "");
    written.exchange("worker-1", "redis", "XACK", "run-1");

    EXPECT_THAT(mermaid(written.trace),
                AllOf(Not(HasSubstr("XREADGROUP")), HasSubstr("%% messages 2 of 4"),
                      HasSubstr("left out are 2 messages")));
}

TEST(Mermaid, IsCutRoundTheFirstViolationAndSaysSo) {
    WrittenTrace written;
    for (int run = 0; run < 4'000; ++run)
        written.exchange("gateway-1", "redis", "XADD", fmt::format("run-{}", run));
    TracePromise broken = promise("no_run_lost", "holds", "violated");
    broken.step = 6'000;
    written.trace.promises = {broken};
    const std::string text = mermaid(written.trace);

    EXPECT_LE(text.size(), 50'000u);
    EXPECT_GT(text.size(), 45'000u);
    EXPECT_TRUE(std::regex_search(
        text, std::regex("Note over n1,n2: showing steps 4,[0-9]{3}–6,[0-9]{3} of 12,000\n")));
    EXPECT_THAT(text, HasSubstr("BREAKS no"));
    EXPECT_THAT(text, HasSubstr(fmt::format("%% messages {} of 8000", count(text, ">>"))));
}

TEST(Mermaid, ShadesWhatComesAfterTheFaultsAreOver) {
    WrittenTrace written;
    written.exchange("gateway-1", "redis", "XADD", "run-1");
    written.add(WrittenTrace::event("Healed", "", "heal"));
    written.exchange("gateway-1", "redis", "XADD", "run-2");

    EXPECT_THAT(mermaid(written.trace),
                AllOf(HasSubstr("heal\n    rect rgb(232, 245, 233)\n    n1->>n2: XADD run-2\n"),
                      EndsWith("    end\n")));
}

// ------------------------------------------------------------------ Perfetto

/// Events of one phase.
std::vector<Json> events(const std::string& text, const std::string& phase) {
    std::vector<Json> found;
    const Json document = Json::parse(text);
    for (const Json& event : document["traceEvents"])
        if (event["ph"] == phase) found.push_back(event);
    return found;
}

TEST(Perfetto, LetsNoTwoSlicesOfATrackOverlap) {
    WrittenTrace written;
    for (int run = 0; run < 3; ++run)
        written.send("gateway-1", "redis", "XADD", fmt::format("run-{}", run));
    for (int run = 0; run < 3; ++run)
        written.reply("redis", "gateway-1", "XADD", static_cast<sim::StepNumber>(run + 1),
                      fmt::format("run-{}", run));

    std::set<std::pair<int, int>> tracks;
    for (const Json& slice : events(perfetto(written.trace), "X"))
        if (slice["cat"] == "requests") tracks.emplace(slice["pid"], slice["tid"]);
    EXPECT_EQ(tracks.size(), 3u);
}

TEST(Perfetto, JoinsWhatArrivedByFlowsAndMarksTheRest) {
    WrittenTrace written;
    written.exchange("gateway-1", "redis", "XADD", "run-1");
    written.send("worker-2", "redis", "XACK", "run-1");
    const std::string text = perfetto(written.trace);

    EXPECT_EQ(events(text, "s").size(), 2u);
    EXPECT_EQ(events(text, "f").size(), 2u);
    const auto instants = events(text, "i");
    ASSERT_EQ(instants.size(), 1u);
    EXPECT_EQ(instants[0]["cat"], "message");
    EXPECT_EQ(instants[0]["args"]["fate"], "unknown");
}

TEST(Perfetto, CountsWhatIsPendingAndHowFarAGroupLagsBehind) {
    WrittenTrace written;
    written.trace.tables = {{.kind = TableChange::Kind::create,
                             .title = "groups of s",
                             .columns = {"group", "lag", "pending"},
                             .rows = {{RowChange::Kind::insert, 0, {"g", "unknown", "0"}}}}};
    TraceStep step = WrittenTrace::event("Added", "gateway-1");
    step.tables = {{.kind = TableChange::Kind::change,
                    .title = "groups of s",
                    .columns = {},
                    .rows = {{RowChange::Kind::replace, 0, {"g", "7", "2"}}}}};
    written.add(step);

    std::map<std::string, std::vector<int>> counters;
    for (const Json& event : events(perfetto(written.trace), "C"))
        counters[event["name"]].push_back(event["args"]["entries"]);
    EXPECT_EQ(counters, (std::map<std::string, std::vector<int>>{{"lag of g in s", {7}},
                                                                 {"pending of g in s", {0, 2}}}));
}

TEST(Perfetto, IsJsonWhateverATextHolds) {
    EXPECT_EQ(Json::parse(perfetto(hostile_trace()))["otherData"]["messages"], 2);
}

// ------------------------------------------------------------------ ShiViz

TEST(ShiViz, CountsEachHostByItselfAndMergesWhatArrives) {
    WrittenTrace written;
    written.add(WrittenTrace::event("WorkStarted", "worker-1", "work"));
    written.exchange("worker-1", "redis", "XACK", "run-1");

    EXPECT_EQ(shiviz(written.trace),
              "(?<host>\\S+) (?<clock>\\{[^}]*\\}) (?<event>.*)\n"
              "\n"
              "worker-1 {\"worker-1\":1} 0.001s step 1 WorkStarted work\n"
              "worker-1 {\"worker-1\":2} 0.002s step 2 Sent XACK run-1\n"
              "redis {\"redis\":1,\"worker-1\":2} 0.003s step 3 Replied XACK run-1\n"
              "worker-1 {\"redis\":1,\"worker-1\":3} 0.004s step 4 Arrived XACK run-1\n");
}

TEST(ShiViz, HasALineForEachStepWhateverATextHolds) {
    const Trace trace = hostile_trace();
    const auto lines = lines_of(shiviz(trace));
    const std::regex line(R"(\S+ \{[^}]*\} .*)");
    ASSERT_EQ(lines.size(), trace.steps.size() + 2);
    for (std::size_t step = 2; step < lines.size(); ++step) {
        EXPECT_TRUE(std::regex_match(lines[step], line)) << lines[step];
        const std::size_t clock = lines[step].find(" {") + 1;
        EXPECT_TRUE(Json::accept(lines[step].substr(clock, lines[step].find('}') + 1 - clock)));
    }
}

// ------------------------------------------------------------------ CSV

TEST(Csv, HasARowForEachRunAndNoFormula) {
    const Trace trace = hostile_trace();
    const auto rows = parsed_csv(csv(trace));
    ASSERT_EQ(rows.size(), trace.runs.size() + 1);
    for (const auto& row : rows) {
        EXPECT_EQ(row.size(), rows.front().size());
        for (const std::string& cell : row) EXPECT_NE(cell.find_first_of("=+-@\t\r"), 0u) << cell;
    }
    EXPECT_EQ(rows[2][0].substr(0, 6), "'=cmd|");
    EXPECT_EQ(rows[3][0], "'-1");
}

// ------------------------------------------------------------------ ASCII

TEST(Ascii, IsNarrowAndPureWhateverATextHolds) {
    for (const std::string& line : lines_of(ascii(hostile_trace()))) {
        EXPECT_LE(line.size(), 120u) << line;
        EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
}

TEST(Ascii, DrawsArrowsWorkAndCrashes) {
    WrittenTrace written;
    written.exchange("worker-1", "redis", "XACK", "run-1");
    written.add(WrittenTrace::event("WorkStarted", "worker-1", "work"));
    written.add(WrittenTrace::event("Added", "worker-1", "XADD"));
    TraceStep crash = WrittenTrace::event("Crashed", "worker-1", "crash");
    crash.mark = "crash";
    written.add(crash);
    written.add(WrittenTrace::event("Added", "worker-2", "XADD"));
    EXPECT_THAT(ascii(written.trace),
                HasSubstr("     time    redis    worker-1   worker-2\n"
                          "   0.001s      |<---------|          |     XACK run-1\n"
                          "   0.003s      |.........>|          |     XACK run-1 answered\n"
                          "   0.004s      |          @          |     work\n"
                          "   0.005s      @          H          |     XADD\n"
                          "   0.006s      |          !          |     crash\n"
                          "   0.007s      @                     |     XADD\n"));
}

// ------------------------------------------------------------------ continuous integration

TEST(JUnit, FailsForWhatWasToHoldAndSkipsWhatWasNotShown) {
    WrittenTrace written;
    TracePromise broken = promise("a", "holds", "violated");
    broken.step = 7;
    broken.at_us = 7'000;
    broken.subject = "run-1";
    broken.evidence = "has 2 replies";
    broken.why = {{6, 6'000, "It was stored."}};
    written.trace.promises = {broken, promise("b", "holds", "vacuous"),
                              promise("c", "breaks", "violated"),
                              promise("d", "nothing", "violated")};
    written.trace.outcome = "wrong";
    const std::string xml = junit(written.trace);

    EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
    EXPECT_THAT(xml, AllOf(HasSubstr("story       written\nseed        1\n"),
                           HasSubstr("evidence    at 0.007s, step 7: run-1 has 2 replies\n"),
                           HasSubstr("why         0.006s step 6: It was stored.\n"),
                           HasSubstr("redeliver replay written --seed 1\n")));
}

TEST(JUnit, DoesNotPassATrialThatEndedInACap) {
    WrittenTrace written;
    written.trace.outcome = "inconclusive";
    written.trace.complaints = {"the trial ended in a cap before it could be judged"};

    EXPECT_THAT(junit(written.trace),
                HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""));
}

TEST(JUnit, HoldsOnlyItsOwnTags) {
    const std::string xml = junit(hostile_trace());
    const std::regex tag(
        "</?(testsuites?|properties|property|testcase|failure|skipped)( [a-z]+=\"[^\"<>]*\")*/?>");
    const std::string rest = std::regex_replace(xml.substr(xml.find('\n')), tag, "");
    EXPECT_THAT(rest, AllOf(Not(HasSubstr("<")), Not(HasSubstr(">"))));
}

TEST(Summary, HoldsNoHtmlAndNoFenceOfAStranger) {
    const std::string text = summary(hostile_trace());
    const std::string prose = text.substr(0, text.find("### See it again"));
    EXPECT_THAT(prose, AllOf(StartsWith("## FAIL: "), Not(HasSubstr("<")), Not(HasSubstr("```"))));
    EXPECT_EQ(count(text, "\n````"), 2u);
}

TEST(Annotations, AreCommandsOfOursAlone) {
    const auto lines = lines_of(annotations(hostile_trace()));
    ASSERT_EQ(lines.size(), 3u);  // A promise, and two complaints.
    const std::regex command("::(error|warning|notice) title=[^:,]*::.*");
    for (const std::string& line : lines) EXPECT_TRUE(std::regex_match(line, command)) << line;
}

TEST(Annotations, EscapeAsTheToolkitDoes) {
    WrittenTrace written;
    written.trace.story = "a:b,c%d";
    written.trace.sentence = "100%";

    EXPECT_EQ(annotations(written.trace), "::notice title=a%3Ab%2Cc%25d%2C seed 1::PASS: 100%25\n");
}

}  // namespace
}  // namespace redeliver::reports
