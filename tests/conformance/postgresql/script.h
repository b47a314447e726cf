#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/database/configuration.h"
#include "model/database/schema.h"
#include "model/database/statements.h"
#include "sim/time.h"

namespace redeliver::conformance::postgresql {

/// A session sends a statement. Left out while the session's last one is still waiting.
struct Say {
    std::size_t session = 0;
    model::database::Statement statement;
};

/// A session's waiting statement is cancelled. Left out unless it waits.
struct Cancel {
    std::size_t session = 0;
};

/// A session's client goes away, waiting or not, and another takes its place.
struct Leave {
    std::size_t session = 0;
};

/// A session sends a statement and its client goes away before any answer can come; what it sent is
/// done all the same. Left out while the session's last one is still waiting.
struct Part {
    std::size_t session = 0;
    model::database::Statement statement;
};

/// Time passes; deadlines that are due by then strike.
struct Pass {
    sim::Duration time{0};
};

using Step = std::variant<Say, Cancel, Leave, Part, Pass>;

/// An interleaving: what several sessions of one server do, one step after the other. Everything in
/// it is written out, so that it means the same wherever it is played.
struct Script {
    model::database::Schema schema;
    /// There from the beginning.
    std::vector<model::database::Insert> rows;
    sim::Duration lock_timeout{0};
    sim::Duration statement_timeout{0};
    std::size_t sessions = 2;
    /// From one step to the next.
    sim::Duration step_time = std::chrono::milliseconds{1};
    /// Whether all rows fit one page of each table. PostgreSQL reuses the place of dead rows on a
    /// page that gets full, and rows then come in another order where none is asked for.
    enum class Size : std::uint8_t { one_page, any } size = Size::one_page;
    std::vector<Step> steps;
};

/// What one side did at a step, for people: who, and what came back.
struct Line {
    std::size_t session = 0;
    std::string text;
};

/// The script's beginning as SQL, and then a column for each of its sessions, a row for each line.
/// More than four sessions do not fit: their lines begin with their number.
std::string in_columns(const Script& script, const std::vector<Line>& lines);

/// The step as a line of its session's column; of session 0 if it is nobody's.
Line line_of(const Script& script, const Step& step);

}  // namespace redeliver::conformance::postgresql
