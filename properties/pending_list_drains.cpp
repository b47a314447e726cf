#include "properties/pending_list_drains.h"

#include <fmt/format.h>

namespace redeliver::properties {

namespace {

constexpr PromiseCard card = {
    .name = "pending_list_drains",
    .sentence = "Once the faults are over the pending list drains: at the end nothing is pending.",
    .observes = Streams::kinds,
    .about = PromiseCard::About::the_end};

}  // namespace

PendingListDrains::PendingListDrains(const Terms& terms) : Promise(card, terms) {}

void PendingListDrains::observe(const sim::Step& step) {
    note_loss(step);
    streams_.observe(step);
    if (streams_.pending_rows() > 0) matters();
}

void PendingListDrains::settle() {
    if (streams_.pending_rows() == 0) return;
    streams_.for_each_run([this](sim::Subject run) {
        if (!streams_.is_pending(run)) return;
        owed(run, fmt::format("is on the pending list after {} deliveries",
                              streams_.delivery_count(run)));
    });
}

}  // namespace redeliver::properties
