#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/database/events.h"
#include "model/database/relation.h"
#include "model/database/results.h"
#include "model/database/scan.h"
#include "model/database/session.h"
#include "model/database/statements.h"
#include "sim/time.h"

namespace redeliver::model::database {

/// Where a session is kept; used again after it has gone.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = ~Slot{0};

/// A row that a transaction has locked, and perhaps changed.
struct Held {
    TableId table;
    RowId row;
};

struct Transaction {
    /// `single` is a statement outside BEGIN; `aborted` awaits its ROLLBACK and holds nothing more.
    enum class State : std::uint8_t { none, single, open, aborted };
    State state = State::none;
    sim::WallTime began;
    std::vector<Held> held;  ///< In the order in which they were first touched.
};

/// The statement that a session executes, as far as it has come.
struct Run {
    enum class Phase : std::uint8_t { fresh, finding_conflicts, entering_keys, next_row };

    Phase phase = Phase::fresh;
    bool waited_in_pass = false;  ///< ON CONFLICT DO NOTHING then looks at all keys again.
    bool overflows = false;       ///< UPDATE, of the row after the last candidate.
    std::uint32_t queue = 0;      ///< Of the row whose turn it awaits.
    RowId row = no_row;           ///< Being inserted or updated.
    std::size_t key = 0;          ///< The next one to be looked at.
    std::size_t next_candidate = 0;
    std::vector<Candidate> candidates;
    sim::WallTime began;
    Statement statement;  ///< Kept only once it has had to wait.
    Result result;        ///< Likewise.

    void restart(sim::WallTime now);
};

/// What a session waits for; see Waited.
struct Wait {
    enum class For : std::uint8_t { nothing, transaction, turn };
    For what = For::nothing;
    bool checked_for_deadlock = false;
    Slot transaction = no_slot;  ///< Whose transaction.
    sim::WallTime since;
};

struct Session {
    /// An orphan's client has gone while a statement of it was waiting.
    enum class Client : std::uint8_t { connected, gone };

    SessionId id;
    Slot slot;
    Client client = Client::connected;
    Transaction transaction;
    Run run;
    Wait wait;
    std::vector<Slot> waiters;     ///< Who waits for the end of its transaction, longest first.
    std::vector<Statement> inbox;  ///< Sent while the last one was still waiting.

    Holder holder() const { return slot + 1; }
    bool is_waiting() const { return wait.what != Wait::For::nothing; }
};

/// All sessions of a server.
class Sessions {
public:
    Session* find(SessionId id);
    Session& operator[](Slot slot) { return *slots_[slot]; }
    const Session& operator[](Slot slot) const { return *slots_[slot]; }

    /// Orphans count.
    std::size_t size() const { return size_; }

    Session& open(SessionId id);
    /// Lets the number be used again while the session goes on without a client.
    void orphan(Session& session);
    void close(Session& session);
    void clear();

    /// Connected sessions and orphans, by number.
    std::vector<const Session*> in_order() const;

private:
    using Entry = std::pair<SessionId, Slot>;

    std::vector<Entry>::iterator place_of(SessionId id);
    void unlist(const Session& session);

    std::vector<std::unique_ptr<Session>> slots_;  // Closed ones stay, with their memory.
    std::vector<Slot> free_slots_;
    std::vector<Entry> by_id_;
    std::size_t size_ = 0;
};

}  // namespace redeliver::model::database
