#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/time.h"

namespace redeliver::sim {

/// At a branching point, not the first of what could come next but another.
struct Pick {
    std::uint32_t branching = 1;  ///< Counted from 1, over the whole trial.
    std::uint32_t take = 1;       ///< How many others it overtakes; nothing happens if too many.
    bool operator==(const Pick&) const = default;
};

/// Which of several things that are about to happen happens first: a value, like a fault plan.
///
/// What may be exchanged are messages that arrive, work and sleeps that end, and processes that
/// start. Of these, all that are due within `slack` of the next one could as well come first; where
/// there are at least two, the trial has a *branching point*. To take a later one delays the
/// earlier ones to its instant, by `slack` at most: a legal trial with other latencies. Whatever is
/// due by a clock (deadlines, timers, faults, restarts) is neither delayed nor overtaken, and each
/// connection stays first in, first out in each direction.
///
/// Either `picks` or `order` and `changes` say what is taken; if none does, it is the default
/// order. Without slack there are no branching points at all.
struct Schedule {
    Duration slack{};
    /// By branching point, ascending, each at most once.
    std::vector<Pick> picks = {};
    /// Nodes, the most urgent first; of several on one node the earlier comes first, and nodes that
    /// are not named are less urgent than all that are. A message is the business of its client in
    /// both directions. Names of no node count for nothing.
    std::vector<std::string> order = {};
    /// Steps of the schedule (whatever may be exchanged, in the order in which it happens, counted
    /// from 1) before which the node whose turn it is becomes less urgent than all others; of these
    /// the later in the list are the more urgent.
    std::vector<std::uint32_t> changes = {};

    bool is_none() const { return slack == Duration::zero(); }
    bool operator==(const Schedule&) const = default;
};

}  // namespace redeliver::sim
