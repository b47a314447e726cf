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

}  // namespace

void WorkerLoop::after_failure(const Entry& entry, sim::Subject run) {
    decide(self_, run, Policy::on_failure, policy_.on_failure);
    if (policy_.on_failure == OnFailure::acknowledge) {
        acknowledge(entry, run);
        return;
    }
    if (policy_.judge_poison == JudgePoison::never) return;
    // Neither XREADGROUP nor XAUTOCLAIM tells the count: it takes one more round trip.
    const auto row = broker_.pending(run, entry.id);
    if (!row.arrived() || !row.value()) return;
    const std::uint64_t deliveries = row.value()->delivery_count;
    if (deliveries < policy_.poison_threshold)
        return record_judgement(self_, run, deliveries, policy_.poison_threshold,
                                model::Judged::As::healthy);
    record_judgement(self_, run, deliveries, policy_.poison_threshold, model::Judged::As::poison);
    isolate(entry, run, deliveries);
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
    const std::string reason = fmt::format("poison after {} deliveries", deliveries);
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
    case PoisonActions::atomic:
        if (mark_failed()) broker_.move_to_dead_letters(letter);
        break;
    case PoisonActions::add_without_ack:
        if (add()) mark_failed();
        break;
    case PoisonActions::ack_without_add:
        if (acknowledge(entry, run)) mark_failed();
        break;
    }
}

}  // namespace redeliver::scenarios
