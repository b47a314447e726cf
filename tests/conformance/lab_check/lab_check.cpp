// Plays the story `lab-check` twice: once on the models alone, once with its gateways and workers
// talking to a real redis-server through hiredis. The numbers must be those of the story, both
// times, and what the real server says of its own stream and group must agree with them.

#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <map>
#include <string>

#include "model/redis/replies.h"
#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/services/broker_client.h"
#include "sim/ensure.h"
#include "tests/conformance/lab_check/hiredis_broker.h"
#include "tests/conformance/reference_clock.h"
#include "tests/conformance/reference_server.h"

namespace {

using namespace redeliver;
namespace redis = model::redis;

using Numbers = std::map<std::string, std::uint64_t>;

Numbers numbers_of(const scenarios::TrialResult& result) {
    Numbers numbers;
    for (const scenarios::Total& total : result.totals)
        numbers[std::string(total.name)] = total.value;
    return numbers;
}

template <typename Wanted>
Wanted ask(conformance::HiredisBroker& broker, const redis::Command& command) {
    const redis::Reply reply = broker.ask(command);
    const auto* const wanted = std::get_if<Wanted>(&reply);
    sim::ensure(wanted != nullptr, "the real server answers a question with what was asked for");
    return *wanted;
}

/// Counts what differs and says it.
class Comparison {
public:
    void equal(std::string_view what, std::uint64_t found, std::uint64_t wanted) {
        fmt::print("  {:<44} {:>6} {:>6}{}\n", what, wanted, found,
                   found == wanted ? "" : "   <- differs");
        if (found != wanted) ++differences_;
    }
    bool holds() const { return differences_ == 0; }

private:
    int differences_ = 0;
};

void compare_with_story(const scenarios::Scenario& story, const Numbers& modelled,
                        const Numbers& real, Comparison& comparison) {
    for (const auto& [name, wanted] : story.expect.totals) {
        comparison.equal(fmt::format("{}, on the model", name), modelled.at(name), wanted);
        comparison.equal(fmt::format("{}, on redis-server", name), real.at(name), wanted);
    }
}

/// What the server itself says, beside what the ledger counted.
void reconcile(conformance::HiredisBroker& broker, const Numbers& ledger, Comparison& comparison) {
    using scenarios::keys::dead;
    using scenarios::keys::runs;
    using scenarios::keys::workers;
    const auto length = ask<std::int64_t>(broker, redis::Xlen{runs});
    const auto groups = ask<redis::GroupInfos>(broker, redis::XinfoGroups{runs}).groups;
    const auto summary = ask<redis::PendingSummary>(broker, redis::XpendingSummary{runs, workers});
    sim::ensure(groups.size() == 1, "the stream has the one group of the story");
    const auto count = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    comparison.equal("XLEN of the runs: published", count(length), ledger.at("published"));
    comparison.equal("XINFO GROUPS entries-read: all delivered", count(*groups[0].entries_read),
                     count(length));
    comparison.equal("XINFO GROUPS lag: none unread", count(*groups[0].lag), 0);
    comparison.equal("XINFO GROUPS pending", groups[0].pending, ledger.at("pending"));
    comparison.equal("XPENDING", summary.count, ledger.at("pending"));
    comparison.equal("XLEN of the dead letters",
                     count(ask<std::int64_t>(broker, redis::Xlen{dead})),
                     ledger.at("dead_lettered"));
}

bool check(std::uint64_t seed) {
    const auto story = scenarios::find_story("lab-check");
    sim::ensure(story.has_value(), "the catalogue has the story lab-check");
    scenarios::TrialRunner runner;
    const scenarios::Plan plan = scenarios::plan_of(runner, *story, seed);
    const auto modelled = runner.run(*story, plan, seed, scenarios::Level::ledger);

    const conformance::TemporaryFolder folder;
    conformance::ReferenceClock clock(folder.path());
    const conformance::ReferenceServer server(clock);
    conformance::HiredisBroker broker(server.socket_path(),
                                      [&clock](sim::WallTime now) { clock.set(now); });
    const auto real = runner.run_against(broker, *story, plan, seed);

    fmt::print(
        "lab-check, seed {}: {} replies of redis-server 7.0.15 reached the actors, {} unlike "
        "the model's\n  {:<44} {:>6} {:>6}\n",
        seed, broker.replies(), broker.disagreements(), "", "wanted", "found");
    if (broker.disagreements() > 0) fmt::print("  first at: {}\n", broker.first_disagreement());
    Comparison comparison;
    compare_with_story(*story, numbers_of(modelled), numbers_of(real), comparison);
    reconcile(broker, numbers_of(real), comparison);
    return comparison.holds() && broker.disagreements() == 0;
}

}  // namespace

int main() {
    try {
        return check(1) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "lab_check: " << error.what() << '\n';
        return 70;
    }
}
