#include "scenarios/own_world.h"

#include <fmt/format.h>

#include <utility>

#include "model/operations.h"
#include "model/subjects.h"
#include "properties/jury.h"

namespace redeliver::scenarios {

namespace {

/// Ends a trial at an instant.
class Until final : public sim::Supervisor {
public:
    explicit Until(sim::Instant end) : end_(end) {}

    std::optional<sim::Ending> ending(sim::Instant now) const override {
        if (now < end_) return {};
        return sim::Ending::quiet;
    }

private:
    sim::Instant end_;
};

/// Keeps what a failover or a lost machine can take back, so that any fault may be added later.
model::redis::Configuration recording_broker() {
    model::redis::Configuration configuration;
    configuration.record = model::redis::Configuration::Record::propagated;
    return configuration;
}

}  // namespace

OwnWorld::OwnWorld(std::uint64_t seed)
    : world_({.seed = seed,
              .operations = model::operation_texts(),
              .series = model::run_series(),
              .network = {},
              .budget = {}},
             stacks_),
      redis_(world_, recording_broker()) {
    redis_.attach(world_.add_node({.name = "redis", .service = &redis_}));
}

void OwnWorld::add_actor(std::string name, sim::Body body) {
    const auto boot = [body = std::move(body)](sim::World& world, sim::NodeId node) {
        world.spawn(node, body);
    };
    world_.add_node({.name = std::move(name), .boot = boot});
}

void OwnWorld::add_publisher(std::uint32_t runs, sim::Duration interval) {
    add_actor("publisher", [this, runs, interval](sim::Process& self) {
        BrokerClient stream(self, redis_, std::chrono::seconds{1});
        for (std::uint32_t run = 1; run <= runs; ++run) {
            stream.publish(model::run_of(run), 1, {});
            self.sleep_for(interval);
        }
    });
}

sim::Instant OwnWorld::draw_instant(sim::Duration end, std::uint32_t occurrence) const {
    sim::ensure(end.count() > 0, "an instant is drawn from a stretch of time");
    const std::uint64_t bits =
        world_.choices().bits(sim::Label{"own instant"}, sim::SubjectKey{}, occurrence);
    const auto limit = static_cast<std::uint64_t>(end.count());
    return sim::at(sim::Duration{static_cast<std::int64_t>(sim::below(limit, bits))});
}

properties::Verdict OwnWorld::judge(std::unique_ptr<properties::Property> promise,
                                    sim::Duration lasts) {
    properties::Jury jury;
    jury.add(std::move(promise));
    world_.recorder().add_sink(jury);
    world_.arm(faults_, sim::at(lasts / 2));
    return jury.conclude(world_.run(Until(sim::at(lasts)))).front();
}

sim::Subject run_in(const BrokerClient::Entry& entry) {
    if (entry.body.is_absent()) return sim::Subject::none;  // Trimmed while it was pending.
    return sim::parse_subject(model::run_series(), entry.body.value_of("runId"))
        .value_or(sim::Subject::none);
}

std::string text(const Violation& violation) {
    const auto& [seed, verdict] = violation;
    return fmt::format(
        "seed {}, step {}: {} {}", seed, verdict.step,
        sim::subject_text(model::run_series(), verdict.subject).value_or("the trial"),
        verdict.evidence);
}

}  // namespace redeliver::scenarios
