#include "cli/findings.h"

#include <fmt/format.h>

#include <set>

#include "cli/files.h"
#include "reports/words.h"
#include "scenarios/json/codec.h"
#include "sim/ensure.h"

namespace redeliver::cli {

namespace {

/// Blocks of one story; the others are only counted.
constexpr std::size_t most_blocks = 3;

}  // namespace

Findings::Shown Findings::show(const scenarios::Scenario& scenario, std::uint64_t seed) {
    scenarios::Plan plan = plan_of(runner_, scenario, seed);
    scenarios::TrialResult result = runner_.run(scenario, plan, seed, scenarios::Level::everything);
    return {std::move(plan), std::move(result)};
}

std::filesystem::path Findings::case_path(const Selected& story, std::uint64_t seed) const {
    sim::ensure(folder_ && is_plain_name(story.scenario.name),
                "cases have a folder and plain names");
    return *folder_ / story.scenario.name / std::to_string(seed) / "case.json";
}

std::string Findings::replay_by_seed(const Selected& story, std::uint64_t seed) const {
    std::string command =
        fmt::format("redeliver replay {} --seed {}", reports::shell_word(story.argument), seed);
    for (const std::string& setting : settings_)
        command += " --set " + reports::shell_word(setting);
    return command;
}

void Findings::keep(const Selected& story, const scenarios::StoryResult& result) {
    if (!folder_) return;
    std::set<std::uint64_t> seeds;
    for (const scenarios::SurpriseReport& surprise : result.surprises)
        if (surprise.seed) seeds.insert(*surprise.seed);
    for (const std::uint64_t seed : seeds) {
        const Shown shown = show(story.scenario, seed);
        const scenarios::Case recorded = make_case(story.scenario, shown.plan, seed, shown.result);
        write_file(case_path(story, seed), scenarios::write_case(recorded));
    }
}

std::string Findings::tell_group(const Selected& story, const scenarios::StoryResult& result,
                                 std::span<const scenarios::SurpriseReport> surprises,
                                 const reports::Look& look) {
    const std::optional<std::uint64_t> seed = surprises.front().seed;
    // Where no single trial shows it, the first one is as good a start as any.
    reports::Replays replays{.by_seed = replay_by_seed(story, seed.value_or(result.first_seed))};
    if (!seed) return surprise_block(surprises, result, nullptr, replays, look);
    if (folder_)
        replays.by_file =
            "redeliver replay " + reports::shell_word(case_path(story, *seed).string());
    const Shown shown = show(story.scenario, *seed);
    const reports::Trial trial{story.scenario, shown.plan, *seed, shown.result};
    return surprise_block(surprises, result, &trial, replays, look);
}

std::string Findings::tell(const Selected& story, const scenarios::StoryResult& result,
                           const reports::Look& look) {
    // What no single seed shows comes last.
    std::map<std::pair<bool, std::uint64_t>, std::vector<scenarios::SurpriseReport>> by_seed;
    for (const scenarios::SurpriseReport& surprise : result.surprises)
        by_seed[{!surprise.seed, surprise.seed.value_or(0)}].push_back(surprise);
    std::string text;
    std::size_t told = 0;
    for (const auto& [seed, surprises] : by_seed) {
        if (++told > most_blocks) break;
        text += tell_group(story, result, surprises, look) + "\n";
    }
    if (by_seed.size() > most_blocks)
        text += fmt::format("      and {} of {}; --json lists all\n\n",
                            reports::counted(by_seed.size() - most_blocks, "more seed"),
                            story.scenario.name);
    return text;
}

}  // namespace redeliver::cli
