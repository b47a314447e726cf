#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace redeliver::conformance::postgresql {

/// What both sides agreed on, counted in statements.
struct Tally {
    std::uint64_t interleavings = 0;
    std::uint64_t statements = 0;
    /// Could not be said, since the session's last one was still waiting. Not a count that a run
    /// has to meet.
    std::uint64_t left_out = 0;
    std::uint64_t waited = 0;
    /// Waited for a row, found it changed or deleted by the transaction it had waited for, and
    /// looked again whether it still matched.
    std::uint64_t rechecked = 0;
    std::uint64_t deadlocked = 0;
    std::uint64_t lock_timeouts = 0;
    std::uint64_t statement_timeouts = 0;
    /// FOR UPDATE SKIP LOCKED left out a row that matched.
    std::uint64_t skipped_locked = 0;
    std::uint64_t refused_by_nowait = 0;
    /// ON CONFLICT DO NOTHING waited for an uncommitted key.
    std::uint64_t inserted_after_wait = 0;
    std::uint64_t absorbed_after_wait = 0;
    /// A plain insert, or an update of a key, waited for an uncommitted key.
    std::uint64_t violated_after_wait = 0;
    std::uint64_t cancelled = 0;
    /// Clients that went away: idle, with a transaction open, while their statement waited.
    std::uint64_t left_idle = 0;
    std::uint64_t left_in_transaction = 0;
    std::uint64_t left_waiting = 0;
    /// Statements whose client went away before any answer could come: COMMIT, and others.
    std::uint64_t commits_unheard = 0;
    std::uint64_t others_unheard = 0;
    /// Of committed rows, while some statement waited: a key changed by UPDATE; a key deleted and
    /// inserted again.
    std::uint64_t keys_changed_meanwhile = 0;
    std::uint64_t inserted_again_meanwhile = 0;
    /// Two or more statements set free at once.
    std::uint64_t woken_together = 0;
    std::uint64_t out_of_range = 0;
    std::uint64_t nulls_refused = 0;
    std::uint64_t failed_in_aborted_transaction = 0;

    struct Count {
        std::string_view what;
        std::uint64_t value;
        /// That a run must have met, or it fails.
        std::uint64_t least;
    };
    std::vector<Count> counts() const;
};

}  // namespace redeliver::conformance::postgresql
