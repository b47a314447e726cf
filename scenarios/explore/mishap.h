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
    crash,          ///< the process dies and is back after 2 s
    lose_machine,   ///< the same, and nothing says farewell to its servers
    under_request,  ///< a pause for a little less than a request may take
    short_pause,    ///< for a little longer than that
    under_idle,     ///< a pause for a little less than the idle threshold
    long_pause,     ///< for a little longer than that
    under_lease,    ///< a pause for a little less than a lease lives
    over_lease,     ///< for a little longer than that
    slow,           ///< work takes four times as long
    redeploy,       ///< a worker is replaced by one of another consumer name
    resubmit,       ///< a user submits all again, four times at once
    // of its connections
    reset,         ///< all connections to servers
    half_open,     ///< the same, and the servers do not know
    lose_request,  ///< on the wire
    lose_reply,    ///< on the wire: it was applied
    cut_requests,  ///< nothing reaches the server for a while
    cut_replies,   ///< nothing comes from the server for a while
    cut_off,       ///< neither for a while
    latency,       ///< so long that its requests come back too late
    // of the server that is asked
    crash_server,      ///< the process dies and is back after 2 s
    lose_server,       ///< the machine: what was not flushed is lost
    fail_over_server,  ///< to a replica that lags behind
    pause_server,      ///< for a little longer than a request may take
    reset_server,      ///< all connections of clients
    clock_forward,     ///< by a little more than the idle threshold
    clock_back,        ///< by as much
    clock_fast,        ///< gains half a second each second for a while
    clock_slow,        ///< loses as much
    // what operators and others do to it
    limit_memory,      ///< the broker refuses whatever might take more memory
    trim_stream,       ///< of the broker's stream nothing is kept
    delete_consumer,   ///< of the worker that performs it, or of the first
    destroy_group,     ///< with what is pending
    group_to_start,    ///< XGROUP SETID 0
    group_to_end,      ///< XGROUP SETID $
    hold_locks,        ///< of all runs in the database, for a while
    take_connections,  ///< all that the database has left, for a while
};

inline constexpr std::size_t mishap_count = static_cast<std::size_t>(Mishap::take_connections) + 1;

/// What a mishap is of: each has a table of its own.
enum class Victim : std::uint8_t { performer, connections, server, operated };

struct MishapInfo {
    Mishap mishap;
    Victim victim;
    std::string_view name;     ///< `crash_server`
    std::string_view heading;  ///< A word or two, for a column: `crash`
};

/// All of them, in their order.
std::span<const MishapInfo> mishaps();
const MishapInfo& info_of(Mishap mishap);

/// All that mean something to a system: without leases, none that is about these.
std::vector<Mishap> mishaps_of(const System& system);

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
