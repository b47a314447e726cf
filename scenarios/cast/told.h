#pragma once

#include <string_view>
#include <vector>

#include "scenarios/cast/stage.h"
#include "sim/node.h"

namespace redeliver::scenarios {

/// The people behind a user's messages, who lose patience all at once.
class ToldUser final : public sim::Obedient {
public:
    /// `messages` are those of this user.
    ToldUser(sim::World& world, Stage& stage, const std::vector<const Message*>& messages)
        : world_(world), stage_(stage), messages_(messages) {}
    void attach(sim::NodeId node) { node_ = node; }

    bool understands(std::string_view words) const override;
    bool obey(std::string_view words, sim::Duration lasts) override;

private:
    sim::World& world_;
    Stage& stage_;
    const std::vector<const Message*>& messages_;
    sim::NodeId node_ = sim::NodeId::none;
};

/// Whoever deploys a worker.
class ToldWorker final : public sim::Obedient {
public:
    ToldWorker(sim::World& world, Stage& stage) : world_(world), stage_(stage) {}
    void attach(sim::NodeId node) { node_ = node; }

    bool understands(std::string_view words) const override;
    bool obey(std::string_view words, sim::Duration lasts) override;

private:
    sim::World& world_;
    Stage& stage_;
    sim::NodeId node_ = sim::NodeId::none;
};

}  // namespace redeliver::scenarios
