#include "scenarios/explore/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "properties/property.h"
#include "properties/rare_paths.h"
#include "scenarios/catalog/catalog.h"
#include "sim/choices.h"

namespace redeliver::scenarios {

namespace {

/// The seed of the fault-free trial that says where faults can be placed.
constexpr std::uint64_t survey_seed = 0;

/// Distinct behaviours that a randomised story must show in 1,000 seeds, and in fewer its share.
constexpr std::uint64_t least_behaviours = 50;

constexpr std::uint64_t seeds_per_share = 64;

/// Violating seeds after which a repair that was never seen to help counts as none.
constexpr std::size_t repair_attempts = 20;

/// What some of the seeds of a story came to; sums of these are the same in any order.
struct Share {
    std::uint64_t fingerprint = 0;
    std::vector<std::uint64_t> behaviours;
    std::vector<PromiseResult> promises;
    std::vector<ReachedPath> reached;
    std::optional<SurpriseReport> wrong_total;
    std::optional<std::uint64_t> inconclusive_seed;
    /// Of each promise, the first violating seeds.
    std::vector<std::vector<std::uint64_t>> violating;
};

Share empty_share(const Scenario& scenario) {
    Share share;
    for (const properties::PromiseInfo& promise : properties::promises())
        share.promises.push_back(
            {.name = promise.name, .expected = expected_of(scenario, promise.name)});
    for (const properties::RarePathInfo& path : properties::rare_paths())
        share.reached.push_back({.name = path.name});
    share.violating.resize(share.promises.size());
    return share;
}

void keep_least(std::optional<std::uint64_t>& least, std::optional<std::uint64_t> candidate) {
    if (candidate && (!least || *candidate < *least)) least = candidate;
}

void count(PromiseResult& promise, const properties::Verdict& verdict, std::uint64_t seed) {
    promise.excused += verdict.excused;
    switch (verdict.holds) {
    case properties::Holds::holds: ++promise.held; break;
    case properties::Holds::vacuous: ++promise.vacuous; break;
    case properties::Holds::inconclusive: ++promise.inconclusive; break;
    case properties::Holds::violated:
        ++promise.violated;
        keep_least(promise.first_violating_seed, seed);
        break;
    }
}

void check_totals(Share& share, const Scenario& scenario, const TrialResult& result,
                  std::uint64_t seed) {
    if (share.wrong_total) return;
    for (const auto& [name, expected] : scenario.expect.totals) {
        const auto found = std::ranges::find(result.totals, name, &Total::name);
        sim::ensure(found != result.totals.end(), "a scenario expects totals that exist");
        if (found->value == expected) continue;
        share.wrong_total =
            SurpriseReport{Surprise::total_differs, name,
                           fmt::format("expected {}, found {}", expected, found->value), seed};
        return;
    }
}

void count(Share& share, const Scenario& scenario, const TrialResult& result, std::uint64_t seed) {
    share.fingerprint += sim::mix(seed, result.fingerprint);
    share.behaviours.push_back(result.behaviour);
    for (std::size_t index = 0; index < share.promises.size(); ++index) {
        const properties::Verdict& verdict = result.verdicts[index].verdict;
        count(share.promises[index], verdict, seed);
        auto& violating = share.violating[index];
        if (verdict.holds == properties::Holds::violated && violating.size() < repair_attempts)
            violating.push_back(seed);
    }
    for (std::size_t index = 0; index < share.reached.size(); ++index)
        if (result.reached[index].count > 0) ++share.reached[index].count;
    check_totals(share, scenario, result, seed);
    if (result.ending == sim::Ending::out_of_steps || result.ending == sim::Ending::out_of_time)
        keep_least(share.inconclusive_seed, seed);
}

void add(Share& sum, Share&& share) {
    sum.fingerprint += share.fingerprint;
    sum.behaviours.insert(sum.behaviours.end(), share.behaviours.begin(), share.behaviours.end());
    for (std::size_t index = 0; index < sum.promises.size(); ++index) {
        PromiseResult& into = sum.promises[index];
        const PromiseResult& from = share.promises[index];
        into.held += from.held;
        into.violated += from.violated;
        into.vacuous += from.vacuous;
        into.inconclusive += from.inconclusive;
        into.excused += from.excused;
        keep_least(into.first_violating_seed, from.first_violating_seed);
        auto& seeds = sum.violating[index];
        seeds.insert(seeds.end(), share.violating[index].begin(), share.violating[index].end());
        std::ranges::sort(seeds);
        if (seeds.size() > repair_attempts) seeds.resize(repair_attempts);
    }
    for (std::size_t index = 0; index < sum.reached.size(); ++index)
        sum.reached[index].count += share.reached[index].count;
    if (share.wrong_total && (!sum.wrong_total || share.wrong_total->seed < sum.wrong_total->seed))
        sum.wrong_total = share.wrong_total;
    keep_least(sum.inconclusive_seed, share.inconclusive_seed);
}

/// Threads that take shares of the seeds in turn.
class Campaign {
public:
    Campaign(const Scenario& scenario, const CampaignOptions& options)
        : scenario_(scenario), options_(options), sum_(empty_share(scenario)) {
        TrialRunner runner;
        book_ = survey(runner, scenario);
    }

    Share run() {
        std::vector<std::jthread> helpers;
        for (std::uint32_t job = 1; job < options_.jobs; ++job)
            helpers.emplace_back([this] { work(); });
        work(options_.progress);
        helpers.clear();
        if (failure_) std::rethrow_exception(failure_);
        return std::move(sum_);
    }

private:
    void work(const std::function<void(std::uint64_t)>& progress = {}) {
        try {
            TrialRunner runner;
            while (true) {
                const std::uint64_t first = next_.fetch_add(seeds_per_share);
                if (first >= options_.seeds) return;
                const std::uint64_t count = std::min(seeds_per_share, options_.seeds - first);
                Share share = run_share(runner, options_.first_seed + first, count);
                const std::lock_guard lock(mutex_);
                add(sum_, std::move(share));
                done_ += count;
                if (progress) progress(done_);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            next_ = options_.seeds;
        }
    }

    Share run_share(TrialRunner& runner, std::uint64_t first, std::uint64_t seeds) {
        Share share = empty_share(scenario_);
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            const Plan plan = expand(scenario_, book_, seed);
            redeliver::scenarios::count(share, scenario_,
                                        runner.run(scenario_, plan, seed, Level::ledger), seed);
        }
        return share;
    }

    const Scenario& scenario_;
    const CampaignOptions& options_;
    AddressBook book_;
    std::atomic<std::uint64_t> next_ = 0;
    std::mutex mutex_;
    Share sum_;
    std::uint64_t done_ = 0;
    std::exception_ptr failure_;
};

bool is_pinned(const Scenario& scenario) {
    return scenario.faults.random.empty() && !scenario.faults.pinned.empty();
}

bool holds_and_reaches(const TrialResult& result, std::size_t promise, const std::string& window) {
    if (result.verdicts[promise].verdict.holds != properties::Holds::holds) return false;
    const auto reached = std::ranges::find(result.reached, window, &ReachedPath::name);
    return window.empty() || (reached != result.reached.end() && reached->count > 0);
}

/// A mistake is one only if, under the very same plan, its repaired twin keeps the promise while
/// the same dangerous window (the first of `reaches`) is reached.
void check_repair(StoryResult& story, const Scenario& scenario, const Share& share) {
    if (!scenario.repaired_by) return;
    const auto twin = find_story(scenario.repaired_by->scenario);
    if (!twin) {
        story.surprises.push_back(
            {Surprise::not_repaired, scenario.repaired_by->scenario, "there is no such story", {}});
        return;
    }
    Scenario repaired = scenario;
    repaired.system = twin->system;
    const std::string window =
        scenario.expect.reaches.empty() ? std::string{} : scenario.expect.reaches.front();
    TrialRunner runner;
    for (std::size_t index = 0; index < share.promises.size(); ++index) {
        const PromiseResult& promise = share.promises[index];
        if (promise.expected != Expected::breaks || promise.violated == 0) continue;
        const bool helps = std::ranges::any_of(share.violating[index], [&](std::uint64_t seed) {
            const Plan plan = plan_of(runner, scenario, seed);
            return holds_and_reaches(runner.run(repaired, plan, seed, Level::ledger), index,
                                     window);
        });
        if (helps) continue;
        story.surprises.push_back(
            {Surprise::not_repaired, std::string{promise.name},
             fmt::format("{} does not keep it under the same plans", twin->name),
             promise.first_violating_seed});
    }
}

void check_promise(StoryResult& story, const Scenario& scenario, const PromiseResult& promise) {
    const std::string name{promise.name};
    if (promise.expected == Expected::holds) {
        if (promise.violated > 0)
            story.surprises.push_back(
                {Surprise::promise_broken, name,
                 fmt::format("in {} of {} seeds", promise.violated, story.seeds),
                 promise.first_violating_seed});
        else if (promise.held == 0)
            story.surprises.push_back(
                {Surprise::promise_vacuous, name, "no seed put it to the test", {}});
    }
    if (promise.expected != Expected::breaks) return;
    const std::uint64_t needed = is_pinned(scenario) ? story.seeds : 1;
    if (promise.violated < needed)
        story.surprises.push_back(
            {Surprise::promise_unbroken,
             name,
             fmt::format("broke in {} of {} seeds, expected {}", promise.violated, story.seeds,
                         needed == 1 ? "one at least" : "all"),
             {}});
}

void check(StoryResult& story, const Scenario& scenario, const Share& share) {
    for (const PromiseResult& promise : story.promises) check_promise(story, scenario, promise);
    if (share.wrong_total) story.surprises.push_back(*share.wrong_total);
    for (const std::string& path : scenario.expect.reaches) {
        const auto found = std::ranges::find(story.reached, path, &ReachedPath::name);
        sim::ensure(found != story.reached.end(), "a scenario reaches paths that exist");
        if (found->count == 0)
            story.surprises.push_back(
                {Surprise::path_unreached, path, fmt::format("in {} seeds", story.seeds), {}});
    }
    if (share.inconclusive_seed)
        story.surprises.push_back({Surprise::trial_inconclusive, scenario.name,
                                   "a trial ended in a step or time cap", share.inconclusive_seed});
    const std::uint64_t least = std::min(least_behaviours, story.seeds / 20);
    if (!scenario.faults.random.empty() && story.distinct_behaviours < least)
        story.surprises.push_back(
            {Surprise::too_few_behaviours,
             scenario.name,
             fmt::format("{} distinct behaviours in {} seeds, at least {} are needed",
                         story.distinct_behaviours, story.seeds, least),
             {}});
    check_repair(story, scenario, share);
}

}  // namespace

Expected expected_of(const Scenario& scenario, std::string_view promise) {
    if (std::ranges::count(scenario.expect.holds, promise) > 0) return Expected::holds;
    if (std::ranges::count(scenario.expect.breaks, promise) > 0) return Expected::breaks;
    return Expected::nothing;
}

AddressBook survey(TrialRunner& runner, const Scenario& scenario) {
    if (scenario.faults.random.empty()) return {};
    return runner.address_book(scenario, survey_seed);
}

bool StoryResult::is_wrong() const {
    return std::ranges::any_of(surprises, [](const SurpriseReport& surprise) {
        return surprise.what == Surprise::promise_broken ||
               surprise.what == Surprise::promise_unbroken ||
               surprise.what == Surprise::total_differs || surprise.what == Surprise::not_repaired;
    });
}

StoryResult run_story(const Scenario& scenario, const CampaignOptions& options) {
    sim::ensure(options.seeds > 0 && options.jobs > 0, "a campaign has seeds and a thread");
    const auto start = std::chrono::steady_clock::now();
    Share share = Campaign(scenario, options).run();
    StoryResult story{.name = scenario.name,
                      .first_seed = options.first_seed,
                      .seeds = options.seeds,
                      .fingerprint = share.fingerprint,
                      .promises = share.promises,
                      .reached = share.reached,
                      .surprises = {}};
    std::ranges::sort(share.behaviours);
    const auto repeated = std::ranges::unique(share.behaviours);
    story.distinct_behaviours = share.behaviours.size() - repeated.size();
    check(story, scenario, share);
    story.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return story;
}

Plan plan_of(TrialRunner& runner, const Scenario& scenario, std::uint64_t seed) {
    return expand(scenario, survey(runner, scenario), seed);
}

}  // namespace redeliver::scenarios
