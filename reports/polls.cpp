#include "reports/polls.h"

#include <utility>

#include "model/steps.h"
#include "reports/describe.h"
#include "sim/happenings.h"

namespace redeliver::reports {

void IdlePolls::observe(const sim::Step& step) {
    if (step.as<sim::Sent>() != nullptr && is_poll(step)) {
        idle_.insert(step.number);
        latest_[step.actor] = step.number;
        return;
    }
    const bool brings_a_run = step.as<model::Delivered>() != nullptr ||
                              step.as<model::Reread>() != nullptr ||
                              step.as<model::Claimed>() != nullptr;
    const auto poll = latest_.find(step.actor);
    if (brings_a_run && poll != latest_.end()) idle_.erase(poll->second);
}

std::uint64_t IdlePolls::take_idle() { return std::exchange(idle_, {}).size(); }

}  // namespace redeliver::reports
