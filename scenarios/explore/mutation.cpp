#include "scenarios/explore/mutation.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <set>
#include <utility>

#include "scenarios/explore/campaign.h"
#include "scenarios/explore/enumeration.h"
#include "scenarios/explore/priority.h"
#include "sim/choices.h"

namespace redeliver::scenarios {

namespace {

/// The draws of one attempt, one after the other.
class AttemptDraws {
public:
    AttemptDraws(std::uint64_t seed, std::uint64_t attempt) : choices_(seed), attempt_(attempt) {}

    std::uint64_t below(std::uint64_t limit) {
        return sim::below(
            limit, choices_.bits(sim::Label{"mutation"}, sim::SubjectKey{attempt_}, occurrence_++));
    }

private:
    sim::Choices choices_;
    std::uint64_t attempt_;
    std::uint32_t occurrence_ = 0;
};

/// A plan that led to something new.
struct Parent {
    std::uint64_t seed = 1;
    Plan plan;
};

/// What faults there are to add, and where.
class Repertoire {
public:
    Repertoire(const Scenario& scenario, const MutationOptions& options)
        : base_(scenario, options.seed),
          sites_(sites_of(base_.recording())),
          singles_(singles_at(
              sites_, options.mishaps.empty() ? mishaps_of(scenario.system) : options.mishaps)),
          actors_(actors_of(scenario)),
          slack_(options.slack) {
        for (const sim::Step& step : base_.recording().steps)
            end_ = std::max(end_, step.at.time_since_epoch());
    }

    const BaseTrial& base() const { return base_; }

    void mutate(Plan& plan, AttemptDraws& draws) const {
        const std::uint64_t changes = 1 + draws.below(3);
        for (std::uint64_t each = 0; each < changes; ++each) change(plan, draws);
    }

private:
    void change(Plan& plan, AttemptDraws& draws) const {
        switch (draws.below(6)) {
        case 0: return add_fault(plan, draws);
        case 1: return drop_fault(plan, draws);
        case 2:
        case 3: return move_fault(plan, draws);
        case 4: return move_message(plan, draws);
        default: return change_schedule(plan, draws);
        }
    }

    sim::Fault fault(const Single& single) const {
        return base_.fault(sites_[single.site], single);
    }

    void add_fault(Plan& plan, AttemptDraws& draws) const {
        if (singles_.empty()) return;
        plan.faults.push_back(fault(singles_[draws.below(singles_.size())]));
    }

    static void drop_fault(Plan& plan, AttemptDraws& draws) {
        if (plan.faults.empty()) return;
        plan.faults.erase(plan.faults.begin() +
                          static_cast<std::ptrdiff_t>(draws.below(plan.faults.size())));
    }

    /// Another occurrence where it strikes, or another fault of the same operation.
    void move_fault(Plan& plan, AttemptDraws& draws) const {
        if (plan.faults.empty()) return add_fault(plan, draws);
        sim::Fault& moved = plan.faults[draws.below(plan.faults.size())];
        if (auto* const instant = std::get_if<sim::AtInstant>(&moved.when)) {
            instant->at = sim::at(instant_below(draws));
            return;
        }
        auto& step = std::get<sim::AtStep>(moved.when);
        if (draws.below(2) == 0) {
            const bool is_later = step.occurrence == 1 || draws.below(2) == 0;
            step.occurrence = is_later ? step.occurrence + 1 : step.occurrence - 1;
            return;
        }
        std::vector<std::size_t> alike;
        for (std::size_t index = 0; index < singles_.size(); ++index)
            if (operation_of(singles_[index]) == step.operation) alike.push_back(index);
        if (!alike.empty()) moved = fault(singles_[alike[draws.below(alike.size())]]);
    }

    std::string_view operation_of(const Single& single) const {
        return base_.recording().operations[sites_[single.site].address.operation];
    }

    void move_message(Plan& plan, AttemptDraws& draws) const {
        if (plan.messages.empty()) return;
        Message& moved = plan.messages[draws.below(plan.messages.size())];
        const Message& other = plan.messages[draws.below(plan.messages.size())];
        moved.at = draws.below(2) == 0 ? other.at : sim::at(instant_below(draws));
    }

    void change_schedule(Plan& plan, AttemptDraws& draws) const {
        if (!plan.schedule.is_none() && draws.below(4) == 0) {
            plan.schedule = {};
            return;
        }
        const auto depth = 1 + static_cast<std::uint32_t>(draws.below(3));
        const auto steps = static_cast<std::uint32_t>(base_.recording().steps.size());
        plan.schedule = draw_priorities(actors_, steps, depth, draws.below(~std::uint64_t{0}), 1);
        plan.schedule.slack = slack_;
    }

    Duration instant_below(AttemptDraws& draws) const {
        const auto limit = static_cast<std::uint64_t>(end_.count()) + 1;
        return Duration{static_cast<std::int64_t>(draws.below(limit))};
    }

    BaseTrial base_;
    std::vector<Site> sites_;
    std::vector<Single> singles_;
    std::vector<std::string> actors_;
    Duration slack_;
    Duration end_{};
};

class Mutating final : public Strategy {
public:
    Mutating(const Scenario& scenario, const MutationOptions& options)
        : options_(options), drawn_(scenario), repertoire_(scenario, options) {
        TrialRunner runner;
        book_ = survey(runner, drawn_);
        scope_.strikes = Scope::Strikes::of_strategy;
    }

    const Scenario& scenario() const override { return repertoire_.base().scenario(); }
    void learn(const Attempt& attempt, const TrialResult& result) override {
        const bool is_rarer = reaches_more(result);
        const bool is_new = behaviours_.insert(result.behaviour).second;
        if (is_rarer) {
            rare_.push_back({attempt.seed, attempt.plan});
            ++scope_.corpus.from_paths;
        } else if (is_new) {
            new_.push_back({attempt.seed, attempt.plan});
            ++scope_.corpus.from_behaviours;
            if (new_.size() <= most_behaviours) return;
            new_.pop_front();
            ++scope_.corpus.dropped;
        }
    }
    Scope scope() const override { return scope_; }

    std::optional<Attempt> next() override {
        const std::uint64_t number = ++tried_;
        const bool is_early = scope_.corpus.seeds < first_seeds;
        if (is_early || number % seeds_one_in == 0 || (rare_.empty() && new_.empty()))
            return drawn();
        ++scope_.corpus.mutations;
        AttemptDraws draws(options_.seed, number);
        const Parent& parent = pick_parent(draws);
        Attempt attempt{.seed = parent.seed, .plan = parent.plan};
        repertoire_.mutate(attempt.plan, draws);
        return attempt;
    }

private:
    Attempt drawn() {
        const std::uint64_t seed = options_.seed + scope_.corpus.seeds++;
        return {.seed = seed, .plan = expand(drawn_, book_, seed)};
    }

    /// Those that reached something rare as often as all others together.
    const Parent& pick_parent(AttemptDraws& draws) const {
        const bool wants_rare = draws.below(2) == 0;
        const auto& from = new_.empty() || (wants_rare && !rare_.empty()) ? rare_ : new_;
        return from[draws.below(from.size())];
    }

    /// Whether some rare path was reached for the first time, or at least twice as often as ever.
    bool reaches_more(const TrialResult& result) {
        most_reached_.resize(result.reached.size(), 0);
        bool is_more = false;
        for (std::size_t path = 0; path < result.reached.size(); ++path) {
            const auto magnitude =
                static_cast<std::uint32_t>(std::bit_width(result.reached[path].count));
            if (magnitude <= most_reached_[path]) continue;
            most_reached_[path] = magnitude;
            is_more = true;
        }
        return is_more;
    }

    MutationOptions options_;
    Scenario drawn_;
    Repertoire repertoire_;
    AddressBook book_;
    std::deque<Parent> rare_;
    std::deque<Parent> new_;
    std::set<std::uint64_t> behaviours_;
    std::vector<std::uint32_t> most_reached_;  // By rare path, the largest power of two.
    std::uint64_t tried_ = 0;
    Scope scope_;
};

}  // namespace

std::unique_ptr<Strategy> mutate(const Scenario& scenario, const MutationOptions& options) {
    return std::make_unique<Mutating>(scenario, options);
}

}  // namespace redeliver::scenarios
