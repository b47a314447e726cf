#include "scenarios/explore/explain.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/knobs.h"
#include "scenarios/json/bad_input.h"
#include "scenarios/json/codec.h"
#include "sim/ensure.h"
#include "sim/fault_table.h"

namespace redeliver::scenarios {

namespace {

using properties::Holds;

constexpr int most_doublings = 6;

/// To two digits, so that a bisection ends and what it finds can be read.
std::int64_t rounded(std::int64_t amount) {
    std::int64_t power = 1;
    while (amount / power >= 100) power *= 10;
    return (amount + power / 2) / power * power;
}

/// How a variation keeps the promise.
struct Kept {
    Variation::Faults faults;
    std::vector<std::string> also_breaks;
};

auto distance(const Variation& variation) {
    const bool is_repair = variation.origin == Variation::Origin::repair;
    return std::tuple(variation.faults, !is_repair && !variation.also_breaks.empty(),
                      variation.origin);
}

/// One explanation.
class Explainer {
public:
    Explainer(TrialRunner& runner, const Case& broken, const Breakage& breakage,
              const ExplainOptions& options)
        : runner_(runner),
          broken_(broken),
          breakage_(breakage),
          budget_(options.trials, options.time) {}

    Explanation run() {
        before_ = tried(broken_);
        if (!before_) return finished();
        sim::ensure(breakage_of(*before_, broken_.plan, breakage_.promise) == breakage_,
                    "what is explained breaks its promise");
        const CappedTrials capped(runner_, 100'000 + 20 * before_->events);
        try_without_faults();
        try_repair();
        for (const Knob& knob : knobs_of(broken_.scenario)) try_knob(knob);
        std::ranges::stable_sort(explanation_.passing, {}, &distance);
        explanation_.last_chance =
            find_last_chance(runner_, broken_, *before_, breakage_.promise, budget_);
        return finished();
    }

private:
    Explanation finished() {
        explanation_.trials = budget_.taken();
        if (budget_.has_ended()) explanation_.extent = Explanation::Extent::budget_ended;
        return std::move(explanation_);
    }

    /// Nothing when the budget has ended.
    std::optional<TrialResult> tried(const Case& changed) {
        if (!budget_.take()) return {};
        return runner_.run(changed.scenario, changed.plan, changed.seed, Level::ledger);
    }

    void try_without_faults() {
        for (std::size_t fault = 0; fault < broken_.plan.faults.size(); ++fault) {
            Case less = broken_;
            less.plan.faults = without_faults(broken_.plan.faults, {fault});
            const auto need = need_without(less);
            if (!need) return;
            explanation_.faults.push_back(*need);
        }
        if (broken_.plan.schedule.is_none()) return;
        Case less = broken_;
        less.plan.schedule = {};
        explanation_.schedule = need_without(less);
    }

    /// Nothing when the budget has ended.
    std::optional<FaultNeed> need_without(const Case& less) {
        const auto result = tried(less);
        if (!result) return {};
        const bool breaks_alike = breakage_of(*result, less.plan, breakage_.promise) == breakage_;
        return FaultNeed{breaks_alike ? FaultNeed::Need::not_needed : FaultNeed::Need::needed,
                         verdict_of(*result, breakage_.promise).holds};
    }

    /// How the promise holds with this setting; nothing when it does not.
    std::optional<Kept> passes(const std::string& setting) {
        const auto known = settings_.find(setting);
        if (known != settings_.end()) return known->second;
        const auto how = tried(setting);
        if (!budget_.has_ended()) settings_.emplace(setting, how);
        return how;
    }

    std::optional<Kept> tried(const std::string& setting) {
        Case changed = broken_;
        try {
            apply_setting(changed, setting);
            const auto result = tried(changed);
            if (!result) return {};
            ++explanation_.variations;
            return kept(*result);
        } catch (const BadInput&) {
            return {};  // The system would not do, with the actors that the plan names.
        } catch (const sim::PlanError&) {
            return {};
        }
    }

    std::optional<Kept> kept(const TrialResult& result) const {
        if (verdict_of(result, breakage_.promise).holds != Holds::holds) return {};
        Kept how{are_struck_as_before(result) ? Variation::Faults::strike : Variation::Faults::miss,
                 {}};
        for (const PromiseVerdict& each : result.verdicts) {
            if (each.verdict.holds != Holds::violated) continue;
            if (verdict_of(*before_, each.name).holds == Holds::violated) continue;
            // What breaks a promise that the story insists on is no repair.
            if (std::ranges::count(broken_.scenario.expect.holds, each.name) > 0) return {};
            how.also_breaks.emplace_back(each.name);
        }
        return how;
    }

    bool are_struck_as_before(const TrialResult& result) const {
        return std::ranges::all_of(result.inert_faults, [&](std::uint32_t fault) {
            return std::ranges::count(before_->inert_faults, fault) > 0;
        });
    }

    void keep(Variation variation, const Kept& how) {
        variation.faults = how.faults;
        variation.also_breaks = how.also_breaks;
        // The repair of the story may be an amount, or the usual value.
        if (std::ranges::count(explanation_.passing, variation.setting, &Variation::setting) == 0)
            explanation_.passing.push_back(std::move(variation));
    }

    void try_setting(const Knob& knob, std::string_view value, Variation::Origin origin) {
        if (value == knob.value) return;
        const std::string setting = knob.set_to(value);
        if (const auto how = passes(setting))
            keep({.setting = setting, .was = knob.value, .origin = origin}, *how);
    }

    void try_repair() {
        const auto& named = broken_.scenario.repaired_by;
        const auto twin = named ? find_story(named->scenario) : std::nullopt;
        const auto path = named ? path_of(named->differs) : std::nullopt;
        if (!twin || !path) return;
        const std::vector<Knob> knobs = knobs_of(broken_.scenario);
        const auto knob = std::ranges::find(knobs, *path, &Knob::path);
        const auto value = value_in(twin.value(), *path);
        if (knob != knobs.end() && value) try_setting(*knob, *value, Variation::Origin::repair);
    }

    void try_knob(const Knob& knob) {
        if (knob.kind == Knob::Kind::word) {
            const auto usual = value_in(Scenario{}, knob.path);
            for (const std::string_view word : knob.words)
                try_setting(knob, word,
                            word == usual ? Variation::Origin::usual : Variation::Origin::other);
            return;
        }
        const std::int64_t amount = knob.amount();
        try_amounts(knob, [](std::int64_t each) { return each * 2; });
        if (amount > 0) try_amounts(knob, [](std::int64_t each) { return each / 2; });
    }

    /// Goes away from the value until the promise holds, then back to where it breaks.
    void try_amounts(const Knob& knob, const std::function<std::int64_t(std::int64_t)>& next) {
        const std::int64_t unit = knob.kind == Knob::Kind::duration ? 1'000'000 : 1;
        std::int64_t breaks = knob.amount();
        std::int64_t amount = breaks == 0 ? unit : next(breaks);
        for (int each = 0; each < most_doublings && amount > 0 && !budget_.has_ended(); ++each) {
            if (const auto how = passes(knob.set_to(knob.text_of(amount))))
                return keep_nearest(knob, breaks, amount, *how);
            breaks = amount;
            amount = next(amount);
        }
    }

    void keep_nearest(const Knob& knob, std::int64_t breaks, std::int64_t holds, Kept how) {
        while (!budget_.has_ended()) {
            const std::int64_t between = rounded(breaks + (holds - breaks) / 2);
            const auto [low, high] = std::minmax(breaks, holds);
            if (between <= low || between >= high) break;
            const auto there = passes(knob.set_to(knob.text_of(between)));
            if (there) how = *there;
            (there ? holds : breaks) = between;
        }
        keep({.setting = knob.set_to(knob.text_of(holds)),
              .was = knob.value,
              .origin = Variation::Origin::amount,
              .still_breaks = knob.text_of(breaks)},
             how);
    }

    TrialRunner& runner_;
    const Case& broken_;
    const Breakage& breakage_;
    TrialBudget budget_;
    std::optional<TrialResult> before_;
    std::map<std::string, std::optional<Kept>> settings_;
    Explanation explanation_;
};

}  // namespace

Explanation explain(TrialRunner& runner, const Case& broken, const Breakage& breakage,
                    const ExplainOptions& options) {
    return Explainer(runner, broken, breakage, options).run();
}

sim::FaultPlan without_faults(const sim::FaultPlan& all, const std::set<std::size_t>& positions) {
    sim::FaultPlan others;
    for (std::size_t position = 0; position < all.size(); ++position)
        if (!positions.contains(position)) others.push_back(all[position]);
    return others;
}

}  // namespace redeliver::scenarios
