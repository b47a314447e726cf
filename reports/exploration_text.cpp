#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/operations.h"
#include "reports/columns.h"
#include "reports/exploration.h"
#include "reports/hits.h"
#include "reports/paragraph.h"
#include "reports/words.h"
#include "scenarios/explore/mishap.h"
#include "scenarios/json/units.h"

namespace redeliver::reports {

namespace {

using scenarios::Duration;
using scenarios::Expected;
using scenarios::Exploration;
using scenarios::ExploredPromise;
using scenarios::Scope;
using scenarios::Tally;
using scenarios::Tried;
using scenarios::Victim;

constexpr std::size_t label_width = 11;

std::string labelled(Tone tone, std::string_view label, std::string_view text, const Look& look) {
    return paragraph(painted(tone, label, look), label, label_width, text, look);
}

/// Nothing where all kinds were tried that mean something to the system.
std::string kinds_text(const Explored& explored) {
    const std::vector<scenarios::Mishap>& kinds = explored.result.scope.kinds;
    const std::size_t all = scenarios::mishaps_of(explored.story.system).size();
    if (kinds.size() == all) return {};
    std::vector<std::string_view> names;
    for (const scenarios::Mishap kind : kinds) names.push_back(scenarios::info_of(kind).name);
    return fmt::format(" of {} of {} ({})", kinds.size(), counted(all, "kind"),
                       fmt::join(names, ", "));
}

std::string singles_sentence(const Explored& explored) {
    const Exploration& result = explored.result;
    const Scope& scope = result.scope;
    std::uint64_t struck = 0;
    std::uint64_t changed = 0;
    for (const auto& [tried, tally] : result.tallies) {
        struck += tally.struck;
        changed += tally.changed;
    }
    std::string text = fmt::format(
        "{}{} of {}{} were tried", scope.singles_tried == scope.singles ? "all " : "",
        grouped(scope.singles_tried), counted(scope.singles, "single fault"), kinds_text(explored));
    if (scope.faults == 1)
        text +=
            fmt::format("; {} struck, {} changed what happened", grouped(struck), grouped(changed));
    return text;
}

std::string pairs_sentences(const Scope& scope) {
    return fmt::format(
        "{} were tried after {} first faults; {} of these are still to be followed. Pruned: {} "
        "that left everything as it was, {} that never struck, and {} that could not have struck "
        "where they are",
        counted(scope.pairs_tried, "second fault"), grouped(scope.firsts_followed),
        grouped(scope.firsts_left), counted(scope.firsts_unchanged, "first fault"),
        grouped(scope.firsts_inert), counted(scope.pairs_inert, "second fault"));
}

std::string priorities_text(const Exploration& result, const Look& look) {
    const scenarios::Priorities& drawn = result.scope.priorities;
    const std::string product =
        drawn.depth == 1   ? grouped(drawn.actors)
        : drawn.depth == 2 ? fmt::format("{} x {}", drawn.actors, drawn.steps)
                           : fmt::format("{} x {}^{}", drawn.actors, drawn.steps, drawn.depth - 1);
    const bool fits = drawn.one_in() != ~std::uint64_t{0};
    const std::string faults =
        result.scope.faults == 0 ? "no faults" : "one single fault each, drawn from all there are";
    return labelled(Tone::strong, "tried",
                    fmt::format("{} of other orders, {}", counted(result.tried, "attempt"), faults),
                    look) +
           labelled(Tone::strong, "priorities",
                    fmt::format("depth {}, {}, {}: an attempt shows a given bug of that depth, "
                                "among the orders within {}, with a probability of at least 1 in "
                                "{}{}",
                                drawn.depth, counted(drawn.actors, "actor"),
                                counted(drawn.steps, "step"),
                                scenarios::json::duration_text(drawn.slack), product,
                                fits ? " = " + grouped(drawn.one_in()) : ""),
                    look);
}

std::string orders_text(const Scope& scope, const Look& look) {
    const scenarios::Orders& orders = scope.orders;
    std::string what = fmt::format("every order of what is due within {} of each other, ",
                                   scenarios::json::duration_text(orders.slack));
    what += scope.faults == 0
                ? "without a fault"
                : fmt::format(
                      "without a fault and with a single one at {}: each kind, at each "
                      "point that a step from a new state comes to",
                      counted(orders.faults, "place"));
    const std::string states = fmt::format(
        "{}, {} out of them, {} met again; at most {} in a trial", counted(orders.states, "state"),
        counted(orders.transitions, "transition"), counted(orders.deduplicated, "known state"),
        counted(orders.depth, "branching point"));
    const std::string complete =
        scope.end == Scope::End::reached
            ? "yes: nothing that could come first at any of these states is left"
            : fmt::format("NO: {} known and not tried", counted(orders.left, "way"));
    return labelled(Tone::strong, "orders", what, look) +
           labelled(Tone::strong, "states", states, look) +
           labelled(Tone::strong, "complete", complete, look);
}

std::string corpus_text(const Exploration& result, const Look& look) {
    const scenarios::Corpus& corpus = result.scope.corpus;
    return labelled(
               Tone::strong, "tried",
               fmt::format("{}: {} drawn from seeds, {} mutated", counted(result.tried, "attempt"),
                           grouped(corpus.seeds), grouped(corpus.mutations)),
               look) +
           labelled(Tone::strong, "corpus",
                    fmt::format("{}: {} that reached a rare path first or more often, {} of {} "
                                "with a behaviour of their own",
                                counted(corpus.size(), "plan"), grouped(corpus.from_paths),
                                grouped(corpus.from_behaviours - corpus.dropped),
                                grouped(corpus.from_behaviours)),
                    look);
}

std::string scope_text(const Explored& explored, const Look& look) {
    const Exploration& result = explored.result;
    const Scope& scope = result.scope;
    if (scope.priorities.depth > 0) return priorities_text(result, look);
    if (scope.orders.slack > Duration::zero()) return orders_text(scope, look);
    if (scope.corpus.seeds > 0) return corpus_text(result, look);
    if (scope.end == Scope::End::none)
        return labelled(Tone::strong, "tried", counted(result.tried, "attempt"), look);
    std::string text = labelled(
        Tone::strong, "steps",
        fmt::format("{} without a fault, of which {} are idle polls that an equal one before them "
                    "stands for",
                    counted(scope.operations, "operation"), grouped(scope.folded_polls)),
        look);
    text += labelled(Tone::strong, "singles", singles_sentence(explored), look);
    if (scope.faults == 2) text += labelled(Tone::strong, "pairs", pairs_sentences(scope), look);
    return text;
}

Cell tally_cell(const Exploration& result, const Tried& tried) {
    const auto found = result.tallies.find(tried);
    if (found == result.tallies.end()) return {".", Tone::faint};
    const Tally& tally = found->second;
    std::string text = grouped(tally.tried);
    if (tally.struck != tally.tried) text = fmt::format("{}/{}", grouped(tally.struck), text);
    if (tally.broke > 0) return {text + "!", Tone::bad};
    return {text + " "};
}

/// Columns of a table, of the kinds that were tried: `lose_request` and `lose_reply` share one,
/// since no point has both.
std::vector<std::string_view> headings(Victim victim, const Exploration& result) {
    std::set<scenarios::Mishap> tried;
    for (const auto& [what, tally] : result.tallies) tried.insert(what.mishap);
    std::vector<std::string_view> found;
    for (const auto& info : scenarios::mishaps())
        if (info.victim == victim && tried.contains(info.mishap) &&
            std::ranges::count(found, info.heading) == 0)
            found.push_back(info.heading);
    return found;
}

Cell cell_under(std::string_view heading, Victim victim, const Exploration& result, Tried tried) {
    Cell cell{".", Tone::faint};
    for (const auto& info : scenarios::mishaps()) {
        if (info.victim != victim || info.heading != heading) continue;
        tried.mishap = info.mishap;
        if (result.tallies.contains(tried)) cell = tally_cell(result, tried);
    }
    return cell;
}

std::string table_text(std::string_view title, Victim victim, const Exploration& result,
                       const Look& look) {
    const std::vector<std::string_view> columns = headings(victim, result);
    if (columns.empty()) return {};
    std::vector<Column> layout = {{}, {}};
    layout.resize(columns.size() + 2, Column{.align = Align::right});
    Columns table(layout);
    std::vector<Cell> heading = {{"operation", Tone::faint}, {"point", Tone::faint}};
    for (const std::string_view column : columns)
        heading.push_back({std::string(column) + " ", Tone::faint});
    table.add(heading);
    std::set<std::pair<sim::OperationKind, sim::Point>> rows;
    for (const auto& [tried, tally] : result.tallies)
        if (scenarios::info_of(tried.mishap).victim == victim)
            rows.insert({tried.operation, tried.point});
    for (const auto& [operation, point] : rows) {
        std::vector<Cell> row = {
            {std::string(model::text(static_cast<model::Operation>(operation)))},
            {std::string(scenarios::text(point))}};
        for (const std::string_view column : columns)
            row.push_back(cell_under(column, victim, result, {operation, point, {}}));
        table.add(row);
    }
    return painted(Tone::strong, title, look) +
           " (times tried, or struck/tried; ! broke a promise that was to hold)\n" +
           table.render(look) + "\n";
}

std::string tables_text(const Exploration& result, const Look& look) {
    return table_text("at whoever performs the operation", Victim::performer, result, look) +
           table_text("on its connections", Victim::connections, result, look) +
           table_text("at the server that is asked", Victim::server, result, look) +
           table_text("told to the performer's server by others", Victim::operated, result, look);
}

std::string_view word(Expected expected) {
    switch (expected) {
    case Expected::holds: return "holds";
    case Expected::breaks: return "breaks";
    case Expected::nothing: return "-";
    }
    return "?";
}

Tone tone_of(const ExploredPromise& promise) {
    if (promise.violated == 0) return Tone::plain;
    if (promise.expected == Expected::holds) return Tone::bad;
    return promise.expected == Expected::breaks ? Tone::good : Tone::uncertain;
}

std::string promises_text(const Exploration& result, const Look& look) {
    Columns table({{}, {}, {Align::right}, {Align::right}, {Align::right}, {Align::right}, {}});
    table.add({{"promise", Tone::faint},
               {"expected", Tone::faint},
               {"broke", Tone::faint},
               {"held", Tone::faint},
               {"untested", Tone::faint},
               {"excused", Tone::faint},
               {"first at attempt", Tone::faint}});
    for (const ExploredPromise& promise : result.promises)
        table.add({{std::string(promise.name), tone_of(promise)},
                   {std::string(word(promise.expected))},
                   {grouped(promise.violated)},
                   {grouped(promise.held)},
                   {grouped(promise.vacuous + promise.inconclusive)},
                   {grouped(promise.excused)},
                   {promise.first ? grouped(promise.first->attempt) : "-"}});
    return table.render(look) + "\n";
}

std::string paths_text(const Exploration& result, const Look& look) {
    std::vector<std::string> texts;
    for (const auto& path : result.reached)
        if (path.count > 0) texts.push_back(fmt::format("{} {}", path.name, grouped(path.count)));
    return labelled(Tone::strong, "reached",
                    fmt::format("{} of {} rare paths: {}", texts.size(), result.reached.size(),
                                fmt::join(texts, ", ")),
                    look);
}

std::string behaviours_text(const Exploration& result, const Look& look) {
    std::string text = fmt::format("{} distinct", grouped(result.new_behaviours.size()));
    const std::string last = counted(result.tried / 10, "attempt");
    const std::uint64_t late = result.new_of_late();
    if (result.scope.end == Scope::End::reached) {
        text += ", and there is nothing left to try";
    } else if (result.tried < 10) {
        text += ", too few attempts to tell whether more would appear";
    } else if (late == 0) {
        text += fmt::format(", none of them new in the last {}", last);
    } else {
        text +=
            fmt::format(", {} of them new in the last {}: more would appear", grouped(late), last);
    }
    return labelled(Tone::strong, "behaviours", text, look);
}

std::string breaches_text(const std::vector<ReplayableBreach>& breaches, const Look& look) {
    std::string text;
    for (const ReplayableBreach& breach : breaches) {
        text += painted(Tone::strong, breach.promise, look) + "\n";
        // Command lines are not wrapped: they are to be copied.
        for (const std::string& command : breach.commands) text += "  " + command + "\n";
        text += "  " + breach.explain + "\n";
        if (breach.explanation)
            text += "\n" + explanation_lines(*breach.explanation, look, 2) + "\n";
    }
    return text.empty() ? text : text + "\n";
}

std::string judgement_text(const ExplorationJudgement& judgement, const Look& look) {
    using Outcome = ExplorationJudgement::Outcome;
    std::string_view label = "as expected";
    Tone tone = Tone::good;
    if (judgement.outcome == Outcome::wrong) label = "FAIL", tone = Tone::bad;
    if (judgement.outcome == Outcome::inconclusive) label = "UNPROVEN", tone = Tone::uncertain;
    std::string text = painted(tone, label, look);
    if (judgement.sentences.empty()) return text + "\n";
    text += ":\n";
    for (const std::string& sentence : judgement.sentences)
        text += paragraph("  ", "  ", 2, sentence, look);
    return text;
}

}  // namespace

std::string exploration_text(const Explored& explored,
                             const std::vector<ReplayableBreach>& breaches, const Look& look) {
    const Exploration& result = explored.result;
    std::string text =
        labelled(Tone::strong, "story",
                 fmt::format("{}: {}", explored.story.name, explored.story.story), look);
    text += scope_text(explored, look);
    text += behaviours_text(result, look);
    text += paths_text(result, look) + "\n";
    text += tables_text(result, look);
    text += hits_text(result, look);
    text += promises_text(result, look);
    text += breaches_text(breaches, look);
    text += fmt::format("{} of {} in {:.1f} s, fingerprint {}\n", counted(result.tried, "attempt"),
                        explored.strategy, result.seconds, fingerprint_text(result.fingerprint));
    return text + judgement_text(judge(explored), look);
}

}  // namespace redeliver::reports
