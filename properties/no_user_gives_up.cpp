#include "properties/no_user_gives_up.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "no_user_gives_up",
    .sentence = "No user gives up: each is told in the end that the message was accepted.",
    .observes = sim::kinds_of<model::Submitted, model::GaveUp>};

}  // namespace

NoUserGivesUp::NoUserGivesUp(const Terms& terms) : Promise(card, terms) {}

void NoUserGivesUp::observe(const sim::Step& step) {
    if (step.kind == model::Submitted::kind) return matters();
    const auto* const gave_up = step.as<model::GaveUp>();
    if (gave_up == nullptr) return note_loss(step);
    breach(step, step.subject, [&] {
        return fmt::format("was given up by its user after {} attempts", gave_up->attempts);
    });
}

}  // namespace redeliver::properties
