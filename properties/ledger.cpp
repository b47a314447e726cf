#include "properties/ledger.h"

#include <array>

#include "sim/ensure.h"

namespace redeliver::properties {

using model::Status;
using sim::NodeId;
using sim::Step;
using sim::Subject;

void Ledger::observe(const Step& step) {
    switch (step.kind) {
    case sim::Crashed::kind: return crashed(step.actor);
    case model::Submitted::kind: return submitted(step, *step.as<model::Submitted>());
    case model::Answered::kind: return answered(step, *step.as<model::Answered>());
    case model::GaveUp::kind: return close(step.subject);
    case model::Accepted::kind: return accepted(step, *step.as<model::Accepted>());
    case model::SubmissionAbsorbed::kind: ++totals_.refused; return;
    case model::StatusChanged::kind:
        runs_[step.subject].reason = step.as<model::StatusChanged>()->reason;
        return set_status(step, step.as<model::StatusChanged>()->to);
    case model::ReplyStored::kind:
        ++runs_[step.subject].replies;
        ++runs_[step.subject].effects;
        return;
    case model::ReplyAbsorbed::kind: ++runs_[step.subject].absorbed; return;
    case model::DatabaseForgot::kind:
        return database_forgot(step, *step.as<model::DatabaseForgot>());
    case model::WorkStarted::kind: return work_started(step);
    case model::WorkFinished::kind: return work_finished(step, *step.as<model::WorkFinished>());
    default:
        if (((Streams::kinds >> step.kind) & 1) != 0) observe_broker(step);
    }
}

void Ledger::clear() {
    runs_.clear();
    intentions_.clear();
    nodes_.clear();
    streams_.clear();
    totals_ = {};
    unfinished_ = works_ = under_way_ = 0;
    last_progress_ = {};
}

Ledger::NodeTally& Ledger::node(NodeId id) {
    sim::ensure(id != NodeId::none, "whoever submits, works or crashes is a node");
    const auto index = static_cast<std::size_t>(id);
    if (index >= nodes_.size()) nodes_.resize(index + 1);
    return nodes_[index];
}

// ------------------------------------------------------------------ users and gateways

void Ledger::submitted(const Step& step, const model::Submitted& submitted) {
    Intention& intention = intentions_[model::intention_of(step.subject)];
    totals_.intentions += intention.attempts == 0 ? 1 : 0;
    ++totals_.attempted;
    ++intention.attempts;
    intention.content = submitted.content;
    intention.failures = submitted.failures;
    NodeTally& user = node(step.actor);
    if (intention.is_under_way && intention.user == step.actor &&
        intention.user_crashes == user.crashes)
        return;
    close(step.subject);
    intention.is_under_way = true;
    intention.user = step.actor;
    intention.user_crashes = user.crashes;
    ++user.under_way;
    ++under_way_;
}

void Ledger::answered(const Step& step, const model::Answered& answered) {
    if (answered.answer == model::Answer::rejected) return;  // The user will try again.
    if (model::is_run(answered.run)) runs_[answered.run].was_told = true;
    close(step.subject);
}

void Ledger::close(Subject subject) {
    Intention& intention = intentions_[model::intention_of(subject)];
    if (!intention.is_under_way) return;
    intention.is_under_way = false;
    NodeTally& user = node(intention.user);
    if (intention.user_crashes != user.crashes) return;  // It ended with the user's crash.
    sim::ensure(user.under_way > 0 && under_way_ > 0, "what is closed was under way");
    --user.under_way;
    --under_way_;
}

void Ledger::crashed(NodeId id) {
    NodeTally& dead = node(id);
    sim::ensure(works_ >= dead.works && under_way_ >= dead.under_way,
                "a node has begun no more than all nodes together");
    works_ -= dead.works;
    under_way_ -= dead.under_way;
    dead = {.works = 0, .under_way = 0, .crashes = dead.crashes + 1};
}

// ------------------------------------------------------------------ the database

void Ledger::accepted(const Step& step, const model::Accepted& accepted) {
    Biography& run = runs_[step.subject];
    run.intention = accepted.intention;
    run.session = accepted.session;
    run.was_accepted = true;
    if (!run.has_row) ++unfinished_;
    run.has_row = true;
    run.status = Status::pending;
}

void Ledger::set_status(const Step& step, Status status) {
    Biography& run = runs_[step.subject];
    const bool was_unfinished = run.has_row && !run.is_terminal();
    run.status = status;
    const bool is_unfinished = run.has_row && !run.is_terminal();
    if (was_unfinished == is_unfinished) return;
    if (is_unfinished) {
        ++unfinished_;
        return;
    }
    sim::ensure(unfinished_ > 0, "a run that ends was unfinished");
    --unfinished_;
    if (run.is_terminal()) last_progress_ = step.at;
}

void Ledger::database_forgot(const Step& step, const model::DatabaseForgot& forgot) {
    using What = model::DatabaseForgot::What;
    Biography& run = runs_[step.subject];
    run.was_forgotten = true;
    if (forgot.what == What::reply) {
        if (run.replies > 0) --run.replies;
        return;
    }
    if (forgot.what == What::run) {
        const bool was_unfinished = run.has_row && !run.is_terminal();
        sim::ensure(!was_unfinished || unfinished_ > 0, "an unfinished run was counted");
        if (was_unfinished) --unfinished_;
        run.has_row = false;
        run.status = Status::none;
        return;
    }
    set_status(step, forgot.now);
}

// ------------------------------------------------------------------ broker and workers

void Ledger::observe_broker(const Step& step) {
    const std::uint64_t pending_before = streams_.pending_rows();
    const std::uint64_t dead_letters_before = streams_.dead_letters();
    streams_.observe(step);
    if (streams_.pending_rows() < pending_before) last_progress_ = step.at;
    if (!model::is_run(step.subject)) return;
    Biography& run = runs_[step.subject];
    run.dead_letters += static_cast<std::uint32_t>(streams_.dead_letters() - dead_letters_before);
    switch (step.kind) {
    case model::Added::kind: ++run.publications; return;
    case model::Claimed::kind: ++run.claims; [[fallthrough]];
    case model::Delivered::kind:
    case model::Reread::kind: ++run.deliveries; return;
    case model::Acknowledged::kind: ++run.acknowledgements; return;
    case model::EntryRemoved::kind: ++run.removals; return;
    case model::PendingDropped::kind: ++run.dropped; return;
    case model::BrokerForgot::kind: run.was_forgotten = true; return;
    default: return;
    }
}

void Ledger::work_started(const Step& step) {
    ++runs_[step.subject].executions;
    ++node(step.actor).works;
    ++works_;
}

void Ledger::work_finished(const Step& step, const model::WorkFinished& finished) {
    if (finished.result == model::WorkResult::failed) ++runs_[step.subject].failures;
    NodeTally& worker = node(step.actor);
    if (worker.works == 0) return;
    sim::ensure(works_ > 0, "a worker's work is among all works");
    --worker.works;
    --works_;
}

// ------------------------------------------------------------------ sums

namespace {

void add(Totals& totals, const Biography& run) {
    const auto one_if = [](bool claim) { return std::uint64_t{claim ? 1u : 0u}; };
    totals.accepted += one_if(run.was_accepted);
    totals.told += one_if(run.was_told);
    totals.published += run.publications;
    totals.delivered += run.deliveries;
    totals.claimed += run.claims;
    totals.executions += run.executions;
    totals.failures += run.failures;
    totals.effects += run.effects;
    totals.absorbed += run.absorbed;
    totals.acknowledged += run.acknowledgements;
    totals.recovered += one_if((run.deliveries > 1 || run.claims > 0) && run.replies == 1);
    totals.forgotten += one_if(run.was_forgotten);
    totals.done += one_if(run.status == Status::done);
    totals.failed += one_if(run.status == Status::failed);
    totals.replies += run.replies;
    totals.lost +=
        one_if((run.has_row || run.was_told) && run.replies == 0 && run.status != Status::failed);
    totals.duplicated += run.replies > 1 ? run.replies - 1 : 0;
    totals.unexpected += run.was_accepted ? 0 : run.effects;
}

}  // namespace

Totals Ledger::totals() const {
    Totals totals = totals_;
    runs_.for_each([&](Subject, const Biography& run) { add(totals, run); });
    totals.unexpected += streams_.strays();
    totals.dead_lettered = streams_.dead_letters();
    totals.pending = streams_.pending_rows();
    totals.unread = streams_.unread();
    return totals;
}

std::span<const NamedTotal> named_totals() {
    static constexpr std::array all = {
        NamedTotal{"intentions", &Totals::intentions},
        NamedTotal{"attempted", &Totals::attempted},
        NamedTotal{"accepted", &Totals::accepted},
        NamedTotal{"told", &Totals::told},
        NamedTotal{"published", &Totals::published},
        NamedTotal{"delivered", &Totals::delivered},
        NamedTotal{"claimed", &Totals::claimed},
        NamedTotal{"executions", &Totals::executions},
        NamedTotal{"failures", &Totals::failures},
        NamedTotal{"effects", &Totals::effects},
        NamedTotal{"absorbed", &Totals::absorbed},
        NamedTotal{"refused", &Totals::refused},
        NamedTotal{"acknowledged", &Totals::acknowledged},
        NamedTotal{"recovered", &Totals::recovered},
        NamedTotal{"forgotten", &Totals::forgotten},
        NamedTotal{"done", &Totals::done},
        NamedTotal{"failed", &Totals::failed},
        NamedTotal{"replies", &Totals::replies},
        NamedTotal{"lost", &Totals::lost},
        NamedTotal{"duplicated", &Totals::duplicated},
        NamedTotal{"unexpected", &Totals::unexpected},
        NamedTotal{"dead_lettered", &Totals::dead_lettered},
        NamedTotal{"pending", &Totals::pending},
        NamedTotal{"unread", &Totals::unread},
    };
    static_assert(sizeof(Totals) == all.size() * sizeof(std::uint64_t), "no total lacks a name");
    return all;
}

}  // namespace redeliver::properties
