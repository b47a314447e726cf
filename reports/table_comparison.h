#pragma once

#include <string>
#include <vector>

#include "reports/state_tables.h"

namespace redeliver::reports {

/// A table at one moment. Rows are told apart by their first cell, which is unique, and sorted the
/// same way in every snapshot.
struct PlainTable {
    /// Whether a column that differs makes its row a changed one.
    enum class Counts : std::uint8_t { yes, no };
    struct Column {
        std::string name;
        Counts counts = Counts::yes;
    };

    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows = {};
};

/// The tables of `after` with what differs from `before` marked. Tables are told apart by their
/// titles; one that is only in `before` comes last, with all its rows removed.
std::vector<StateTable> compare_tables(const std::vector<PlainTable>& before,
                                       const std::vector<PlainTable>& after);

}  // namespace redeliver::reports
