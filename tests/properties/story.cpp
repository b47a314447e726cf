#include "tests/properties/story.h"

#include <map>
#include <ostream>

#include "sim/names.h"

namespace redeliver::sim {

void PrintTo(const Step& step, std::ostream* out) {
    *out << model::kind_text(step.kind) << ' '
         << subject_text(model::run_series(), step.subject).value_or("elsewhere");
}

}  // namespace redeliver::sim

namespace redeliver::properties::story {

History history(std::vector<Step> steps) {
    std::map<Subject, sim::StepNumber> last;
    sim::StepNumber number = 0;
    for (Step& step : steps) {
        step.number = ++number;
        step.at = sim::at(std::chrono::seconds{number});
        if (step.subject == Subject::none) continue;
        step.previous = last[step.subject];
        last[step.subject] = number;
    }
    return steps;
}

// ------------------------------------------------------------------ users and gateways

Step submitted(Subject intention, Content content, std::uint8_t failures) {
    return step(
        user, intention,
        model::Submitted{.attempt = 1, .session = 1, .content = content, .failures = failures});
}

Step retried(Subject intention, std::uint32_t attempt) {
    return step(user, intention,
                model::Submitted{
                    .attempt = attempt, .session = 1, .content = Content::healthy, .failures = 0});
}

Step answered(Subject intention, Subject run, Answer answer) {
    return step(user, intention, model::Answered{.run = run, .attempt = 1, .answer = answer});
}

Step gave_up(Subject intention) { return step(user, intention, model::GaveUp{.attempts = 4}); }

// ------------------------------------------------------------------ the database

Step accepted(Subject run, std::uint32_t session, NodeId by) {
    return step(by, run,
                model::Accepted{.intention = model::intention_of(run), .session = session});
}

Step submission_absorbed(Subject run, Subject existing) {
    return step(gateway, run, model::SubmissionAbsorbed{.existing = existing});
}

Step became(Subject run, Status status, Status from) {
    return step(worker_1, run,
                model::StatusChanged{.from = from, .to = status, .reason = Name::none});
}

Step leased(Subject run, NodeId to, std::uint32_t token) {
    return step(to, run, model::LeaseTaken{.owner = consumer(to), .token = token});
}

Step failed(Subject run, Name reason) {
    return step(
        worker_1, run,
        model::StatusChanged{.from = Status::pending, .to = Status::failed, .reason = reason});
}

Step replied(Subject run, std::uint32_t session) {
    return step(worker_1, run, model::ReplyStored{.seq = 1, .session = session});
}

Step reply_absorbed(Subject run) { return step(worker_1, run, model::ReplyAbsorbed{.seq = 1}); }

Step database_forgot(Subject run, model::DatabaseForgot::What what, Status now) {
    return step(database, run, model::DatabaseForgot{.what = what, .now = now});
}

// ------------------------------------------------------------------ the broker

Step added(Subject run, std::uint64_t ms, NodeId by) {
    return step(by, run, model::Added{.entry = entry(ms)});
}

Step delivered(Subject run, std::uint64_t ms, NodeId to, std::uint32_t count, Name group) {
    return step(
        to, run,
        model::Delivered{
            .entry = entry(ms), .group = group, .consumer = consumer(to), .delivery_count = count});
}

Step reread(Subject run, std::uint64_t ms, NodeId by, std::uint32_t count) {
    return step(by, run,
                model::Reread{.entry = entry(ms),
                              .group = workers_group,
                              .consumer = consumer(by),
                              .delivery_count = count});
}

Step claimed(Subject run, std::uint64_t ms, NodeId from, NodeId to, std::uint32_t count) {
    return step(to, run,
                model::Claimed{.entry = entry(ms),
                               .from = consumer(from),
                               .to = consumer(to),
                               .delivery_count = count,
                               .idle_time_ms = 30'000});
}

Step acknowledged(Subject run, std::uint64_t ms, NodeId by, Name group) {
    return step(
        by, run,
        model::Acknowledged{
            .entry = entry(ms), .group = group, .owner = consumer(by), .delivery_count = 1});
}

Step acknowledged_late(Subject run, std::uint64_t ms, NodeId by, NodeId owner) {
    return step(by, run,
                model::Acknowledged{.entry = entry(ms),
                                    .group = workers_group,
                                    .owner = consumer(owner),
                                    .delivery_count = 2});
}

Step removed(Subject run, std::uint64_t ms, std::uint32_t unread_by, std::uint32_t pending_in) {
    return step(
        broker, run,
        model::EntryRemoved{.entry = entry(ms), .unread_by = unread_by, .pending_in = pending_in});
}

Step dropped_pending(Subject run, std::uint64_t ms, NodeId owner,
                     model::PendingDropped::Cause cause) {
    return step(
        broker, run,
        model::PendingDropped{
            .entry = entry(ms), .owner = consumer(owner), .cause = cause, .delivery_count = 1});
}

Step dead_lettered(Subject run, std::uint64_t ms, NodeId by) {
    return step(by, run, model::DeadLettered{.entry = {ms, 0, dead_stream}});
}

Step broker_forgot(Subject run, std::uint64_t ms, model::BrokerForgot::What what,
                   NodeId consumer_of) {
    return step(
        broker, run,
        model::BrokerForgot{.entry = entry(ms), .what = what, .consumer = consumer(consumer_of)});
}

Step broker_forgot_dead_letter(Subject run, std::uint64_t ms) {
    return step(broker, run,
                model::BrokerForgot{.entry = {ms, 0, dead_stream},
                                    .what = model::BrokerForgot::What::dead_letter,
                                    .consumer = Name::none});
}

// ------------------------------------------------------------------ workers

Step work_started(Subject run, NodeId by, std::uint32_t execution) {
    return step(by, run, model::WorkStarted{.consumer = consumer(by), .execution = execution});
}

Step work_finished(Subject run, NodeId by, model::WorkResult result) {
    return step(by, run,
                model::WorkFinished{.consumer = consumer(by), .execution = 1, .result = result});
}

Step judged(Subject run, NodeId by, std::uint32_t deliveries, model::Judged::As as,
            std::uint32_t threshold) {
    return step(by, run,
                model::Judged{.delivery_count = deliveries, .threshold = threshold, .as = as});
}

Step short_circuited(Subject run, NodeId by) {
    return step(by, run, model::ShortCircuited{.status = Status::done});
}

Step kept_out(Subject run, NodeId worker, model::KeptOut::By by) {
    return step(worker, run, model::KeptOut{.by = by});
}

Step run_unknown(Subject run, NodeId by) { return step(by, run, model::RunUnknown{}); }

// ------------------------------------------------------------------ the world

Step crashed(NodeId node, sim::CrashOf of) {
    return step(node, sim::subject_of(node), sim::Crashed{.of = of});
}

Step restarted(NodeId node) { return step(node, sim::subject_of(node), sim::Restarted{}); }

Step paused(NodeId node) {
    return step(node, sim::subject_of(node), sim::Paused{.lasts = 40'000'000});
}

Step resumed(NodeId node) { return step(node, sim::subject_of(node), sim::Resumed{}); }

Step sent(Subject about, NodeId by, Operation operation) {
    return step(
        by, about,
        sim::Sent{.operation = model::number(operation), .server = broker, .occurrence = 1});
}

Step arrived(Subject about, NodeId by, Operation operation) {
    return step(
        by, about,
        sim::Arrived{.operation = model::number(operation), .server = broker, .occurrence = 1});
}

Step lost(Subject about, NodeId by, Operation operation) {
    return step(by, about,
                sim::Lost{.operation = model::number(operation),
                          .reason = sim::LossReason::deadline,
                          .server = broker,
                          .occurrence = 1});
}

Step refused(Subject about, NodeId by, Operation operation) {
    return step(
        by, about,
        sim::Refused{.operation = model::number(operation), .server = broker, .occurrence = 1});
}

Step cut(Subject about, NodeId by, Operation operation) {
    return step(by, about,
                sim::Cut{.operation = model::number(operation),
                         .phase = sim::CutAt::in_flight,
                         .occurrence = 1});
}

Step stalled(Subject about, NodeId by, Operation operation) {
    return step(by, about, sim::Stalled{.operation = model::number(operation), .occurrence = 1});
}

Step dropped(Subject about, NodeId by, Operation operation, sim::Swallowed what) {
    return step(by, about,
                sim::Dropped{.operation = model::number(operation),
                             .what = what,
                             .receiver = broker,
                             .occurrence = 1});
}

}  // namespace redeliver::properties::story
