#include "reports/table_comparison.h"

#include <algorithm>
#include <set>

#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

using Row = std::vector<std::string>;

const PlainTable* find_table(const std::vector<PlainTable>& tables, const std::string& title) {
    const auto found = std::ranges::find(tables, title, &PlainTable::title);
    return found == tables.end() ? nullptr : &*found;
}

std::vector<Row>::const_iterator find_row(const PlainTable& table, const std::string& key) {
    return std::ranges::find(table.rows, key, [](const Row& row) { return row.front(); });
}

StateRow whole_row(const Row& row, Change change) {
    StateRow result{.change = change, .cells = {}};
    for (const std::string& text : row) result.cells.push_back({text});
    return result;
}

StateRow compared_row(const PlainTable& table, const Row& was, const Row& is) {
    StateRow result = whole_row(is, Change::same);
    for (std::size_t i = 0; i < is.size(); ++i) {
        if (table.columns[i].counts == PlainTable::Counts::no || was[i] == is[i]) continue;
        result.change = Change::changed;
        result.cells[i].was = was[i];
    }
    return result;
}

StateTable compare(const PlainTable& before, const PlainTable& after) {
    StateTable result{.title = after.title, .columns = {}, .rows = {}};
    for (const auto& column : after.columns) result.columns.push_back(column.name);
    auto old = before.rows.begin();
    const auto take_removed = [&](auto until) {
        for (; old != until; ++old)
            if (find_row(after, old->front()) == after.rows.end())
                result.rows.push_back(whole_row(*old, Change::removed));
    };
    for (const Row& row : after.rows) {
        sim::ensure(row.size() == after.columns.size(), "a row has a cell for each column");
        const auto was = find_row(before, row.front());
        if (was == before.rows.end()) {
            result.rows.push_back(whole_row(row, Change::added));
            continue;
        }
        if (was >= old) take_removed(was);
        result.rows.push_back(compared_row(after, *was, row));
    }
    take_removed(before.rows.end());
    return result;
}

}  // namespace

std::vector<StateTable> compare_tables(const std::vector<PlainTable>& before,
                                       const std::vector<PlainTable>& after) {
    std::vector<StateTable> result;
    for (const PlainTable& table : after) {
        const PlainTable* const was = find_table(before, table.title);
        result.push_back(
            compare(was == nullptr ? PlainTable{table.title, table.columns} : *was, table));
    }
    for (const PlainTable& table : before)
        if (find_table(after, table.title) == nullptr)
            result.push_back(compare(table, {table.title, table.columns}));
    return result;
}

}  // namespace redeliver::reports
