#include "properties/rare_paths.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "model/database/results.h"
#include "model/operations.h"
#include "sim/ensure.h"

namespace redeliver::properties {

using model::Content;
using model::Operation;
using model::Status;
using sim::NodeId;
using sim::Step;
using sim::Subject;

namespace {

bool is_one_of(sim::OperationKind kind, std::initializer_list<Operation> operations) {
    return std::ranges::any_of(
        operations, [&](Operation operation) { return model::number(operation) == kind; });
}

bool writes_the_database(sim::OperationKind kind) {
    return is_one_of(kind,
                     {Operation::commit, Operation::insert_run, Operation::insert_reply,
                      Operation::mark_running, Operation::mark_done, Operation::mark_failed,
                      Operation::insert_outbox, Operation::delete_outbox, Operation::insert_mark,
                      Operation::insert_lease, Operation::take_over_lease});
}

}  // namespace

void RarePaths::start(const Servers& servers) {
    servers_ = servers;
    counts_ = {};
    runs_.clear();
    intentions_.clear();
    for (Node& node : nodes_) {
        node.working_on.clear();
        node.finished.clear();
        node = {.working_on = std::move(node.working_on), .finished = std::move(node.finished)};
    }
    messages_.clear();
    order_.clear();
    streams_.clear();
}

RarePaths::Node& RarePaths::node(NodeId id) {
    sim::ensure(id != NodeId::none, "what happens to a node names it");
    const auto index = static_cast<std::size_t>(id);
    if (index >= nodes_.size()) nodes_.resize(index + 1);
    return nodes_[index];
}

void RarePaths::observe(const Step& step) {
    if (step.kind < sim::first_free_kind) return observe_world(step);
    if (((Streams::kinds >> step.kind) & 1) != 0) return observe_broker(step);
    if (!model::is_run(step.subject)) {
        if (step.kind == model::RolledBack::kind) reach(RarePath::rolled_back);
        return;
    }
    switch (step.kind) {
    case model::Submitted::kind:
    case model::Answered::kind:
    case model::GaveUp::kind: return observe_front(step);
    case model::WorkStarted::kind:
    case model::WorkFinished::kind:
    case model::Judged::kind:
    case model::ShortCircuited::kind:
    case model::RunUnknown::kind:
    case model::KeptOut::kind: return observe_worker(step);
    default: return observe_database(step);
    }
}

// ------------------------------------------------------------------ the world

void RarePaths::observe_world(const Step& step) {
    switch (step.kind) {
    case sim::Crashed::kind: return crashed(step);
    case sim::Restarted::kind: return restarted(step.actor);
    case sim::Paused::kind:
        node(step.actor).paused = step.number;
        node(step.actor).is_paused = true;
        return;
    case sim::Resumed::kind: node(step.actor).is_paused = false; return;
    case sim::Cut::kind: return interrupted(step, step.as<sim::Cut>()->operation);
    case sim::Refused::kind: return interrupted(step, step.as<sim::Refused>()->operation);
    case sim::Lost::kind: return lost(step, step.as<sim::Lost>()->operation);
    case sim::Dropped::kind: return dropped(*step.as<sim::Dropped>());
    case sim::ConnectionReset::kind: return reach(RarePath::connection_reset);
    case sim::Partitioned::kind: return reach(RarePath::partitioned);
    case sim::Slowed::kind:
        if (step.as<sim::Slowed>()->percent != 100) reach(RarePath::slowed);
        return;
    case sim::ClockStepped::kind: return reach(RarePath::clock_stepped);
    case sim::FailedOver::kind: return reach(RarePath::failed_over);
    case sim::Disturbed::kind: return disturbed(step.as<sim::Disturbed>()->what);
    default: return;
    }
}

void RarePaths::disturbed(sim::Disturbed::What what) {
    using What = sim::Disturbed::What;
    switch (what) {
    case What::half_open: return reach(RarePath::half_open);
    case What::delayed: return reach(RarePath::delayed);
    case What::clock_drift: return reach(RarePath::clock_drifted);
    case What::ordered: return reach(RarePath::told);
    default: return;
    }
}

void RarePaths::crashed(const Step& step) {
    if (step.as<sim::Crashed>()->of == sim::CrashOf::machine) reach(RarePath::machine_lost);
    Node& dead = node(step.actor);
    for (const Subject run : dead.working_on) {
        reach(RarePath::crash_during_work);
        if (messages_.content(run) == Content::killer) reach(RarePath::killer_struck);
        if (runs_[run].is_published && !streams_.is_pending(run))
            reach(RarePath::crash_during_acknowledged_work);
        sim::ensure(runs_[run].being_worked_on > 0, "a node works on what is being worked on");
        --runs_[run].being_worked_on;
    }
    for (const Subject run : dead.finished)
        if (streams_.is_pending(run)) reach(RarePath::crash_between_work_and_xack);
    dead.working_on.clear();
    dead.finished.clear();
    dead.crashed = step.number;
    dead.is_alive = false;
    dead.is_paused = false;
}

void RarePaths::restarted(NodeId id) {
    node(id).is_alive = true;
    if (id == servers_.broker) reach(RarePath::broker_restarted);
    if (id == servers_.database) reach(RarePath::database_restarted);
}

void RarePaths::dropped(const sim::Dropped& dropped) {
    if (dropped.what == sim::Swallowed::request) return reach(RarePath::request_lost);
    reach(RarePath::reply_lost_after_apply);
    if (writes_the_database(dropped.operation)) reach(RarePath::commit_answer_lost);
}

void RarePaths::lost(const Step& step, sim::OperationKind operation) {
    interrupted(step, operation);
    if (operation != model::number(Operation::submit) || !model::is_run(step.subject)) return;
    const Message& message = intentions_[model::intention_of(step.subject)];
    if (message.runs > 0 && !message.is_answered) reach(RarePath::answer_lost_to_user);
}

void RarePaths::interrupted(const Step& step, sim::OperationKind operation) {
    const bool inserts = is_one_of(operation, {Operation::insert_run, Operation::commit});
    const bool publishes = is_one_of(operation, {Operation::xadd, Operation::insert_outbox});
    if ((!inserts && !publishes) || !model::is_run(step.subject)) return;
    // A gateway inserts on behalf of the message, and may not know yet what its run is called.
    Message& message = intentions_[model::intention_of(step.subject)];
    if (message.last_run != Subject::none) {
        Run& run = runs_[message.last_run];
        if (run.inserted_by == step.actor && !run.is_published)
            return reach(RarePath::insert_without_publish);
    }
    if (inserts && step.kind != sim::Refused::kind) message.insert_in_doubt = step.actor;
}

// ------------------------------------------------------------------ users and the database

void RarePaths::observe_front(const Step& step) {
    messages_.observe(step);
    if (const auto* const submitted = step.as<model::Submitted>()) {
        if (submitted->attempt > 1) reach(RarePath::retried_submission);
        // What the gateway does from now on it does for this attempt.
        intentions_[model::intention_of(step.subject)].insert_in_doubt = NodeId::none;
    } else if (step.kind == model::GaveUp::kind) {
        reach(RarePath::user_gave_up);
    } else if (const auto* const answered = step.as<model::Answered>()) {
        if (answered->answer == model::Answer::rejected)
            return reach(RarePath::submission_rejected);
        if (answered->answer == model::Answer::duplicate) reach(RarePath::answered_as_duplicate);
        intentions_[model::intention_of(step.subject)].is_answered = true;
    }
}

void RarePaths::observe_database(const Step& step) {
    const Subject overtaker = order_.observe(step);
    if (overtaker != Subject::none) reach(RarePath::order_broken);
    switch (step.kind) {
    case model::Accepted::kind: return accepted(step);
    case model::SubmissionAbsorbed::kind: return reach(RarePath::submission_absorbed);
    case model::StatusChanged::kind: {
        Run& run = runs_[step.subject];
        run.status = step.as<model::StatusChanged>()->to;
        if (run.status == Status::failed && run.replies > 0) reach(RarePath::failed_and_replied);
        if (run.status == Status::running &&
            step.as<model::StatusChanged>()->from == Status::running)
            reach(RarePath::running_run_taken_over);
        return;
    }
    case model::LeaseTaken::kind:
        if (step.as<model::LeaseTaken>()->token > 1) reach(RarePath::lease_taken_over);
        return;
    case model::ReplyStored::kind: return reply_stored(runs_[step.subject]);
    case model::ReplyAbsorbed::kind: return reach(RarePath::reply_absorbed);
    case model::RolledBack::kind: return reach(RarePath::rolled_back);
    case model::StatementFailed::kind: return statement_failed(*step.as<model::StatementFailed>());
    case model::DatabaseForgot::kind:
        return database_forgot(step.subject, *step.as<model::DatabaseForgot>());
    default: return;
    }
}

void RarePaths::accepted(const Step& step) {
    Run& run = runs_[step.subject];
    run.inserted_by = step.actor;
    if (run.is_published) reach(RarePath::published_before_insert);
    Message& message = intentions_[step.as<model::Accepted>()->intention];
    if (++message.runs > 1) reach(RarePath::second_run_for_one_message);
    message.last_run = step.subject;
    // Its gateway had lost touch before the commit took effect, and will not publish it.
    if (std::exchange(message.insert_in_doubt, NodeId::none) == step.actor && !run.is_published)
        reach(RarePath::insert_without_publish);
}

void RarePaths::reply_stored(Run& run) {
    if (++run.replies > 1) reach(RarePath::second_reply_stored);
    if (run.status == Status::failed) reach(RarePath::failed_and_replied);
}

void RarePaths::statement_failed(const model::StatementFailed& failed) {
    using model::database::SqlState;
    const auto state = static_cast<SqlState>(failed.state);
    if (state == SqlState::deadlock_detected) reach(RarePath::deadlocked);
    if (state == SqlState::too_many_connections) reach(RarePath::too_many_connections);
    if (state == SqlState::lock_not_available) reach(RarePath::lock_waited_in_vain);
}

void RarePaths::database_forgot(Subject subject, const model::DatabaseForgot& forgot) {
    reach(RarePath::database_forgot);
    Run& run = runs_[subject];
    if (forgot.what == model::DatabaseForgot::What::reply) {
        if (run.replies > 0) --run.replies;
    } else {
        run.status = forgot.now;
    }
}

// ------------------------------------------------------------------ the broker

void RarePaths::observe_broker(const Step& step) {
    // What a claim or an XACK does is told by whom the entry belonged to before.
    if (const auto* const claim = step.as<model::Claimed>()) claimed(step, *claim);
    if (const auto* const ack = step.as<model::Acknowledged>()) acknowledged(step, *ack);
    streams_.observe(step);
    switch (step.kind) {
    case model::Added::kind: return added(step);
    case model::Reread::kind: reach(RarePath::reread_own_entry); [[fallthrough]];
    case model::Claimed::kind:
    case model::Delivered::kind:
        if (model::is_run(step.subject) && runs_[step.subject].dead_letters > 0)
            reach(RarePath::redelivered_after_dead_letter);
        return;
    case model::EntryRemoved::kind: return removed(*step.as<model::EntryRemoved>());
    case model::PendingDropped::kind:
        if (step.as<model::PendingDropped>()->cause ==
            model::PendingDropped::Cause::consumer_deleted)
            reach(RarePath::pending_dropped_with_consumer);
        if (step.as<model::PendingDropped>()->cause ==
            model::PendingDropped::Cause::group_destroyed)
            reach(RarePath::pending_dropped_with_group);
        return;
    case model::DeadLettered::kind: return dead_lettered(step.subject);
    case model::BrokerForgot::kind:
        return broker_forgot(step.subject, step.as<model::BrokerForgot>()->what);
    default: return;
    }
}

void RarePaths::added(const Step& step) {
    if (!model::is_run(step.subject)) return;
    Run& run = runs_[step.subject];
    if (run.is_published) reach(RarePath::entry_published_twice);
    if (run.inserted_by != NodeId::none && run.inserted_by != step.actor)
        reach(RarePath::republished);
    run.is_published = true;
}

void RarePaths::claimed(const Step& step, const model::Claimed& claimed) {
    const Streams::Row* const row = streams_.pending_row(step.subject, claimed.entry, claimed.from);
    if (row == nullptr || row->holder == NodeId::none) return;
    const Node& owner = node(row->holder);
    if (!owner.is_alive || owner.crashed > row->since)
        return reach(RarePath::claimed_from_a_dead_worker);
    if (row->holder == step.actor) return;  // It took its own entry again.
    reach(RarePath::claimed_from_a_live_worker);
    if (owner.is_paused || owner.paused > row->since) reach(RarePath::paused_past_threshold);
    if (std::ranges::count(owner.working_on, step.subject) > 0) {
        reach(RarePath::claimed_while_worked_on);
    } else if (!owner.working_on.empty()) {
        reach(RarePath::claimed_before_its_work_began);
    }
}

void RarePaths::acknowledged(const Step& step, const model::Acknowledged& acknowledged) {
    const Streams::Row* const row =
        streams_.pending_row(step.subject, acknowledged.entry, acknowledged.owner);
    if (row != nullptr && row->holder != NodeId::none && row->holder != step.actor)
        reach(RarePath::late_xack_cleared_anothers_row);
    if (!model::is_run(step.subject)) return;
    Run& run = runs_[step.subject];
    if (run.is_poison && run.dead_letters == 0) reach(RarePath::acknowledged_without_dead_letter);
    if (run.finished_by == NodeId::none) return;
    std::erase(node(run.finished_by).finished, step.subject);
    run.finished_by = NodeId::none;
}

void RarePaths::removed(const model::EntryRemoved& removed) {
    if (removed.unread_by > 0) reach(RarePath::trimmed_unread);
    if (removed.pending_in > 0) reach(RarePath::trimmed_pending);
}

void RarePaths::dead_lettered(Subject run) {
    reach(RarePath::dead_lettered);
    if (model::is_run(run) && ++runs_[run].dead_letters > 1) reach(RarePath::dead_lettered_twice);
}

void RarePaths::broker_forgot(Subject run, model::BrokerForgot::What what) {
    using What = model::BrokerForgot::What;
    switch (what) {
    case What::entry: return reach(RarePath::broker_forgot_entry);
    case What::acknowledgement: return reach(RarePath::broker_forgot_acknowledgement);
    case What::delivery: return reach(RarePath::broker_forgot_delivery);
    case What::claim: return reach(RarePath::broker_forgot_claim);
    case What::dead_letter:
        if (model::is_run(run) && runs_[run].dead_letters > 0) --runs_[run].dead_letters;
        return reach(RarePath::broker_forgot_dead_letter);
    case What::removal:
    case What::other: return;
    }
}

// ------------------------------------------------------------------ workers

void RarePaths::observe_worker(const Step& step) {
    switch (step.kind) {
    case model::WorkStarted::kind: return work_started(step);
    case model::WorkFinished::kind: return work_finished(step, *step.as<model::WorkFinished>());
    case model::Judged::kind:
        if (step.as<model::Judged>()->as == model::Judged::As::poison)
            runs_[step.subject].is_poison = true;
        return;
    case model::ShortCircuited::kind: return reach(RarePath::short_circuited);
    case model::RunUnknown::kind: return reach(RarePath::run_unknown);
    case model::KeptOut::kind: return kept_out(step.as<model::KeptOut>()->by);
    default: return;
    }
}

void RarePaths::kept_out(model::KeptOut::By by) {
    using By = model::KeptOut::By;
    switch (by) {
    case By::mark: return reach(RarePath::kept_out_by_mark);
    case By::status: return reach(RarePath::kept_out_by_status);
    case By::lease: return reach(RarePath::kept_out_by_lease);
    case By::fence: return reach(RarePath::kept_out_by_fence);
    }
}

void RarePaths::work_started(const Step& step) {
    node(step.actor).working_on.push_back(step.subject);
    if (++runs_[step.subject].being_worked_on == 2) reach(RarePath::worked_on_by_two_at_once);
}

void RarePaths::work_finished(const Step& step, const model::WorkFinished& finished) {
    Node& worker = node(step.actor);
    const auto begun = std::ranges::find(worker.working_on, step.subject);
    if (begun == worker.working_on.end()) return;
    worker.working_on.erase(begun);
    Run& run = runs_[step.subject];
    sim::ensure(run.being_worked_on > 0, "what is finished was being worked on");
    --run.being_worked_on;
    if (finished.result == model::WorkResult::failed) {
        ++run.works_failed;
        if (messages_.content(step.subject) == Content::poison) reach(RarePath::poison_failed);
        return;
    }
    if (run.works_failed > 0 && messages_.content(step.subject) == Content::flaky)
        reach(RarePath::flaky_recovered);
    if (!streams_.is_pending(step.subject)) return;
    worker.finished.push_back(step.subject);
    run.finished_by = step.actor;
}

}  // namespace redeliver::properties
