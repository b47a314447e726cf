#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "scenarios/scenario.h"

/// Small systems in which one thing happens, for the tests of this folder.
namespace redeliver::scenarios::worlds {

using model::Content;
using sim::Point;

/// One user, one gateway, no republisher and no fault: messages 1, 2, … each in a session of its
/// own, at 100 ms, 200 ms, …, each worked on for 50 ms. Messages take 1 ms one way.
inline Scenario calm(std::uint32_t workers, std::uint32_t messages) {
    Scenario scenario;
    scenario.name = "calm";
    scenario.story = "Nothing goes wrong.";
    scenario.system.users.count = 1;
    scenario.system.gateway.count = 1;
    scenario.system.worker.count = workers;
    scenario.system.worker.work_time = sim::fixed(50ms);
    scenario.system.republisher.republish = Republish::never;
    scenario.system.network.latency = sim::fixed(1ms);
    scenario.workload.runs = 0;
    for (std::uint32_t number = 1; number <= messages; ++number)
        scenario.workload.messages.push_back(
            {.number = number, .session = number, .at = sim::at(100ms * number)});
    return scenario;
}

inline sim::AtStep step_of(model::Operation operation, std::string subject, Point point,
                           std::uint32_t occurrence = 1) {
    return {.operation = std::string{model::text(operation)},
            .subject = std::move(subject),
            .occurrence = occurrence,
            .point = point};
}

/// Whoever performs the step dies in it and comes back.
inline sim::Fault crash_at(model::Operation operation, std::string subject, Point point,
                           Duration restart_after = 2s) {
    return {step_of(operation, std::move(subject), point),
            sim::Crash{.restart_after = restart_after}};
}

inline sim::Fault drop_at(model::Operation operation, std::string subject, Point point) {
    return {step_of(operation, std::move(subject), point), sim::Drop{}};
}

/// One trial of a scenario under its pinned faults, at the level at which all is kept.
class Trial {
public:
    explicit Trial(Scenario scenario, std::uint64_t seed = 1) : scenario_(std::move(scenario)) {
        TrialRunner runner;
        plan_ = plan_of(runner, scenario_, seed);
        result_ = runner.run(scenario_, plan_, seed, Level::everything);
        final_ = runner.final_state(scenario_, plan_, seed);
    }

    const TrialResult& result() const { return result_; }
    const Plan& plan() const { return plan_; }
    const FinalState& left() const { return final_; }

    std::uint64_t total(std::string_view name) const { return named(result_.totals, name).value; }
    std::uint64_t reached(std::string_view name) const {
        return named(result_.reached, name).count;
    }
    const properties::Verdict& verdict(std::string_view name) const {
        return named(result_.verdicts, name).verdict;
    }
    bool keeps(std::string_view promise) const {
        return verdict(promise).holds == properties::Holds::holds;
    }
    bool breaks(std::string_view promise) const {
        return verdict(promise).holds == properties::Holds::violated;
    }

    /// How many steps of a kind satisfy a condition on their payload.
    template <class P, class Condition>
    std::size_t count(Condition condition) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(result_.recording->steps, [&](const sim::Step& step) {
                const P* const payload = step.as<P>();
                return payload != nullptr && condition(*payload);
            }));
    }
    template <class P>
    std::size_t count() const {
        return count<P>([](const P&) { return true; });
    }
    /// When the n-th step of a kind (from 1) about a subject was recorded.
    template <class P>
    const sim::Step& step(sim::Subject subject, std::size_t which = 1) const {
        for (const sim::Step& each : result_.recording->steps)
            if (each.as<P>() != nullptr && each.subject == subject && --which == 0) return each;
        throw std::runtime_error("there is no such step");
    }

private:
    template <class Named>
    static const Named& named(const std::vector<Named>& all, std::string_view name) {
        const auto found = std::ranges::find(all, name, &Named::name);
        if (found == all.end()) throw std::runtime_error("there is no " + std::string{name});
        return *found;
    }

    Scenario scenario_;
    Plan plan_;
    TrialResult result_;
    FinalState final_;
};

}  // namespace redeliver::scenarios::worlds
