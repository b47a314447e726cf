// What a worker asks for before it works on a run.

#include "scenarios/cast/deduplication.h"

namespace redeliver::scenarios {

using Whose = Turn::Whose;

Turn Deduplication::take_turn(sim::Subject run, Delivery delivery) {
    switch (policy_.deduplicate) {
    case Deduplicate::setnx_before_work: return take_mark(run);
    case Deduplicate::state_machine:
    case Deduplicate::state_machine_unchecked:
    case Deduplicate::state_machine_stuck: return take_status(run, delivery);
    case Deduplicate::lease:
    case Deduplicate::lease_without_fencing:
    case Deduplicate::lease_renewed_blindly: return take_lease(run);
    default: return {};
    }
}

Turn Deduplication::take_mark(sim::Subject run) {
    const auto is_first = broker_.mark(run, policy_.mark_expiry);
    if (!is_first.arrived()) return {Whose::unclear};
    return {is_first.value() ? Whose::mine : Whose::nobodys};  // "Done already", or so it says.
}

// Who dies leaves the run `running`, which nothing tells from one that is being worked on. The
// entry does: it comes again once whoever held it has done nothing for the idle threshold. If that
// was a live worker after all, both work, and the change to `done` lets the first one through.
Turn Deduplication::take_status(sim::Subject run, Delivery delivery) {
    using From = DatabaseClient::RunningFrom;
    const bool may_take_over =
        delivery == Delivery::again && policy_.deduplicate != Deduplicate::state_machine_stuck;
    const auto started = database_.start_running(
        run, consumer_, may_take_over ? From::pending_or_running : From::pending);
    if (!succeeded(started)) return {Whose::unclear};
    if (started->affected > 0 || policy_.deduplicate == Deduplicate::state_machine_unchecked)
        return {Whose::mine};
    kept_out(run, model::KeptOut::By::status);
    if (policy_.deduplicate == Deduplicate::state_machine_stuck) return {Whose::nobodys};
    return look_again(run, Whose::unclear);
}

// A lease keeps others from working at the same time, and nobody from working again: whether the
// run is settled is asked under the lease, after whoever held it before.
Turn Deduplication::take_lease(sim::Subject run) {
    const auto token = obtain_lease(run);
    lease_token_ = token.value_or(0);
    return look_again(run, token ? Whose::mine : Whose::unclear);
}

/// The token of a lease that was free or had expired, by the server's clock.
std::optional<std::int64_t> Deduplication::obtain_lease(sim::Subject run) {
    const auto inserted = database_.insert_lease(run, consumer_, policy_.lease_time);
    if (!succeeded(inserted)) return {};
    if (inserted->affected > 0) return 1;
    const auto taken = database_.take_over_lease(run, consumer_, policy_.lease_time);
    if (!succeeded(taken)) return {};
    if (taken->affected == 0) {
        kept_out(run, model::KeptOut::By::lease);
        return {};
    }
    const auto token = database_.lease_token(run, consumer_);
    return token.arrived() ? token.value() : std::nullopt;
}

Turn Deduplication::look_again(sim::Subject run, Whose if_unsettled) {
    const auto row = database_.find_run(run);
    if (!row.arrived() || !row.value()) return {Whose::unclear};
    const model::Status status = row.value()->status;
    if (status != model::Status::done && status != model::Status::failed) return {if_unsettled};
    self_.record(run, model::ShortCircuited{.status = status});
    return {Whose::nobodys, status};
}

void Deduplication::kept_out(sim::Subject run, model::KeptOut::By by) {
    self_.record(run, model::KeptOut{.by = by});
}

}  // namespace redeliver::scenarios
