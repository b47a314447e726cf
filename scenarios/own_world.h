#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "model/steps.h"
#include "properties/property.h"
#include "scenarios/services/broker_client.h"
#include "scenarios/services/redis_service.h"
#include "sim/fault.h"
#include "sim/fiber.h"
#include "sim/world.h"

namespace redeliver::scenarios {

/// One trial of code that is not ours: a Redis on a node of its own, called `redis`, whatever
/// actors and faults are added, and one promise that judges what came of it.
///
/// For trying one's own workers without the chat back end around them; everything in it can be had
/// from `world()` as well.
class OwnWorld {
public:
    /// Every draw of the trial hangs on the seed.
    explicit OwnWorld(std::uint64_t seed);
    OwnWorld(const OwnWorld&) = delete;
    OwnWorld& operator=(const OwnWorld&) = delete;

    sim::World& world() { return world_; }
    RedisService& redis() { return redis_; }

    /// A node that runs `body`, from the beginning and anew after every crash. Whatever `body`
    /// refers to must outlive the trial. Names must differ.
    void add_actor(std::string name, sim::Body body);
    /// A node called `publisher` that adds `run-1` to `run-<runs>` to the stream, one every
    /// `interval`.
    void add_publisher(std::uint32_t runs, sim::Duration interval);
    /// An instant before `end`, drawn anew for each `occurrence`.
    sim::Instant draw_instant(sim::Duration end, std::uint32_t occurrence = 0) const;
    void add_fault(sim::Fault fault) { faults_.push_back(std::move(fault)); }

    /// Runs until `lasts` is over and judges. Faults strike in the first half only; what they broke
    /// is repaired then. Call once. Throws sim::PlanError for a fault that names no node.
    properties::Verdict judge(std::unique_ptr<properties::Property> promise, sim::Duration lasts);

private:
    sim::StackPool stacks_;
    sim::World world_;
    RedisService redis_;
    sim::FaultPlan faults_;
};

/// The run that an entry of the stream names: what an actor reads in its `runId`. None when it
/// names none.
sim::Subject run_in(const BrokerClient::Entry& entry);

/// A kind of step of one's own, which says no more than that it happened. There is room for a
/// dozen.
template <sim::StepKind number>
struct OwnStep {
    static constexpr sim::StepKind kind = model::last_kind + 1 + number;
    static_assert(kind < sim::kind_limit);
};

/// A seed whose trial broke the promise.
struct Violation {
    std::uint64_t seed = 0;
    properties::Verdict verdict;
};

/// `seed 5, step 53: run-3 was never answered`
std::string text(const Violation& violation);

/// Tries the seeds from 1 to `seeds`: `trial(seed, rest...)` gives a verdict. Nothing when none is
/// a violation.
template <class Trial, class... Rest>
std::optional<Violation> first_violation(std::uint64_t seeds, Trial trial, const Rest&... rest) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const properties::Verdict verdict = trial(seed, rest...);
        if (verdict.holds == properties::Holds::violated) return Violation{seed, verdict};
    }
    return {};
}

}  // namespace redeliver::scenarios
