#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/explore/site.h"
#include "scenarios/scenario.h"
#include "sim/fault.h"

namespace redeliver::scenarios {

/// A kind of fault with its target and its lengths settled, so that it can be tried at every step
/// at which it applies.
enum class Mishap : std::uint8_t {
    // of whoever performs the operation
    crash,         ///< the process dies and is back after 2 s
    lose_machine,  ///< the same, and nothing says farewell to its servers
    short_pause,   ///< for a little longer than a request may take
    long_pause,    ///< for a little longer than the idle threshold
    slow,          ///< work takes four times as long
    reset,         ///< all connections to servers
    lose_request,  ///< on the wire
    lose_reply,    ///< on the wire: it was applied
    cut_requests,  ///< nothing reaches the server for a while
    cut_replies,   ///< nothing comes from the server for a while
    // of the server that is asked
    crash_server,      ///< the process dies and is back after 2 s
    lose_server,       ///< the machine: what was not flushed is lost
    fail_over_server,  ///< to a replica that lags behind
    pause_server,      ///< for a little longer than a request may take
    reset_server,      ///< all connections of clients
    clock_forward,     ///< by a little more than the idle threshold
    clock_back         ///< by as much
};

inline constexpr std::size_t mishap_count = static_cast<std::size_t>(Mishap::clock_back) + 1;

enum class Victim : std::uint8_t { performer, server };

struct MishapInfo {
    Mishap mishap;
    Victim victim;
    std::string_view name;      ///< `crash_server`
    std::string_view heading;   ///< One short word, for a column: `crash`
    std::string_view sentence;  ///< What happens, with its lengths in words.
};

/// All of them, in their order.
std::span<const MishapInfo> mishaps();

/// The points of an operation at which a fault can strike.
std::span<const sim::Point> points_of(Site::What what);

/// `before_send`, …, as case files say it.
std::string_view text(sim::Point point);

/// Whether this can happen there at all, whatever comes of it. Machines and replicas are those of
/// the broker and the database; clocks too, since only they go by theirs.
bool applies(Mishap mishap, const Site& site, sim::Point point);

/// The fault itself: at this site of a trial, with the lengths that the scenario asks for.
/// `texts` reads the numbers of the site.
sim::Fault fault_at(const Site& site, sim::Point point, Mishap mishap, const Scenario& scenario,
                    const Recording& texts);

/// For how long the longest of them lasts.
Duration longest_mishap(const Scenario& scenario);

}  // namespace redeliver::scenarios
