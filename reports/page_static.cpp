// What a page shows where no script runs: the verdict, why, the diagram and the tables at the step
// at which the promise broke.

#include <fmt/format.h>

#include <algorithm>

#include "reports/page_static.h"
#include "reports/words.h"

namespace redeliver::reports {

namespace {

// Of the diagram, in pixels.
constexpr int lane_width = 150;
constexpr int left_margin = 90;
constexpr int row_height = 22;
constexpr int top_margin = 40;
/// Steps that it draws, those before the breach at most.
constexpr std::size_t most_rows = 60;

/// So that a text is only text in HTML and SVG. What XML cannot hold becomes U+FFFD.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char each : text) {
        switch (each) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\n':
        case '\t': safe += ' '; break;
        default:
            if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f) {
                safe += "\xef\xbf\xbd";
            } else {
                safe += each;
            }
        }
    }
    return safe;
}

std::string time_text(std::int64_t microseconds) {
    return moment(sim::at(sim::Duration{microseconds}));
}

/// The step that it is about: of the first breach, else the last.
std::size_t last_step(const Trace& trace) {
    const TracePromise* const broken = trace.first_broken();
    if (broken != nullptr && broken->step != sim::no_step) return broken->step;
    return trace.steps.size();
}

// ------------------------------------------------------------------ tables

struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

void apply(const std::vector<TableChange>& changes, std::vector<Table>& tables) {
    for (const TableChange& change : changes) {
        if (change.kind == TableChange::Kind::drop) {
            std::erase_if(tables, [&](const Table& each) { return each.title == change.title; });
            continue;
        }
        if (change.kind == TableChange::Kind::create) {
            const auto place = std::min<std::size_t>(change.place, tables.size());
            tables.insert(tables.begin() + static_cast<std::ptrdiff_t>(place),
                          Table{change.title, change.columns, {}});
        }
        const auto table = std::ranges::find(tables, change.title, &Table::title);
        if (table == tables.end()) continue;
        for (const RowChange& each : change.rows) {
            const auto row =
                table->rows.begin() +
                static_cast<std::ptrdiff_t>(std::min<std::size_t>(each.row, table->rows.size()));
            if (each.kind == RowChange::Kind::insert) {
                table->rows.insert(row, each.cells);
            } else if (row != table->rows.end()) {
                if (each.kind == RowChange::Kind::erase) {
                    table->rows.erase(row);
                } else {
                    *row = each.cells;
                }
            }
        }
    }
}

std::string table_html(const Table& table) {
    std::string html = fmt::format("<table><caption>{}</caption><thead><tr>", escaped(table.title));
    std::vector<bool> is_kept;
    for (const std::string& column : table.columns) {
        // It grows by itself, and a page without a script cannot follow it.
        is_kept.push_back(column != "idle");
        if (is_kept.back()) html += fmt::format("<th>{}</th>", escaped(column));
    }
    html += "</tr></thead><tbody>";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < std::min(row.size(), is_kept.size()); ++i)
            if (is_kept[i]) html += fmt::format("<td>{}</td>", escaped(row[i]));
        html += "</tr>";
    }
    return html + "</tbody></table>\n";
}

std::string tables_html(const Trace& trace) {
    std::vector<Table> tables;
    apply(trace.tables, tables);
    const std::size_t last = last_step(trace);
    for (std::size_t i = 0; i < last; ++i) apply(trace.steps[i].tables, tables);
    std::string html = fmt::format("<h2>What the servers hold after step {}</h2>\n", last);
    for (const Table& table : tables)
        if (!table.rows.empty()) html += table_html(table);
    return html;
}

// ------------------------------------------------------------------ diagram

std::string diagram_svg(const Trace& trace) {
    std::vector<const TraceStep*> rows;
    const std::size_t last = last_step(trace);
    for (std::size_t i = last; i > 0 && rows.size() < most_rows; --i)
        if (trace.steps[i - 1].is_shown || i == last) rows.push_back(&trace.steps[i - 1]);
    std::ranges::reverse(rows);
    const auto lane = [&](const std::string& node) {
        const auto found = std::ranges::find(trace.nodes, node, &TraceNode::name);
        if (found == trace.nodes.end()) return left_margin;  // The world has no lane.
        return left_margin + lane_width / 2 +
               lane_width * static_cast<int>(found - trace.nodes.begin());
    };
    const int width = left_margin + lane_width * static_cast<int>(trace.nodes.size());
    const int height = top_margin + row_height * static_cast<int>(rows.size()) + row_height;
    std::string svg = fmt::format(
        "<svg role=\"img\" aria-label=\"Who did what, from top to bottom\" viewBox=\"0 0 {} {}\" "
        "width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"11\">\n",
        width, height, width, height);
    for (const TraceNode& node : trace.nodes)
        svg += fmt::format(
            "<text x=\"{0}\" y=\"16\" text-anchor=\"middle\" font-weight=\"bold\">{1}</text>"
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"24\" y2=\"{2}\" stroke=\"#999\"/>\n",
            lane(node.name), escaped(node.name), height);
    int y = top_margin;
    for (const TraceStep* const step : rows) {
        const bool is_breach = step->number == last && trace.first_broken() != nullptr;
        const std::string words =
            fmt::format("{}{} {}", is_breach ? "BROKEN: " : "", step->what, step->about);
        svg += fmt::format(
            "<text x=\"4\" y=\"{}\" fill=\"#666\">{} {}</text>"
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>"
            "<text x=\"{}\" y=\"{}\"{}>{}</text>\n",
            y + 4, step->number, time_text(step->at_us), lane(step->actor), y, is_breach ? 5 : 3,
            lane(step->actor) + 8, y + 4, is_breach ? " font-weight=\"bold\"" : "", escaped(words));
        y += row_height;
    }
    return svg + "</svg>\n";
}

}  // namespace

std::string page_static(const Trace& trace) {
    const TracePromise* const broken = trace.first_broken();
    std::string html =
        fmt::format("<h1>{}: {}</h1>\n<p>{}, seed {}, {}, fingerprint {}. {}</p>\n",
                    trace.outcome == "wrong"          ? "FAIL"
                    : trace.outcome == "inconclusive" ? "UNPROVEN"
                                                      : "As expected",
                    broken == nullptr ? "no promise broke of which the story speaks"
                                      : escaped(broken->subject + " " + broken->evidence),
                    escaped(trace.story), trace.seed, counted(trace.steps.size(), "step"),
                    fingerprint_text(trace.fingerprint), escaped(trace.sentence));
    if (broken != nullptr) {
        html += fmt::format("<p>This breaks {}: {}</p>\n<ol>\n", escaped(broken->name),
                            escaped(broken->sentence));
        for (const TraceSentence& each : broken->why)
            html += fmt::format("<li>step {}, {}: {}</li>\n", each.step, time_text(each.at_us),
                                escaped(each.text));
        html += "</ol>\n";
    }
    for (const std::string& command : trace.commands)
        html += fmt::format("<p><code>{}</code></p>\n", escaped(command));
    return html + diagram_svg(trace) + tables_html(trace);
}

}  // namespace redeliver::reports
