#include "scenarios/explore/enumeration.h"

#include <algorithm>
#include <utility>

#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

Scenario without_faults(Scenario scenario) {
    scenario.faults.random.clear();
    scenario.faults.pinned.clear();
    scenario.schedule = {};
    return scenario;
}

/// A first fault that deserves seconds.
struct First {
    Single single;
    std::uint64_t behaviour = 0;
};

/// The seconds to one first.
struct Followed {
    First first;
    TrialResult result;  // Of the first alone, with its steps.
    std::vector<Site> sites;
    std::vector<Single> seconds;
    std::size_t next = 0;
};

/// When an operation came to a point of it, seen from a first fault.
enum class Reach : std::uint8_t { before, after, never };

Reach compared(sim::StepNumber step, sim::StepNumber fired) {
    if (step == sim::no_step) return Reach::never;
    return step > fired ? Reach::after : Reach::before;
}

bool is_pause(Mishap mishap) {
    switch (mishap) {
    case Mishap::under_request:
    case Mishap::short_pause:
    case Mishap::under_idle:
    case Mishap::long_pause:
    case Mishap::under_lease:
    case Mishap::over_lease:
    case Mishap::pause_server: return true;
    default: return false;
    }
}

/// Of the operation of a site in the trial in which `first` struck at step `fired`. Where the
/// steps do not tell, it is after.
Reach reach_of(const Site& site, sim::Point point, const Single& first, sim::StepNumber fired) {
    switch (point) {
    case sim::Point::before_send:
    case sim::Point::start: return compared(site.begun, fired);
    case sim::Point::middle:
    case sim::Point::end:
        return site.ended == sim::no_step ? Reach::after : compared(site.ended, fired);
    case sim::Point::before_apply:
        if (site.dropped != sim::no_step) return Reach::never;
        return site.applied == sim::no_step ? Reach::after : compared(site.applied, fired);
    case sim::Point::after_apply: return compared(site.applied, fired);
    case sim::Point::after_reply:
        // An answer that reached a paused client is taken later.
        if (site.ended != sim::no_step && is_pause(first.mishap)) return Reach::after;
        return compared(site.ended, fired);
    }
    return Reach::after;
}

class Enumeration final : public Strategy {
public:
    Enumeration(const Scenario& scenario, const EnumerationOptions& options)
        : options_(options),
          mishaps_(options.mishaps.empty() ? mishaps_of(scenario.system) : options.mishaps),
          base_(scenario, options.seed),
          sites_(sites_of(base_.recording())),
          singles_(singles_at(sites_, mishaps_)) {
        sim::ensure(options.faults == 1 || options.faults == 2, "one or two faults are enumerated");
        scope_ = {.end = Scope::End::ahead,
                  .faults = options.faults,
                  .kinds = mishaps_,
                  .singles = singles_.size()};
        scope_.strikes = Scope::Strikes::of_strategy;
        for (const Site& site : sites_) {
            scope_.operations += site.stands_for;
            scope_.folded_polls += site.stands_for - 1;
        }
    }

    const Scenario& scenario() const override { return base_.scenario(); }
    Scope scope() const override { return scope_; }
    std::optional<std::uint64_t> base_behaviour() const override {
        return base_.result().behaviour;
    }

    std::optional<Attempt> next() override {
        if (next_single_ < singles_.size()) return attempt(singles_[next_single_++]);
        if (scope_.singles_tried < singles_.size()) return {};  // To be learnt from first.
        if (options_.faults == 2)
            if (auto pair = next_pair()) return pair;
        scope_.end = Scope::End::reached;
        return {};
    }

    void learn(const Attempt&, const TrialResult& result) override {
        if (scope_.singles_tried == singles_.size()) {
            ++scope_.pairs_tried;
            return;
        }
        const Single& single = singles_[scope_.singles_tried++];
        if (options_.faults == 2) consider(single, result);
    }

private:
    Attempt attempt(const Single& single) const {
        const Site& site = sites_[single.site];
        return {.seed = base_.seed(),
                .plan = {.messages = base_.messages(), .faults = {base_.fault(site, single)}},
                .tried = Tried{site.address.operation, single.point, single.mishap}};
    }

    /// Whether a single fault is worth following with others.
    void consider(const Single& single, const TrialResult& result) {
        if (!result.inert_faults.empty()) {
            ++scope_.firsts_inert;
        } else if (result.behaviour == base_.result().behaviour && prunes()) {
            ++scope_.firsts_unchanged;
        } else {
            firsts_.push_back({single, result.behaviour});
            ++scope_.firsts_left;
        }
    }

    std::optional<Attempt> next_pair() {
        while (!followed_ || followed_->next == followed_->seconds.size()) {
            if (next_first_ == firsts_.size()) return {};
            follow(firsts_[next_first_++]);
        }
        const Single& second = followed_->seconds[followed_->next++];
        const Site& site = followed_->sites[second.site];
        Attempt pair = attempt(followed_->first.single);
        pair.plan.faults.push_back(fault_at(site, second.point, second.mishap, base_.scenario(),
                                            *followed_->result.recording));
        pair.tried = Tried{site.address.operation, second.point, second.mishap};
        return pair;
    }

    bool prunes() const { return options_.pruning == EnumerationOptions::Pruning::on; }

    void follow(const First& first) {
        --scope_.firsts_left;
        ++scope_.firsts_followed;
        followed_.emplace();
        followed_->first = first;
        const Attempt alone = attempt(first.single);
        followed_->result =
            runner_.run(base_.scenario(), alone.plan, alone.seed, Level::everything);
        const Recording& recording = *followed_->result.recording;
        const sim::StepNumber fired = first_fault(recording);
        followed_->sites = prunes() ? sites_of(recording) : all_sites_of(recording);
        for (const Single& second : singles_at(followed_->sites, mishaps_)) {
            const Reach reach =
                reach_of(followed_->sites[second.site], second.point, first.single, fired);
            if (reach == Reach::before) continue;
            if (reach == Reach::never && prunes()) {
                ++scope_.pairs_inert;
            } else {
                followed_->seconds.push_back(second);
            }
        }
    }

    static sim::StepNumber first_fault(const Recording& recording) {
        const auto fired = std::ranges::find_if(recording.steps, [](const sim::Step& step) {
            return step.as<sim::FaultFired>() != nullptr;
        });
        sim::ensure(fired != recording.steps.end(), "a first fault that is followed has struck");
        return fired->number;
    }

    EnumerationOptions options_;
    std::vector<Mishap> mishaps_;
    BaseTrial base_;
    std::vector<Site> sites_;
    std::vector<Single> singles_;
    std::size_t next_single_ = 0;
    std::vector<First> firsts_;
    std::size_t next_first_ = 0;
    std::optional<Followed> followed_;
    TrialRunner runner_;
    Scope scope_;
};

}  // namespace

std::vector<Single> singles_at(const std::vector<Site>& sites, const std::vector<Mishap>& mishaps) {
    std::vector<Single> singles;
    for (std::uint32_t index = 0; index < sites.size(); ++index)
        for (const sim::Point point : points_of(sites[index].what))
            for (const Mishap mishap : mishaps)
                if (applies(mishap, sites[index], point)) singles.push_back({index, point, mishap});
    return singles;
}

BaseTrial::BaseTrial(const Scenario& scenario, std::uint64_t seed)
    : calm_(without_faults(scenario)), seed_(seed), messages_(draw_messages(scenario, seed)) {
    TrialRunner runner;
    const Plan plan{.messages = messages_, .faults = {}};
    // A trial that ends for want of progress has no end of its own: then its last progress counts.
    const TrialResult short_one = runner.run(calm_, plan, seed, Level::fingerprint);
    calm_.faults.until = std::max(calm_.faults.until,
                                  short_one.end.time_since_epoch() + longest_mishap(scenario) + 1s);
    result_ = runner.run(calm_, plan, seed, Level::everything);
    std::erase_if(result_.recording->steps,
                  [&](const sim::Step& step) { return step.at > short_one.end; });
}

sim::Fault BaseTrial::fault(const Site& site, const Single& single) const {
    return fault_at(site, single.point, single.mishap, calm_, recording());
}

std::unique_ptr<Strategy> enumerate(const Scenario& scenario, const EnumerationOptions& options) {
    return std::make_unique<Enumeration>(scenario, options);
}

}  // namespace redeliver::scenarios
