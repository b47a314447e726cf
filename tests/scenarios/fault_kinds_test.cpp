// The catalogue of faults: what it says of each kind is so.

#include "scenarios/fault_kinds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "scenarios/catalog/catalog.h"
#include "scenarios/explore/campaign.h"
#include "scenarios/explore/trial.h"
#include "scenarios/plan.h"
#include "tests/source_root.h"

namespace redeliver::scenarios {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// In the order of sim::What.
constexpr std::string_view key_of(const sim::What& what) {
    constexpr std::array<std::string_view, 12> keys = {
        "crash",      "pause",    "drop",      "reset",   "slow",        "partition",
        "clock_step", "failover", "half_open", "latency", "clock_drift", "order"};
    static_assert(std::variant_size_v<sim::What> == keys.size());
    return keys[what.index()];
}

/// How the words of an order begin that is of this kind.
std::string_view words_of(FaultKind kind) {
    switch (kind) {
    case FaultKind::limit_memory: return "CONFIG SET maxmemory";
    case FaultKind::trim_stream: return "XTRIM koda:runs MAXLEN";
    case FaultKind::delete_consumer: return "XGROUP DELCONSUMER koda:runs workers";
    case FaultKind::destroy_group: return "XGROUP DESTROY koda:runs workers";
    case FaultKind::set_group_id: return "XGROUP SETID koda:runs workers";
    case FaultKind::hold_locks: return "SELECT * FROM runs FOR UPDATE";
    case FaultKind::take_connections: return "take all connections";
    case FaultKind::retry_storm: return "submit again";
    case FaultKind::deploy: return "restart under a new name";
    default: return "not an order";
    }
}

/// What differs between kinds that a case file writes alike.
bool is_the_same_kind(FaultKind kind, const sim::Fault& fault) {
    const auto* const crash = std::get_if<sim::Crash>(&fault.what);
    const auto* const step = std::get_if<sim::AtStep>(&fault.when);
    const bool is_machine = crash != nullptr && crash->of == sim::CrashOf::machine;
    switch (kind) {
    case FaultKind::crash_broker: return fault.target == "redis" && !is_machine;
    case FaultKind::crash_database: return fault.target == "postgres" && !is_machine;
    case FaultKind::lose_broker: return fault.target == "redis" && is_machine;
    case FaultKind::lose_database: return fault.target == "postgres" && is_machine;
    case FaultKind::fail_over_broker: return fault.target == "redis";
    case FaultKind::fail_over_database: return fault.target == "postgres";
    case FaultKind::pause_server: return !fault.target.empty();
    case FaultKind::lose_request: return step->point <= sim::Point::before_apply;
    case FaultKind::lose_reply: return step->point == sim::Point::after_apply;
    case FaultKind::partition: return std::get<sim::Partition>(fault.what).ways == sim::Ways::one;
    case FaultKind::cut_off: return std::get<sim::Partition>(fault.what).ways == sim::Ways::both;
    default: return crash == nullptr || (fault.target.empty() && !is_machine);
    }
}

bool is_of(FaultKind kind, const sim::Fault& fault) {
    if (key_of(fault.what) != info_of(kind).written_as) return false;
    if (const auto* const order = std::get_if<sim::Order>(&fault.what))
        return order->words.starts_with(words_of(kind));
    return is_the_same_kind(kind, fault);
}

class StoryOfAFault : public testing::TestWithParam<FaultKindInfo> {};

TEST_P(StoryOfAFault, IsStruckByItToSomeEffect) {
    const auto story = find_story(GetParam().story);
    ASSERT_TRUE(story) << GetParam().story;
    TrialRunner runner;
    const Plan plan = plan_of(runner, *story, 1);
    const TrialResult result = runner.run(*story, plan, 1, Level::fingerprint);

    std::size_t effective = 0;
    for (const std::uint32_t fault : result.effective_faults)
        if (is_of(GetParam().kind, plan.faults[fault])) ++effective;
    EXPECT_GT(effective, 0u) << GetParam().story;
}

INSTANTIATE_TEST_SUITE_P(EveryKind, StoryOfAFault,
                         testing::ValuesIn(fault_kinds().begin(), fault_kinds().end()),
                         [](const auto& kind) { return std::string(kind.param.name); });

std::string phases_text(const FaultKindInfo& info) {
    std::string text;
    for (const Phase phase : info.phases)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", scenarios::text(phase));
    return text;
}

TEST(FaultKinds, AreAllInTheDocumentation) {
    std::ifstream file(house::source_root() / "docs/faults.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const FaultKindInfo& info : fault_kinds())
        EXPECT_THAT(page, HasSubstr(fmt::format("\n| `{}` | {} | {} | {} | `{}` |\n", info.name,
                                                info.sentence, info.parameters, phases_text(info),
                                                info.story)));
}

TEST(FaultKinds, AreAllDrawnByTheBaseWorkloadWhereverTheyCanStrike) {
    const Scenario story = *find_story("everything-at-once");
    TrialRunner runner;
    const auto drawable = drawable_phases(story, survey(runner, story));
    for (const auto& [kind, intensity] : story.faults.random)
        for (const Phase phase : info_of(kind).phases)
            EXPECT_THAT(drawable, Contains(std::pair{kind, phase}))
                << info_of(kind).name << " " << scenarios::text(phase);
    EXPECT_EQ(story.faults.random.size(), fault_kind_count);
}

}  // namespace
}  // namespace redeliver::scenarios
