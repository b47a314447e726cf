#pragma once

#include <cstdint>
#include <string>

#include "reports/look.h"
#include "scenarios/explore/trial.h"
#include "sim/step.h"

namespace redeliver::reports {

/// A step in words. Nothing in it is made printable yet, and arrows are written `->`.
struct Line {
    Mark mark = Mark::none;
    std::string who;     ///< `worker-1`; empty for the world.
    std::string what;    ///< The command of the protocol, or a verb: `XACK`, `crash`.
    std::string about;   ///< `run-6`; empty when it is about nobody but its actor.
    std::string detail;  ///< `990-0 of worker-1, delivery 2`.
};

/// Says what happened, in the words of the protocol. Throws HarnessError for a number that is no
/// kind of step.
Line describe(const scenarios::Recording& recording, const sim::Step& step);

/// How much a reader wants to see a kind of step.
enum class Interest : std::uint8_t {
    none,      ///< plumbing: requests and answers that went well
    of_runs,   ///< only when it is about a run, not about a poll
    everybody  ///< part of a run's biography, or a fault
};
Interest interest_in(sim::StepKind kind);

/// How much a kind of step explains of what went wrong later; 0 is nothing.
std::uint32_t weight_of(sim::StepKind kind);

/// Whether a timeline shows the step unless told to show all.
bool is_shown(const scenarios::Recording& recording, const sim::Step& step);

/// The recorded step of this number; nullptr for `no_step` and for steps that were not kept.
const sim::Step* find_step(const scenarios::Recording& recording, sim::StepNumber number);

/// The detail of a line with its `->` as the reader's terminal can show it.
std::string with_arrows(std::string detail, Charset charset);

/// Whether a node polled: the operation is about no run.
bool is_poll(const sim::Step& step);

}  // namespace redeliver::reports
