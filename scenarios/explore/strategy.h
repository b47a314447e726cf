#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/explore/mishap.h"
#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

namespace redeliver::scenarios {

/// What an attempt tries out: one kind of fault at one point of an operation.
struct Tried {
    sim::OperationKind operation = 0;
    sim::Point point = sim::Point::before_send;
    Mishap mishap = Mishap::crash;
    auto operator<=>(const Tried&) const = default;
};

/// A trial that a strategy wants to see.
struct Attempt {
    std::uint64_t seed = 1;
    Plan plan;
    /// Nothing when it tries no one thing.
    std::optional<Tried> tried = {};
    /// What each fault of the plan was drawn as, as far as it was; may be shorter than the plan.
    std::vector<std::optional<FaultKind>> kinds = {};
};

/// Schedules by drawn priorities, and how likely each is to show a bug.
///
/// Of n actors that take k steps, such a schedule of depth d shows any given bug of that depth with
/// a probability of at least 1 / (n k^(d-1)). Source: Burckhardt et al., A Randomized Scheduler
/// with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010.
struct Priorities {
    std::uint32_t depth = 0;  ///< 0 when there are none.
    std::uint32_t actors = 0;
    std::uint32_t steps = 0;  ///< Of the trial without faults in the default order.
    Duration slack{};
    /// n k^(d-1), or the largest number where that is larger.
    std::uint64_t one_in() const;
};

/// Every order of concurrent steps, and how far that has come.
struct Orders {
    Duration slack{};                ///< Zero when orders are not what is tried.
    std::uint64_t states = 0;        ///< Different ones at branching points.
    std::uint64_t transitions = 0;   ///< Ways out of these that were taken.
    std::uint64_t deduplicated = 0;  ///< Trials that came to a state which was known.
    std::uint64_t depth = 0;         ///< Branching points of the longest trial.
    std::uint64_t faults = 0;        ///< Single faults, each in every state in which it can strike.
    std::uint64_t left = 0;          ///< Ways out that are known and still to be taken.
};

/// What mutations begin with.
struct Corpus {
    std::uint64_t seeds = 0;            ///< Attempts that were drawn and not mutated.
    std::uint64_t mutations = 0;        ///< Attempts that were.
    std::uint64_t from_paths = 0;       ///< Plans kept because they reached a rare path first.
    std::uint64_t from_behaviours = 0;  ///< Plans kept because of a behaviour of their own.
    std::uint64_t dropped = 0;          ///< Of these, what made room for others.
    std::uint64_t size() const { return from_paths + from_behaviours - dropped; }
};

/// How much there is to try, as far as a strategy can say.
struct Scope {
    /// Whether there is an end to it, which then was or was not reached.
    enum class End : std::uint8_t { none, ahead, reached } end = End::none;
    /// Whether the faults are those that the story pins and draws.
    enum class Strikes : std::uint8_t { of_story, of_strategy } strikes = Strikes::of_story;
    std::uint32_t faults = 0;  ///< Of each plan; 0 when that varies.
    /// Of the trial without faults, with the idle polls that others stand for.
    std::uint64_t operations = 0;
    std::uint64_t folded_polls = 0;
    std::vector<Mishap> kinds = {};  ///< That singles and seconds are of, in their order.
    std::uint64_t singles = 0;
    std::uint64_t singles_tried = 0;
    /// Second faults that were tried with a first.
    std::uint64_t pairs_tried = 0;
    /// Seconds that were left out because they could not have struck where they are.
    std::uint64_t pairs_inert = 0;
    /// First faults that got no seconds: they never struck, or left the behaviour as it was.
    std::uint64_t firsts_inert = 0;
    std::uint64_t firsts_unchanged = 0;
    std::uint64_t firsts_followed = 0;  ///< First faults that seconds were tried with.
    std::uint64_t firsts_left = 0;      ///< First faults still to be followed.
    /// What the schedules of the plans are about, if they have any.
    Priorities priorities = {};
    Orders orders = {};
    Corpus corpus = {};
};

/// Decides what to try next, and may learn from what came of it.
///
/// Attempts are taken in batches: `next` is called until it has nothing or the batch is full, then
/// `learn` once for each, in the same order. So what a strategy tries depends on the size of a
/// batch and not on the number of threads. An empty batch is the end.
class Strategy {
public:
    virtual ~Strategy() = default;

    /// What all its trials run under. Its faults are of no account: plans say what strikes.
    virtual const Scenario& scenario() const = 0;
    virtual std::optional<Attempt> next() = 0;
    virtual void learn(const Attempt& attempt, const TrialResult& result) = 0;
    virtual Scope scope() const = 0;
    /// Kinds of fault and phases that it can draw, where it draws as stories say.
    virtual std::set<std::pair<FaultKind, Phase>> drawable() const { return {}; }
    /// What it has to know of its trials, in order to learn from them.
    virtual Level level() const { return Level::ledger; }
    /// The behaviour of the trial without faults, if there was one.
    virtual std::optional<std::uint64_t> base_behaviour() const { return {}; }
};

}  // namespace redeliver::scenarios
