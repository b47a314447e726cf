#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "scenarios/case.h"

namespace redeliver::scenarios {

/// The ways in which a case is made simpler, in the order in which they are tried.
enum class MoveKind : std::uint8_t {
    drop_fault,
    drop_message,    ///< and the faults that name a run of it
    keep_few,        ///< only one fault or two, or only one message or two, of up to 16
    plain_message,   ///< healthy, submitted once, of user 1, without a work time of its own
    drop_actor,      ///< one gateway, worker, user or relay fewer, or all but one
    plain_schedule,  ///< no schedule, or one pick fewer, or one that overtakes fewer
    earlier_fault,   ///< at an earlier instant, or an earlier occurrence of its operation
    round_time       ///< instants and durations with fewer digits
};
inline constexpr std::size_t move_kinds = 8;

/// One way to make a case simpler. Every move leads to a case that is less in a fixed order
/// (faults, then messages, then actors, then picks, then occurrences, digits and instants), so no
/// sequence of them goes on for ever. A move may change what the trial does in any way: whether it
/// helped is for a trial to say.
struct Move {
    MoveKind kind;
    std::function<void(Case&)> make;
};

/// Every move of a kind that the case allows, the boldest first. Actors are dropped only where
/// nothing in the plan names them, and policies are left alone: to take the republisher away, say,
/// would break promises by itself.
std::vector<Move> moves_of(const Case& from, MoveKind kind);

/// Takes `count` faults, or messages with the faults that name their runs, out of the plan.
void drop_faults(Case& from, std::size_t first, std::size_t count);
void drop_messages(Case& from, std::size_t first, std::size_t count);
/// The same of the picks of its schedule; without any there is none.
void drop_picks(Case& from, std::size_t first, std::size_t count);

/// Positions, from 0.
using Choice = std::set<std::size_t>;
/// Drops all faults, or all messages with the faults that name their runs, but those chosen.
void keep_faults(Case& from, const Choice& kept);
void keep_messages(Case& from, const Choice& kept);
/// Every choice of one or two things of so many, the single ones first.
std::vector<Choice> choices_of_few(std::size_t size);

}  // namespace redeliver::scenarios
