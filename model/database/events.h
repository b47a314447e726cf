#pragma once

#include <cstdint>
#include <variant>

#include "model/database/results.h"
#include "model/database/schema.h"
#include "model/database/session.h"

namespace redeliver::model::database {

/// Changes become events when they become true for everybody: at COMMIT, before its `Committed`,
/// one per row that differs, in the order in which the transaction first touched the rows. What one
/// transaction does to one row is told as its net effect.
struct RowInserted {
    SessionId session;
    TableId table;
    RowView row;
};

struct RowUpdated {
    SessionId session;
    TableId table;
    RowView before;
    RowView after;
};

struct RowDeleted {
    SessionId session;
    TableId table;
    RowView row;
};

/// ON CONFLICT DO NOTHING did nothing. Told at once, whatever becomes of the transaction.
struct InsertAbsorbed {
    SessionId session;
    TableId table;
    KeyId key;         ///< The first key that conflicted.
    RowView refused;   ///< The row that was to be inserted.
    RowView existing;  ///< The row that was there already.
};

/// A statement cannot go on. Told again each time that it waits, for a new reason or again.
struct Waited {
    /// For the end of a transaction, or, third and later in a row's queue, for whoever is first.
    enum class For : std::uint8_t { transaction, turn };
    SessionId session;
    SessionId blocker;
    For what;
};

struct Committed {
    SessionId session;
    std::uint32_t changes;  ///< Row events of this commit.
};

struct RolledBack {
    enum class Reason : std::uint8_t { requested, error, disconnected, server_lost };
    SessionId session;
    Reason reason;
    SqlState error = SqlState::ok;  ///< Of `error`: which.
};

/// A committed row that a loss or a failover has undone, as its net effect: `lost` is the row as it
/// was (empty if a delete was lost), `kept` as it is now (empty if an insert was lost).
struct Forgotten {
    TableId table;
    RowView lost;
    RowView kept;
};

/// Rows are views into the server, valid until the next call of one of its members.
using Event = std::variant<RowInserted, RowUpdated, RowDeleted, InsertAbsorbed, Waited, Committed,
                           RolledBack, Forgotten>;

}  // namespace redeliver::model::database
