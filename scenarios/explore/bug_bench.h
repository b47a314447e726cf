#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/bugs/planted_bug.h"
#include "scenarios/case.h"
#include "scenarios/explore/hunters.h"

namespace redeliver::scenarios {

struct BugBenchOptions {
    std::vector<const PlantedBug*> bugs;
    std::vector<const Hunter*> hunters;
    /// How often each hunter begins anew, from other seeds.
    std::uint32_t repeats = 20;
    /// Attempts of a hunter that has no end of its own.
    std::uint64_t trials = 10'000;
    std::uint64_t first_seed = 1;
    /// Seeds of which it is counted in how many a bug shows.
    std::uint64_t counted_seeds = 1'000;
    std::uint32_t jobs = 1;
    /// Called now and then, from the calling thread.
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// A case in which a bug shows, as small as it was made.
struct SmallCase {
    Case best;
    std::size_t faults = 0;
    std::size_t messages = 0;
    std::uint32_t steps = 0;
};

/// How one hunter did against one bug.
struct Hunting {
    const Hunter* hunter = nullptr;
    std::uint32_t repeats = 0;  ///< 0 when it is not meant for this bug.
    std::uint32_t found = 0;    ///< In so many of them.
    /// Of the repeats that found it; 0 when none did.
    std::uint64_t median_trials = 0;
    double median_milliseconds = 0;  ///< Of this machine, for display only.
    /// The first find, shrunk.
    std::optional<SmallCase> small;
};

struct BugResult {
    const PlantedBug* bug = nullptr;
    std::uint64_t shown_without_faults = 0;  ///< Of the seeds that are counted.
    std::uint64_t shown_at_random = 0;       ///< The same with the faults that the base draws.
    std::uint64_t broken_at_random = 0;      ///< Then its promise breaks, by whatever cause.
    std::vector<Hunting> huntings;           ///< In the order of the hunters asked for.
    /// What is not as the catalogue says, or was not found, one clause each.
    std::vector<std::string> complaints;

    /// Nothing when that hunter was not asked for or is not meant for this bug.
    const Hunting* by(std::string_view hunter) const;
    bool is_found() const;
};

/// What all bugs have to be together.
struct BugBench {
    std::uint64_t counted_seeds = 0;
    std::vector<BugResult> bugs;
    /// Of the catalogue as a whole; empty unless all of it was hunted.
    std::vector<std::string> complaints;

    bool is_as_it_should_be() const;
};

/// Lets every hunter look for every bug, and checks what the catalogue says of each: that it is
/// found by one hunter at least, and by `enumerate-1` or `enumerate-2` where one fault or two
/// suffice, that two are needed where it says so, and how often it shows without any fault.
///
/// All but the times is the same whatever the number of jobs.
BugBench bench_bugs(const BugBenchOptions& options);

}  // namespace redeliver::scenarios
