// How a worker deals with messages that fail, or that kill whoever works on them.

#include <fmt/format.h>

#include "model/operations.h"
#include "scenarios/cast/worker.h"

namespace redeliver::scenarios {

namespace {

void record_judgement(sim::Process& self, sim::Subject run, std::uint64_t deliveries,
                      std::uint32_t threshold, model::Judged::As as) {
    self.record(run, model::Judged{.delivery_count = static_cast<std::uint32_t>(deliveries),
                                   .threshold = threshold,
                                   .as = as});
}

std::string reason_after(std::uint64_t deliveries) {
    return fmt::format("poison after {} deliveries", deliveries);
}

}  // namespace

void WorkerLoop::after_failure(const Entry& entry, sim::Subject run) {
    decide(self_, run, Policy::on_failure, policy_.on_failure);
    if (policy_.on_failure == OnFailure::acknowledge) {
        acknowledge(entry, run);
        return;
    }
    if (policy_.judge_poison == JudgePoison::never) return;
    const auto deliveries = count_deliveries(entry, run);
    if (!deliveries) return;
    if (*deliveries < policy_.poison_threshold)
        return record_judgement(self_, run, *deliveries, policy_.poison_threshold,
                                model::Judged::As::healthy);
    record_judgement(self_, run, *deliveries, policy_.poison_threshold, model::Judged::As::poison);
    isolate(entry, run, *deliveries);
}

std::optional<std::uint64_t> WorkerLoop::count_deliveries(const Entry& entry, sim::Subject run) {
    // Knows nothing of what other workers were given, nor of what this one was before it died.
    if (policy_.judge_poison == JudgePoison::by_own_count) return ++failures_[run];
    // Neither XREADGROUP nor XAUTOCLAIM tells the count: it takes one more round trip.
    const auto row = broker_.pending(run, entry.id);
    if (!row.arrived() || !row.value()) return {};
    return row.value()->delivery_count;
}

bool WorkerLoop::isolates_killer(const Entry& entry, sim::Subject run) {
    if (policy_.judge_poison != JudgePoison::before_and_after) return false;
    const auto row = broker_.pending(run, entry.id);
    if (!row.arrived() || !row.value()) return !row.arrived();
    const std::uint64_t deliveries = row.value()->delivery_count;
    if (deliveries <= policy_.killer_threshold) return false;
    record_judgement(self_, run, deliveries, policy_.killer_threshold, model::Judged::As::poison);
    isolate(entry, run, deliveries);
    return true;
}

void WorkerLoop::isolate(const Entry& entry, sim::Subject run, std::uint64_t deliveries) {
    const std::string reason = reason_after(deliveries);
    const BrokerClient::DeadLetter letter{run, entry.id, deliveries, reason};
    const auto add = [&] { return broker_.add_dead_letter(letter).arrived(); };
    const auto mark_failed = [&] { return mark(run, model::Status::failed, reason); };
    decide(self_, run, Policy::poison_actions, policy_.poison_actions);
    switch (policy_.poison_actions) {
    case PoisonActions::add_ack_mark:
        if (add() && acknowledge(entry, run)) mark_failed();
        break;
    case PoisonActions::mark_add_ack:
        if (mark_failed() && add()) acknowledge(entry, run);
        break;
    case PoisonActions::ack_add_mark:
        if (acknowledge(entry, run) && add()) mark_failed();
        break;
    case PoisonActions::atomic: isolate_at_once(entry, letter); break;
    case PoisonActions::add_without_ack:
        if (add()) mark_failed();
        break;
    case PoisonActions::ack_without_add:
        if (acknowledge(entry, run)) mark_failed();
        break;
    }
}

void WorkerLoop::isolate_at_once(const Entry& entry, const BrokerClient::DeadLetter& letter) {
    const auto marked = database_.set_status(letter.run, model::Status::failed, letter.reason,
                                             policy_.status_changes);
    if (!marked.arrived() || !marked->ok()) return;
    if (marked->affected == 0) {
        // Settled meanwhile: by a reply, or by somebody who died before moving the entry.
        const auto row = database_.find_run(letter.run);
        if (!row.arrived()) return;
        if (row.value() && row.value()->status == model::Status::done) {
            acknowledge(entry, letter.run);
            return;
        }
    }
    broker_.move_to_dead_letters(letter);
}

/// Of a settled run. One that is marked failed may not have been moved yet: its mark is the first
/// of the actions, and whoever set it may have died right after.
void WorkerLoop::let_go(const Entry& entry, sim::Subject run, model::Status status) {
    if (status != model::Status::failed || policy_.poison_actions != PoisonActions::atomic)
        return settled(entry, run);
    const auto row = broker_.pending(run, entry.id);
    if (!row.arrived() || !row.value()) return;
    const std::string reason = reason_after(row.value()->delivery_count);
    broker_.move_to_dead_letters({run, entry.id, row.value()->delivery_count, reason});
}

}  // namespace redeliver::scenarios
