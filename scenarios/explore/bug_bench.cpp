#include "scenarios/explore/bug_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "scenarios/explore/hunt.h"
#include "scenarios/explore/seeded.h"
#include "scenarios/explore/shrink.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

/// A bug that needs a particular order shows in fewer than one in so many trials without faults,
/// and one that needs nothing in more.
constexpr std::uint64_t rare = 10;
constexpr std::uint64_t shrinking_trials = 4'000;

/// One piece of work, which writes to a place of its own.
using Job = std::function<void(TrialRunner&)>;

class Jobs {
public:
    Jobs(std::uint32_t threads, const std::function<void(std::size_t, std::size_t)>& progress)
        : runners_(threads), progress_(progress) {}

    void add(Job job) { jobs_.push_back(std::move(job)); }

    void run() {
        {
            std::vector<std::jthread> helpers;
            for (std::size_t thread = 1; thread < runners_.size(); ++thread)
                helpers.emplace_back([this, thread] { work(runners_[thread], {}); });
            work(runners_.front(), progress_);
        }
        if (failure_) std::rethrow_exception(failure_);
        jobs_.clear();
        next_ = 0;
    }

private:
    void work(TrialRunner& runner, const std::function<void(std::size_t, std::size_t)>& progress) {
        try {
            for (std::size_t at = next_++; at < jobs_.size(); at = next_++) {
                if (progress) progress(at, jobs_.size());
                jobs_[at](runner);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            next_ = jobs_.size();
        }
    }

    std::vector<TrialRunner> runners_;
    const std::function<void(std::size_t, std::size_t)>& progress_;
    std::vector<Job> jobs_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

/// The lower one of the two in the middle.
template <class Number>
Number median(std::vector<Number> numbers) {
    if (numbers.empty()) return {};
    std::ranges::sort(numbers);
    return numbers[(numbers.size() - 1) / 2];
}

/// Keeps what it is given when the shrinker ended with what the right system does wrong as well.
SmallCase make_small(TrialRunner& runner, const PlantedBug& bug, const Case& found) {
    const auto shrunk = shrink(runner, found, {.promise = bug.breaks, .trials = shrinking_trials});
    sim::ensure(shrunk.has_value(), "what was found breaks the promise");
    SmallCase small{.best = shows(runner, bug, shrunk->best) ? shrunk->best : found};
    small.faults = small.best.plan.faults.size();
    small.messages = small.best.plan.messages.size();
    small.steps =
        runner.run(small.best.scenario, small.best.plan, small.best.seed, Level::fingerprint).steps;
    return small;
}

class Bench {
public:
    explicit Bench(const BugBenchOptions& options)
        : options_(options), jobs_(options.jobs, options.progress) {}

    BugBench run() {
        results_.counted_seeds = options_.counted_seeds;
        for (const PlantedBug* const bug : options_.bugs) {
            results_.bugs.emplace_back().bug = bug;
            for (const Hunter* const hunter : options_.hunters)
                results_.bugs.back().huntings.emplace_back().hunter = hunter;
        }
        hunts_.resize(results_.bugs.size() * options_.hunters.size());
        for (std::size_t bug = 0; bug < results_.bugs.size(); ++bug) add_jobs(bug);
        jobs_.run();
        sum_up();
        jobs_.run();
        for (BugResult& result : results_.bugs) complain(result);
        if (options_.bugs.size() == planted_bugs().size()) complain_of_all();
        return std::move(results_);
    }

private:
    std::vector<HuntResult>& hunts(std::size_t bug, std::size_t hunter) {
        return hunts_[bug * options_.hunters.size() + hunter];
    }

    /// Where repeat so and so begins.
    std::uint64_t seed(std::uint32_t repeat) const {
        return options_.first_seed + repeat * options_.trials;
    }

    void add_jobs(std::size_t index) {
        BugResult& result = results_.bugs[index];
        const PlantedBug& bug = *result.bug;
        jobs_.add([&](TrialRunner& runner) {
            const auto calm = fault_free_seeds(bug.wrong, options_.first_seed);
            result.shown_without_faults =
                count_shown(runner, bug, *calm, options_.counted_seeds).shown;
        });
        jobs_.add([&](TrialRunner& runner) {
            const auto drawn = random_seeds(bug.wrong, options_.first_seed);
            const Counted counted = count_shown(runner, bug, *drawn, options_.counted_seeds);
            result.shown_at_random = counted.shown;
            result.broken_at_random = counted.broken;
        });
        for (std::size_t hunter = 0; hunter < options_.hunters.size(); ++hunter) {
            const Hunter& who = *options_.hunters[hunter];
            if (!who.hunts(bug.needs)) continue;
            hunts(index, hunter).resize(options_.repeats);
            for (std::uint32_t repeat = 0; repeat < options_.repeats; ++repeat)
                jobs_.add([this, &bug, &who, index, hunter, repeat](TrialRunner& runner) {
                    hunts(index, hunter)[repeat] = send(runner, bug, who, repeat);
                });
        }
    }

    HuntResult send(TrialRunner& runner, const PlantedBug& bug, const Hunter& hunter,
                    std::uint32_t repeat) const {
        const bool is_endless = hunter.extent == Hunter::Extent::endless;
        const auto strategy = hunter.strategy(bug.wrong, seed(repeat));
        return hunt(runner, bug, *strategy,
                    is_endless ? options_.trials : std::numeric_limits<std::uint64_t>::max());
    }

    /// What the repeats of each hunter came to; the first find of each is left to be shrunk.
    void sum_up() {
        for (std::size_t index = 0; index < results_.bugs.size(); ++index) {
            BugResult& result = results_.bugs[index];
            for (std::size_t hunter = 0; hunter < result.huntings.size(); ++hunter)
                sum_up(*result.bug, result.huntings[hunter], hunts(index, hunter));
        }
    }

    void sum_up(const PlantedBug& bug, Hunting& hunting, const std::vector<HuntResult>& repeats) {
        std::vector<std::uint64_t> trials;
        std::vector<double> milliseconds;
        const Case* first = nullptr;
        for (const HuntResult& hunted : repeats) {
            if (!hunted.found) continue;
            trials.push_back(hunted.trials);
            milliseconds.push_back(hunted.milliseconds);
            if (first == nullptr) first = &*hunted.found;
        }
        hunting.repeats = static_cast<std::uint32_t>(repeats.size());
        hunting.found = static_cast<std::uint32_t>(trials.size());
        hunting.median_trials = median(trials);
        hunting.median_milliseconds = median(milliseconds);
        if (first == nullptr) return;
        jobs_.add([&bug, &hunting, first](TrialRunner& runner) {
            hunting.small = make_small(runner, bug, *first);
        });
    }

    void complain(BugResult& result) const {
        const auto say = [&](std::string what) { result.complaints.push_back(std::move(what)); };
        const auto is_missed_by = [&](std::string_view hunter) {
            const Hunting* const hunting = result.by(hunter);
            return hunting != nullptr && hunting->found < hunting->repeats;
        };
        if (!result.is_found()) say("was not found");
        const std::uint64_t calm = result.shown_without_faults;
        const bool is_common = calm * rare >= options_.counted_seeds;
        switch (result.bug->needs) {
        case Needs::no_fault:
            if (!is_common) say(fmt::format("shows without faults in {} seeds only", calm));
            return;
        case Needs::schedule:
            if (is_common)
                say(fmt::format("shows without faults in {} seeds: no rare order", calm));
            return;
        case Needs::one_fault:
            if (calm > 0) say(fmt::format("shows without faults in {} seeds", calm));
            if (is_missed_by("enumerate-1")) say("was not found by every single fault");
            return;
        case Needs::two_faults:
            if (calm > 0) say(fmt::format("shows without faults in {} seeds", calm));
            if (const auto* const singles = result.by("enumerate-1"); singles && singles->found > 0)
                say("shows with a single fault");
            if (is_missed_by("enumerate-2")) say("was not found by every pair of faults");
            return;
        }
    }

    void complain_of_all() {
        std::uint64_t hard = 0;
        std::uint64_t free = 0;
        std::uint64_t easy = 0;
        for (const BugResult& result : results_.bugs) {
            const Needs needs = result.bug->needs;
            if (needs == Needs::two_faults || needs == Needs::schedule) ++hard;
            if (needs == Needs::no_fault) ++free;
            if (result.broken_at_random * 2 > options_.counted_seeds) ++easy;
        }
        const auto say = [&](std::string what) { results_.complaints.push_back(std::move(what)); };
        if (hard < 10) say(fmt::format("only {} need two faults or a schedule", hard));
        if (free < 5) say(fmt::format("only {} need no fault", free));
        if (easy > 10)
            say(fmt::format("{} break their promise in over half of all random trials", easy));
    }

    const BugBenchOptions& options_;
    Jobs jobs_;
    BugBench results_;
    std::vector<std::vector<HuntResult>> hunts_;  // By bug, then by hunter.
};

}  // namespace

const Hunting* BugResult::by(std::string_view hunter) const {
    const auto found = std::ranges::find_if(huntings, [&](const Hunting& each) {
        return each.hunter->name == hunter && each.repeats > 0;
    });
    return found == huntings.end() ? nullptr : &*found;
}

bool BugResult::is_found() const {
    return std::ranges::any_of(huntings, [](const Hunting& each) { return each.found > 0; });
}

bool BugBench::is_as_it_should_be() const {
    return complaints.empty() &&
           std::ranges::all_of(bugs, [](const BugResult& each) { return each.complaints.empty(); });
}

BugBench bench_bugs(const BugBenchOptions& options) {
    sim::ensure(options.jobs > 0, "a bench has a thread");
    return Bench(options).run();
}

}  // namespace redeliver::scenarios
