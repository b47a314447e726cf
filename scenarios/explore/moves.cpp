#include "scenarios/explore/moves.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "model/subjects.h"
#include "scenarios/explore/round_times.h"
#include "scenarios/node_names.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

/// The message whose run a fault strikes at; nothing when it is a node or an instant.
std::optional<std::uint32_t> message_named_by(const sim::Fault& fault) {
    const auto* const step = std::get_if<sim::AtStep>(&fault.when);
    if (step == nullptr) return {};
    const auto subject = sim::parse_subject(model::run_series(), step->subject);
    if (!subject) return {};
    return sim::number_of(*subject);
}

// ------------------------------------------------------------------ actors

/// Nodes that the faults of a plan name, so that they have to be there.
std::set<std::string> named_nodes(const Plan& plan) {
    std::set<std::string> names;
    for (const sim::Fault& fault : plan.faults) {
        names.insert(fault.target);
        if (const auto* const step = std::get_if<sim::AtStep>(&fault.when)) {
            names.insert(step->subject);
            names.insert(step->node);
        }
        if (const auto* const partition = std::get_if<sim::Partition>(&fault.what))
            names.insert(partition->to);
    }
    return names;
}

struct Actors {
    std::string name;
    std::uint32_t& (*count)(System&);
};

std::vector<Actors> actors_of(const System& system) {
    return {{system.worker.name, [](System& of) -> std::uint32_t& { return of.worker.count; }},
            {system.gateway.name, [](System& of) -> std::uint32_t& { return of.gateway.count; }},
            {system.users.name, [](System& of) -> std::uint32_t& { return of.users.count; }},
            {system.relay.name, [](System& of) -> std::uint32_t& { return of.relay.count; }}};
}

/// The last of these actors that is named, at least 1.
std::uint32_t last_named(const Actors& actors, std::uint32_t count,
                         const std::set<std::string>& names) {
    for (std::uint32_t number = count; number > 1; --number)
        if (names.contains(numbered(actors.name, number))) return number;
    return 1;
}

void add_actor_moves(const Case& from, std::vector<Move>& moves) {
    System system = from.scenario.system;
    std::set<std::string> names = named_nodes(from.plan);
    for (const Message& message : from.plan.messages)
        names.insert(numbered(system.users.name, message.user));
    for (const Actors& actors : actors_of(system)) {
        const std::uint32_t count = actors.count(system);
        const std::uint32_t least = last_named(actors, count, names);
        std::set<std::uint32_t> fewer = {least, (least + count) / 2, count - 1};
        for (const std::uint32_t wanted : fewer)
            if (wanted >= least && wanted < count)
                moves.push_back({MoveKind::drop_actor, [count_of = actors.count, wanted](Case& of) {
                                     count_of(of.scenario.system) = wanted;
                                 }});
    }
}

// ------------------------------------------------------------------ faults and messages

void add_removals(MoveKind kind, std::size_t size, void (*drop)(Case&, std::size_t, std::size_t),
                  std::vector<Move>& moves) {
    for (std::size_t index = 0; index < size; ++index)
        moves.push_back({kind, [drop, index](Case& from) { drop(from, index, 1); }});
}

constexpr std::size_t most_to_choose_from = 16;

/// What dropping a single one tries as well is left out.
void add_choices(std::size_t size, void (*keep)(Case&, const Choice&), std::vector<Move>& moves) {
    if (size > most_to_choose_from) return;
    for (const Choice& choice : choices_of_few(size))
        if (choice.size() + 1 < size)
            moves.push_back(
                {MoveKind::keep_few, [keep, choice](Case& from) { keep(from, choice); }});
}

/// A message with one thing less to it; equal to the old one where that was plain already.
std::vector<Message> plainer(const Message& message) {
    std::vector<Message> all(6, message);
    all[0].content = model::Content::healthy;
    all[0].failures = 0;
    all[1].submissions = 1;
    all[2].user = 1;
    all[3].work_time.reset();
    all[4].failures = std::min(message.failures, 1u);
    if (message.submissions > 2) all[5].submissions = message.submissions - 1;
    return all;
}

void add_plain_messages(const Case& from, std::vector<Move>& moves) {
    for (std::size_t index = 0; index < from.plan.messages.size(); ++index)
        for (const Message& plain : plainer(from.plan.messages[index]))
            if (plain != from.plan.messages[index])
                moves.push_back({MoveKind::plain_message, [index, plain](Case& changed) {
                                     changed.plan.messages[index] = plain;
                                 }});
}

// ------------------------------------------------------------------ the schedule

void add_plain_schedules(const Case& from, std::vector<Move>& moves) {
    const sim::Schedule& schedule = from.plan.schedule;
    if (schedule.is_none()) return;
    moves.push_back({MoveKind::plain_schedule, [](Case& changed) { changed.plan.schedule = {}; }});
    for (std::size_t index = 0; index < schedule.picks.size(); ++index)
        moves.push_back(
            {MoveKind::plain_schedule, [index](Case& changed) { drop_picks(changed, index, 1); }});
    for (std::size_t index = 0; index < schedule.picks.size(); ++index)
        for (std::uint32_t fewer = 1; fewer < schedule.picks[index].take; ++fewer)
            moves.push_back({MoveKind::plain_schedule, [index, fewer](Case& changed) {
                                 changed.plan.schedule.picks[index].take = fewer;
                             }});
}

// ------------------------------------------------------------------ earlier

void add_earlier(std::size_t index, const sim::AtStep& step, std::vector<Move>& moves) {
    const std::set<std::uint32_t> earlier = {1, step.occurrence / 2, step.occurrence - 1};
    for (const std::uint32_t occurrence : earlier)
        if (occurrence >= 1 && occurrence < step.occurrence)
            moves.push_back({MoveKind::earlier_fault, [index, occurrence](Case& changed) {
                                 sim::When& when = changed.plan.faults[index].when;
                                 std::get<sim::AtStep>(when).occurrence = occurrence;
                             }});
}

void add_earlier(std::size_t index, const sim::AtInstant& instant, std::vector<Move>& moves) {
    for (const Duration earlier : earlier_times(instant.at.time_since_epoch()))
        moves.push_back({MoveKind::earlier_fault, [index, earlier](Case& changed) {
                             changed.plan.faults[index].when = sim::AtInstant{sim::at(earlier)};
                         }});
}

void add_earlier_faults(const Case& from, std::vector<Move>& moves) {
    for (std::size_t index = 0; index < from.plan.faults.size(); ++index)
        std::visit([&](const auto& when) { add_earlier(index, when, moves); },
                   from.plan.faults[index].when);
}

void add_round_times(const Case& from, std::vector<Move>& moves) {
    const std::vector<Duration> times = times_of(from.plan);
    for (std::size_t index = 0; index < times.size(); ++index)
        for (const Duration rounder : rounder_times(times[index]))
            moves.push_back({MoveKind::round_time, [index, rounder](Case& changed) {
                                 set_time(changed.plan, index, rounder);
                             }});
}

}  // namespace

void drop_faults(Case& from, std::size_t first, std::size_t count) {
    sim::FaultPlan& faults = from.plan.faults;
    sim::ensure(first + count <= faults.size(), "only faults of the plan are dropped");
    const auto begin = faults.begin() + static_cast<std::ptrdiff_t>(first);
    faults.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
}

void drop_messages(Case& from, std::size_t first, std::size_t count) {
    std::vector<Message>& messages = from.plan.messages;
    sim::ensure(first + count <= messages.size(), "only messages of the plan are dropped");
    const auto begin = messages.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::set<std::uint32_t> dropped;
    for (auto message = begin; message != end; ++message) dropped.insert(message->number);
    messages.erase(begin, end);
    // Such a fault could strike nothing any more, and a file may not name what is not there.
    std::erase_if(from.plan.faults, [&](const sim::Fault& fault) {
        const auto named = message_named_by(fault);
        return named && dropped.contains(*named);
    });
}

void drop_picks(Case& from, std::size_t first, std::size_t count) {
    std::vector<sim::Pick>& picks = from.plan.schedule.picks;
    sim::ensure(first + count <= picks.size(), "only picks of the schedule are dropped");
    const auto begin = picks.begin() + static_cast<std::ptrdiff_t>(first);
    picks.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    if (picks.empty()) from.plan.schedule = {};
}

void keep_faults(Case& from, const Choice& kept) {
    for (std::size_t fault = from.plan.faults.size(); fault-- > 0;)
        if (!kept.contains(fault)) drop_faults(from, fault, 1);
}

void keep_messages(Case& from, const Choice& kept) {
    for (std::size_t message = from.plan.messages.size(); message-- > 0;)
        if (!kept.contains(message)) drop_messages(from, message, 1);
}

std::vector<Choice> choices_of_few(std::size_t size) {
    std::vector<Choice> choices;
    for (std::size_t only = 0; only < size; ++only) choices.push_back({only});
    for (std::size_t one = 0; one < size; ++one)
        for (std::size_t other = one + 1; other < size; ++other) choices.push_back({one, other});
    return choices;
}

std::vector<Move> moves_of(const Case& from, MoveKind kind) {
    std::vector<Move> moves;
    const Plan& plan = from.plan;
    switch (kind) {
    case MoveKind::drop_fault: add_removals(kind, plan.faults.size(), &drop_faults, moves); break;
    case MoveKind::drop_message:
        // Nothing can be shown without any message.
        if (plan.messages.size() > 1)
            add_removals(kind, plan.messages.size(), &drop_messages, moves);
        break;
    case MoveKind::keep_few:
        add_choices(plan.faults.size(), &keep_faults, moves);
        add_choices(plan.messages.size(), &keep_messages, moves);
        break;
    case MoveKind::plain_message: add_plain_messages(from, moves); break;
    case MoveKind::drop_actor: add_actor_moves(from, moves); break;
    case MoveKind::plain_schedule: add_plain_schedules(from, moves); break;
    case MoveKind::earlier_fault: add_earlier_faults(from, moves); break;
    case MoveKind::round_time: add_round_times(from, moves); break;
    }
    return moves;
}

}  // namespace redeliver::scenarios
