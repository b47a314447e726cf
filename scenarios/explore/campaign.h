#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

namespace redeliver::scenarios {

struct CampaignOptions {
    std::uint64_t first_seed = 1;
    std::uint64_t seeds = 200;
    std::uint32_t jobs = 1;
    /// Called now and then, from the calling thread, with the number of trials done.
    std::function<void(std::uint64_t done)> progress = {};
};

/// What was expected of a promise.
enum class Expected : std::uint8_t { holds, breaks, nothing };

/// What a story expects of a promise.
Expected expected_of(const Scenario& scenario, std::string_view promise);

/// What the seeds of a story did to one promise.
struct PromiseResult {
    std::string_view name;
    Expected expected = Expected::nothing;
    std::uint64_t held = 0;
    std::uint64_t violated = 0;
    std::uint64_t vacuous = 0;
    std::uint64_t inconclusive = 0;
    std::uint64_t excused = 0;  ///< Breaches, not seeds.
    std::optional<std::uint64_t> first_violating_seed = {};
};

/// Why a story is not as expected.
enum class Surprise : std::uint8_t {
    promise_broken,      ///< a `holds` was violated
    promise_unbroken,    ///< a `breaks` was not (or, pinned, not in every seed)
    not_repaired,        ///< the repaired twin breaks a `breaks` as well, or misses the window
    total_differs,       ///< a total was another number
    promise_vacuous,     ///< a `holds` was never put to the test
    path_unreached,      ///< a `reaches` was not
    trial_inconclusive,  ///< a step or time cap ended a trial
    too_few_behaviours   ///< the seeds of a randomised story hardly differ
};

struct SurpriseReport {
    Surprise what;
    std::string name;    ///< Of the promise, the total or the path.
    std::string detail;  ///< A clause: "expected 3, found 4".
    std::optional<std::uint64_t> seed = {};
};

/// What the seeds of a story came to.
struct StoryResult {
    std::string name;
    std::uint64_t first_seed = 1;
    std::uint64_t seeds = 0;
    /// The sum modulo 2^64 of hash(seed, fingerprint), whatever the number of jobs.
    std::uint64_t fingerprint = 0;
    std::uint64_t distinct_behaviours = 0;
    std::vector<PromiseResult> promises;  ///< In the order of properties::promises().
    std::vector<ReachedPath> reached;     ///< Number of seeds that reached each rare path.
    std::vector<SurpriseReport> surprises;
    double seconds = 0;  ///< Of this machine, for display only.

    bool as_expected() const { return surprises.empty(); }
    /// Whether something was wrong rather than merely not shown.
    bool is_wrong() const;
};

/// Runs seeds of a story on so many threads and judges them against its expectations.
StoryResult run_story(const Scenario& scenario, const CampaignOptions& options);

/// Where the faults that a story draws can be placed; empty for one that draws none.
AddressBook survey(TrialRunner& runner, const Scenario& scenario);

/// The plan that a seed stands for.
Plan plan_of(TrialRunner& runner, const Scenario& scenario, std::uint64_t seed);

}  // namespace redeliver::scenarios
