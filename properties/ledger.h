#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/steps.h"
#include "properties/run_table.h"
#include "properties/streams.h"
#include "sim/happenings.h"
#include "sim/recorder.h"
#include "sim/step.h"

namespace redeliver::properties {

/// What became of one run, and where it stands now. Counts of things that a loss can undo
/// (`replies`, `dead_letters`, `has_row`, `status`) are as the tables and streams are now; the
/// others only grow.
struct Biography {
    sim::Subject intention = sim::Subject::none;
    std::uint32_t session = 0;
    sim::Name reason{};  ///< Of a failed run.
    std::uint32_t replies = 0;
    std::uint32_t effects = 0;   ///< Reply rows ever committed.
    std::uint32_t absorbed = 0;  ///< Replies that gate two kept out.
    std::uint32_t executions = 0;
    std::uint32_t failures = 0;      ///< Executions that failed.
    std::uint32_t publications = 0;  ///< Entries ever added; Ledger::streams says which.
    std::uint32_t deliveries = 0;    ///< Redeliveries and claims among them.
    std::uint32_t claims = 0;
    std::uint32_t acknowledgements = 0;
    std::uint32_t dead_letters = 0;
    std::uint32_t removals = 0;  ///< Entries trimmed or deleted.
    std::uint32_t dropped = 0;   ///< Pending rows that vanished unacknowledged.
    model::Status status = model::Status::none;
    bool has_row = false;
    bool was_accepted = false;
    bool was_told = false;  ///< A user was told this id.
    bool was_forgotten = false;

    bool is_terminal() const {
        return status == model::Status::done || status == model::Status::failed;
    }
};

/// What became of one message that a user wanted to send, under whichever run ids.
struct Intention {
    std::uint32_t attempts = 0;
    std::uint32_t user_crashes = 0;  // Of the user, when it was submitted last.
    sim::NodeId user = sim::NodeId::none;
    model::Content content = model::Content::healthy;
    std::uint8_t failures = 0;  ///< Of flaky content: how often the work fails.
    bool is_under_way = false;
};

/// The sums over a trial, in the vocabulary in which queues are tested.
struct Totals {
    std::uint64_t intentions = 0;    ///< Messages that users submitted at least once.
    std::uint64_t attempted = 0;     ///< Submissions, retries included.
    std::uint64_t accepted = 0;      ///< Runs whose row was ever committed.
    std::uint64_t told = 0;          ///< Runs whose id a user was told.
    std::uint64_t published = 0;     ///< Entries added to the streams that workers read.
    std::uint64_t delivered = 0;     ///< Deliveries, redeliveries and claims included.
    std::uint64_t claimed = 0;       ///< Deliveries by XAUTOCLAIM or XCLAIM.
    std::uint64_t executions = 0;    ///< Times that work was started.
    std::uint64_t failures = 0;      ///< Times that it failed.
    std::uint64_t effects = 0;       ///< Replies ever stored.
    std::uint64_t absorbed = 0;      ///< Replies that gate two kept out.
    std::uint64_t refused = 0;       ///< Submissions that gate one kept out.
    std::uint64_t acknowledged = 0;  ///< Entries taken off a pending list by XACK.
    std::uint64_t recovered = 0;  ///< Runs delivered again or claimed, with one reply at the end.
    std::uint64_t forgotten = 0;  ///< Runs of which a loss undid something.

    // As the tables, the streams, the pending lists and the users are at the end.

    std::uint64_t done = 0;     ///< Rows with this status.
    std::uint64_t failed = 0;   ///< Rows with this status.
    std::uint64_t replies = 0;  ///< Reply rows.
    /// Runs that have a row or were told to a user, with neither a reply nor the status failed.
    std::uint64_t lost = 0;
    std::uint64_t duplicated = 0;  ///< Replies beyond the first of each run.
    /// Replies of runs that never had a row, and deliveries of entries that were never added.
    std::uint64_t unexpected = 0;
    std::uint64_t dead_lettered = 0;  ///< Entries in the dead-letter streams.
    std::uint64_t pending = 0;        ///< Rows on the pending lists.
    std::uint64_t unread = 0;         ///< Entries that a group has not been given.
};

/// A total and its name, as scenarios and reports write it: that of its field.
struct NamedTotal {
    std::string_view name;
    std::uint64_t Totals::*value;
};
/// All of them, in the order of the fields.
std::span<const NamedTotal> named_totals();

/// The biography of every run, folded from the steps, and what a trial's supervisor asks after
/// every event: whether there is anything left to wait for.
///
/// It follows what losses undo, so that at the end it equals the tables and the streams
/// (`properties/reconcile.h` proves it without the steps).
class Ledger final : public sim::StepSink {
public:
    static constexpr sim::KindMask kinds =
        Streams::kinds |
        sim::kinds_of<sim::Crashed, model::Submitted, model::Answered, model::GaveUp,
                      model::Accepted, model::SubmissionAbsorbed, model::StatusChanged,
                      model::ReplyStored, model::ReplyAbsorbed, model::DatabaseForgot,
                      model::WorkStarted, model::WorkFinished>;

    void observe(const sim::Step& step) override;
    /// Makes it as new, for the next trial, and keeps the memory.
    void clear();

    // What is left to wait for, each in constant time.

    /// Runs with a row that is neither done nor failed.
    std::uint64_t unfinished_runs() const { return unfinished_; }
    std::uint64_t unread_entries() const { return streams_.unread(); }
    std::uint64_t pending_rows() const { return streams_.pending_rows(); }
    /// Pieces of work begun by nodes that have not crashed since.
    std::uint64_t works_in_progress() const { return works_; }
    /// Messages whose user is neither answered with a run nor dead, and has not given up.
    std::uint64_t submissions_under_way() const { return under_way_; }
    /// Messages submitted at least once: compare with the workload to see whether all have begun.
    std::uint64_t intentions() const { return totals_.intentions; }
    /// Whether all of the above but the last are nothing.
    bool is_settled() const {
        return unfinished_ + streams_.unread() + streams_.pending_rows() + works_ + under_way_ == 0;
    }
    /// When a run last became done or failed, or a pending list shorter.
    sim::Instant last_progress() const { return last_progress_; }

    /// In time proportional to the number of runs.
    Totals totals() const;

    /// Nullptr when no step was about this run or a later one.
    const Biography* find(sim::Subject run) const { return runs_.find(run); }
    const Intention* find_intention(sim::Subject run) const {
        return model::is_run(run) ? intentions_.find(model::intention_of(run)) : nullptr;
    }
    /// Visits (run, biography), in the order of their numbers; gaps in the numbers appear as blank
    /// biographies.
    template <class Visit>
    void for_each(Visit visit) const {
        runs_.for_each(visit);
    }
    /// The entries of each run, and who holds them.
    const Streams& streams() const { return streams_; }

private:
    struct NodeTally {
        std::uint32_t works = 0;
        std::uint32_t under_way = 0;
        std::uint32_t crashes = 0;
    };

    NodeTally& node(sim::NodeId id);
    void observe_broker(const sim::Step& step);
    void submitted(const sim::Step& step, const model::Submitted& submitted);
    void answered(const sim::Step& step, const model::Answered& answered);
    void close(sim::Subject intention);
    void crashed(sim::NodeId id);
    void accepted(const sim::Step& step, const model::Accepted& accepted);
    void set_status(const sim::Step& step, model::Status status);
    void database_forgot(const sim::Step& step, const model::DatabaseForgot& forgot);
    void work_started(const sim::Step& step);
    void work_finished(const sim::Step& step, const model::WorkFinished& finished);

    RunTable<Biography> runs_;
    RunTable<Intention> intentions_;
    std::vector<NodeTally> nodes_;
    Streams streams_;
    Totals totals_;  // Those of its sums that only grow.
    std::uint64_t unfinished_ = 0;
    std::uint64_t works_ = 0;
    std::uint64_t under_way_ = 0;
    sim::Instant last_progress_{};
};

}  // namespace redeliver::properties
