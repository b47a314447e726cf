#include "scenarios/explore/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <utility>

#include "scenarios/explore/enumeration.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

/// Steps of a trial that were taken from a state that was new: after the first, up to the second.
struct Stretch {
    sim::StepNumber after = sim::no_step;
    sim::StepNumber until = sim::no_step;

    bool holds(sim::StepNumber step) const { return step > after && step <= until; }
};

/// A trial to come.
struct Way {
    std::vector<sim::Pick> picks;
    std::optional<sim::Fault> fault = {};
    std::optional<Tried> tried = {};
};

sim::StepNumber fired(const Recording& recording) {
    const auto found = std::ranges::find_if(recording.steps, [](const sim::Step& step) {
        return step.as<sim::FaultFired>() != nullptr;
    });
    return found == recording.steps.end() ? sim::no_step : found->number;
}

/// Whether an operation came to a point of it in a stretch. The middle of work is no step of its
/// own, so all of the work counts.
bool is_in(const Stretch& stretch, const Site& site, sim::Point point) {
    switch (point) {
    case sim::Point::before_send:
    case sim::Point::start: return stretch.holds(site.begun);
    case sim::Point::before_apply:
        return stretch.holds(site.dropped != sim::no_step ? site.dropped : site.applied);
    case sim::Point::after_apply: return stretch.holds(site.applied);
    case sim::Point::middle: return site.begun <= stretch.until && site.ended > stretch.after;
    case sim::Point::after_reply:
    case sim::Point::end: return stretch.holds(site.ended);
    }
    return false;
}

class Exhaustive final : public Strategy {
public:
    Exhaustive(const Scenario& scenario, const ExhaustiveOptions& options)
        : options_(options),
          mishaps_(options.mishaps.empty() ? cutting_mishaps() : options.mishaps),
          base_(scenario, options.seed) {
        sim::ensure(options.faults <= 1, "at most one fault is tried exhaustively");
        sim::ensure(options.slack > Duration::zero(), "without slack there is one order only");
        scope_ = {.end = Scope::End::ahead,
                  .strikes = Scope::Strikes::of_strategy,
                  .faults = options.faults,
                  .orders = {.slack = options.slack}};
        ways_.emplace_back();
    }

    const Scenario& scenario() const override { return base_.scenario(); }
    Level level() const override { return Level::branchings; }
    std::optional<std::uint64_t> base_behaviour() const override {
        return base_.result().behaviour;
    }
    Scope scope() const override {
        Scope scope = scope_;
        scope.orders.left = ways_.size();
        return scope;
    }

    std::optional<Attempt> next() override {
        if (ways_.empty()) {
            if (under_way_.empty()) scope_.end = Scope::End::reached;
            return {};
        }
        under_way_.push_back(std::move(ways_.front()));
        ways_.pop_front();
        const Way& way = under_way_.back();
        Attempt attempt{.seed = base_.seed(),
                        .plan = {.messages = base_.messages(),
                                 .faults = {},
                                 .schedule = {.slack = options_.slack, .picks = way.picks}},
                        .tried = way.tried};
        if (way.fault) attempt.plan.faults.push_back(*way.fault);
        return attempt;
    }

    void learn(const Attempt&, const TrialResult& result) override {
        const Way way = std::move(under_way_.front());
        under_way_.pop_front();
        Orders& orders = scope_.orders;
        ++orders.transitions;
        orders.depth = std::max<std::uint64_t>(orders.depth, result.branchings.size());
        const std::vector<Stretch> fresh = follow(way, result);
        if (way.fault || options_.faults == 0) return;
        for (const Stretch& stretch : fresh) add_faults(way, *result.recording, stretch);
    }

private:
    /// Puts what else could come first at new states among the ways, and says which steps were
    /// taken from new states.
    std::vector<Stretch> follow(const Way& way, const TrialResult& result) {
        const auto& branchings = result.branchings;
        const sim::StepNumber last = result.steps;
        const sim::StepNumber struck = way.fault ? fired(*result.recording) : sim::no_step;
        if (way.fault && struck == sim::no_step) return {};
        const auto after = [&](std::size_t index) {
            return index < branchings.size() ? branchings[index].sight.after : last;
        };
        // The way itself: out of the branching point of its last pick, or from the beginning.
        std::size_t next = way.picks.empty() ? 0 : way.picks.back().branching;
        // In the middle of work that began earlier: then the fault is of an earlier way.
        if (way.fault && next > 0 &&
            (next > branchings.size() || struck <= branchings[next - 1].sight.after))
            return {};
        std::vector<Stretch> fresh = {
            {next == 0 ? sim::no_step : branchings[next - 1].sight.after, after(next)}};
        for (; next < branchings.size(); ++next) {
            const sim::Scheduler::Branching& here = branchings[next];
            if (here.sight.after < struck) continue;  // Of the ways without the fault.
            if (!states_.insert(here.sight.state).second) {
                ++scope_.orders.deduplicated;
                continue;
            }
            ++scope_.orders.states;
            ++scope_.orders.transitions;
            for (std::uint32_t take = 1; take < here.options; ++take)
                add_way(way, {static_cast<std::uint32_t>(next + 1), take});
            fresh.push_back({here.sight.after, after(next + 1)});
        }
        return fresh;
    }

    void add_way(const Way& from, sim::Pick pick) {
        Way way = from;
        way.picks.push_back(pick);
        ways_.push_back(std::move(way));
    }

    void add_faults(const Way& way, const Recording& recording, const Stretch& stretch) {
        const std::vector<Site> sites = sites_of(recording);
        for (const Single& single : singles_at(sites, mishaps_)) {
            const Site& site = sites[single.site];
            if (!is_in(stretch, site, single.point)) continue;
            ++scope_.orders.faults;
            ways_.push_back(
                {.picks = way.picks,
                 .fault = fault_at(site, single.point, single.mishap, scenario(), recording),
                 .tried = Tried{site.address.operation, single.point, single.mishap}});
        }
    }

    ExhaustiveOptions options_;
    std::vector<Mishap> mishaps_;
    BaseTrial base_;
    std::set<std::uint64_t> states_;
    std::deque<Way> ways_;
    std::deque<Way> under_way_;
    Scope scope_;
};

struct Bound {
    std::string_view what;
    std::uint64_t found;
    std::uint64_t most;
    std::string_view setting;
};

}  // namespace

const std::vector<Mishap>& cutting_mishaps() {
    static const std::vector<Mishap> all = {Mishap::crash, Mishap::lose_request, Mishap::lose_reply,
                                            Mishap::crash_server};
    return all;
}

std::optional<std::string> too_large(const Scenario& scenario, std::uint64_t seed) {
    const System& system = scenario.system;
    const bool has_relays = uses_outbox(system.gateway.publish);
    const std::array<Bound, 5> bounds = {
        {{"gateways", system.gateway.count, 1, "gateway.count"},
         {"workers", system.worker.count, 2, "worker.count"},
         {"users", system.users.count, 2, "users.count"},
         {"relays", has_relays ? system.relay.count : 0, 1, "relay.count"},
         {"messages", draw_messages(scenario, seed).size(), 2, "workload.runs"}}};
    for (const Bound& bound : bounds)
        if (bound.found > bound.most)
            return fmt::format(
                "found {} {}, allowed are {}: every order of more is too much to try; use a "
                "smaller "
                "story such as tiny, or --set {}={}",
                bound.found, bound.what, bound.most, bound.setting, bound.most);
    return {};
}

std::unique_ptr<Strategy> exhaust(const Scenario& scenario, const ExhaustiveOptions& options) {
    return std::make_unique<Exhaustive>(scenario, options);
}

}  // namespace redeliver::scenarios
