#include "scenarios/explore/seeded.h"

#include <utility>

#include "scenarios/explore/campaign.h"
#include "sim/choices.h"

namespace redeliver::scenarios {

namespace {

enum class Kinds : std::uint8_t { all, some };

/// A plan for each seed.
class Seeded final : public Strategy {
public:
    Seeded(const Scenario& scenario, std::uint64_t first_seed, Kinds kinds)
        : scenario_(scenario), next_(first_seed), kinds_(kinds) {
        TrialRunner runner;
        book_ = survey(runner, scenario_);
    }

    const Scenario& scenario() const override { return scenario_; }
    Scope scope() const override { return {}; }
    void learn(const Attempt&, const TrialResult&) override {}

    std::optional<Attempt> next() override {
        const std::uint64_t seed = next_++;
        if (kinds_ == Kinds::all) return attempt(scenario_, seed);
        Scenario fewer = scenario_;
        std::erase_if(fewer.faults.random,
                      [&](const auto& entry) { return is_off(entry.first, seed); });
        return attempt(fewer, seed);
    }
    std::set<std::pair<FaultKind, Phase>> drawable() const override {
        return drawable_phases(scenario_, book_);
    }

private:
    Attempt attempt(const Scenario& scenario, std::uint64_t seed) const {
        DrawnPlan drawn = draw_plan(scenario, book_, seed);
        return {.seed = seed, .plan = std::move(drawn.plan), .kinds = std::move(drawn.kinds)};
    }
    static bool is_off(FaultKind kind, std::uint64_t seed) {
        const sim::SubjectKey key{static_cast<std::uint64_t>(kind) + 1};
        return sim::below(2, sim::Choices(seed).bits(sim::Label{"kind is off"}, key)) == 1;
    }

    Scenario scenario_;
    std::uint64_t next_;
    Kinds kinds_;
    AddressBook book_;
};

}  // namespace

std::unique_ptr<Strategy> random_seeds(const Scenario& scenario, std::uint64_t first_seed) {
    return std::make_unique<Seeded>(scenario, first_seed, Kinds::all);
}

std::unique_ptr<Strategy> swarm(const Scenario& scenario, std::uint64_t first_seed) {
    return std::make_unique<Seeded>(scenario, first_seed, Kinds::some);
}

}  // namespace redeliver::scenarios
