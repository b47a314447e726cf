// Sorted sets; and as much of lists and sets as puts one on a key.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/redis/call.h"

namespace redeliver::model::redis {
namespace {

/// A value of the type asked for, or why there is none.
template <typename Type>
struct Found {
    Type* held = nullptr;
    bool is_other_type = false;
};

template <typename Type>
Found<Type> find_held(Call& call, const std::string& key) {
    Value* const value = call.keys.find(key);
    if (!value) return {};
    Type* const held = std::get_if<Type>(&value->held);
    return {.held = held, .is_other_type = held == nullptr};
}

template <typename Type>
Type& create(Call& call, const std::string& key) {
    Value value;
    value.held.emplace<Type>();
    return std::get<Type>(call.keys.add(key, std::move(value)).held);
}

ScoreReply reply_of(const Call& call, Score score) {
    return {.value = score, .text = to_text(score, call.configuration.version)};
}

Members::Row row_of(const Call& call, const SortedSet::Member& member, Members::Form form) {
    Members::Row row{.member = member.second, .score = {}};
    if (form != Members::Form::members) row.score = reply_of(call, member.first);
    return row;
}

/// What one score-member pair of ZADD came to.
struct Outcome {
    enum class What : std::uint8_t { added, moved, stayed, prevented, not_a_number };
    What what;
    Score score = 0;
};

/// Source: zsetAdd in redis/src/t_zset.c (7.0.15).
Outcome put(SortedSet& set, const Zadd& command, const SortedSet::Member& wanted) {
    using What = Outcome::What;
    Score score = wanted.first;
    const auto before = set.score_of(wanted.second);
    if (!before) {
        if (command.condition == Zadd::Condition::if_present) return {What::prevented};
        set.put(wanted.second, score);
        return {What::added, score};
    }
    if (command.condition == Zadd::Condition::if_absent) return {What::prevented};
    if (command.mode == Zadd::Mode::increment) score += *before;
    if (std::isnan(score)) return {What::not_a_number};
    if (command.moves == Zadd::Moves::upwards && score <= *before) return {What::prevented};
    if (command.moves == Zadd::Moves::downwards && score >= *before) return {What::prevented};
    if (score == *before) return {What::stayed, score};
    set.put(wanted.second, score);
    return {What::moved, score};
}

void remove_if_empty(Call& call, const std::string& key, const SortedSet& set) {
    if (set.empty()) remove_key(call, key, KeyRemoved::Cause::deleted);
}

std::vector<SortedSet::Member> by_rank(const SortedSet& set, const RankRange& ranks,
                                       Zrange::Order order) {
    const auto length = static_cast<std::int64_t>(set.size());
    const auto counted = [length](std::int64_t rank) { return rank < 0 ? rank + length : rank; };
    const std::int64_t first = std::max<std::int64_t>(counted(ranks.first), 0);
    const std::int64_t last = std::min(counted(ranks.last), length - 1);
    if (first > last) return {};
    const auto& all = set.members();
    if (order == Zrange::Order::descending)
        return {std::next(all.rbegin(), first), std::next(all.rbegin(), last + 1)};
    return {std::next(all.begin(), first), std::next(all.begin(), last + 1)};
}

std::vector<SortedSet::Member> by_score(const SortedSet& set, const ScoreRange& scores,
                                        Zrange::Order order) {
    const auto [begin, end] = set.between(scores.min, scores.max);
    std::vector<SortedSet::Member> members(begin, end);
    if (order == Zrange::Order::descending) std::reverse(members.begin(), members.end());
    const auto size = static_cast<std::int64_t>(members.size());
    if (scores.offset < 0 || scores.offset >= size) return {};
    members.erase(members.begin(), members.begin() + scores.offset);
    if (scores.count >= 0 && scores.count < size - scores.offset)
        members.resize(static_cast<std::size_t>(scores.count));
    return members;
}

}  // namespace

Reply execute(Call& call, const Zadd& command) {
    auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    const bool increments = command.mode == Zadd::Mode::increment;
    if (!set) {
        if (command.condition == Zadd::Condition::if_present)
            return increments ? Reply(Nil{}) : Reply(std::int64_t{0});
        set = &create<SortedSet>(call, command.key);
    }
    std::int64_t added = 0;
    std::int64_t moved = 0;
    Outcome last{Outcome::What::prevented};
    for (const SortedSet::Member& member : command.members) {
        last = put(*set, command, member);
        if (last.what == Outcome::What::not_a_number) return Refused{Refusal::score_not_a_number};
        if (last.what == Outcome::What::added) ++added;
        if (last.what == Outcome::What::moved) ++moved;
    }
    if (added + moved > 0) {
        call.written(command.key);
        if (call.is_logged()) call.propagate(command);
    }
    if (!increments) return command.answer == Zadd::Answer::changed ? added + moved : added;
    return last.what == Outcome::What::prevented ? Reply(Nil{}) : Reply(reply_of(call, last.score));
}

Reply execute(Call& call, const Zrem& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!set) return std::int64_t{0};
    std::int64_t removed = 0;
    for (const std::string& member : command.members)
        if (set->erase(member)) ++removed;
    if (removed == 0) return removed;
    remove_if_empty(call, command.key, *set);
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return removed;
}

Reply execute(Call& call, const Zcard& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    return set ? static_cast<std::int64_t>(set->size()) : 0;
}

Reply execute(Call& call, const Zscore& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    const auto score = set ? set->score_of(command.member) : std::nullopt;
    return score ? Reply(reply_of(call, *score)) : Reply(Nil{});
}

Reply execute(Call& call, const Zcount& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!set) return std::int64_t{0};
    const auto [begin, end] = set->between(command.min, command.max);
    return static_cast<std::int64_t>(std::distance(begin, end));
}

Reply execute(Call& call, const Zrange& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    Members reply;
    if (command.answer == Zrange::Answer::with_scores) reply.form = Members::Form::pairs;
    if (!set) return reply;
    const auto* const ranks = std::get_if<RankRange>(&command.range);
    const auto members = ranks ? by_rank(*set, *ranks, command.order)
                               : by_score(*set, std::get<ScoreRange>(command.range), command.order);
    for (const auto& member : members) reply.rows.push_back(row_of(call, member, reply.form));
    return reply;
}

Reply execute(Call& call, const Zpopmin& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    Members reply{.form = command.count ? Members::Form::pairs : Members::Form::flat_pairs};
    if (!set) return reply;
    const std::uint64_t count = command.count.value_or(1);
    while (!set->empty() && reply.rows.size() < count) {
        const SortedSet::Member least = *set->members().begin();
        reply.rows.push_back(row_of(call, least, reply.form));
        set->erase(least.second);
    }
    if (reply.rows.empty()) return reply;
    remove_if_empty(call, command.key, *set);
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return reply;
}

Reply execute(Call& call, const Zremrangebyscore& command) {
    const auto [set, is_other_type] = find_held<SortedSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!set) return std::int64_t{0};
    const auto [begin, end] = set->between(command.min, command.max);
    const std::vector<SortedSet::Member> doomed(begin, end);
    if (doomed.empty()) return std::int64_t{0};
    for (const SortedSet::Member& member : doomed) set->erase(member.second);
    remove_if_empty(call, command.key, *set);
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return static_cast<std::int64_t>(doomed.size());
}

Reply execute(Call& call, const Push& command) {
    auto [list, is_other_type] = find_held<StringList>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!list) list = &create<StringList>(call, command.key);
    for (const std::string& element : command.elements) {
        if (command.end == Push::End::head)
            list->push_front(element);
        else
            list->push_back(element);
    }
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return static_cast<std::int64_t>(list->size());
}

Reply execute(Call& call, const Sadd& command) {
    auto [set, is_other_type] = find_held<StringSet>(call, command.key);
    if (is_other_type) return Refused{Refusal::wrong_type};
    if (!set) set = &create<StringSet>(call, command.key);
    std::int64_t added = 0;
    for (const std::string& member : command.members)
        if (set->insert(member).second) ++added;
    if (added == 0) return added;
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return added;
}

Reply execute(Call& call, const Type& command) {
    const Value* const value = call.keys.find(command.key);
    return Status{value ? std::string(value->type()) : "none"};
}

}  // namespace redeliver::model::redis
