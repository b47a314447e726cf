#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore/site.h"
#include "scenarios/explore/strategy.h"

namespace redeliver::scenarios {

/// One fault: a mishap at a point of a site.
struct Single {
    std::uint32_t site = 0;  ///< Index.
    sim::Point point = sim::Point::before_send;
    Mishap mishap = Mishap::crash;
};

/// Every single fault of these kinds at these sites, in the order of the sites, then of the
/// points, then of the mishaps.
std::vector<Single> singles_at(const std::vector<Site>& sites, const std::vector<Mishap>& mishaps);

/// One trial without any fault of a scenario whose own faults were taken away, pinned and drawn.
///
/// The scenario it leaves behind heals so late that a fault at the last of its steps lasts as long
/// as it should.
class BaseTrial {
public:
    BaseTrial(const Scenario& scenario, std::uint64_t seed);

    const Scenario& scenario() const { return calm_; }
    const std::vector<Message>& messages() const { return messages_; }
    const TrialResult& result() const { return result_; }
    const Recording& recording() const { return *result_.recording; }
    std::uint64_t seed() const { return seed_; }
    sim::Fault fault(const Site& site, const Single& single) const;

private:
    Scenario calm_;
    std::uint64_t seed_;
    std::vector<Message> messages_;
    TrialResult result_;
};

struct EnumerationOptions {
    std::uint32_t faults = 1;     ///< 1 or 2: singles, or singles and then pairs.
    std::uint64_t seed = 1;       ///< Of the workload and of everything that is drawn.
    std::vector<Mishap> mishaps;  ///< None is all.
    /// Whether pairs that cannot show anything new are left out.
    enum class Pruning : std::uint8_t { on, off } pruning = Pruning::on;
};

/// Every fault at every step, by itself: complete when it ends. With two faults, the second then
/// ranges over the steps that follow the first in the trial with the first.
std::unique_ptr<Strategy> enumerate(const Scenario& scenario, const EnumerationOptions& options);

}  // namespace redeliver::scenarios
