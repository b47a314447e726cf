#include "properties/no_acknowledgement_before_effect.h"

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {.name = "no_acknowledgement_before_effect",
                              .sentence = "Nothing is acknowledged before its effect is durable.",
                              .observes = sim::kinds_of<model::StatusChanged, model::ReplyStored,
                                                        model::DeadLettered, model::Acknowledged>};

bool is_terminal(model::Status status) {
    return status == model::Status::done || status == model::Status::failed;
}

}  // namespace

NoAcknowledgementBeforeEffect::NoAcknowledgementBeforeEffect(const Terms& terms)
    : Promise(card, terms) {}

void NoAcknowledgementBeforeEffect::observe(const sim::Step& step) {
    if (!model::is_run(step.subject)) return;  // An entry that carries no run is owed nothing.
    switch (step.kind) {
    case model::StatusChanged::kind:
        runs_[step.subject].is_terminal = is_terminal(step.as<model::StatusChanged>()->to);
        return;
    case model::ReplyStored::kind: ++runs_[step.subject].replies; return;
    case model::DeadLettered::kind: runs_[step.subject].is_dead_lettered = true; return;
    case model::Acknowledged::kind: return acknowledged(step);
    case model::DatabaseForgot::kind: return database_forgot(step);
    case model::BrokerForgot::kind: return broker_forgot(step);
    default: return;
    }
}

void NoAcknowledgementBeforeEffect::acknowledged(const sim::Step& step) {
    matters();
    Run& run = runs_[step.subject];
    if (run.has_effect()) {
        run.is_acknowledged = true;
        return;
    }
    breach(step, step.subject, [] { return "was acknowledged before anything had come of it"; });
}

void NoAcknowledgementBeforeEffect::database_forgot(const sim::Step& step) {
    note_loss(step);
    const auto& forgot = *step.as<model::DatabaseForgot>();
    Run& run = runs_[step.subject];
    if (forgot.what == model::DatabaseForgot::What::reply) {
        if (run.replies > 0) --run.replies;
    } else {
        run.is_terminal = is_terminal(forgot.now);
    }
    if (!run.is_acknowledged || run.has_effect()) return;
    run.is_acknowledged = false;  // Told once.
    breach(step, step.subject,
           [] { return "was acknowledged before what had come of it was durable"; });
}

void NoAcknowledgementBeforeEffect::broker_forgot(const sim::Step& step) {
    note_loss(step);
    using What = model::BrokerForgot::What;
    Run& run = runs_[step.subject];
    if (step.as<model::BrokerForgot>()->what == What::acknowledgement) run.is_acknowledged = false;
    if (step.as<model::BrokerForgot>()->what == What::dead_letter) run.is_dead_lettered = false;
}

}  // namespace redeliver::properties
