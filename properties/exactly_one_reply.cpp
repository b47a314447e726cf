#include "properties/exactly_one_reply.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "exactly_one_reply",
    .sentence = "Every accepted run gets exactly one reply, or fails with a reason and gets none.",
    .observes = sim::kinds_of<model::Accepted, model::StatusChanged, model::ReplyStored>,
    .about = PromiseCard::About::the_end};

}  // namespace

ExactlyOneReply::ExactlyOneReply(const Terms& terms) : Promise(card, terms) {}

void ExactlyOneReply::observe(const sim::Step& step) {
    switch (step.kind) {
    case model::Accepted::kind:
        matters();
        runs_[step.subject].is_accepted = true;
        return judge_count(step);
    case model::StatusChanged::kind: {
        const auto& changed = *step.as<model::StatusChanged>();
        Run& run = runs_[step.subject];
        run.has_failed = changed.to == model::Status::failed;
        run.has_reason = changed.reason != sim::Name::none;
        return;
    }
    case model::ReplyStored::kind: ++runs_[step.subject].replies; return judge_count(step);
    case model::DatabaseForgot::kind: return database_forgot(step);
    default: return note_loss(step);
    }
}

void ExactlyOneReply::judge_count(const sim::Step& step) {
    const Run& run = runs_[step.subject];
    if (!run.is_accepted || run.replies < 2) return;
    breach(step, step.subject, [&] { return fmt::format("has {} replies", run.replies); });
}

void ExactlyOneReply::database_forgot(const sim::Step& step) {
    note_loss(step);
    const auto& forgot = *step.as<model::DatabaseForgot>();
    Run& run = runs_[step.subject];
    if (forgot.what == model::DatabaseForgot::What::reply) {
        if (run.replies > 0) --run.replies;
    } else {
        run.has_failed = forgot.now == model::Status::failed;
    }
}

void ExactlyOneReply::settle() {
    runs_.for_each([this](sim::Subject subject, const Run& run) {
        if (!run.is_accepted) return;
        if (!run.has_failed && run.replies == 0) owed(subject, "has no reply");
        if (run.has_failed && run.replies > 0) owed(subject, "has failed and has a reply");
        if (run.has_failed && !run.has_reason) owed(subject, "has failed without a reason");
    });
}

}  // namespace redeliver::properties
