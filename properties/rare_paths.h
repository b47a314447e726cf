#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/steps.h"
#include "properties/messages.h"
#include "properties/run_table.h"
#include "properties/session_order.h"
#include "properties/streams.h"
#include "sim/happenings.h"
#include "sim/recorder.h"
#include "sim/step.h"

namespace redeliver::properties {

/// Something that a trial may or may not come through. A story that says `reaches` one of them has
/// shown nothing unless it occurred. What each means is in `rare_paths()`.
enum class RarePath : std::uint8_t {
    // users and gateways
    retried_submission,
    answer_lost_to_user,
    answered_as_duplicate,
    submission_rejected,
    user_gave_up,
    submission_absorbed,
    second_run_for_one_message,
    insert_without_publish,
    published_before_insert,
    entry_published_twice,
    republished,
    // workers
    crash_during_work,
    crash_between_work_and_xack,
    crash_during_acknowledged_work,
    claimed_from_a_dead_worker,
    claimed_from_a_live_worker,
    claimed_while_worked_on,
    claimed_before_its_work_began,
    paused_past_threshold,
    worked_on_by_two_at_once,
    reread_own_entry,
    reply_absorbed,
    second_reply_stored,
    short_circuited,
    kept_out_by_mark,
    kept_out_by_status,
    kept_out_by_lease,
    kept_out_by_fence,
    running_run_taken_over,
    lease_taken_over,
    late_xack_cleared_anothers_row,
    run_unknown,
    order_broken,
    // poison
    poison_failed,
    flaky_recovered,
    killer_struck,
    dead_lettered,
    dead_lettered_twice,
    redelivered_after_dead_letter,
    acknowledged_without_dead_letter,
    failed_and_replied,
    // trimming and pruning
    trimmed_unread,
    trimmed_pending,
    pending_dropped_with_consumer,
    // losses
    broker_forgot_entry,
    broker_forgot_acknowledgement,
    broker_forgot_delivery,
    broker_forgot_claim,
    broker_forgot_dead_letter,
    database_forgot,
    rolled_back,
    deadlocked,
    too_many_connections,
    // the world
    request_lost,
    reply_lost_after_apply,
    commit_answer_lost,
    connection_reset,
    partitioned,
    slowed,
    clock_stepped,
    failed_over,
    machine_lost,
    broker_restarted,
    database_restarted,
    half_open,
    delayed,
    clock_drifted,
    told,
    pending_dropped_with_group,
    lock_waited_in_vain
};
inline constexpr std::size_t rare_path_count =
    static_cast<std::size_t>(RarePath::lock_waited_in_vain) + 1;

struct RarePathInfo {
    std::string_view name;
    std::string_view meaning;  ///< One English sentence.
};

/// Every rare path, in the order of their numbers.
const std::array<RarePathInfo, rare_path_count>& rare_paths();

/// None when there is no rare path of this name.
std::optional<RarePath> find_rare_path(std::string_view name);

/// Counts how often a trial came through each rare path.
///
/// Which node a consumer belongs to is learned from the deliveries themselves: the actor of a
/// delivery is the node that was given the entry.
class RarePaths final : public sim::StepSink {
public:
    /// Which nodes are the servers; none where there is no such server.
    struct Servers {
        sim::NodeId broker = sim::NodeId::none;
        sim::NodeId database = sim::NodeId::none;
    };

    static constexpr sim::KindMask kinds =
        Streams::kinds |
        sim::kinds_of<sim::Crashed, sim::Cut, sim::Restarted, sim::Paused, sim::Resumed, sim::Lost,
                      sim::Refused, sim::Dropped, sim::ConnectionReset, sim::Partitioned,
                      sim::Slowed, sim::ClockStepped, sim::FailedOver, sim::Disturbed,
                      model::Submitted, model::Answered, model::GaveUp, model::Accepted,
                      model::SubmissionAbsorbed, model::StatusChanged, model::ReplyStored,
                      model::ReplyAbsorbed, model::RolledBack, model::DatabaseForgot,
                      model::WorkStarted, model::WorkFinished, model::Judged, model::ShortCircuited,
                      model::RunUnknown, model::KeptOut, model::LeaseTaken, model::StatementFailed>;

    /// Forgets every step, for the next trial, in which these are the servers.
    void start(const Servers& servers);

    void observe(const sim::Step& step) override;

    std::uint32_t count(RarePath path) const { return counts_[static_cast<std::size_t>(path)]; }
    const std::array<std::uint32_t, rare_path_count>& counts() const { return counts_; }

private:
    /// What is known of one run.
    struct Run {
        std::uint32_t replies = 0;
        std::uint32_t being_worked_on = 0;  // By how many nodes now.
        std::uint32_t works_failed = 0;
        std::uint32_t dead_letters = 0;
        sim::NodeId inserted_by = sim::NodeId::none;
        sim::NodeId finished_by = sim::NodeId::none;  // With success, the entry still pending.
        model::Status status = model::Status::none;
        bool is_published = false;
        bool is_poison = false;  // A worker judged it so.
    };
    /// What is known of one message.
    struct Message {
        std::uint32_t runs = 0;
        sim::Subject last_run = sim::Subject::none;
        /// The gateway that lost touch with its insert before it took effect.
        sim::NodeId insert_in_doubt = sim::NodeId::none;
        bool is_answered = false;
    };
    /// What is known of one node.
    struct Node {
        std::vector<sim::Subject> working_on = {};
        std::vector<sim::Subject> finished = {};  // With success, the entry still pending.
        sim::StepNumber crashed = sim::no_step;
        sim::StepNumber paused = sim::no_step;
        bool is_alive = true;
        bool is_paused = false;
    };

    void reach(RarePath path) { ++counts_[static_cast<std::size_t>(path)]; }
    Node& node(sim::NodeId id);

    void observe_world(const sim::Step& step);
    void crashed(const sim::Step& step);
    void restarted(sim::NodeId id);
    void dropped(const sim::Dropped& dropped);
    void lost(const sim::Step& step, sim::OperationKind operation);
    void disturbed(sim::Disturbed::What what);
    void interrupted(const sim::Step& step, sim::OperationKind operation);

    void observe_front(const sim::Step& step);

    void observe_database(const sim::Step& step);
    void accepted(const sim::Step& step);
    void reply_stored(Run& run);
    void statement_failed(const model::StatementFailed& failed);
    void database_forgot(sim::Subject subject, const model::DatabaseForgot& forgot);

    void observe_broker(const sim::Step& step);
    void added(const sim::Step& step);
    void claimed(const sim::Step& step, const model::Claimed& claimed);
    void acknowledged(const sim::Step& step, const model::Acknowledged& acknowledged);
    void removed(const model::EntryRemoved& removed);
    void dead_lettered(sim::Subject run);
    void broker_forgot(sim::Subject run, model::BrokerForgot::What what);

    void observe_worker(const sim::Step& step);
    void kept_out(model::KeptOut::By by);
    void work_started(const sim::Step& step);
    void work_finished(const sim::Step& step, const model::WorkFinished& finished);

    std::array<std::uint32_t, rare_path_count> counts_{};
    Servers servers_;
    RunTable<Run> runs_;
    RunTable<Message> intentions_;
    std::vector<Node> nodes_;
    Messages messages_;
    SessionOrder order_;
    Streams streams_;
};

}  // namespace redeliver::properties
