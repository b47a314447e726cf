#include "properties/no_run_lost.h"

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {.name = "no_run_lost",
                              .sentence = "No run is lost: every accepted run ends done or failed.",
                              .observes = sim::kinds_of<model::Accepted, model::StatusChanged>,
                              .about = PromiseCard::About::the_end};

}  // namespace

NoRunLost::NoRunLost(const Terms& terms) : Promise(card, terms) {}

void NoRunLost::observe(const sim::Step& step) {
    if (step.kind == model::Accepted::kind) {
        matters();
        runs_[step.subject] = {.is_accepted = true, .status = model::Status::pending};
    } else if (const auto* const changed = step.as<model::StatusChanged>()) {
        runs_[step.subject].status = changed->to;
    } else {
        note_loss(step);
        const auto* const forgot = step.as<model::DatabaseForgot>();
        if (forgot != nullptr && forgot->what != model::DatabaseForgot::What::reply)
            runs_[step.subject].status = forgot->now;
    }
}

void NoRunLost::settle() {
    using model::Status;
    runs_.for_each([this](sim::Subject subject, const Run& run) {
        if (!run.is_accepted) return;
        switch (run.status) {
        case Status::none: return owed(subject, "was accepted, but its row is gone");
        case Status::pending: return owed(subject, "is still pending");
        case Status::running: return owed(subject, "is still running");
        case Status::done:
        case Status::failed: return;
        }
    });
}

}  // namespace redeliver::properties
