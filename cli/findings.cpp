#include "cli/findings.h"

#include <fmt/format.h>

#include <set>

#include "cli/files.h"
#include "cli/traced_case.h"
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

std::filesystem::path Findings::path_of(const Selected& story, std::uint64_t seed,
                                        std::string_view file) const {
    sim::ensure(folder_ && is_plain_name(story.scenario.name),
                "cases have a folder and plain names");
    return *folder_ / story.scenario.name / std::to_string(seed) / file;
}

std::string Findings::by_seed(std::string_view command, const Selected& story,
                              std::uint64_t seed) const {
    std::string text = fmt::format("redeliver {} {} --seed {}", command,
                                   reports::shell_word(story.argument), seed);
    for (const std::string& setting : settings_) text += " --set " + reports::shell_word(setting);
    return text;
}

void Findings::keep(const Selected& story, const scenarios::StoryResult& result) {
    if (!folder_) return;
    std::set<std::uint64_t> seeds;
    for (const scenarios::SurpriseReport& surprise : result.surprises)
        if (surprise.seed) seeds.insert(*surprise.seed);
    for (const std::uint64_t seed : seeds) {
        const Shown shown = show(story.scenario, seed);
        const scenarios::Case recorded = make_case(story.scenario, shown.plan, seed, shown.result);
        write_file(path_of(story, seed, "case.json"), scenarios::write_case(recorded));
    }
}

std::optional<ExplainedCase> Findings::explained(const Selected& story, const Shown& shown,
                                                 const scenarios::SurpriseReport& surprise) {
    if (surprise.what != scenarios::Surprise::promise_broken) return {};
    auto found = explain_briefly(
        runner_, make_case(story.scenario, shown.plan, *surprise.seed, shown.result),
        surprise.name);
    if (!found || !folder_) return found;
    const auto path = path_of(story, *surprise.seed, "shrunk.json");
    write_file(path, scenarios::write_case(found->shrunk.best));
    found->file = path.string();
    write_page(runner_, *found);
    return found;
}

std::string Findings::tell_group(const Selected& story, const scenarios::StoryResult& result,
                                 std::span<const scenarios::SurpriseReport> surprises,
                                 Telling telling, const reports::Look& look) {
    const scenarios::SurpriseReport& first = surprises.front();
    // Where no single trial shows it, the first one is as good a start as any.
    reports::Replays replays{.by_seed =
                                 by_seed("replay", story, first.seed.value_or(result.first_seed))};
    if (!first.seed) return surprise_block(surprises, result, nullptr, replays, look);
    if (folder_)
        replays.by_file = "redeliver replay " +
                          reports::shell_word(path_of(story, *first.seed, "case.json").string());
    const Shown shown = show(story.scenario, *first.seed);
    const reports::Trial trial{story.scenario, shown.plan, *first.seed, shown.result};
    const auto found =
        telling == Telling::explanation ? explained(story, shown, first) : std::nullopt;
    if (!found) return surprise_block(surprises, result, &trial, replays, look);
    replays.explanation =
        fmt::format("{} --promise {}", by_seed("explain", story, *first.seed), first.name);
    const reports::Explained view = found->view();
    return surprise_block(surprises, result, &trial, replays, look, &view);
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
        const Telling telling = told == 1 ? Telling::explanation : Telling::why;
        text += tell_group(story, result, surprises, telling, look) + "\n";
    }
    if (by_seed.size() > most_blocks)
        text += fmt::format("      and {} of {}; --json lists all\n\n",
                            reports::counted(by_seed.size() - most_blocks, "more seed"),
                            story.scenario.name);
    return text;
}

}  // namespace redeliver::cli
