#include "scenarios/explore/mishap.h"

#include <algorithm>
#include <array>

#include "scenarios/chat_world.h"
#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using sim::Point;

constexpr std::array<MishapInfo, mishap_count> infos = {{
    {Mishap::crash, Victim::performer, "crash", "crash", "its process dies, back after 2s"},
    {Mishap::lose_machine, Victim::performer, "lose_machine", "machine",
     "its machine dies without a farewell, back after 2s"},
    {Mishap::short_pause, Victim::performer, "short_pause", "pause",
     "it stops for 100ms longer than a request may take, and does not notice"},
    {Mishap::long_pause, Victim::performer, "long_pause", "long",
     "it stops for 1s longer than the idle threshold, and does not notice"},
    {Mishap::slow, Victim::performer, "slow", "slow", "its work takes four times as long"},
    {Mishap::reset, Victim::performer, "reset", "reset", "its connections to servers are reset"},
    {Mishap::lose_request, Victim::performer, "lose_request", "lost", "the request is lost"},
    {Mishap::lose_reply, Victim::performer, "lose_reply", "lost",
     "the answer is lost: the request was applied"},
    {Mishap::cut_requests, Victim::performer, "cut_requests", "cut to",
     "nothing of it reaches the server for a while"},
    {Mishap::cut_replies, Victim::performer, "cut_replies", "cut from",
     "nothing of the server reaches it for a while"},
    {Mishap::crash_server, Victim::server, "crash_server", "crash",
     "the server's process dies, back after 2s"},
    {Mishap::lose_server, Victim::server, "lose_server", "machine",
     "the server's machine dies: what was not flushed is lost"},
    {Mishap::fail_over_server, Victim::server, "fail_over_server", "failover",
     "a replica that lags behind takes the server's place"},
    {Mishap::pause_server, Victim::server, "pause_server", "pause",
     "the server stops for 100ms longer than a request may take"},
    {Mishap::reset_server, Victim::server, "reset_server", "reset",
     "all connections to the server are reset"},
    {Mishap::clock_forward, Victim::server, "clock_forward", "clock +",
     "the server's clock jumps 1s further than the idle threshold"},
    {Mishap::clock_back, Victim::server, "clock_back", "clock -",
     "the server's clock jumps back by as much"},
}};

Duration longer_than_a_request(const Scenario& scenario) {
    return std::max(scenario.system.gateway.timeout, scenario.system.worker.timeout) + 100ms;
}

Duration longer_than_idle(const Scenario& scenario) {
    return scenario.system.worker.idle_threshold + 1s;
}

bool is_store(sim::NodeId server) { return server == broker_node || server == database_node; }

bool applies_to_server(Mishap mishap, const Site& site, Point point) {
    if (site.what != Site::What::request) return false;
    if (point != Point::before_apply && point != Point::after_apply) return false;
    switch (mishap) {
    case Mishap::crash_server:
    case Mishap::pause_server:
    case Mishap::reset_server: return true;
    default: return is_store(site.server);
    }
}

sim::What what_of(Mishap mishap, const Scenario& scenario, const std::string& performer,
                  const std::string& server) {
    using sim::CrashOf;
    switch (mishap) {
    case Mishap::crash:
    case Mishap::crash_server: return sim::Crash{};
    case Mishap::lose_machine:
    case Mishap::lose_server: return sim::Crash{.of = CrashOf::machine};
    case Mishap::short_pause:
    case Mishap::pause_server: return sim::Pause{longer_than_a_request(scenario)};
    case Mishap::long_pause: return sim::Pause{longer_than_idle(scenario)};
    case Mishap::slow: return sim::Slow{.lasts = longer_than_idle(scenario)};
    case Mishap::reset:
    case Mishap::reset_server: return sim::Reset{};
    case Mishap::lose_request:
    case Mishap::lose_reply: return sim::Drop{};
    case Mishap::cut_requests: return sim::Partition{server, scenario.faults.longest};
    case Mishap::cut_replies: return sim::Partition{performer, scenario.faults.longest};
    case Mishap::fail_over_server: return sim::Failover{scenario.faults.replica_lag};
    case Mishap::clock_forward: return sim::ClockStep{longer_than_idle(scenario)};
    case Mishap::clock_back: return sim::ClockStep{-longer_than_idle(scenario)};
    }
    sim::ensure(false, "every mishap is a fault");
    return sim::Drop{};
}

}  // namespace

std::span<const MishapInfo> mishaps() { return infos; }

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
    if (infos[static_cast<std::size_t>(mishap)].victim == Victim::server)
        return applies_to_server(mishap, site, point);
    const bool is_request = site.what == Site::What::request;
    switch (mishap) {
    case Mishap::slow: return site.what == Site::What::work;
    case Mishap::lose_request:
        return is_request && (point == Point::before_send || point == Point::before_apply);
    case Mishap::lose_reply: return is_request && point == Point::after_apply;
    case Mishap::cut_requests:
    case Mishap::cut_replies: return is_request;
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
    if (infos[static_cast<std::size_t>(mishap)].victim == Victim::server ||
        mishap == Mishap::cut_replies)
        fault.target = server;
    return fault;
}

Duration longest_mishap(const Scenario& scenario) {
    return std::max(longer_than_idle(scenario), scenario.faults.longest);
}

}  // namespace redeliver::scenarios
