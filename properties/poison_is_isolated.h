#pragma once

#include <cstdint>
#include <vector>

#include "properties/messages.h"
#include "properties/promise.h"
#include "properties/run_table.h"
#include "properties/streams.h"

namespace redeliver::properties {

/// `poison_is_isolated`: the third headline promise.
///
/// Of every run that is dead-lettered: not before the pending list counted as many deliveries as
/// the threshold; only once, while its dead letter is there; in the end it is on no pending list
/// and, if it has a row, failed with a reason.
///
/// Of a run that no worker can ever succeed on (its work fails always, or kills whoever does it),
/// once it is accepted and delivered: it is dead-lettered at the first *judged* delivery from the
/// threshold on, and in the end has one dead letter. A delivery is judged when a worker compares
/// its count, or one of its own, with the threshold (`Judged`). One that a crash, a stall, a lost
/// answer, a statement that fails, or an overtaking claim cuts short is excused and counted, and so
/// is one that acts while somebody has a server refuse things, for want of memory say: the next one
/// takes its place. A message that kills never gets as far as being judged after its work, so all
/// its deliveries are of that sort, and only its end is judged.
///
/// Where losses are excused, so is a dead letter that nobody can write any more because the entry
/// of a ripe run was dropped from the pending list by an operator: whoever judges it may be too
/// late.
class PoisonIsIsolated final : public Promise {
public:
    explicit PoisonIsIsolated(const Terms& terms = {});
    void observe(const sim::Step& step) override;

private:
    struct Run {
        std::uint32_t dead_letters = 0;
        std::uint32_t judged_at = 0;  // The delivery that was found to be poison, if any.
        sim::NodeId judge = sim::NodeId::none;
        sim::NodeId holder = sim::NodeId::none;  // Of the last delivery from the threshold on.
        model::Status status = model::Status::none;
        bool is_accepted = false;
        bool was_delivered = false;
        bool was_dead_lettered = false;
        bool has_reason = false;
        bool is_watched = false;
        bool delivery_was_cut = false;
        bool judgement_was_cut = false;
        bool judge_is_acting = false;   // It has a request about the run under way.
        bool was_dropped_ripe = false;  // From the pending list, by an operator.
    };

    void settle() override;
    void clear() override;
    void observe_broker(const sim::Step& step);
    void observe_database(const sim::Step& step);
    void delivered(const sim::Step& step);
    void judged(const sim::Step& step, const model::Judged& judged);
    std::uint32_t deliveries_known(const sim::Step& step, const model::Judged& judged) const;
    void judge_acts(const sim::Step& step);
    void dead_lettered(const sim::Step& step);
    void interrupted(const sim::Step& step);
    static void cut_short(Run& run) { run.judgement_was_cut = run.delivery_was_cut = true; }
    void disturbed(const sim::Step& step);
    void orders_end(sim::NodeId node);
    void settle(sim::Subject subject, const Run& run);

    Messages messages_;
    Streams streams_;
    RunTable<Run> runs_;
    std::vector<sim::Subject> watched_;  // Hopeless, ripe, and not dead-lettered yet.
    std::vector<sim::NodeId> ordered_;   // A node for each order that lasts.
};

}  // namespace redeliver::properties
