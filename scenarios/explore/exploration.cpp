#include "scenarios/explore/exploration.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "properties/property.h"
#include "properties/rare_paths.h"
#include "sim/choices.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using Clock = std::chrono::steady_clock;

/// Runs batches of attempts on so many threads.
class Crew {
public:
    explicit Crew(std::uint32_t jobs) : runners_(jobs) {}

    std::vector<TrialResult> run(const Scenario& scenario, const std::vector<Attempt>& batch,
                                 Level level) {
        std::vector<TrialResult> results(batch.size());
        std::atomic<std::size_t> next = 0;
        std::mutex mutex;
        std::exception_ptr failure;
        const auto work = [&](TrialRunner& runner) {
            try {
                for (std::size_t at = next++; at < batch.size(); at = next++)
                    results[at] = runner.run(scenario, batch[at].plan, batch[at].seed, level);
            } catch (...) {
                const std::lock_guard lock(mutex);
                failure = std::current_exception();
                next = batch.size();
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (std::size_t job = 1; job < runners_.size(); ++job)
                helpers.emplace_back([&work, &runner = runners_[job]] { work(runner); });
            work(runners_.front());
        }
        if (failure) std::rethrow_exception(failure);
        return results;
    }

private:
    std::vector<TrialRunner> runners_;
};

/// One exploration, from the first attempt to the last.
class Explorer {
public:
    Explorer(const Scenario& story, Strategy& strategy, const ExplorationOptions& options)
        : strategy_(strategy), options_(options), crew_(options.jobs) {
        for (const properties::PromiseInfo& promise : properties::promises())
            sum_.promises.push_back(
                {.name = promise.name, .expected = expected_of(story, promise.name), .first = {}});
        for (const properties::RarePathInfo& path : properties::rare_paths())
            sum_.reached.push_back({.name = path.name});
        for (const auto& what : strategy.drawable()) sum_.hits[what] = {};
    }

    Exploration run() {
        while (!is_spent()) {
            const std::vector<Attempt> batch = next_batch();
            if (batch.empty()) break;
            const std::vector<TrialResult> results =
                crew_.run(strategy_.scenario(), batch, strategy_.level());
            for (std::size_t index = 0; index < batch.size(); ++index) {
                count(batch[index], results[index]);
                strategy_.learn(batch[index], results[index]);
            }
            if (options_.progress) options_.progress(sum_.tried);
        }
        sum_.scope = strategy_.scope();
        sum_.seconds = elapsed();
        return std::move(sum_);
    }

private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    bool is_spent() const {
        if (options_.trials && sum_.tried >= *options_.trials) return true;
        return options_.seconds && elapsed() >= static_cast<double>(*options_.seconds);
    }

    std::vector<Attempt> next_batch() {
        std::vector<Attempt> batch;
        std::uint64_t room = attempts_per_batch;
        if (options_.trials) room = std::min(room, *options_.trials - sum_.tried);
        while (batch.size() < room) {
            auto attempt = strategy_.next();
            if (!attempt) break;
            batch.push_back(*std::move(attempt));
        }
        return batch;
    }

    void count(const Attempt& attempt, const TrialResult& result) {
        ++sum_.tried;
        sum_.fingerprint += sim::mix(sum_.tried, result.fingerprint);
        if (behaviours_.insert(result.behaviour).second) sum_.new_behaviours.push_back(sum_.tried);
        if (result.ending == sim::Ending::out_of_steps || result.ending == sim::Ending::out_of_time)
            ++sum_.inconclusive;
        bool broke = false;
        for (std::size_t index = 0; index < sum_.promises.size(); ++index)
            broke |= count(sum_.promises[index], attempt, result.verdicts[index].verdict);
        for (std::size_t index = 0; index < sum_.reached.size(); ++index)
            if (result.reached[index].count > 0) ++sum_.reached[index].count;
        count_hits(attempt, result);
        if (attempt.tried) count(sum_.tallies[*attempt.tried], attempt, result, broke);
    }

    void count_hits(const Attempt& attempt, const TrialResult& result) {
        for (std::uint32_t fault = 0; fault < attempt.kinds.size(); ++fault) {
            if (!attempt.kinds[fault]) continue;
            const auto* const step = std::get_if<sim::AtStep>(&attempt.plan.faults[fault].when);
            Hits& hits =
                sum_.hits[{*attempt.kinds[fault], step != nullptr ? Phase{step->point} : Phase{}}];
            ++hits.drawn;
            if (std::ranges::count(result.inert_faults, fault) == 0) ++hits.struck;
            if (std::ranges::count(result.effective_faults, fault) > 0) ++hits.effective;
        }
    }

    /// True when a promise that was to hold is broken.
    bool count(ExploredPromise& promise, const Attempt& attempt,
               const properties::Verdict& verdict) {
        promise.excused += verdict.excused;
        switch (verdict.holds) {
        case properties::Holds::holds: ++promise.held; break;
        case properties::Holds::vacuous: ++promise.vacuous; break;
        case properties::Holds::inconclusive: ++promise.inconclusive; break;
        case properties::Holds::violated:
            ++promise.violated;
            if (!promise.first) promise.first = Finding{sum_.tried, attempt.seed, attempt.plan};
            return promise.expected == Expected::holds;
        }
        return false;
    }

    void count(Tally& tally, const Attempt& attempt, const TrialResult& result, bool broke) {
        const auto last = static_cast<std::uint32_t>(attempt.plan.faults.size() - 1);
        ++tally.tried;
        if (std::ranges::count(result.inert_faults, last) == 0) ++tally.struck;
        if (result.behaviour != strategy_.base_behaviour()) ++tally.changed;
        if (broke) ++tally.broke;
    }

    Strategy& strategy_;
    const ExplorationOptions& options_;
    Crew crew_;
    Exploration sum_;
    std::set<std::uint64_t> behaviours_;
    Clock::time_point began_ = Clock::now();
};

}  // namespace

std::uint64_t Exploration::new_of_late() const {
    const std::uint64_t from = tried - tried / 10;
    return static_cast<std::uint64_t>(new_behaviours.end() -
                                      std::ranges::upper_bound(new_behaviours, from));
}

Exploration explore(const Scenario& story, Strategy& strategy, const ExplorationOptions& options) {
    sim::ensure(options.jobs > 0, "an exploration has a thread");
    return Explorer(story, strategy, options).run();
}

}  // namespace redeliver::scenarios
