#include "properties/known_runs.h"

namespace redeliver::properties {

namespace {

constexpr PromiseCard answered_card = {
    .name = "answered_runs_exist",
    .sentence = "Every run id that a user is told belongs to an accepted run.",
    .observes = sim::kinds_of<model::Answered, model::Accepted>};

constexpr PromiseCard published_card = {
    .name = "published_runs_exist",
    .sentence = "A worker never meets a run id that has no row.",
    .observes = sim::kinds_of<model::Delivered, model::RunUnknown>};

}  // namespace

AnsweredRunsExist::AnsweredRunsExist(const Terms& terms) : Promise(answered_card, terms) {}

void AnsweredRunsExist::observe(const sim::Step& step) {
    if (const auto* const told = step.as<model::Answered>()) {
        answered(step, *told);
    } else if (step.kind == model::Accepted::kind) {
        runs_[step.subject].is_accepted = true;
    } else if (const auto* const forgot = step.as<model::DatabaseForgot>()) {
        database_forgot(step, *forgot);
    } else {
        note_loss(step);
    }
}

void AnsweredRunsExist::answered(const sim::Step& step, const model::Answered& answered) {
    if (answered.answer == model::Answer::rejected) return;
    matters();
    if (!model::is_run(answered.run))
        return breach(step, step.subject, [] { return "was taken, but the user was told no id"; });
    Run& run = runs_[answered.run];
    run.was_told = true;
    if (run.is_accepted) return;
    breach(step, answered.run, [] { return "has no row, but was told to a user"; });
}

void AnsweredRunsExist::database_forgot(const sim::Step& step,
                                        const model::DatabaseForgot& forgot) {
    note_loss(step);
    if (forgot.what != model::DatabaseForgot::What::run) return;
    Run& run = runs_[step.subject];
    run.is_accepted = false;
    if (run.was_told)
        breach(step, step.subject, [] { return "was told to a user, and then its row was lost"; });
}

PublishedRunsExist::PublishedRunsExist(const Terms& terms) : Promise(published_card, terms) {}

void PublishedRunsExist::observe(const sim::Step& step) {
    switch (step.kind) {
    case model::Delivered::kind: return matters();
    case model::RunUnknown::kind:
        return breach(step, step.subject, [] { return "was given to a worker, but has no row"; });
    default: return note_loss(step);
    }
}

}  // namespace redeliver::properties
