// A trace says of its tables what the trial itself says of them, and a file of it is read as it was
// written, or refused where it is wrong.

#include "reports/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/state_tables.h"
#include "reports/words.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/json/bad_input.h"

namespace redeliver::reports {
namespace {

using scenarios::Scenario;
using testing::AllOf;
using testing::HasSubstr;

struct Traced {
    Scenario scenario;
    scenarios::Plan plan;
    std::uint64_t seed;
    Trace trace;
};

Traced traced(const std::string& story, std::uint64_t seed = 1) {
    scenarios::TrialRunner runner;
    const Scenario scenario = *scenarios::find_story(story);
    const scenarios::Plan plan = plan_of(runner, scenario, seed);
    const scenarios::TrialResult result =
        runner.run(scenario, plan, seed, scenarios::Level::everything);
    return {scenario, plan, seed, trace_of(runner, {scenario, plan, seed, result})};
}

/// A table as a reader of the trace has it.
struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// Applies what a trace says, and nothing else.
class Tables {
public:
    void apply(const std::vector<TableChange>& changes) {
        for (const TableChange& change : changes) {
            if (change.kind == TableChange::Kind::drop) {
                std::erase_if(all, [&](const Table& each) { return each.title == change.title; });
                continue;
            }
            if (change.kind == TableChange::Kind::create)
                all.insert(all.begin() + change.place, Table{change.title, change.columns, {}});
            apply(change, *std::ranges::find(all, change.title, &Table::title));
        }
    }

    std::vector<Table> all;

private:
    static void apply(const TableChange& change, Table& table) {
        for (const RowChange& each : change.rows) {
            const auto row = table.rows.begin() + each.row;
            switch (each.kind) {
            case RowChange::Kind::insert: table.rows.insert(row, each.cells); break;
            case RowChange::Kind::replace: *row = each.cells; break;
            case RowChange::Kind::erase: table.rows.erase(row); break;
            }
        }
    }
};

/// What the broker's clock shows at a step, in milliseconds since the trial began.
std::int64_t broker_ms(const Trace& trace, const TraceStep& step) {
    const std::int64_t at_us = step.at_us;
    TraceClock now;
    for (const TraceClock& each : trace.broker_clock)
        if (each.from <= step.number) now = each;
    const std::int64_t scaled = at_us * now.gains_ppm;
    const std::int64_t drifted =
        scaled >= 0 ? scaled / 1'000'000 : -((999'999 - scaled) / 1'000'000);
    const std::int64_t shown = at_us + now.ahead_us + drifted;
    return shown >= 0 ? shown / 1'000 : -((999 - shown) / 1'000);
}

/// As `replay --at` has it: with the time that entries have been idle.
std::vector<std::vector<std::string>> shown_rows(const Trace& trace, const Table& table,
                                                 const TraceStep& step) {
    auto rows = table.rows;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column] == "idle")
            for (auto& row : rows)
                row[column] = length(
                    std::chrono::milliseconds{broker_ms(trace, step) - std::stoll(row[column])});
    return rows;
}

std::vector<std::vector<std::string>> rows_of(const StateTable& table) {
    std::vector<std::vector<std::string>> rows;
    for (const StateRow& row : table.rows) {
        if (row.change == Change::removed) continue;
        rows.emplace_back();
        for (const StateCell& cell : row.cells) rows.back().push_back(cell.text);
    }
    return rows;
}

class TracedTables : public testing::TestWithParam<const char*> {};

TEST_P(TracedTables, AreThoseOfTheTrialAtEveryStepLookedAt) {
    const Traced it = traced(GetParam());
    scenarios::TrialRunner runner;
    Tables tables;
    tables.apply(it.trace.tables);
    const std::size_t stride = it.trace.steps.size() / 40 + 1;
    std::size_t compared = 0;
    for (const TraceStep& step : it.trace.steps) {
        tables.apply(step.tables);
        const bool is_about_clocks = step.kind == "ClockStepped" || step.kind == "Disturbed";
        if (step.number % stride != 0 && !is_about_clocks) continue;
        const auto change = runner.state_at(it.scenario, it.plan, it.seed, step.number);
        ASSERT_TRUE(change);
        std::size_t place = 0;
        for (const StateTable& expected : state_tables(*change)) {
            const auto rows = rows_of(expected);
            const bool is_gone = rows.empty() && !expected.rows.empty() &&
                                 std::ranges::count(tables.all, expected.title, &Table::title) == 0;
            if (is_gone) continue;
            ASSERT_LT(place, tables.all.size()) << "step " << step.number;
            const Table& table = tables.all[place++];
            EXPECT_EQ(table.title, expected.title) << "step " << step.number;
            EXPECT_EQ(table.columns, expected.columns);
            EXPECT_EQ(shown_rows(it.trace, table, step), rows)
                << table.title << ", step " << step.number;
            compared += rows.size();
        }
    }
    EXPECT_GT(compared, 100u);
}

INSTANTIATE_TEST_SUITE_P(Stories, TracedTables,
                         testing::Values("crash-before-xack", "everything-at-once",
                                         "clock-jumps-ahead", "clock-runs-too-fast",
                                         "failover-forgets", "lease-with-fencing",
                                         "operator-destroys-the-group"));

TEST(TraceFile, IsReadAsItWasWritten) {
    const Traced it = traced("everything-at-once");
    const std::string text = write_trace(it.trace);

    EXPECT_EQ(write_trace(read_trace(text, "trace.jsonl")), text);
}

TEST(TraceFile, IsTheSameForTheSameTrial) {
    EXPECT_EQ(write_trace(traced("standard", 7).trace), write_trace(traced("standard", 7).trace));
    EXPECT_NE(write_trace(traced("standard", 7).trace), write_trace(traced("standard", 8).trace));
}

TEST(TraceFile, HoldsWhateverATextHolds) {
    Trace hostile = traced("crash-before-xack").trace;
    const std::string text("</script>\x1b[31m ::error:: =cmd() \0 end \"\n", 39);
    hostile.story = text;
    hostile.steps[3].how = text;
    hostile.steps[3].about = "\xff\xfe";
    const std::string written = write_trace(hostile);

    const Trace read = read_trace(written, "trace.jsonl");
    EXPECT_EQ(read.story, text);
    EXPECT_EQ(read.steps[3].how, text);
    EXPECT_EQ(read.steps[3].about, "\xef\xbf\xbd\xef\xbf\xbd") << "what is no UTF-8";
    EXPECT_EQ(std::ranges::count(written, '\n'),
              static_cast<std::ptrdiff_t>(hostile.steps.size()) + 1);
}

std::string refusal(const std::string& text) {
    try {
        read_trace(text, "t.jsonl");
    } catch (const scenarios::BadInput& error) {
        return error.what();
    }
    return "";
}

std::string with(std::string text, std::string_view what, std::string_view instead) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), instead);
}

TEST(TraceFile, IsRefusedWithThePlaceWhatWasFoundAndWhatIsAllowed) {
    const std::string good = write_trace(traced("crash-before-xack").trace);
    EXPECT_EQ(refusal(good), "");

    EXPECT_THAT(refusal(""), HasSubstr("cut off"));
    EXPECT_THAT(refusal(good.substr(0, good.rfind("{\"number\""))),
                AllOf(HasSubstr("found 268 steps"), HasSubstr("269")));
    EXPECT_THAT(refusal(good.substr(0, good.size() - 9)), HasSubstr("t.jsonl:270"));
    EXPECT_THAT(refusal("{}\n"), AllOf(HasSubstr("t.jsonl:1"), HasSubstr("found no trace")));
    EXPECT_THAT(refusal(with(good, "\"trace\":1", "\"trace\":2")),
                AllOf(HasSubstr("found version 2"), HasSubstr("allowed is 1")));
    EXPECT_THAT(refusal(with(good, "\"number\":3,", "\"number\":4,")),
                AllOf(HasSubstr("t.jsonl:4"), HasSubstr("/number"), HasSubstr("found 4")));
    EXPECT_THAT(refusal(with(good, "\"cause\":1,", "\"cause\":9,")), HasSubstr("comes later"));
    EXPECT_THAT(refusal(with(good, "\"cause\":1,", "\"cause\":-1,")),
                AllOf(HasSubstr("/cause"), HasSubstr("found -1"), HasSubstr("whole number")));
    EXPECT_THAT(refusal(with(good, "\"cause\":1,", "\"cause\":\"1\",")), HasSubstr("found \"1\""));
    EXPECT_THAT(refusal(with(good, "\"cause\":1,", "\"because\":1,")),
                AllOf(HasSubstr("found 'because'"), HasSubstr("cause")));
    EXPECT_THAT(refusal(with(good, "\"kind\":\"create\"", "\"kind\":\"make\"")),
                AllOf(HasSubstr("found \"make\""), HasSubstr("change, create, drop")));
    EXPECT_THAT(refusal(with(good, "\"fingerprint\":\"", "\"fingerprint\":\"x")),
                HasSubstr("16 hexadecimal digits"));
    EXPECT_THAT(refusal(with(good, "\"seed\":1,", "")), HasSubstr("'seed' is missing"));
}

TEST(Traces, SayWhichPromiseBrokeFirstOfThoseThatMatterMost) {
    const Trace trace = traced("crash-before-xack").trace;
    ASSERT_NE(trace.first_broken(), nullptr);
    EXPECT_EQ(trace.first_broken()->name, "work_is_executed_once");
    EXPECT_GE(trace.first_broken()->why.size(), 3u);
    EXPECT_EQ(traced("standard").trace.first_broken(), nullptr);
}

TEST(Traces, TellWhatBecameOfEachRun) {
    const Trace trace = traced("everything-at-once").trace;
    std::map<std::string, std::string> became;
    for (const TraceRun& run : trace.runs) became[run.run + " " + run.content] = run.status;
    EXPECT_EQ(became.count("run-0 healthy"), 0u) << "a number that no run has";
    EXPECT_EQ(became["run-1 healthy"], "done");
    EXPECT_EQ(became["run-4 poison"], "failed");
    std::uint64_t deliveries = 0;
    for (const TraceRun& run : trace.runs) deliveries += run.counts.at("deliveries");
    EXPECT_EQ(deliveries, trace.totals.at("delivered"));
}

}  // namespace
}  // namespace redeliver::reports
