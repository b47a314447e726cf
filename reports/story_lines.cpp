#include "reports/story_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/surprise_block.h"
#include "reports/text_width.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

using scenarios::Expected;
using scenarios::PromiseResult;
using scenarios::Scenario;
using scenarios::StoryResult;

constexpr std::size_t behaviours_width = 10;
constexpr std::size_t rate_width = 8;
constexpr std::size_t paths_width = 5;

std::string rate_text(const StoryResult& result) {
    if (result.seconds <= 0) return "-";
    return grouped(static_cast<std::uint64_t>(
        std::llround(static_cast<double>(result.seeds) / result.seconds)));
}

std::string paths_text(const Scenario& story, const StoryResult& result) {
    if (story.expect.reaches.empty()) return "-";
    const auto was_reached = [&](const std::string& name) {
        const auto found = std::ranges::find(result.reached, name, &scenarios::ReachedPath::name);
        return found != result.reached.end() && found->count > 0;
    };
    const auto reached = std::ranges::count_if(story.expect.reaches, was_reached);
    return fmt::format("{}/{}", reached, story.expect.reaches.size());
}

/// `work_is_executed_once breaks 200/200, 7 hold`.
std::string expected_text(const StoryResult& result) {
    std::vector<std::string> texts;
    std::uint64_t held = 0;
    for (const PromiseResult& promise : result.promises) {
        if (promise.expected == Expected::holds) ++held;
        if (promise.expected == Expected::breaks)
            texts.push_back(
                fmt::format("{} breaks {}/{}", promise.name, promise.violated, result.seeds));
    }
    if (held > 0) texts.push_back(fmt::format("{} {}", held, held == 1 ? "holds" : "hold"));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string surprises_text(const StoryResult& result) {
    std::vector<std::string> texts;
    for (const auto& surprise : result.surprises) texts.push_back(brief(surprise, result));
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

StoryLines::StoryLines(const std::vector<Scenario>& stories, std::uint64_t seeds, const Look& look)
    : look_(look) {
    for (const Scenario& story : stories)
        name_width_ = std::max(name_width_, display_width(scenarios::printable(story.name)));
    seeds_width_ = std::max(seeds_width_, grouped(seeds).size());
}

std::string StoryLines::heading() const {
    const std::string text =
        row({"story", "seeds", "behaviours", "trials/s", "paths"}, "outcome", Tone::plain);
    return painted(Tone::faint, text.substr(0, text.size() - 1), look_) + "\n";
}

std::string StoryLines::row(const std::vector<std::string>& cells, const std::string& outcome,
                            Tone tone) const {
    sim::ensure(cells.size() == 5, "a story's line has five columns before its outcome");
    const std::string start = fmt::format(
        "{}  {}  {}  {}  {}  ", padded(cells[0], name_width_),
        right_aligned(cells[1], seeds_width_), right_aligned(cells[2], behaviours_width),
        right_aligned(cells[3], rate_width), right_aligned(cells[4], paths_width));
    const std::size_t used = display_width(start);
    const std::size_t room = look_.width == unlimited_width
                                 ? unlimited_width
                                 : look_.width - std::min(look_.width, used);
    return start +
           painted(tone, fitted(outcome, std::max(room, std::size_t{12}), look_.charset), look_) +
           "\n";
}

std::string StoryLines::line(const Scenario& story, const StoryResult& result) const {
    Tone tone = Tone::good;
    std::string outcome = "as expected: " + expected_text(result);
    if (!result.as_expected()) {
        tone = result.is_wrong() ? Tone::bad : Tone::uncertain;
        outcome =
            fmt::format("{}: {}", result.is_wrong() ? "FAIL" : "UNPROVEN", surprises_text(result));
    }
    return row({scenarios::printable(result.name), grouped(result.seeds),
                grouped(result.distinct_behaviours), rate_text(result), paths_text(story, result)},
               scenarios::printable(outcome), tone);
}

void RunTotals::add(const StoryResult& result) {
    ++stories;
    trials += result.seeds;
    fingerprint += result.fingerprint;
    if (result.as_expected()) return;
    ++(result.is_wrong() ? wrong : unproven);
}

std::string summary_line(const RunTotals& totals, const Look& look) {
    std::string outcome = painted(Tone::good, "all as expected", look);
    if (!totals.as_expected()) {
        outcome.clear();
        if (totals.wrong > 0)
            outcome = painted(Tone::bad, fmt::format("{} FAIL", totals.wrong), look);
        if (totals.unproven > 0)
            outcome += (outcome.empty() ? "" : ", ") +
                       painted(Tone::uncertain, fmt::format("{} UNPROVEN", totals.unproven), look);
    }
    return fmt::format("{}, {}, {} in {:.1f} s, fingerprint {}\n",
                       counted(totals.stories, "story", "stories"), counted(totals.trials, "trial"),
                       outcome, totals.seconds, fingerprint_text(totals.fingerprint));
}

}  // namespace redeliver::reports
