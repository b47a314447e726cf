#include "properties/nothing_healthy_is_dead_lettered.h"

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "nothing_healthy_is_dead_lettered",
    .sentence = "Nothing is dead-lettered that enough attempts would have dealt with.",
    .observes = sim::kinds_of<model::Submitted, model::Delivered, model::DeadLettered>};

}  // namespace

NothingHealthyIsDeadLettered::NothingHealthyIsDeadLettered(const Terms& terms)
    : Promise(card, terms) {}

void NothingHealthyIsDeadLettered::observe(const sim::Step& step) {
    switch (step.kind) {
    case model::Submitted::kind: return messages_.observe(step);
    case model::Delivered::kind:
        if (is_healthy(step.subject)) matters();
        return;
    case model::DeadLettered::kind:
        if (is_healthy(step.subject))
            breach(step, step.subject, [] { return "is healthy, but was dead-lettered"; });
        return;
    default: return note_loss(step);
    }
}

}  // namespace redeliver::properties
