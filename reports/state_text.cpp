#include "reports/state_text.h"

#include <fmt/format.h>

#include "reports/columns.h"
#include "reports/describe.h"
#include "reports/state_tables.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"

namespace redeliver::reports {

namespace {

struct Sign {
    const char* text;
    Tone tone;
};

Sign sign_of(Change change) {
    switch (change) {
    case Change::same: return {" ", Tone::plain};
    case Change::added: return {"+", Tone::good};
    case Change::removed: return {"-", Tone::bad};
    case Change::changed: return {"~", Tone::uncertain};
    }
    return {"?", Tone::bad};
}

std::string cell_text(const StateCell& cell) {
    return cell.was ? fmt::format("{} [{}]", cell.text, *cell.was) : cell.text;
}

std::string table_text(const StateTable& table, const Look& look) {
    std::vector<Column> layout(table.columns.size() + 1);
    layout.front().gap = 0;
    layout[1].gap = 1;
    Columns columns(layout);
    std::vector<Cell> heading = {{" "}};
    for (const std::string& column : table.columns) heading.push_back({column, Tone::faint});
    columns.add(std::move(heading));
    for (const StateRow& row : table.rows) {
        const Sign sign = sign_of(row.change);
        std::vector<Cell> cells = {{sign.text, sign.tone}};
        for (const StateCell& cell : row.cells)
            cells.push_back({cell_text(cell),
                             row.change == Change::changed && !cell.was ? Tone::plain : sign.tone});
        columns.add(std::move(cells));
    }
    const std::string title = painted(Tone::strong, scenarios::printable(table.title), look);
    if (table.rows.empty()) return fmt::format("{}  empty\n", title);
    return title + "\n" + columns.render(look);
}

std::string step_text(const scenarios::StateChange& change, const Look& look) {
    const Line line = describe(change.texts, change.step);
    const std::string text =
        fmt::format("after step {} at {}: {} {}{}{}{}{}", change.step.number,
                    moment(change.step.at, Precision::microseconds), line.who, line.what,
                    line.about.empty() ? "" : " ", line.about, line.detail.empty() ? "" : ", ",
                    with_arrows(line.detail, look.charset));
    return scenarios::printable(text);
}

}  // namespace

std::string state_text(const scenarios::StateChange& change, const Look& look) {
    std::string text = step_text(change, look) + "\n";
    for (const StateTable& table : state_tables(change)) text += "\n" + table_text(table, look);
    return text;
}

}  // namespace redeliver::reports
