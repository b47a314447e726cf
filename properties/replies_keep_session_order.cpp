#include "properties/replies_keep_session_order.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "replies_keep_session_order",
    .sentence = "The replies of a session come in the order in which its runs were accepted.",
    .observes = sim::kinds_of<model::Accepted, model::ReplyStored>};

}  // namespace

RepliesKeepSessionOrder::RepliesKeepSessionOrder(const Terms& terms) : Promise(card, terms) {}

void RepliesKeepSessionOrder::observe(const sim::Step& step) {
    note_loss(step);
    const sim::Subject overtaker = order_.observe(step);
    if (order_.has_compared()) matters();
    if (overtaker == sim::Subject::none) return;
    breach(step, step.subject, [&] {
        return fmt::format("was answered after {}, which came later", run_text(overtaker));
    });
}

}  // namespace redeliver::properties
