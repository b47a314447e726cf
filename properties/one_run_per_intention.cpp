#include "properties/one_run_per_intention.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "one_run_per_intention",
    .sentence = "One message makes one accepted run, however often it is submitted.",
    .observes = sim::kinds_of<model::Submitted, model::Accepted>};

}  // namespace

OneRunPerIntention::OneRunPerIntention(const Terms& terms) : Promise(card, terms) {}

void OneRunPerIntention::observe(const sim::Step& step) {
    switch (step.kind) {
    case model::Submitted::kind:
        if (++intentions_[model::intention_of(step.subject)].submissions > 1) matters();
        return;
    case model::Accepted::kind: return accepted(step);
    default: return note_loss(step);
    }
}

void OneRunPerIntention::accepted(const sim::Step& step) {
    Intention& intention = intentions_[step.as<model::Accepted>()->intention];
    if (++intention.runs == 1) {
        intention.first = step.subject;
        return;
    }
    // Of a message whose first row was lost, a second one is the cure.
    const bool is_cure = is_excused(intention.first);
    breach(step, is_cure ? intention.first : step.subject, [&] {
        return fmt::format("was accepted for the same message as {}", run_text(intention.first));
    });
}

}  // namespace redeliver::properties
