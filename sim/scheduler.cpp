#include "sim/scheduler.h"

#include <algorithm>
#include <utility>

#include "sim/choices.h"
#include "sim/ensure.h"

namespace redeliver::sim {

Scheduler::Scheduler(const Schedule& schedule, const NodeNamed& node_named, TurnOf turn_of)
    : schedule_(schedule), turn_of_(std::move(turn_of)) {
    ensure(schedule.slack >= Duration::zero(), "slack is no negative time");
    // Above the nodes without a name in the order, which are above all that changes made less so.
    auto urgency = static_cast<std::uint32_t>(schedule.changes.size() + schedule.order.size() + 1);
    for (const std::string& name : schedule.order) {
        const auto node = node_named(name);
        --urgency;
        if (!node) continue;
        const auto index = static_cast<std::size_t>(*node);
        if (index >= urgencies_.size())
            urgencies_.resize(index + 1, static_cast<std::uint32_t>(schedule.changes.size()));
        urgencies_[index] = urgency;
    }
}

Agenda::Event Scheduler::take_next(Agenda& agenda) {
    collect_options(agenda);
    if (options_.empty()) return agenda.take_next();
    ++steps_;
    const std::uint32_t taken = pick();
    return agenda.take(options_[taken].handle);
}

void Scheduler::lapse() {
    schedule_.picks.clear();
    schedule_.changes.clear();
    urgencies_.clear();
}

void Scheduler::collect_options(const Agenda& agenda) {
    due_.clear();
    options_.clear();
    agenda.due_within(schedule_.slack, due_);
    for (std::size_t index = 0; index < due_.size(); ++index) {
        const Turn turn = turn_of_(due_[index].event);
        if (turn.order == Turn::Order::fixed) return;
        if (turn.order == Turn::Order::moot) {
            if (index == 0) return;
            continue;
        }
        if (std::ranges::count(options_, turn.queue,
                               [](const Option& option) { return option.turn.queue; }) == 0)
            options_.push_back({due_[index].handle, turn});
    }
}

std::uint32_t Scheduler::pick() {
    const auto options = static_cast<std::uint32_t>(options_.size());
    // Also where there is nothing to choose: a change counts for all that comes later.
    for (std::size_t change = 0; change < schedule_.changes.size(); ++change) {
        if (schedule_.changes[change] != steps_) continue;
        const auto node = static_cast<std::size_t>(options_[most_urgent()].turn.node);
        if (node >= urgencies_.size())
            urgencies_.resize(node + 1, static_cast<std::uint32_t>(schedule_.changes.size()));
        urgencies_[node] = static_cast<std::uint32_t>(change);
    }
    if (options < 2) return 0;
    const auto number = static_cast<std::uint32_t>(branchings_.size() + 1);
    Branching branching{.options = options};
    if (look_ && number >= watched_from_) {
        branching.sight = look_();
        // A state in which other things can come first is another one.
        std::uint64_t choice = 0;
        for (const Option& option : options_)
            choice += mix(1, static_cast<std::uint64_t>(option.turn.node));
        branching.sight.state = mix(branching.sight.state, choice);
    }
    if (next_pick_ < schedule_.picks.size() && schedule_.picks[next_pick_].branching == number) {
        const std::uint32_t wanted = schedule_.picks[next_pick_++].take;
        if (wanted < options) branching.taken = wanted;
    } else if (schedule_.picks.empty()) {
        branching.taken = most_urgent();
    }
    branchings_.push_back(branching);
    return branching.taken;
}

std::uint32_t Scheduler::most_urgent() const {
    std::uint32_t best = 0;
    for (std::uint32_t index = 1; index < options_.size(); ++index)
        if (urgency(options_[index].turn.node) > urgency(options_[best].turn.node)) best = index;
    return best;
}

std::uint32_t Scheduler::urgency(NodeId node) const {
    const auto index = static_cast<std::size_t>(node);
    if (index < urgencies_.size()) return urgencies_[index];
    return static_cast<std::uint32_t>(schedule_.changes.size());
}

std::vector<Pick> Scheduler::picks() const {
    std::vector<Pick> picks;
    for (std::uint32_t index = 0; index < branchings_.size(); ++index)
        if (branchings_[index].taken > 0) picks.push_back({index + 1, branchings_[index].taken});
    return picks;
}

}  // namespace redeliver::sim
