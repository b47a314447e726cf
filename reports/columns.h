#pragma once

#include <string>
#include <vector>

#include "reports/look.h"

namespace redeliver::reports {

/// One cell of a table. Its text may come from anyone: it is made printable when it is laid out.
struct Cell {
    std::string text;
    Tone tone = Tone::plain;
};

enum class Align : std::uint8_t { left, right };

/// How a column of a table is laid out.
struct Column {
    Align align = Align::left;
    /// Longer texts stick out instead of widening the column for everybody.
    std::size_t widest = unlimited_width;
    /// Blanks before it.
    std::size_t gap = 2;
};

/// Rows under one another with their columns aligned, one line each, and none longer than the look
/// allows: the last column is cut, visibly. Rows may have fewer cells than there are columns;
/// their last cell then reaches as far as it needs.
class Columns {
public:
    explicit Columns(std::vector<Column> columns) : columns_(std::move(columns)) {}

    void add(std::vector<Cell> cells);
    /// A line that keeps to no column.
    void add_line(std::string text, Tone tone = Tone::plain);

    /// Every line ends in a newline.
    std::string render(const Look& look) const;

private:
    struct Row {
        std::vector<Cell> cells;
        bool is_line = false;
    };

    std::vector<std::size_t> widths() const;
    std::string render(const Row& row, const std::vector<std::size_t>& widths,
                       const Look& look) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace redeliver::reports
