#include "scenarios/cast/deduplication.h"

namespace redeliver::scenarios {

using model::Status;
using By = model::KeptOut::By;

bool Deduplication::store_reply(const DatabaseClient::Message& reply) {
    switch (policy_.deduplicate) {
    case Deduplicate::processed_before: return store_after_mark(reply);
    case Deduplicate::processed_after: return store_before_mark(reply);
    default: return store(reply);
    }
}

bool Deduplication::store(const DatabaseClient::Message& reply) {
    const auto mark_done = [&] { return succeeded(change_to_done(reply.run)); };
    switch (policy_.mark_done) {
    case MarkDone::with_reply: return store_with_status(reply);
    case MarkDone::before_reply: return mark_done() && store_alone(reply);
    case MarkDone::after_reply: return store_alone(reply) && mark_done();
    }
    return false;
}

bool Deduplication::store_with_status(const DatabaseClient::Message& reply) {
    if (!succeeded(database_.begin(reply.run))) return false;
    const Gate gate = pass_gate(reply.run);
    if (gate != Gate::open) {
        give_up(reply.run);
        return gate == Gate::passed_by_another;
    }
    // Updating first locks the run, so that two workers store one after the other.
    const auto updated = change_to_done(reply.run);
    if (!updated.arrived()) return false;
    if (!updated->ok()) return give_up(reply.run);
    if (updated->affected == 0 && policy_.deduplicate != Deduplicate::state_machine_unchecked) {
        database_.rollback(reply.run);
        if (!is_state_machine()) return true;  // Somebody was faster: settled without us.
        kept_out(reply.run, By::status);
        return look_again(reply.run, Turn::Whose::unclear).whose == Turn::Whose::nobodys;
    }
    return insert(reply) ? commit(reply.run) : give_up(reply.run);
}

bool Deduplication::store_replies(std::span<const DatabaseClient::Message> replies) {
    const sim::Subject about = replies.front().run;
    if (!succeeded(database_.begin(about))) return false;
    for (const DatabaseClient::Message& reply : replies)
        if (!store_next(reply)) return give_up(about);
    return commit(about);
}

bool Deduplication::store_next(const DatabaseClient::Message& reply) {
    const auto updated = change_to_done(reply.run);
    if (!succeeded(updated)) return false;
    return updated->affected == 0 || insert(reply);  // Or somebody else has settled it.
}

/// The reply in a transaction without the status.
bool Deduplication::store_alone(const DatabaseClient::Message& reply) {
    if (!has_gate()) return insert(reply);
    if (!succeeded(database_.begin(reply.run))) return false;
    const Gate gate = pass_gate(reply.run);
    if (gate != Gate::open) {
        give_up(reply.run);
        return gate == Gate::passed_by_another;
    }
    return insert(reply) ? commit(reply.run) : give_up(reply.run);
}

bool Deduplication::store_after_mark(const DatabaseClient::Message& reply) {
    const Gate gate = pass_mark(reply.run);
    // To die just before the reply is stored is to have it marked and never stored.
    return gate == Gate::open ? store(reply) : gate == Gate::passed_by_another;
}

bool Deduplication::store_before_mark(const DatabaseClient::Message& reply) {
    const auto is_marked = database_.has_mark(reply.run);
    if (!is_marked.arrived()) return false;
    if (is_marked.value()) {
        kept_out(reply.run, By::mark);
        return true;
    }
    // To die just before the mark is set is to have the reply stored again.
    return store(reply) && succeeded(database_.insert_mark(reply.run));
}

bool Deduplication::insert(const DatabaseClient::Message& reply) {
    if (policy_.deduplicate == Deduplicate::check_then_insert) {
        const auto exists = database_.has_reply(reply.run);
        if (!exists.arrived()) return false;
        if (exists.value()) return true;
    }
    using OnConflict = DatabaseClient::OnConflict;
    return succeeded(database_.insert_reply(reply, policy_.deduplicate == Deduplicate::unique_reply
                                                       ? OnConflict::do_nothing
                                                       : OnConflict::fail));
}

bool Deduplication::commit(sim::Subject run) { return succeeded(database_.commit(run)); }

bool Deduplication::give_up(sim::Subject run) {
    if (database_.is_in_transaction()) database_.rollback(run);
    return false;
}

// ------------------------------------------------------------------ gates

bool Deduplication::has_gate() const {
    return policy_.deduplicate == Deduplicate::processed_messages ||
           policy_.deduplicate == Deduplicate::lease ||
           policy_.deduplicate == Deduplicate::lease_renewed_blindly;
}

Deduplication::Gate Deduplication::pass_gate(sim::Subject run) {
    switch (policy_.deduplicate) {
    case Deduplicate::processed_messages: return pass_mark(run);
    case Deduplicate::lease: return pass_fence(run);
    case Deduplicate::lease_renewed_blindly: return renew_lease(run);
    default: return Gate::open;
    }
}

// While another transaction has inserted the same mark and is not done, this waits for its end: the
// mark is there for good with the other's reply, or gone with it.
Deduplication::Gate Deduplication::pass_mark(sim::Subject run) {
    const auto marked = database_.insert_mark(run);
    if (!succeeded(marked)) return Gate::shut;
    if (marked->affected > 0) return Gate::open;
    kept_out(run, By::mark);
    return Gate::passed_by_another;
}

// Whoever has the lease now answers the run; the entry is left to it.
Deduplication::Gate Deduplication::pass_fence(sim::Subject run) {
    const auto kept = database_.keep_lease(run, consumer_, lease_token_);
    if (!succeeded(kept)) return Gate::shut;
    if (kept->affected > 0) return Gate::open;
    kept_out(run, By::fence);
    return Gate::shut;
}

// Whoever has taken the lease over meanwhile loses it again, and both store.
Deduplication::Gate Deduplication::renew_lease(sim::Subject run) {
    const auto renewed = database_.renew_lease(run, consumer_, policy_.lease_time);
    return succeeded(renewed) && renewed->affected > 0 ? Gate::open : Gate::shut;
}

// ------------------------------------------------------------------ the status

bool Deduplication::is_state_machine() const {
    return policy_.deduplicate == Deduplicate::state_machine ||
           policy_.deduplicate == Deduplicate::state_machine_unchecked ||
           policy_.deduplicate == Deduplicate::state_machine_stuck;
}

sim::Outcome<DatabaseClient::Result> Deduplication::change_to_done(sim::Subject run) {
    if (is_state_machine()) return database_.finish_running(run);
    return database_.set_status(run, Status::done, {}, policy_.status_changes);
}

}  // namespace redeliver::scenarios
