#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore/trial.h"

/// The servers' data around one step as tables of texts, with what the step changed marked.
namespace redeliver::reports {

enum class Change : std::uint8_t { same, added, removed, changed };

struct StateCell {
    std::string text;
    /// What it was before the step, where that differs.
    std::optional<std::string> was = {};
};

struct StateRow {
    Change change = Change::same;
    std::vector<StateCell> cells;
};

struct StateTable {
    std::string title;
    std::vector<std::string> columns;
    std::vector<StateRow> rows;
};

/// Every stream with its groups, pending lists and consumers, every other key, every table of the
/// database and what its open transactions hold, in that order. Rows that the step removed keep
/// their place. Idle times, which change with every instant, count as no change.
///
/// Instants are since the beginning of the trial by the clock of the server that shows them.
std::vector<StateTable> state_tables(const scenarios::StateChange& change);

}  // namespace redeliver::reports
