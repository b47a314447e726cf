#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "model/operations.h"
#include "model/steps.h"
#include "model/subjects.h"
#include "properties/property.h"
#include "sim/happenings.h"

namespace redeliver::sim {

/// As GoogleTest shows a step: `Lost run-6`.
void PrintTo(const Step& step, std::ostream* out);

}  // namespace redeliver::sim

/// Histories short enough to write by hand: one function per kind of step, named as one would tell
/// it, and `history`, which numbers them.
namespace redeliver::properties::story {

using model::Answer;
using model::Content;
using model::Operation;
using model::Status;
using sim::Name;
using sim::NodeId;
using sim::Step;
using sim::Subject;

inline constexpr NodeId user{0};
inline constexpr NodeId gateway{1};
inline constexpr NodeId second_gateway{2};
inline constexpr NodeId worker_1{3};
inline constexpr NodeId worker_2{4};
inline constexpr NodeId republisher{5};
inline constexpr NodeId broker{6};
inline constexpr NodeId database{7};

inline constexpr Name runs_stream{21};
inline constexpr Name dead_stream{22};
inline constexpr Name workers_group{23};
inline constexpr Name audit_group{24};
inline constexpr Name a_reason{25};

/// The consumer name of a worker.
constexpr Name consumer(NodeId worker) { return Name{static_cast<std::uint32_t>(worker) + 1}; }

/// `run-6`; `run(6, 2)` is `run-6b`.
constexpr Subject run(std::uint32_t message, std::uint32_t handling = 1) {
    return model::run_of(message, handling);
}
/// The entry `ms-0` of the stream that workers read.
constexpr model::EntryKey entry(std::uint64_t ms) { return {ms, 0, runs_stream}; }

template <sim::Payload P>
Step step(NodeId actor, Subject subject, const P& what) {
    Step made;
    made.actor = actor;
    made.subject = subject;
    made.carry(what);
    return made;
}

/// Numbers the steps from 1, lets the n-th happen after n seconds, and links those of a subject.
History history(std::vector<Step> steps);

// Users and gateways.
Step submitted(Subject intention, Content content = Content::healthy, std::uint8_t failures = 0);
Step retried(Subject intention, std::uint32_t attempt = 2);
Step answered(Subject intention, Subject run, Answer answer = Answer::accepted);
Step gave_up(Subject intention);

// The database.
Step accepted(Subject run, std::uint32_t session = 1, NodeId by = gateway);
Step submission_absorbed(Subject run, Subject existing);
Step became(Subject run, Status status, Status from = Status::pending);
Step leased(Subject run, NodeId to, std::uint32_t token);
Step failed(Subject run, Name reason = a_reason);
Step replied(Subject run, std::uint32_t session = 1);
Step reply_absorbed(Subject run);
Step database_forgot(Subject run, model::DatabaseForgot::What what, Status now = Status::none);

// The broker. Entries of the runs stream are told by their milliseconds.
Step added(Subject run, std::uint64_t ms, NodeId by = gateway);
Step delivered(Subject run, std::uint64_t ms, NodeId to, std::uint32_t count = 1,
               Name group = workers_group);
Step reread(Subject run, std::uint64_t ms, NodeId by, std::uint32_t count);
Step claimed(Subject run, std::uint64_t ms, NodeId from, NodeId to, std::uint32_t count = 2);
Step acknowledged(Subject run, std::uint64_t ms, NodeId by, Name group = workers_group);
/// By one worker, of a row that another one owns.
Step acknowledged_late(Subject run, std::uint64_t ms, NodeId by, NodeId owner);
Step removed(Subject run, std::uint64_t ms, std::uint32_t unread_by = 0,
             std::uint32_t pending_in = 0);
Step dropped_pending(Subject run, std::uint64_t ms, NodeId owner,
                     model::PendingDropped::Cause cause);
/// `ms` is of the dead-letter stream.
Step dead_lettered(Subject run, std::uint64_t ms, NodeId by = worker_1);
Step broker_forgot(Subject run, std::uint64_t ms, model::BrokerForgot::What what,
                   NodeId consumer_of = worker_1);
Step broker_forgot_dead_letter(Subject run, std::uint64_t ms);

// Workers.
Step work_started(Subject run, NodeId by, std::uint32_t execution = 1);
Step work_finished(Subject run, NodeId by, model::WorkResult result = model::WorkResult::succeeded);
Step judged(Subject run, NodeId by, std::uint32_t deliveries, model::Judged::As as,
            std::uint32_t threshold = 3);
Step short_circuited(Subject run, NodeId by);
Step kept_out(Subject run, NodeId worker, model::KeptOut::By by);
Step run_unknown(Subject run, NodeId by);

// The world.
Step crashed(NodeId node, sim::CrashOf of = sim::CrashOf::process);
Step restarted(NodeId node);
Step paused(NodeId node);
Step resumed(NodeId node);
Step sent(Subject about, NodeId by, Operation operation);
Step arrived(Subject about, NodeId by, Operation operation);
Step lost(Subject about, NodeId by, Operation operation);
Step refused(Subject about, NodeId by, Operation operation);
Step cut(Subject about, NodeId by, Operation operation);
Step stalled(Subject about, NodeId by, Operation operation);
Step dropped(Subject about, NodeId by, Operation operation, sim::Swallowed what);

}  // namespace redeliver::properties::story
