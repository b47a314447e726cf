#include "properties/poison_is_isolated.h"

#include <fmt/format.h>

#include <algorithm>

namespace redeliver::properties {

namespace {

constexpr sim::KindMask interruptions =
    sim::kinds_of<sim::Crashed, sim::Cut, sim::Lost, sim::Refused, sim::Stalled,
                  model::StatementFailed>;

constexpr sim::KindMask requests = sim::kinds_of<sim::Sent, sim::Arrived>;

constexpr PromiseCard card = {
    .name = "poison_is_isolated",
    .sentence =
        "Poison is dead-lettered once, at the threshold and not before, and then costs "
        "nothing more.",
    .observes =
        Streams::kinds | interruptions | requests | sim::kinds_of<sim::Disturbed, sim::FailedOver> |
        sim::kinds_of<model::Submitted, model::Accepted, model::StatusChanged, model::Judged>,
    .about = PromiseCard::About::the_end};

}  // namespace

PoisonIsIsolated::PoisonIsIsolated(const Terms& terms) : Promise(card, terms) {}

void PoisonIsIsolated::observe(const sim::Step& step) {
    const auto is_in = [&](sim::KindMask kinds) { return ((kinds >> step.kind) & 1) != 0; };
    if (is_in(requests)) return judge_acts(step);
    if (step.kind == sim::Disturbed::kind) return disturbed(step);
    if (step.kind == sim::FailedOver::kind) return orders_end(step.actor);
    if (step.kind == sim::Crashed::kind) orders_end(step.actor);
    if (is_in(interruptions)) return interrupted(step);
    if (!model::is_run(step.subject)) return streams_.observe(step);
    if (is_in(Streams::kinds)) return observe_broker(step);
    observe_database(step);
}

void PoisonIsIsolated::observe_broker(const sim::Step& step) {
    note_loss(step);
    streams_.observe(step);
    switch (step.kind) {
    case model::Delivered::kind:
    case model::Reread::kind:
    case model::Claimed::kind: return delivered(step);
    case model::DeadLettered::kind: return dead_lettered(step);
    case model::PendingDropped::kind: {
        Run& run = runs_[step.subject];
        run.was_dropped_ripe |= run.is_watched || run.judged_at != 0;
        return;
    }
    case model::BrokerForgot::kind:
        if (step.as<model::BrokerForgot>()->what == model::BrokerForgot::What::dead_letter)
            runs_[step.subject].dead_letters = 0;
        return;
    default: return;
    }
}

void PoisonIsIsolated::observe_database(const sim::Step& step) {
    if (const auto* const judgement = step.as<model::Judged>()) {
        judged(step, *judgement);
    } else if (step.kind == model::Accepted::kind) {
        runs_[step.subject].is_accepted = true;
    } else if (const auto* const changed = step.as<model::StatusChanged>()) {
        runs_[step.subject].status = changed->to;
        runs_[step.subject].has_reason = changed->reason != sim::Name::none;
    } else if (const auto* const forgot = step.as<model::DatabaseForgot>()) {
        note_loss(step);
        if (forgot->what != model::DatabaseForgot::What::reply)
            runs_[step.subject].status = forgot->now;
    } else {
        messages_.observe(step);
    }
}

void PoisonIsIsolated::delivered(const sim::Step& step) {
    if (!messages_.is_hopeless(step.subject)) return;
    Run& run = runs_[step.subject];
    run.was_delivered = true;
    if (run.is_accepted) matters();
    if (run.dead_letters > 0 || streams_.delivery_count(step.subject) < terms().poison_threshold)
        return;
    if (run.judge_is_acting) {  // Overtaken: somebody took the entry away meanwhile.
        run.judge_is_acting = false;
        cut_short(run);
    }
    if (run.is_watched && run.delivery_was_cut) excuse();
    if (!run.is_watched) watched_.push_back(step.subject);
    run.is_watched = true;
    run.delivery_was_cut = false;
    run.holder = step.actor;
}

void PoisonIsIsolated::judged(const sim::Step& step, const model::Judged& judged) {
    Run& run = runs_[step.subject];
    if (!messages_.is_hopeless(step.subject) || run.dead_letters > 0) return;
    const std::uint32_t deliveries = deliveries_known(step, judged);
    if (deliveries < terms().poison_threshold) return;
    if (judged.as == model::Judged::As::healthy) {
        // What kills may be given more deliveries before it is set aside unworked.
        const bool has_own_threshold = messages_.content(step.subject) == model::Content::killer &&
                                       judged.threshold > terms().poison_threshold;
        if (has_own_threshold) return;
        return breach(step, step.subject,
                      [&] { return fmt::format("was judged healthy at delivery {}", deliveries); });
    }
    const bool came_to_nothing = run.judged_at != 0 && !run.judgement_was_cut;
    if (came_to_nothing && judged.delivery_count > run.judged_at)
        breach(step, step.subject, [&] {
            return fmt::format("was judged poison at delivery {}, yet not dead-lettered then",
                               run.judged_at);
        });
    run.judged_at = judged.delivery_count;
    run.judge = step.actor;
    run.judge_is_acting = false;
    // Overtaken: somebody took the entry away after its count was read.
    run.judgement_was_cut = judged.delivery_count < streams_.delivery_count(step.subject);
    if (run.judgement_was_cut) excuse();
    if (!ordered_.empty()) cut_short(run);
}

/// How many deliveries a judgement is about. A worker that counts for itself may have missed some:
/// then the pending list knows better, as long as it is clear which entry was judged.
std::uint32_t PoisonIsIsolated::deliveries_known(const sim::Step& step,
                                                 const model::Judged& judged) const {
    const Run* const run = runs_.find(step.subject);
    std::uint32_t entries = 0;
    streams_.for_each_entry(step.subject, [&](const Streams::Entry&) { ++entries; });
    const bool is_clear =
        run != nullptr && run->is_watched && run->holder == step.actor && entries == 1;
    if (!is_clear) return judged.delivery_count;
    return std::max(judged.delivery_count, streams_.delivery_count(step.subject));
}

void PoisonIsIsolated::judge_acts(const sim::Step& step) {
    if (watched_.empty() || !model::is_run(step.subject)) return;
    Run& run = runs_[step.subject];
    if (run.judged_at != 0 && run.judge == step.actor)
        run.judge_is_acting = step.kind == sim::Sent::kind;
}

void PoisonIsIsolated::dead_lettered(const sim::Step& step) {
    matters();
    Run& run = runs_[step.subject];
    run.was_dead_lettered = true;
    std::erase(watched_, step.subject);
    run.is_watched = false;
    const std::uint32_t deliveries = streams_.delivery_count(step.subject);
    // Whoever judged it may have died before the letter, and the group been made anew since.
    const bool was_judged = run.judged_at >= terms().poison_threshold;
    if (deliveries < terms().poison_threshold && !was_judged)
        breach(step, step.subject, [&] {
            return fmt::format("was dead-lettered after {} deliveries, {} are the threshold",
                               deliveries, terms().poison_threshold);
        });
    if (++run.dead_letters > 1)
        breach(step, step.subject,
               [&] { return fmt::format("has {} dead letters", run.dead_letters); });
}

void PoisonIsIsolated::interrupted(const sim::Step& step) {
    for (const sim::Subject subject : watched_) {
        // A poll is about its node, and hands over whatever its answer held.
        if (step.subject != subject && model::is_run(step.subject)) continue;
        Run& run = runs_[subject];
        run.delivery_was_cut |= run.holder == step.actor;
        run.judgement_was_cut |= run.judge == step.actor;
    }
}

void PoisonIsIsolated::disturbed(const sim::Step& step) {
    const auto& disturbed = *step.as<sim::Disturbed>();
    if (disturbed.what == sim::Disturbed::What::order_over) {
        const auto order = std::ranges::find(ordered_, step.actor);
        if (order != ordered_.end()) ordered_.erase(order);
    }
    if (disturbed.what != sim::Disturbed::What::ordered || disturbed.amount == 0) return;
    ordered_.push_back(step.actor);
    for (const sim::Subject subject : watched_)
        if (Run& run = runs_[subject]; run.judge_is_acting) cut_short(run);
}

void PoisonIsIsolated::orders_end(sim::NodeId node) { std::erase(ordered_, node); }

void PoisonIsIsolated::settle() {
    runs_.for_each([this](sim::Subject subject, const Run& run) { settle(subject, run); });
}

void PoisonIsIsolated::settle(sim::Subject subject, const Run& run) {
    const bool was_owed = run.is_accepted && run.was_delivered;
    if (!run.was_dead_lettered && !was_owed) return;
    if (run.dead_letters == 0) {
        const bool may_lack_one =
            run.was_dropped_ripe && terms().excuse == Terms::Excuse::forgotten;
        if (!may_lack_one) return owed(subject, "is poison, but is in no dead-letter stream");
        excuse();
    }
    if (streams_.is_pending(subject)) return owed(subject, "is dead-lettered, but still pending");
    if (!run.is_accepted) return;
    if (run.status != model::Status::failed)
        return owed(subject, "is dead-lettered, but has not failed");
    if (!run.has_reason) owed(subject, "is dead-lettered, but has failed without a reason");
}

void PoisonIsIsolated::clear() {
    messages_.clear();
    streams_.clear();
    runs_.clear();
    watched_.clear();
    ordered_.clear();
}

}  // namespace redeliver::properties
