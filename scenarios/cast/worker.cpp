#include "scenarios/cast/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/operations.h"

namespace redeliver::scenarios {

namespace {

/// A restart under the same name finds what the old process held; under another it does not. A
/// deployment gives another in any case.
std::string consumer_name(const sim::Process& self, const Stage& stage) {
    const auto node = static_cast<std::size_t>(self.node());
    const std::uint32_t deployments = node < stage.deployments.size() ? stage.deployments[node] : 0;
    if (stage.system().worker.consumer_names == ConsumerNames::stable)
        return deployments == 0 ? std::string{self.name()}
                                : fmt::format("{}-v{}", self.name(), deployments + 1);
    const sim::World& world = self.world();
    const std::uint64_t bits = world.choices().bits(
        sim::Label{"consumer name"}, world.node(self.node()).key, self.incarnation());
    return fmt::format("{}-{:04x}", self.name(), bits >> 48);
}

/// What XAUTOCLAIM is told of the idle threshold.
sim::Duration as_sent(sim::Duration threshold, ThresholdUnit unit) {
    switch (unit) {
    case ThresholdUnit::milliseconds: return threshold;
    case ThresholdUnit::sent_as_seconds: return threshold / 1'000;
    case ThresholdUnit::read_as_seconds: return threshold * 1'000;
    }
    return threshold;
}

}  // namespace

WorkerLoop::WorkerLoop(sim::Process& self, Stage& stage)
    : self_(self),
      stage_(stage),
      policy_(stage.system().worker),
      consumer_(consumer_name(self, stage)),
      broker_(self, stage.broker, policy_.timeout),
      database_(self, stage.database, policy_.timeout),
      deduplication_(self, policy_, consumer_, broker_, database_) {}

void WorkerLoop::run() {
    while (!broker_.create_group().arrived()) self_.sleep_for(100ms);
    take_up();
    while (true) {
        decide(self_, sim::Subject::none, Policy::claim, policy_.claim);
        switch (policy_.claim) {
        case ClaimPolicy::abandoned_first:
            if (!claim_and_handle()) read_and_handle(policy_.block);
            break;
        case ClaimPolicy::fresh_first:
            if (!read_and_handle({}) && !claim_and_handle()) read_and_handle(policy_.block);
            break;
        case ClaimPolicy::never: read_and_handle(policy_.block); break;
        }
    }
}

/// What there is to take up before the loop begins.
void WorkerLoop::take_up() {
    switch (policy_.on_start) {
    case OnStart::nothing: return;
    case OnStart::own_history:
    case OnStart::own_history_once: return read_own_history();
    case OnStart::abandoned:
    case OnStart::abandoned_once: return claim_abandoned();
    }
}

void WorkerLoop::read_own_history() {
    BrokerClient::EntryId after;
    while (true) {
        const auto batch = broker_.read_own(consumer_, after, policy_.batch);
        if (!batch.arrived()) {
            self_.sleep_for(100ms);
            continue;
        }
        if (batch->entries.empty()) return;
        after = batch->entries.back().id;
        handle_all(batch->entries, Delivery::again);
        if (policy_.on_start == OnStart::own_history_once) return;
    }
}

void WorkerLoop::claim_abandoned() {
    BrokerClient::EntryId from;
    while (true) {
        const auto claim = claim_from(from);
        if (!claim.arrived()) {
            self_.sleep_for(100ms);
            continue;
        }
        handle_all(claim->entries, Delivery::again);
        from = claim->cursor;
        if (from == BrokerClient::EntryId{} || policy_.on_start == OnStart::abandoned_once) return;
    }
}

BrokerClient::Outcome<BrokerClient::Claim> WorkerLoop::claim_from(BrokerClient::EntryId cursor) {
    const ThresholdUnit unit = policy_.threshold_unit;
    if (unit != ThresholdUnit::milliseconds)
        decide(self_, sim::Subject::none, Policy::threshold_unit, unit);
    return broker_.claim(consumer_, as_sent(policy_.idle_threshold, unit), cursor, policy_.batch);
}

bool WorkerLoop::claim_and_handle() {
    const auto claim = claim_from(claim_cursor_);
    if (!claim.arrived()) return false;  // If only the answer was lost, the entries are ours.
    claim_cursor_ = claim->cursor;
    create_group_again(claim->refusal);
    handle_all(claim->entries, Delivery::again);
    return !claim->entries.empty();
}

bool WorkerLoop::read_and_handle(std::optional<sim::Duration> block) {
    const auto batch = broker_.read_new(consumer_, policy_.batch, block);
    if (!batch.arrived()) {
        self_.sleep_for(100ms);
        return false;
    }
    create_group_again(batch->refusal);
    handle_all(batch->entries, Delivery::first);
    return !batch->entries.empty();
}

void WorkerLoop::create_group_again(std::optional<model::redis::Refusal> refusal) {
    // A broker that lost its data has lost the group as well.
    if (!refusal) return;
    self_.sleep_for(100ms);
    broker_.create_group();
}

void WorkerLoop::handle_all(const std::vector<Entry>& entries, Delivery delivery) {
    for (const Entry& entry : entries) handle(entry, delivery);
    if (!worked_.empty()) store_batch();
    acknowledge_batch(entries);
}

/// What is acknowledged once all entries that were read at a time have had their turn.
void WorkerLoop::acknowledge_batch(const std::vector<Entry>& entries) {
    if (const auto last = std::exchange(last_settled_, {})) acknowledge(*last->entry, last->run);
    if (policy_.acknowledge != AcknowledgePolicy::each_then_batch || entries.empty()) return;
    std::vector<BrokerClient::EntryId> ids;
    for (const Entry& entry : entries) ids.push_back(entry.id);
    broker_.acknowledge_all(std::move(ids));
}

void WorkerLoop::store_batch() {
    const std::vector<Worked> batch = std::exchange(worked_, {});
    std::vector<DatabaseClient::Message> replies;
    for (const Worked& each : batch) replies.push_back(each.reply);
    decide(self_, replies.front().run, Policy::lock_order, policy_.lock_order);
    if (policy_.lock_order == LockOrder::by_id)
        std::ranges::sort(replies, {}, &DatabaseClient::Message::run);
    const bool stored = deduplication_.store_replies(replies);
    if (!stored) decide(self_, replies.front().run, Policy::on_failure, policy_.on_failure);
    if (!stored && policy_.on_failure == OnFailure::leave_pending) return;
    if (!acknowledges_late()) return;
    for (const Worked& each : batch) settled(*each.entry, each.reply.run);
}

void WorkerLoop::handle(const Entry& entry, Delivery delivery) {
    const auto run = sim::parse_subject(self_.world().series(), entry.body.is_absent()
                                                                    ? std::string_view{}
                                                                    : entry.body.value_of("runId"));
    if (!run) {
        // Trimmed while it was pending: nothing is left to do but to clear the row.
        broker_.acknowledge(sim::Subject::none, entry.id);
        return;
    }
    if (delivery == Delivery::again && isolates_killer(entry, *run)) return;
    decide(self_, *run, Policy::acknowledge, policy_.acknowledge);
    if (policy_.acknowledge == AcknowledgePolicy::before_work && !acknowledge(entry, *run)) return;
    handle_unlocked(entry, *run, delivery);
}

void WorkerLoop::handle_unlocked(const Entry& entry, sim::Subject run, Delivery delivery) {
    const auto row = database_.find_run(run);
    if (!row.arrived()) return;  // Still pending: it comes back.
    if (!row.value()) {
        self_.record(run, model::RunUnknown{});
        return after_failure(entry, run);
    }
    const model::Status status = row.value()->status;
    const bool is_terminal = status == model::Status::done || status == model::Status::failed;
    if (is_terminal && policy_.short_circuit == ShortCircuit::skip_done) {
        self_.record(run, model::ShortCircuited{.status = status});
        if (acknowledges_late()) let_go(entry, run, status);
        return;
    }
    decide(self_, run, Policy::deduplicate, policy_.deduplicate);
    const Turn turn = deduplication_.take_turn(run, delivery);
    if (turn.whose == Turn::Whose::unclear) return;
    if (turn.whose == Turn::Whose::nobodys) {
        if (acknowledges_late()) let_go(entry, run, turn.settled_as);
        return;
    }
    if (!does_work(run)) return after_failure(entry, run);
    const DatabaseClient::Message reply{run, row.value()->session, execution_};
    if (policy_.commit == CommitUnit::batch) {
        worked_.push_back({&entry, reply});
        return;
    }
    if (!deduplication_.store_reply(reply)) return;
    if (acknowledges_late()) settled(entry, run);  // To die just before this is to work twice.
}

bool WorkerLoop::acknowledges_late() const {
    return policy_.acknowledge != AcknowledgePolicy::before_work &&
           policy_.acknowledge != AcknowledgePolicy::never;
}

/// Nobody needs to be given the entry again.
void WorkerLoop::settled(const Entry& entry, sim::Subject run) {
    if (policy_.acknowledge == AcknowledgePolicy::last_of_batch)
        last_settled_ = Settled{&entry, run};
    else
        acknowledge(entry, run);
}

bool WorkerLoop::acknowledge(const Entry& entry, sim::Subject run) {
    return broker_.acknowledge(run, entry.id).arrived();
}

bool WorkerLoop::does_work(sim::Subject run) {
    const Message& message = stage_.message_of(run);
    sim::World& world = self_.world();
    const auto work = model::number(model::Operation::work);
    execution_ = world.performed(run, work) + 1;
    const sim::Name consumer = world.intern(consumer_);
    self_.record(run, model::WorkStarted{.consumer = consumer, .execution = execution_});
    const Duration lasts = message.work_time.value_or(policy_.work_time.sample(
        world.choices().bits(sim::Label{"work time"}, world.key_of(run), work, execution_)));
    const bool kills = message.content == model::Content::killer;
    self_.work(work, run, kills ? lasts / 2 : lasts);
    if (kills) self_.die({.of = sim::CrashOf::process, .restart_after = 1s});
    const bool fails = message.content == model::Content::poison ||
                       (message.content == model::Content::flaky && execution_ <= message.failures);
    self_.record(run, model::WorkFinished{.consumer = consumer,
                                          .execution = execution_,
                                          .result = fails ? model::WorkResult::failed
                                                          : model::WorkResult::succeeded});
    return !fails;
}

bool WorkerLoop::mark(sim::Subject run, model::Status status, std::string_view reason) {
    const auto marked = database_.set_status(run, status, reason, policy_.status_changes);
    return marked.arrived() && marked->ok();
}

void run_worker(sim::Process& self, Stage& stage) { WorkerLoop(self, stage).run(); }

}  // namespace redeliver::scenarios
