#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/explore/trial.h"
#include "sim/operation.h"

namespace redeliver::scenarios {

/// One operation that a trial performed: where faults can be placed.
struct Site {
    enum class What : std::uint8_t {
        request,  ///< it was put on the wire
        refusal,  ///< no connection could be made: nothing was sent
        work      ///< a process did it by itself
    };

    What what = What::request;
    sim::Address address;
    sim::NodeId performer{};
    Role role = Role::nobody;  ///< Of the performer.
    sim::NodeId server{};      ///< None for work.
    /// That it was sent, refused or begun; applied (of a request); answered, or finished.
    sim::StepNumber begun = sim::no_step;
    sim::StepNumber applied = sim::no_step;
    sim::StepNumber ended = sim::no_step;
    /// Of a request that was lost on its way to the server.
    sim::StepNumber dropped = sim::no_step;
    /// Operations that this one stands for, itself included: a stretch of idle polls by one actor,
    /// equal to the first in all but time, between the first and last of which nothing happened
    /// anywhere but idle polls.
    std::uint32_t stands_for = 1;
};

/// Every operation of a recorded trial, in order; of a stretch of identical idle polls the first.
std::vector<Site> sites_of(const Recording& recording);

/// The same without any left out: each stands for itself.
std::vector<Site> all_sites_of(const Recording& recording);

}  // namespace redeliver::scenarios
