#include "scenarios/explore/mishap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/node_names.h"
#include "scenarios/orders.h"
#include "scenarios/services/broker_client.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using sim::Point;

constexpr std::array<MishapInfo, mishap_count> infos = {{
    {Mishap::crash, Victim::performer, "crash", "crash"},
    {Mishap::lose_machine, Victim::performer, "lose_machine", "machine"},
    {Mishap::under_request, Victim::performer, "under_request", "<request"},
    {Mishap::short_pause, Victim::performer, "short_pause", ">request"},
    {Mishap::under_idle, Victim::performer, "under_idle", "<idle"},
    {Mishap::long_pause, Victim::performer, "long_pause", ">idle"},
    {Mishap::under_lease, Victim::performer, "under_lease", "<lease"},
    {Mishap::over_lease, Victim::performer, "over_lease", ">lease"},
    {Mishap::slow, Victim::performer, "slow", "slow"},
    {Mishap::redeploy, Victim::performer, "redeploy", "deploy"},
    {Mishap::resubmit, Victim::performer, "resubmit", "storm"},
    {Mishap::reset, Victim::connections, "reset", "reset"},
    {Mishap::half_open, Victim::connections, "half_open", "half-open"},
    {Mishap::lose_request, Victim::connections, "lose_request", "lost"},
    {Mishap::lose_reply, Victim::connections, "lose_reply", "lost"},
    {Mishap::cut_requests, Victim::connections, "cut_requests", "cut to"},
    {Mishap::cut_replies, Victim::connections, "cut_replies", "cut from"},
    {Mishap::cut_off, Victim::connections, "cut_off", "cut off"},
    {Mishap::latency, Victim::connections, "latency", "latency"},
    {Mishap::crash_server, Victim::server, "crash_server", "crash"},
    {Mishap::lose_server, Victim::server, "lose_server", "machine"},
    {Mishap::fail_over_server, Victim::server, "fail_over_server", "failover"},
    {Mishap::pause_server, Victim::server, "pause_server", "pause"},
    {Mishap::reset_server, Victim::server, "reset_server", "reset"},
    {Mishap::clock_forward, Victim::server, "clock_forward", "clock +"},
    {Mishap::clock_back, Victim::server, "clock_back", "clock -"},
    {Mishap::clock_fast, Victim::server, "clock_fast", "fast"},
    {Mishap::clock_slow, Victim::server, "clock_slow", "slow"},
    {Mishap::limit_memory, Victim::operated, "limit_memory", "memory"},
    {Mishap::trim_stream, Victim::operated, "trim_stream", "trim"},
    {Mishap::delete_consumer, Victim::operated, "delete_consumer", "consumer"},
    {Mishap::destroy_group, Victim::operated, "destroy_group", "group"},
    {Mishap::group_to_start, Victim::operated, "group_to_start", "to 0"},
    {Mishap::group_to_end, Victim::operated, "group_to_end", "to $"},
    {Mishap::hold_locks, Victim::operated, "hold_locks", "locks"},
    {Mishap::take_connections, Victim::operated, "take_connections", "conns"},
}};

Duration longer_than_a_request(const Scenario& scenario) {
    return std::max(scenario.system.gateway.timeout, scenario.system.worker.timeout) + 100ms;
}

Duration longer_than_idle(const Scenario& scenario) {
    return scenario.system.worker.idle_threshold + 1s;
}

/// Short of a threshold by so much, or by half where it is not longer than that.
Duration less_than(Duration threshold, Duration by) {
    return std::max(threshold - by, threshold / 2);
}

Duration less_than_a_request(const Scenario& scenario) {
    return less_than(std::min(scenario.system.gateway.timeout, scenario.system.worker.timeout),
                     100ms);
}

bool is_store(sim::NodeId server) { return server == broker_node || server == database_node; }

bool applies_to_server(Mishap mishap, const Site& site, Point point) {
    if (site.what != Site::What::request) return false;
    if (point != Point::before_apply && point != Point::after_apply) return false;
    switch (mishap) {
    case Mishap::crash_server:
    case Mishap::pause_server:
    case Mishap::reset_server: return true;
    case Mishap::limit_memory:
    case Mishap::trim_stream:
    case Mishap::delete_consumer:
    case Mishap::destroy_group:
    case Mishap::group_to_start:
    case Mishap::group_to_end: return site.server == broker_node;
    case Mishap::hold_locks:
    case Mishap::take_connections: return site.server == database_node;
    default: return is_store(site.server);
    }
}

bool strikes_server(Mishap mishap) {
    const Victim victim = info_of(mishap).victim;
    return victim == Victim::server || victim == Victim::operated;
}

sim::What pause_of(Mishap mishap, const Scenario& scenario) {
    const Worker& worker = scenario.system.worker;
    switch (mishap) {
    case Mishap::under_request: return sim::Pause{less_than_a_request(scenario)};
    case Mishap::under_idle: return sim::Pause{less_than(worker.idle_threshold, 1s)};
    case Mishap::long_pause: return sim::Pause{longer_than_idle(scenario)};
    case Mishap::under_lease: return sim::Pause{less_than(worker.lease_time, 1s)};
    case Mishap::over_lease: return sim::Pause{worker.lease_time + 1s};
    default: return sim::Pause{longer_than_a_request(scenario)};
    }
}

/// What is told to somebody, who obeys for so long where that matters.
sim::What order_of(Mishap mishap, const Scenario& scenario, const std::string& consumer) {
    using sim::Order;
    const Duration a_while = scenario.faults.longest;
    const auto group = [](std::string_view what, std::string_view rest = {}) {
        return Order{fmt::format("XGROUP {} {} {}{}", what, keys::runs, keys::workers, rest), {}};
    };
    switch (mishap) {
    case Mishap::redeploy: return Order{std::string(orders::restart_renamed), 2s};
    case Mishap::resubmit: return Order{orders::submit_again(4), {}};
    case Mishap::limit_memory: return Order{orders::limit_memory(1), a_while};
    case Mishap::trim_stream: return Order{fmt::format("XTRIM {} MAXLEN 0", keys::runs), {}};
    case Mishap::delete_consumer: return group("DELCONSUMER", " " + consumer);
    case Mishap::destroy_group: return group("DESTROY");
    case Mishap::group_to_start: return group("SETID", " 0");
    case Mishap::group_to_end: return group("SETID", " $");
    case Mishap::hold_locks: return Order{std::string(orders::hold_locks), a_while};
    default: return Order{std::string(orders::take_connections), a_while};
    }
}

sim::What what_of(Mishap mishap, const Scenario& scenario, const std::string& performer,
                  const std::string& server) {
    using sim::CrashOf;
    const Duration a_while = scenario.faults.longest;
    switch (mishap) {
    case Mishap::crash:
    case Mishap::crash_server: return sim::Crash{};
    case Mishap::lose_machine:
    case Mishap::lose_server: return sim::Crash{.of = CrashOf::machine};
    case Mishap::under_request:
    case Mishap::short_pause:
    case Mishap::under_idle:
    case Mishap::long_pause:
    case Mishap::under_lease:
    case Mishap::over_lease:
    case Mishap::pause_server: return pause_of(mishap, scenario);
    case Mishap::slow: return sim::Slow{.lasts = longer_than_idle(scenario)};
    case Mishap::reset:
    case Mishap::reset_server: return sim::Reset{};
    case Mishap::half_open: return sim::HalfOpen{};
    case Mishap::lose_request:
    case Mishap::lose_reply: return sim::Drop{};
    case Mishap::cut_requests: return sim::Partition{server, a_while};
    case Mishap::cut_replies: return sim::Partition{performer, a_while};
    case Mishap::cut_off: return sim::Partition{server, a_while, sim::Ways::both};
    case Mishap::latency: return sim::Latency{longer_than_a_request(scenario) / 2, a_while};
    case Mishap::fail_over_server: return sim::Failover{scenario.faults.replica_lag};
    case Mishap::clock_forward: return sim::ClockStep{longer_than_idle(scenario)};
    case Mishap::clock_back: return sim::ClockStep{-longer_than_idle(scenario)};
    case Mishap::clock_fast: return sim::ClockDrift{sim::max_drift, a_while};
    case Mishap::clock_slow: return sim::ClockDrift{-sim::max_drift, a_while};
    default: break;
    }
    const bool is_worker = role_of(scenario.system, performer) == Role::worker;
    return order_of(mishap, scenario,
                    is_worker ? performer : numbered(scenario.system.worker.name, 1));
}

}  // namespace

std::span<const MishapInfo> mishaps() { return infos; }

const MishapInfo& info_of(Mishap mishap) { return infos[static_cast<std::size_t>(mishap)]; }

std::vector<Mishap> mishaps_of(const System& system) {
    std::vector<Mishap> all;
    for (const MishapInfo& info : infos) {
        const bool is_about_leases =
            info.mishap == Mishap::under_lease || info.mishap == Mishap::over_lease;
        if (!is_about_leases || uses_leases(system.worker.deduplicate)) all.push_back(info.mishap);
    }
    return all;
}

std::span<const Point> points_of(Site::What what) {
    static constexpr std::array request = {Point::before_send, Point::before_apply,
                                           Point::after_apply, Point::after_reply};
    static constexpr std::array refusal = {Point::before_send};
    static constexpr std::array work = {Point::start, Point::middle, Point::end};
    switch (what) {
    case Site::What::request: return request;
    case Site::What::refusal: return refusal;
    case Site::What::work: return work;
    }
    return {};
}

std::string_view text(Point point) {
    static constexpr std::array<std::string_view, 7> texts = {
        "before_send", "before_apply", "after_apply", "after_reply", "start", "middle", "end"};
    return texts[static_cast<std::size_t>(point)];
}

bool applies(Mishap mishap, const Site& site, Point point) {
    if (strikes_server(mishap)) return applies_to_server(mishap, site, point);
    const bool is_request = site.what == Site::What::request;
    switch (mishap) {
    case Mishap::slow: return site.what == Site::What::work;
    case Mishap::redeploy: return site.role == Role::worker;
    case Mishap::resubmit: return site.role == Role::user;
    case Mishap::lose_request:
        return is_request && (point == Point::before_send || point == Point::before_apply);
    case Mishap::lose_reply: return is_request && point == Point::after_apply;
    case Mishap::cut_requests:
    case Mishap::cut_replies:
    case Mishap::cut_off: return is_request;
    default: return true;
    }
}

sim::Fault fault_at(const Site& site, Point point, Mishap mishap, const Scenario& scenario,
                    const Recording& texts) {
    sim::ensure(applies(mishap, site, point), "a mishap is tried where it applies");
    const std::string performer{texts.text(site.performer)};
    const std::string server{site.server == sim::NodeId::none ? std::string_view{}
                                                              : texts.text(site.server)};
    sim::Fault fault{.when = sim::AtStep{.operation = texts.operations[site.address.operation],
                                         .subject = texts.text(site.address.subject),
                                         .occurrence = site.address.occurrence,
                                         .point = point},
                     .what = what_of(mishap, scenario, performer, server)};
    if (strikes_server(mishap) || mishap == Mishap::cut_replies) fault.target = server;
    // Whoever is told something is named.
    if (mishap == Mishap::redeploy || mishap == Mishap::resubmit) fault.target = performer;
    return fault;
}

Duration longest_mishap(const Scenario& scenario) {
    const Worker& worker = scenario.system.worker;
    const Duration lease = uses_leases(worker.deduplicate) ? worker.lease_time + 1s : 0s;
    return std::max({longer_than_idle(scenario), lease, scenario.faults.longest});
}

}  // namespace redeliver::scenarios
