#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/database/schema.h"
#include "model/database/session.h"
#include "model/database/value.h"
#include "sim/time.h"

namespace redeliver::model::database {

/// A server at one instant, as a value that owns all it shows. For reports and tests, not for
/// speed.
struct Snapshot {
    using Row = std::vector<Value>;

    struct Table {
        std::string name;
        std::vector<Column> columns;
        std::vector<Row> rows;  ///< Committed, by primary key, without one by all columns.
    };

    /// What an open transaction would do to a row: empty `before` inserts, empty `after` deletes.
    struct Change {
        TableId table;
        Row before;
        Row after;
    };

    /// An open transaction, an aborted one that awaits its ROLLBACK, or a single statement that
    /// waits.
    struct Transaction {
        enum class State : std::uint8_t { open, aborted };
        SessionId session;
        State state;
        sim::WallTime began;
        std::vector<Change> changes;
    };

    /// A row that a transaction holds, or that a session waits for.
    struct Lock {
        enum class State : std::uint8_t { held, awaited };
        SessionId session;
        State state;
        TableId table;
        Row row;  ///< As committed, or, if only the holder sees it, as the holder sees it.
    };

    struct Wait {
        SessionId session;
        SessionId blocker;
        sim::WallTime since;
    };

    std::vector<Table> tables;
    std::vector<Transaction> transactions;  ///< By session.
    std::vector<Lock> locks;                ///< By session, then as they were taken.
    std::vector<Wait> waits;                ///< Longest first.
};

}  // namespace redeliver::model::database
