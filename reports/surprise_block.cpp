#include "reports/surprise_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/property.h"
#include "reports/columns.h"
#include "reports/describe.h"
#include "reports/paragraph.h"
#include "reports/why.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

using scenarios::PromiseResult;
using scenarios::StoryResult;
using scenarios::Surprise;
using scenarios::SurpriseReport;

constexpr std::size_t indent = 6;

const PromiseResult* find_promise(const StoryResult& result, std::string_view name) {
    const auto found = std::ranges::find(result.promises, name, &PromiseResult::name);
    return found == result.promises.end() ? nullptr : &*found;
}

std::uint64_t violations(const SurpriseReport& surprise, const StoryResult& result) {
    const PromiseResult* const promise = find_promise(result, surprise.name);
    return promise == nullptr ? 0 : promise->violated;
}

bool is_wrong(const SurpriseReport& surprise) {
    switch (surprise.what) {
    case Surprise::promise_broken:
    case Surprise::promise_unbroken:
    case Surprise::not_repaired:
    case Surprise::total_differs: return true;
    case Surprise::promise_vacuous:
    case Surprise::path_unreached:
    case Surprise::trial_inconclusive:
    case Surprise::too_few_behaviours: return false;
    }
    return true;
}

const properties::Verdict* find_verdict(const Trial& trial, std::string_view promise) {
    const auto found =
        std::ranges::find(trial.result.verdicts, promise, &scenarios::PromiseVerdict::name);
    return found == trial.result.verdicts.end() ? nullptr : &found->verdict;
}

/// `run-6 has 2 replies`, when the trial shows the breach.
std::string breach_text(const SurpriseReport& surprise, const Trial* trial) {
    if (trial == nullptr || trial->result.recording == nullptr) return {};
    const properties::Verdict* const verdict = find_verdict(*trial, surprise.name);
    if (verdict == nullptr || verdict->holds != properties::Holds::violated) return {};
    const std::string whom = trial->result.recording->text(verdict->subject);
    return whom.empty() ? verdict->evidence : whom + " " + verdict->evidence;
}

std::string promise_sentence(std::string_view name) {
    for (const properties::PromiseInfo& info : properties::promises())
        if (info.name == name) return std::string(info.promise);
    return {};
}

std::string heading(std::span<const SurpriseReport> surprises, const StoryResult& result,
                    const Look& look) {
    const SurpriseReport& surprise = surprises.front();
    const bool wrong = std::ranges::any_of(surprises, is_wrong);
    const std::string label = wrong ? "FAIL" : "UNPROVEN";
    std::string text = painted(wrong ? Tone::bad : Tone::uncertain, label, look) + "  " +
                       painted(Tone::strong, scenarios::printable(result.name), look);
    if (surprise.seed) {
        text += fmt::format("  seed {}", *surprise.seed);
        if (result.seeds > 1 && *surprise.seed >= result.first_seed)
            text += fmt::format("  (the {} of {})", ordinal(*surprise.seed - result.first_seed + 1),
                                grouped(result.seeds));
    }
    return text + "\n";
}

std::string sentence(const SurpriseReport& surprise, const StoryResult& result,
                     const Trial* trial) {
    const std::string seeds = counted(result.seeds, "seed");
    const std::string breach = breach_text(surprise, trial);
    switch (surprise.what) {
    case Surprise::promise_broken:
        return fmt::format("{}{}{} was to hold and broke in {} of {}", breach,
                           breach.empty() ? "" : ": ", surprise.name, violations(surprise, result),
                           seeds);
    case Surprise::promise_unbroken:
        return fmt::format("{} was to break and broke in {} of {}", surprise.name,
                           violations(surprise, result), seeds);
    case Surprise::not_repaired:
        return fmt::format("{} was to be kept by the repaired twin: {}", surprise.name,
                           surprise.detail);
    case Surprise::total_differs:
        return fmt::format("the total of {} differs: {}", surprise.name, surprise.detail);
    case Surprise::promise_vacuous:
        return fmt::format("{} was to hold and was put to the test in none of {}", surprise.name,
                           seeds);
    case Surprise::path_unreached:
        return fmt::format("the rare path {} was to be reached and was not in {}", surprise.name,
                           seeds);
    case Surprise::trial_inconclusive:
        return "a trial ended in a cap before it could be judged" +
               (surprise.detail.empty() ? "" : ": " + surprise.detail);
    case Surprise::too_few_behaviours:
        return fmt::format("{} showed only {}{}{}", seeds,
                           counted(result.distinct_behaviours, "distinct behaviour"),
                           surprise.detail.empty() ? "" : ": ", surprise.detail);
    }
    return surprise.detail;
}

/// The causal chain, one step a line.
std::string why_lines(const SurpriseReport& surprise, const Trial* trial, const Look& look) {
    if (trial == nullptr || trial->result.recording == nullptr) return {};
    const properties::Verdict* const verdict = find_verdict(*trial, surprise.name);
    if (verdict == nullptr) return {};
    const scenarios::Recording& recording = *trial->result.recording;
    Columns lines{{{.gap = indent}, {.align = Align::right, .gap = 1}, {}, {}, {.gap = 1}, {}, {}}};
    bool is_first = true;
    for (const sim::StepNumber number : why(recording, *verdict)) {
        const Line line = describe(recording, *find_step(recording, number));
        lines.add({{is_first ? "why" : ""},
                   {moment(find_step(recording, number)->at)},
                   {line.who.empty() ? "-" : line.who},
                   {std::string(glyph(line.mark, look.charset)), tone_of(line.mark)},
                   {line.what},
                   {line.about},
                   {with_arrows(line.detail, look.charset)}});
        is_first = false;
    }
    return lines.render(look);
}

std::string replay_lines(const SurpriseReport& surprise, const std::optional<Replays>& replays) {
    if (!replays) return {};
    std::string text;
    const std::string margin(indent, ' ');
    if (replays->by_file)
        text += margin + "same trial  " + scenarios::printable(*replays->by_file) + "\n";
    text += margin + (surprise.seed ? "same seed   " : "one seed    ") +
            scenarios::printable(replays->by_seed) + "\n";
    if (replays->explanation)
        text += margin + "explain     " + scenarios::printable(*replays->explanation) + "\n";
    return text;
}

}  // namespace

std::string brief(const SurpriseReport& surprise, const StoryResult& result) {
    const std::uint64_t violated = violations(surprise, result);
    switch (surprise.what) {
    case Surprise::promise_broken:
        return fmt::format("{} broke {}/{}", surprise.name, violated, result.seeds);
    case Surprise::promise_unbroken:
        return fmt::format("{} broke only {}/{}", surprise.name, violated, result.seeds);
    case Surprise::not_repaired: return fmt::format("{} is not repaired", surprise.name);
    case Surprise::total_differs: return fmt::format("{}: {}", surprise.name, surprise.detail);
    case Surprise::promise_vacuous: return fmt::format("{} was never tested", surprise.name);
    case Surprise::path_unreached: return fmt::format("{} was not reached", surprise.name);
    case Surprise::trial_inconclusive: return "a trial ended in a cap";
    case Surprise::too_few_behaviours:
        return fmt::format("only {}", counted(result.distinct_behaviours, "behaviour"));
    }
    return surprise.name;
}

std::string surprise_block(std::span<const SurpriseReport> surprises, const StoryResult& result,
                           const Trial* trial, const std::optional<Replays>& replays,
                           const Look& look, const Explained* explained) {
    sim::ensure(!surprises.empty(), "a block tells of a surprise");
    const std::string margin(indent, ' ');
    std::string text = heading(surprises, result, look);
    for (const SurpriseReport& surprise : surprises)
        text += paragraph(margin, margin, indent, sentence(surprise, result, trial), look);
    const SurpriseReport& first = surprises.front();
    if (const std::string promise = promise_sentence(first.name); !promise.empty())
        text += paragraph(margin + "promise", margin + "promise", indent + 9, promise, look);
    text += explained != nullptr ? explanation_lines(*explained, look, indent) + "\n"
                                 : why_lines(first, trial, look);
    return text + replay_lines(first, replays);
}

}  // namespace redeliver::reports
