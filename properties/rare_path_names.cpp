#include <algorithm>

#include "properties/rare_paths.h"
#include "sim/ensure.h"

namespace redeliver::properties {

namespace {

constexpr std::array<RarePathInfo, rare_path_count> infos = {{
    {"retried_submission", "A user submitted a message again."},
    {"answer_lost_to_user", "A user stopped waiting although the message had been accepted."},
    {"answered_as_duplicate", "A user was told that the message had been accepted before."},
    {"submission_rejected", "A gateway told a user that it had failed."},
    {"user_gave_up", "A user stopped trying."},
    {"submission_absorbed", "The idempotency key kept a second row out."},
    {"second_run_for_one_message", "One message got a second row."},
    {"insert_without_publish",
     "A gateway crashed, or lost touch, after its row was committed and before the id was added to "
     "the stream."},
    {"published_before_insert", "An id was in the stream before its row was committed."},
    {"entry_published_twice", "The id of a run was added to the stream a second time."},
    {"republished", "Somebody else than the gateway that made the row added its id to the stream."},
    {"crash_during_work", "A node crashed while it worked on a run."},
    {"crash_between_work_and_xack",
     "A node crashed after its work on a run had succeeded and before its XACK was applied."},
    {"crash_during_acknowledged_work",
     "A node crashed while it worked on a run that was on no pending list any more."},
    {"claimed_from_a_dead_worker",
     "An entry was claimed whose owner had crashed since it was given it."},
    {"claimed_from_a_live_worker", "An entry was claimed from another node that had not crashed."},
    {"claimed_while_worked_on", "An entry was claimed while its owner worked on it."},
    {"claimed_before_its_work_began",
     "An entry was claimed from a live owner that was busy with another of its batch."},
    {"paused_past_threshold",
     "An entry was claimed from an owner that had been paused since it was given it."},
    {"worked_on_by_two_at_once", "Two nodes worked on one run at the same time."},
    {"reread_own_entry", "A consumer read its own pending entries again."},
    {"reply_absorbed", "The unique key of replies kept a second one out."},
    {"second_reply_stored", "A run got a second reply."},
    {"short_circuited", "A worker found the run settled and left it at that."},
    {"kept_out_by_mark",
     "A worker found the run among the processed messages, and stored nothing."},
    {"kept_out_by_status", "A worker's change of a run's status found it in another state."},
    {"kept_out_by_lease", "A worker found the lease of a run in another's hands."},
    {"kept_out_by_fence", "A worker was to store a reply when its lease had passed to another."},
    {"running_run_taken_over", "A worker took over a run that was running already."},
    {"lease_taken_over", "A worker took over a lease that had expired."},
    {"late_xack_cleared_anothers_row",
     "An XACK took an entry off the pending list that another node had been given meanwhile."},
    {"run_unknown", "A worker was given the id of a run that has no row."},
    {"order_broken", "A reply came after the reply to a later run of its session."},
    {"poison_failed", "Work on a poison message failed."},
    {"flaky_recovered", "Work on a flaky message succeeded after it had failed."},
    {"killer_struck", "A message crashed the node that worked on it."},
    {"dead_lettered", "A run was added to the dead-letter stream."},
    {"dead_lettered_twice", "A run was dead-lettered while its first dead letter was there."},
    {"redelivered_after_dead_letter", "A run that had been dead-lettered was delivered again."},
    {"acknowledged_without_dead_letter",
     "A run that had been judged poison was acknowledged before it had a dead letter."},
    {"failed_and_replied", "A run was failed and had a reply."},
    {"trimmed_unread", "An entry left the stream that a group had not read."},
    {"trimmed_pending", "An entry left the stream that was still pending."},
    {"pending_dropped_with_consumer", "A deleted consumer took pending entries with it."},
    {"broker_forgot_entry", "A loss of the broker took an entry out of the stream."},
    {"broker_forgot_acknowledgement", "A loss of the broker made an acknowledged entry pending."},
    {"broker_forgot_delivery", "A loss of the broker made a delivered entry new again."},
    {"broker_forgot_claim", "A loss of the broker gave an entry back to its earlier owner."},
    {"broker_forgot_dead_letter", "A loss of the broker took a dead letter away."},
    {"database_forgot", "A loss of the database undid a committed change."},
    {"rolled_back", "A transaction was rolled back."},
    {"deadlocked", "The database ended a deadlock with an error for one of those who waited."},
    {"too_many_connections", "The database refused a connection because it had too many."},
    {"request_lost", "The wire swallowed a request."},
    {"reply_lost_after_apply", "The wire swallowed the answer to a request that was applied."},
    {"commit_answer_lost", "The wire swallowed the answer to a write of the database."},
    {"connection_reset", "A connection was reset."},
    {"partitioned", "Nothing that one node sent reached another."},
    {"slowed", "A node worked more slowly than it should."},
    {"clock_stepped", "The wall clock of a node jumped."},
    {"failed_over", "A server was replaced by its standby."},
    {"machine_lost", "A machine lost power."},
    {"broker_restarted", "The broker started again."},
    {"database_restarted", "The database started again."},
    {"half_open", "A connection was gone at one end, and the other did not know."},
    {"delayed", "What one node sends and is sent took longer than usual."},
    {"clock_drifted", "The wall clock of a node ran too fast or too slowly."},
    {"told", "An operator, a user or a deployment told a node to do something of its own."},
    {"pending_dropped_with_group", "A destroyed group took pending entries with it."},
    {"lock_waited_in_vain", "The database ended a statement that had waited for a lock too long."},
}};

constexpr bool no_name_is_missing() {
    for (const RarePathInfo& info : infos)
        if (info.name.empty() || info.meaning.empty()) return false;
    return true;
}
static_assert(no_name_is_missing());

}  // namespace

const std::array<RarePathInfo, rare_path_count>& rare_paths() { return infos; }

std::optional<RarePath> find_rare_path(std::string_view name) {
    const auto found = std::ranges::find(infos, name, &RarePathInfo::name);
    if (found == infos.end()) return {};
    return RarePath{static_cast<std::uint8_t>(found - infos.begin())};
}

}  // namespace redeliver::properties
