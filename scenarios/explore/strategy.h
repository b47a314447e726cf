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

/// How much there is to try, as far as a strategy can say.
struct Scope {
    /// Whether there is an end to it, which then was or was not reached.
    enum class End : std::uint8_t { none, ahead, reached } end = End::none;
    std::uint32_t faults = 0;  ///< Of each plan; 0 when that varies.
    /// Of the trial without faults, with the idle polls that others stand for.
    std::uint64_t operations = 0;
    std::uint64_t folded_polls = 0;
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
    /// The behaviour of the trial without faults, if there was one.
    virtual std::optional<std::uint64_t> base_behaviour() const { return {}; }
};

}  // namespace redeliver::scenarios
