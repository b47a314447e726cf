#include "reports/columns.h"

#include <algorithm>

#include "reports/text_width.h"
#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::reports {

void Columns::add(std::vector<Cell> cells) {
    sim::ensure(cells.size() <= columns_.size(), "a row has no more cells than there are columns");
    for (Cell& cell : cells) cell.text = scenarios::printable(cell.text);
    rows_.push_back({.cells = std::move(cells)});
}

void Columns::add_line(std::string text, Tone tone) {
    rows_.push_back({.cells = {{scenarios::printable(text), tone}}, .is_line = true});
}

std::vector<std::size_t> Columns::widths() const {
    std::vector<std::size_t> widths(columns_.size());
    for (const Row& row : rows_) {
        if (row.is_line) continue;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const bool reaches_out = i + 1 == row.cells.size() && i + 1 < columns_.size();
            const std::size_t width = display_width(row.cells[i].text);
            if (!reaches_out && width <= columns_[i].widest) widths[i] = std::max(widths[i], width);
        }
    }
    return widths;
}

std::string Columns::render(const Row& row, const std::vector<std::size_t>& widths,
                            const Look& look) const {
    std::string line;
    std::size_t used = 0;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const Column& column = columns_[i];
        const std::size_t gap = row.is_line ? 0 : column.gap;
        const bool is_last = i + 1 == row.cells.size();
        if (look.width <= used + gap) break;
        const std::size_t room =
            look.width == unlimited_width ? unlimited_width : look.width - used - gap;
        std::string text = row.cells[i].text;
        if (column.align == Align::right && !row.is_line) text = right_aligned(text, widths[i]);
        text = fitted(text, room, look.charset);
        const std::size_t width = display_width(text);
        line.append(gap, ' ').append(painted(row.cells[i].tone, text, look));
        const std::size_t blanks = is_last ? 0 : widths[i] - std::min(widths[i], width);
        line.append(blanks, ' ');
        used += gap + width + blanks;
    }
    const std::size_t end = line.find_last_not_of(' ');
    line.resize(end == std::string::npos ? 0 : end + 1);
    return line += '\n';
}

std::string Columns::render(const Look& look) const {
    const std::vector<std::size_t> columns = widths();
    std::string text;
    for (const Row& row : rows_) text += render(row, columns, look);
    return text;
}

}  // namespace redeliver::reports
