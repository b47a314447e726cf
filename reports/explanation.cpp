#include "reports/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/describe.h"
#include "reports/faults.h"
#include "reports/paragraph.h"
#include "reports/schedule.h"
#include "reports/sentences.h"
#include "reports/words.h"
#include "scenarios/json/printable.h"
#include "sim/ensure.h"

namespace redeliver::reports {

namespace {

using properties::Holds;
using scenarios::Explanation;
using scenarios::FaultNeed;
using scenarios::Minimality;
using scenarios::Scenario;
using scenarios::Variation;

constexpr std::size_t label_width = 12;

std::string labelled(std::string_view label, Tone tone, const std::string& text, const Look& look) {
    return paragraph(painted(tone, label, look), label, label_width, text, look);
}

/// A command keeps to its line whatever its length: whoever copies it must get all of it.
std::string command_line(const Explained& explained, const std::string& options) {
    if (!explained.file) return {};
    return std::string(label_width, ' ') +
           scenarios::printable(replay_command(explained) + options) + "\n";
}

std::string without_option(std::size_t fault) {
    return fmt::format(" --without-fault {}", fault + 1);
}

constexpr const char* without_schedule_option = " --without-schedule";

std::string with_option(const Variation& variation) {
    return " --set " + shell_word(variation.setting);
}

std::string chance_options(const scenarios::LastChance& chance) {
    sim::ensure(chance.after != sim::no_step, "there was a chance to show");
    return fmt::format(" --branch-after {} --branch-seed {}", chance.after, chance.seed);
}

// ------------------------------------------------------------------ how small

/// `5 -> 1 fault`, or `1 fault` where there were no more.
std::string from_to(std::size_t before, std::size_t after, std::string_view noun) {
    const std::string now = counted(after, noun);
    return before == after ? now : fmt::format("{} -> {}", before, now);
}

std::string sizes(const Explained& explained, const Look& look) {
    const scenarios::Case& before = explained.original;
    const scenarios::Case& after = explained.shrunk.best;
    const scenarios::System& had = before.scenario.system;
    const scenarios::System& has = after.scenario.system;
    return with_arrows(
        fmt::format("{}, {}, {}, {}, {}",
                    from_to(before.plan.faults.size(), after.plan.faults.size(), "fault"),
                    from_to(before.plan.messages.size(), after.plan.messages.size(), "message"),
                    from_to(had.users.count, has.users.count, "user"),
                    from_to(had.gateway.count, has.gateway.count, "gateway"),
                    from_to(had.worker.count, has.worker.count, "worker")),
        look.charset);
}

/// What was tried besides single moves, because these left more than two faults or messages.
std::string choices_text(const Explained& explained) {
    const std::uint64_t choices = explained.shrunk.choices;
    if (choices == 0) return "";
    return fmt::format(", nor do any two of its messages{} ({} choices tried)",
                       explained.original.plan.faults.empty() ? "" : " with any two of its faults",
                       grouped(choices));
}

std::string minimality_text(const Explained& explained) {
    const scenarios::Shrunk& shrunk = explained.shrunk;
    const std::string trials = counted(shrunk.trials, "trial");
    if (shrunk.minimality == Minimality::budget_ended)
        return fmt::format("the budget ended after {}; there may be a smaller case", trials);
    return fmt::format(
        "after {}, no single move ({} tried) makes it smaller and keeps it broken "
        "(1-minimal){}",
        trials, grouped(shrunk.last_pass), choices_text(explained));
}

// ------------------------------------------------------------------ faults

std::string without_text(Holds without) {
    switch (without) {
    case Holds::holds: return "without it the promise holds";
    case Holds::vacuous: return "without it the promise is not put to the test";
    case Holds::inconclusive: return "without it the trial does not come to rest";
    case Holds::violated: return "without it the promise breaks in another way";
    }
    return "";
}

std::string fault_lines(const Explained& explained, std::size_t fault, const FaultNeed& need,
                        const Look& look) {
    const bool needed = need.need == FaultNeed::Need::needed;
    const std::string text = fmt::format(
        "fault {}: {}; {}", fault + 1, fault_text(explained.shrunk.best.plan.faults[fault]),
        needed ? without_text(need.without) : "it breaks without it as well");
    return labelled(needed ? "needed" : "not needed", needed ? Tone::bad : Tone::faint, text,
                    look) +
           command_line(explained, without_option(fault));
}

std::string schedule_lines(const Explained& explained, const FaultNeed& need, const Look& look) {
    const bool needed = need.need == FaultNeed::Need::needed;
    const std::string text =
        fmt::format("the schedule: {}; {}", schedule_text(explained.shrunk.best.plan.schedule),
                    needed ? without_text(need.without) : "it breaks without it as well");
    return labelled(needed ? "needed" : "not needed", needed ? Tone::bad : Tone::faint, text,
                    look) +
           command_line(explained, without_schedule_option);
}

// ------------------------------------------------------------------ variations

std::string variation_text(const Variation& variation) {
    std::string text = fmt::format("--set {} (now {}", variation.setting, variation.was);
    if (variation.still_breaks && *variation.still_breaks != variation.was)
        text += fmt::format(", still breaks with {}", *variation.still_breaks);
    text += ")";
    if (variation.origin == Variation::Origin::repair) text += ": the repair that the story names";
    if (!variation.also_breaks.empty())
        text += fmt::format("; but then it breaks {}", fmt::join(variation.also_breaks, ", "));
    if (variation.faults == Variation::Faults::miss)
        text += "; a fault then finds nothing to strike";
    return text;
}

std::string variation_lines(const Explained& explained, const Look& look) {
    const Explanation& explanation = explained.explanation;
    std::string text;
    const std::size_t shown = std::min(most_variations, explanation.passing.size());
    for (std::size_t each = 0; each < shown; ++each) {
        const Variation& variation = explanation.passing[each];
        text += labelled("passes", Tone::good, variation_text(variation), look) +
                command_line(explained, with_option(variation));
    }
    const std::size_t more = explanation.passing.size() - shown;
    std::string tried = fmt::format("{} tried", counted(explanation.variations, "single value"));
    if (shown == 0) tried += ", and none keeps the promise";
    if (more > 0) tried += fmt::format("; {} more keep the promise (--json lists them)", more);
    if (explanation.extent == Explanation::Extent::budget_ended)
        tried += "; the budget ended before all were";
    return text + labelled("", Tone::faint, tried, look);
}

// ------------------------------------------------------------------ the last chance

std::string chance_text(const Explained& explained) {
    const scenarios::LastChance& chance = explained.explanation.last_chance;
    const scenarios::Recording& recording = *explained.result.recording;
    const sim::Step& step = *find_step(recording, chance.after);
    const bool is_halved = chance.search == scenarios::LastChance::Search::halving;
    return fmt::format(
        "step {}, {}: {} From there on, without further faults, {} of {} futures {} the promise; "
        "after it, none does{}",
        step.number, moment(step.at), sentence_of(recording, step), chance.keeping, chance.futures,
        chance.keeping == 1 ? "keeps" : "keep", is_halved ? " (found by halving the way)" : "");
}

std::string no_chance_text(const scenarios::LastChance& chance) {
    if (chance.back_to == 0) return "the budget ended before any future was tried";
    const std::string futures = fmt::format("in each of {} futures", chance.futures);
    if (chance.back_to == 1)
        return fmt::format("none: it breaks {} after every step, from the first on", futures);
    return fmt::format(
        "none found: it breaks {} after every step back to {}, where the budget "
        "ended",
        futures, chance.back_to);
}

std::string chance_lines(const Explained& explained, const Look& look) {
    const scenarios::LastChance& chance = explained.explanation.last_chance;
    if (chance.after == sim::no_step)
        return labelled("last chance", Tone::plain, no_chance_text(chance), look);
    return labelled("last chance", Tone::plain, chance_text(explained), look) +
           command_line(explained, chance_options(chance));
}

std::string how_to_keep(const Explained& explained, const Look& look) {
    if (explained.file) return "";
    Look narrower = look;
    narrower.width = std::min(look.width, readable_width);
    return "\n" +
           labelled("to see it", Tone::plain,
                    "--out FILE keeps the shrunk case, and gives under each line the command "
                    "that shows it",
                    narrower);
}

std::string lines_at_margin(const Explained& explained, const Look& look) {
    const scenarios::Shrunk& shrunk = explained.shrunk;
    std::string text = labelled("shrunk", Tone::plain,
                                sizes(explained, look) + "; " + minimality_text(explained), look);
    text += command_line(explained, "") + "\n";
    for (const Sentence& sentence :
         sentences(explained.trial(), explained.broken(), explained.explanation))
        text += paragraph(moment(sentence.at), moment(sentence.at), label_width,
                          with_arrows(sentence.text, look.charset), look);
    text += "\n";
    for (std::size_t fault = 0; fault < explained.explanation.faults.size(); ++fault)
        text += fault_lines(explained, fault, explained.explanation.faults[fault], look);
    if (explained.explanation.schedule)
        text += schedule_lines(explained, *explained.explanation.schedule, look);
    if (shrunk.best.plan.faults.empty() && shrunk.best.plan.schedule.is_none())
        text += labelled("needed", Tone::plain, "no fault: the system breaks its promise by itself",
                         look) +
                command_line(explained, "");
    text += variation_lines(explained, look) + chance_lines(explained, look);
    if (explained.page) text += "\nopen        " + scenarios::printable(*explained.page) + "\n";
    return text;
}

}  // namespace

std::string smallness(const Explained& explained) {
    return sizes(explained, {.charset = Charset::ascii}) + "; " + minimality_text(explained);
}

Trial Explained::trial() const {
    return {shrunk.best.scenario, shrunk.best.plan, shrunk.best.seed, result};
}

const scenarios::PromiseVerdict& Explained::broken() const {
    const auto found = std::ranges::find(result.verdicts, shrunk.breakage.promise,
                                         &scenarios::PromiseVerdict::name);
    sim::ensure(found != result.verdicts.end(), "a broken promise was judged");
    return *found;
}

std::string replay_command(const Explained& explained) {
    sim::ensure(explained.file.has_value(), "a command names the file of the shrunk case");
    return "redeliver replay " + shell_word(*explained.file);
}

std::string replay_without(const Explained& explained, std::size_t fault) {
    return replay_command(explained) + without_option(fault);
}

std::string replay_without_schedule(const Explained& explained) {
    return replay_command(explained) + without_schedule_option;
}

std::string replay_with(const Explained& explained, const Variation& variation) {
    return replay_command(explained) + with_option(variation);
}

std::string replay_chance(const Explained& explained) {
    return replay_command(explained) + chance_options(explained.explanation.last_chance);
}

std::string explanation_lines(const Explained& explained, const Look& look, std::size_t margin) {
    Look narrower = look;
    narrower.width = std::min(look.width, readable_width) - std::min(look.width, margin);
    const std::string lines = lines_at_margin(explained, narrower);
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
        end = std::min(lines.find('\n', begin), lines.size());
        text.append(begin == end ? 0 : margin, ' ').append(lines, begin, end - begin).append("\n");
    }
    return text;
}

std::string explanation_text(const Explained& explained, const Look& look) {
    const scenarios::Shrunk& shrunk = explained.shrunk;
    return painted(Tone::strong, scenarios::printable(shrunk.best.scenario.name), look) +
           fmt::format(", seed {}: {} breaks\n", shrunk.best.seed, shrunk.breakage.promise) +
           explanation_lines(explained, look, 0) + how_to_keep(explained, look);
}

}  // namespace redeliver::reports
