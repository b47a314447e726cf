#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/explore/trial.h"
#include "sim/step.h"
#include "sim/time.h"

namespace redeliver::reports {

/// Nodes of hand-made recordings.
inline constexpr sim::NodeId user{0};
inline constexpr sim::NodeId gateway{1};
inline constexpr sim::NodeId broker{2};
inline constexpr sim::NodeId database{3};
inline constexpr sim::NodeId worker_1{4};
inline constexpr sim::NodeId worker_2{5};

/// Names of hand-made recordings.
inline constexpr sim::Name stream_name{1};
inline constexpr sim::Name group_name{2};
inline constexpr sim::Name worker_1_name{3};
inline constexpr sim::Name worker_2_name{4};
inline constexpr sim::Name reason_name{5};

inline scenarios::Recording empty_recording() {
    return {.steps = {},
            .names = {"", "koda:runs", "workers", "worker-1", "worker-2", "too many deliveries"},
            .nodes = {"user-1", "gateway-1", "broker", "database", "worker-1", "worker-2"},
            .operations = model::operation_texts(),
            .series = model::run_series()};
}

/// Edges of a step that is written by hand.
struct Edges {
    sim::StepNumber cause = sim::no_step;
    sim::StepNumber previous = sim::no_step;
};

/// Adds a step, the way a trial would, and says its number.
template <sim::Payload P>
sim::StepNumber add(scenarios::Recording& recording, sim::Duration at, sim::NodeId actor,
                    sim::Subject subject, const P& what, Edges edges = {}) {
    sim::Step step;
    step.at = sim::at(at);
    step.number = static_cast<sim::StepNumber>(recording.steps.size() + 1);
    step.cause = edges.cause;
    step.previous = edges.previous;
    step.subject = subject;
    step.actor = actor;
    step.carry(what);
    recording.steps.push_back(step);
    return step.number;
}

}  // namespace redeliver::reports
