#include "tests/conformance/postgresql/tally.h"

namespace redeliver::conformance::postgresql {

std::vector<Tally::Count> Tally::counts() const {
    constexpr std::uint64_t least = 200;
    return {
        {"statements that waited", waited, least},
        {"looked again after a wait at a row that had changed", rechecked, least},
        {"ended as the victim of a deadlock", deadlocked, least},
        {"ended by lock_timeout", lock_timeouts, least},
        {"ended by statement_timeout", statement_timeouts, least},
        {"skip locked left out a row", skipped_locked, least},
        {"nowait met a locked row", refused_by_nowait, least},
        {"on conflict do nothing waited, then inserted", inserted_after_wait, least},
        {"on conflict do nothing waited, then skipped", absorbed_after_wait, least},
        {"waited for a key, then violated it", violated_after_wait, least},
        {"were cancelled", cancelled, least},
        {"clients that left between two statements", left_idle, least},
        {"clients that left in a transaction", left_in_transaction, least},
        {"clients that left while their statement waited", left_waiting, least / 2},
        {"commits whose answer nobody was there to hear", commits_unheard, least},
        {"other statements without a hearer", others_unheard, least},
        {"keys changed by UPDATE while a statement waited", keys_changed_meanwhile, least},
        {"keys deleted and inserted again while a statement waited", inserted_again_meanwhile,
         least},
        {"several statements set free at once", woken_together, least},
        {"numbers out of range", out_of_range, least / 10},
        {"nulls refused", nulls_refused, least},
        {"refused in an aborted transaction", failed_in_aborted_transaction, least},
    };
}

}  // namespace redeliver::conformance::postgresql
