#pragma once

#include <array>
#include <memory>
#include <vector>

#include "properties/property.h"
#include "properties/run_table.h"
#include "sim/recorder.h"

namespace redeliver::properties {

/// All the promises of a scenario, judged together over one stream of steps.
///
/// One sink for all of them, built once and kept from trial to trial: a step costs one table
/// look-up and one call for each promise that wants its kind. It also remembers the last step on
/// every run, which is what a verdict about the end names.
class Jury final : public sim::StepSink {
public:
    void add(std::unique_ptr<Property> property);

    std::size_t size() const { return properties_.size(); }
    const Property& operator[](std::size_t index) const { return *properties_[index]; }

    /// What to hand to Recorder::add_sink.
    static constexpr sim::KindMask observes() { return sim::every_kind; }
    void observe(const sim::Step& step) override;

    /// One verdict per promise, in the order in which they were added; valid until the next call.
    const std::vector<Verdict>& conclude(sim::Ending ending);

    /// Forgets every step.
    void reset();

private:
    struct LastStep {
        sim::Instant at{};
        sim::StepNumber number = sim::no_step;
    };

    std::vector<std::unique_ptr<Property>> properties_;
    std::array<std::vector<Property*>, sim::kind_limit> by_kind_;
    RunTable<LastStep> last_steps_;
    LastStep last_;
    std::vector<Verdict> verdicts_;
};

}  // namespace redeliver::properties
