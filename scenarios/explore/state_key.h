#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/step.h"

namespace redeliver::scenarios {

class ChatWorld;

/// A digest of the state that a trial is in: equal states go on equally and are judged equally,
/// whatever order of steps has led to them.
///
/// In it are both models, messages in flight, what is scheduled and what faults have done; for each
/// actor all that it was told and did since its node started, in its order, which stands for what
/// it remembers (of one that does several things at a time, for each by itself); and for each run
/// the order of what happened to it, which stands for what the promises remember of it. What users
/// do is apart from that, but for whether the run's row was there: no promise asks what else came
/// before an answer. Instants and durations are not in it: not when things are due, nor how long an
/// entry has been idle, nor the milliseconds of an entry's id, of which only the order counts. So
/// two states that differ in those alone are taken for one.
class StateKey final : public sim::StepSink {
public:
    explicit StateKey(ChatWorld& chat) : chat_(chat) {}

    void observe(const sim::Step& step) override;
    std::uint64_t now();

private:
    /// What the promises remember of a run.
    struct Run {
        std::uint64_t steps = 0;
        std::uint64_t of_users = 0;
        std::uint64_t of_rows = 0;
    };

    std::uint64_t told(const sim::Step& step) const;
    void note_actor(sim::NodeId actor, sim::Subject subject, std::uint64_t what);
    void note_run(const sim::Step& step, std::uint64_t what);
    void forget(sim::NodeId actor);
    std::uint64_t models();

    ChatWorld& chat_;
    std::map<std::pair<sim::NodeId, sim::Subject>, std::uint64_t> actors_;
    std::map<sim::Subject, Run> runs_;
    std::uint64_t replies_ = 0;
    std::uint64_t models_ = 0;
    std::uint64_t changes_ = ~std::uint64_t{0};  // Of the models, when `models_` was worked out.
};

}  // namespace redeliver::scenarios
