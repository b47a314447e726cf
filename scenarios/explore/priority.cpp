#include "scenarios/explore/priority.h"

#include <algorithm>
#include <utility>

#include "scenarios/explore/enumeration.h"
#include "scenarios/node_names.h"
#include "sim/choices.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

class Prioritizing final : public Strategy {
public:
    Prioritizing(const Scenario& scenario, const PriorityOptions& options)
        : options_(options),
          base_(scenario, options.seed),
          actors_(actors_of(scenario)),
          choices_(options.seed) {
        sim::ensure(options.depth >= 1 && options.faults <= 1,
                    "priorities have a depth, and at most one fault beside them");
        Plan plan{.messages = base_.messages(), .faults = {}, .schedule = {options.slack}};
        TrialRunner runner;
        const TrialResult unchanged =
            runner.run(base_.scenario(), plan, base_.seed(), Level::fingerprint);
        scope_.strikes = Scope::Strikes::of_strategy;
        scope_.faults = options.faults;
        scope_.priorities = {.depth = options.depth,
                             .actors = static_cast<std::uint32_t>(actors_.size()),
                             .steps = unchanged.scheduled_steps,
                             .slack = options.slack};
        if (options.faults == 0) return;
        sites_ = sites_of(base_.recording());
        singles_ = singles_at(
            sites_, options.mishaps.empty() ? mishaps_of(scenario.system) : options.mishaps);
    }

    const Scenario& scenario() const override { return base_.scenario(); }
    Scope scope() const override { return scope_; }
    void learn(const Attempt&, const TrialResult&) override {}
    std::optional<std::uint64_t> base_behaviour() const override {
        return base_.result().behaviour;
    }

    std::optional<Attempt> next() override {
        const std::uint64_t number = next_++;
        Attempt attempt{.seed = base_.seed(), .plan = {.messages = base_.messages(), .faults = {}}};
        attempt.plan.schedule = draw_priorities(actors_, scope_.priorities.steps, options_.depth,
                                                options_.seed, number);
        attempt.plan.schedule.slack = options_.slack;
        if (!singles_.empty()) add_fault(attempt, number);
        return attempt;
    }

private:
    void add_fault(Attempt& attempt, std::uint64_t number) const {
        const Single& single = singles_[sim::below(
            singles_.size(), choices_.bits(sim::Label{"single fault"}, sim::SubjectKey{number}))];
        const Site& site = sites_[single.site];
        attempt.plan.faults.push_back(base_.fault(site, single));
        attempt.tried = Tried{site.address.operation, single.point, single.mishap};
    }

    PriorityOptions options_;
    BaseTrial base_;
    std::vector<std::string> actors_;
    sim::Choices choices_;
    std::vector<Site> sites_;
    std::vector<Single> singles_;
    std::uint64_t next_ = 1;
    Scope scope_;
};

}  // namespace

std::uint64_t Priorities::one_in() const {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    std::uint64_t product = actors;
    for (std::uint32_t each = 1; each < depth; ++each) {
        if (steps != 0 && product > most / steps) return most;
        product *= steps;
    }
    return product;
}

std::vector<std::string> actors_of(const Scenario& scenario) {
    std::vector<std::string> nodes = node_names(scenario);
    nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::size_t>(database_node) + 1);
    return nodes;
}

sim::Schedule draw_priorities(const std::vector<std::string>& nodes, std::uint32_t steps,
                              std::uint32_t depth, std::uint64_t seed, std::uint64_t number) {
    const sim::Choices choices(seed);
    const auto draw = [&](sim::Label label, std::uint64_t limit, std::size_t which) {
        return sim::below(
            limit, choices.bits(label, sim::SubjectKey{number}, static_cast<std::uint32_t>(which)));
    };
    sim::Schedule schedule;
    schedule.order = nodes;
    for (std::size_t left = nodes.size(); left > 1; --left)
        std::swap(schedule.order[left - 1],
                  schedule.order[draw(sim::Label{"priority"}, left, left)]);
    for (std::uint32_t change = 1; change < depth; ++change)
        schedule.changes.push_back(
            1 + static_cast<std::uint32_t>(draw(sim::Label{"priority change"}, steps, change)));
    return schedule;
}

std::unique_ptr<Strategy> prioritize(const Scenario& scenario, const PriorityOptions& options) {
    return std::make_unique<Prioritizing>(scenario, options);
}

}  // namespace redeliver::scenarios
