#include "scenarios/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "model/operations.h"
#include "model/subjects.h"
#include "scenarios/node_names.h"
#include "scenarios/orders.h"
#include "scenarios/services/broker_client.h"
#include "sim/choices.h"

namespace redeliver::scenarios {

namespace {

using sim::Choices;
using sim::Label;
using sim::Point;
using sim::SubjectKey;

/// The draws of one thing in a plan: a message or a fault, each independent of all others.
class Draws {
public:
    Draws(const Choices& choices, std::uint64_t thing) : choices_(choices), thing_(thing) {}

    std::uint64_t bits(Label label) const { return choices_.bits(label, SubjectKey{thing_}); }
    std::uint64_t below(Label label, std::uint64_t limit) const {
        return sim::below(limit, bits(label));
    }
    Duration up_to(Label label, Duration longest) const {
        const auto limit = static_cast<std::uint64_t>(longest.count()) + 1;
        return Duration{static_cast<std::int64_t>(below(label, limit))};
    }
    template <class T, std::size_t size>
    T one_of(Label label, const std::array<T, size>& options) const {
        return options[below(label, size)];
    }

private:
    const Choices& choices_;
    std::uint64_t thing_;
};

/// Numbers of the messages that get a special content: `count` different ones, chosen by the least
/// of a draw each, so that adding a message moves at most one choice.
std::vector<std::uint32_t> choose(const Choices& choices, Label label, std::uint32_t messages,
                                  std::uint32_t count) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranks;
    for (std::uint32_t number = 1; number <= messages; ++number)
        ranks.emplace_back(choices.bits(label, SubjectKey{number}), number);
    std::ranges::sort(ranks);
    std::vector<std::uint32_t> chosen;
    for (std::size_t index = 0; index < std::min<std::size_t>(count, ranks.size()); ++index)
        chosen.push_back(ranks[index].second);
    return chosen;
}

class FaultDraws {
public:
    FaultDraws(const Scenario& scenario, const AddressBook& book, std::uint64_t seed)
        : scenario_(scenario),
          book_(book),
          choices_(seed),
          names_(node_names(scenario)),
          texts_(model::operation_texts()),
          series_(model::run_series()) {
        for (const std::string& name : names_) roles_.push_back(role_of(scenario.system, name));
    }

    struct Drawn {
        sim::FaultPlan plan;
        std::vector<std::optional<FaultKind>> kinds;
    };

    Drawn draw() const {
        Drawn drawn{.plan = scenario_.faults.pinned, .kinds = {}};
        drawn.kinds.resize(drawn.plan.size());
        for (const auto& [kind, intensity] : scenario_.faults.random) {
            const Draws draws(choices_, thing(kind, 0));
            const std::uint64_t count =
                intensity.least +
                draws.below(Label{"fault count"}, intensity.most - intensity.least + 1);
            for (std::uint64_t each = 1; each <= count; ++each)
                for (sim::Fault& fault : draw_all(kind, Draws(choices_, thing(kind, each))))
                    drawn.plan.push_back(std::move(fault));
            drawn.kinds.resize(drawn.plan.size(), kind);
        }
        return drawn;
    }

    /// Places that the book has something to offer for.
    std::vector<Phase> phases_of(FaultKind kind) const {
        std::vector<Phase> places;
        for (const Phase place : info_of(kind).phases)
            if (!place || std::ranges::any_of(book_.entries, [&](const AddressEntry& entry) {
                    return is_drawn_at(kind, *place, entry);
                }))
                places.push_back(place);
        return places;
    }

private:
    static std::uint64_t thing(FaultKind kind, std::uint64_t each) {
        return (static_cast<std::uint64_t>(kind) + 1) << 32 | each;
    }

    /// What some kinds strike is a node of some role; others whoever asks something of a server, or
    /// that server.
    bool is_drawn_at(FaultKind kind, Point point, const AddressEntry& entry) const {
        const bool is_work = entry.server == sim::NodeId::none;
        if (is_work != (point >= Point::start)) return false;
        if (entry.at > sim::at(scenario_.faults.until)) return false;
        switch (kind) {
        case FaultKind::crash_gateway: return role(entry.node) == Role::gateway;
        case FaultKind::crash_worker:
        case FaultKind::pause_worker:
        case FaultKind::pause_near:
        case FaultKind::half_open:
        case FaultKind::cut_off:
        case FaultKind::latency_burst: return role(entry.node) == Role::worker;
        case FaultKind::lose_request:
        case FaultKind::lose_reply: return true;
        case FaultKind::crash_broker:
        case FaultKind::lose_broker:
        case FaultKind::fail_over_broker:
        case FaultKind::limit_memory:
        case FaultKind::trim_stream:
        case FaultKind::delete_consumer:
        case FaultKind::destroy_group:
        case FaultKind::set_group_id: return entry.server == broker_node;
        case FaultKind::pause_server:
        case FaultKind::clock_drift:
            return entry.server == broker_node || entry.server == database_node;
        default: return entry.server == database_node;
        }
    }

    /// Most kinds are one fault; a deployment is one for each worker.
    std::vector<sim::Fault> draw_all(FaultKind kind, const Draws& draws) const {
        if (kind == FaultKind::deploy) return deployment(draws);
        std::vector<sim::Fault> drawn;
        const bool is_spread = kind > FaultKind::fail_over_database && kind < FaultKind::deploy;
        if (auto fault = is_spread ? spread(kind, draws) : draw_one(kind, draws))
            drawn.push_back(*std::move(fault));
        return drawn;
    }

    std::vector<sim::Fault> deployment(const Draws& draws) const {
        const Duration down = lasts(draws);
        const sim::Fault first = at_instant(draws, {}, {});
        sim::Instant next = std::get<sim::AtInstant>(first.when).at;
        std::vector<sim::Fault> all;
        for (std::uint32_t number = 1; number <= scenario_.system.worker.count; ++number) {
            all.push_back(
                {sim::AtInstant{next},
                 sim::Order{std::string(orders::restart_renamed), std::max(down, Duration{1ms})},
                 numbered(scenario_.system.worker.name, number)});
            next += down / 2 + 1ms;
        }
        return all;
    }

    /// Of a kind that is spread over all its places alike, so that none is rare: first the place is
    /// drawn, then the operation.
    std::optional<sim::Fault> spread(FaultKind kind, const Draws& draws) const {
        const std::vector<Phase> places = phases_of(kind);
        const Phase place = places[draws.below(Label{"place"}, places.size())];
        if (!place) {
            const std::string struck = target_of(kind, draws);
            sim::Fault fault = at_instant(draws, struck, {});
            fault.what = what_of(kind, draws, struck, names_[draws.below(Label{"server"}, 2)]);
            return fault;
        }
        const AddressEntry* const entry = pick(draws, [&](const AddressEntry& candidate) {
            return is_drawn_at(kind, *place, candidate);
        });
        if (entry == nullptr) return {};
        const bool is_work = entry->server == sim::NodeId::none;
        const std::string performer(name(entry->node));
        const std::string server(is_work ? names_[draws.below(Label{"server"}, 2)]
                                         : name(entry->server));
        const bool is_of_performer = kind == FaultKind::pause_near ||
                                     kind == FaultKind::half_open || kind == FaultKind::cut_off ||
                                     kind == FaultKind::latency_burst;
        return sim::Fault{step(*entry, *place), what_of(kind, draws, performer, server),
                          is_of_performer ? std::string{} : server};
    }

    /// Whom a fault at an instant strikes.
    std::string target_of(FaultKind kind, const Draws& draws) const {
        switch (kind) {
        case FaultKind::pause_near:
        case FaultKind::half_open:
        case FaultKind::cut_off:
        case FaultKind::latency_burst: return worker(draws);
        case FaultKind::lose_database:
        case FaultKind::hold_locks:
        case FaultKind::take_connections: return names_[1];
        case FaultKind::pause_server:
        case FaultKind::clock_drift: return names_[draws.below(Label{"server"}, 2)];
        case FaultKind::retry_storm: return one_of(scenario_.system.users, Label{"user"}, draws);
        default: return names_[0];
        }
    }

    /// `performer` is who does the step, or is struck at an instant.
    sim::What what_of(FaultKind kind, const Draws& draws, const std::string& performer,
                      const std::string& server) const {
        using sim::Order;
        switch (kind) {
        case FaultKind::lose_database: {
            sim::Crash loss = crash(draws);
            loss.of = sim::CrashOf::machine;
            return loss;
        }
        case FaultKind::pause_server: return sim::Pause{lasts(draws)};
        case FaultKind::pause_near: return sim::Pause{near_a_threshold(draws)};
        case FaultKind::half_open: return sim::HalfOpen{};
        case FaultKind::cut_off: return sim::Partition{server, lasts(draws), sim::Ways::both};
        case FaultKind::latency_burst:
            return sim::Latency{draws.up_to(Label{"latency"}, scenario_.faults.longest / 4),
                                lasts(draws)};
        case FaultKind::clock_drift:
            return sim::ClockDrift{draws.up_to(Label{"drift"}, 2 * sim::max_drift) - sim::max_drift,
                                   lasts(draws)};
        case FaultKind::limit_memory: return Order{orders::limit_memory(1), time_of_order(draws)};
        case FaultKind::trim_stream:
            return Order{
                fmt::format("XTRIM {} MAXLEN {}", keys::runs, draws.below(Label{"entries"}, 3)),
                {}};
        case FaultKind::delete_consumer: {
            const bool is_worker = role_of(scenario_.system, performer) == Role::worker;
            return Order{fmt::format("XGROUP DELCONSUMER {} {} {}", keys::runs, keys::workers,
                                     is_worker ? performer : worker(draws)),
                         {}};
        }
        case FaultKind::destroy_group:
            return Order{fmt::format("XGROUP DESTROY {} {}", keys::runs, keys::workers), {}};
        case FaultKind::set_group_id:
            return Order{fmt::format("XGROUP SETID {} {} {}", keys::runs, keys::workers,
                                     draws.below(Label{"id"}, 2) == 0 ? "0" : "$"),
                         {}};
        case FaultKind::hold_locks:
            return Order{std::string(orders::hold_locks), time_of_order(draws)};
        case FaultKind::take_connections:
            return Order{std::string(orders::take_connections), time_of_order(draws)};
        case FaultKind::retry_storm:
            return Order{orders::submit_again(
                             static_cast<std::uint32_t>(1 + draws.below(Label{"times"}, 4))),
                         {}};
        default: break;
        }
        sim::ensure(false, "every kind that is spread is a fault");
        return sim::Drop{};
    }

    Duration time_of_order(const Draws& draws) const { return std::max(lasts(draws), Duration{1}); }

    Duration near_a_threshold(const Draws& draws) const {
        const Worker& policy = scenario_.system.worker;
        std::vector<Duration> thresholds = {policy.timeout, policy.idle_threshold};
        if (uses_leases(policy.deduplicate)) thresholds.push_back(policy.lease_time);
        const Duration threshold = thresholds[draws.below(Label{"threshold"}, thresholds.size())];
        if (draws.below(Label{"side"}, 2) == 1) return threshold + 100ms;
        return std::max(threshold - 100ms, threshold / 2);
    }

    std::optional<sim::Fault> draw_one(FaultKind kind, const Draws& draws) const {
        switch (kind) {
        case FaultKind::crash_worker: return at_step(draws, Role::worker, crash(draws));
        case FaultKind::crash_gateway: return at_step(draws, Role::gateway, crash(draws));
        case FaultKind::crash_broker: return while_serving(draws, broker_node, crash(draws));
        case FaultKind::crash_database: return while_serving(draws, database_node, crash(draws));
        case FaultKind::lose_broker: {
            sim::Crash loss = crash(draws);
            loss.of = sim::CrashOf::machine;
            return while_serving(draws, broker_node, loss);
        }
        case FaultKind::fail_over_broker:
            return while_serving(
                draws, broker_node,
                sim::Failover{draws.up_to(Label{"lag"}, scenario_.faults.replica_lag)});
        case FaultKind::fail_over_database:
            return while_serving(
                draws, database_node,
                sim::Failover{draws.up_to(Label{"lag"}, scenario_.faults.replica_lag)});
        case FaultKind::pause_worker: return at_step(draws, Role::worker, sim::Pause{lasts(draws)});
        case FaultKind::slow_worker:
            return at_instant(
                draws, worker(draws),
                sim::Slow{static_cast<std::uint32_t>(200 + draws.below(Label{"percent"}, 800)),
                          lasts(draws)});
        case FaultKind::lose_request: return message_loss(draws, Point::before_send);
        case FaultKind::lose_reply: return message_loss(draws, Point::after_apply);
        case FaultKind::reset: return at_instant(draws, worker(draws), sim::Reset{});
        case FaultKind::partition: return partition(draws);
        case FaultKind::clock_step:
            return at_instant(
                draws, names_[draws.below(Label{"server"}, 2)],
                sim::ClockStep{draws.up_to(Label{"step"}, 2 * scenario_.faults.longest) -
                               scenario_.faults.longest});
        default: return {};  // Those that are spread.
        }
    }

    Duration lasts(const Draws& draws) const {
        return draws.up_to(Label{"lasts"}, scenario_.faults.longest);
    }
    sim::Crash crash(const Draws& draws) const {
        return {.of = sim::CrashOf::process, .restart_after = lasts(draws)};
    }
    std::string worker(const Draws& draws) const {
        return one_of(scenario_.system.worker, Label{"worker"}, draws);
    }
    template <class Actors>
    static std::string one_of(const Actors& actors, Label label, const Draws& draws) {
        const std::uint32_t count = std::max(actors.count, 1u);
        return numbered(actors.name, 1 + static_cast<std::uint32_t>(draws.below(label, count)));
    }

    sim::Fault at_instant(const Draws& draws, std::string target, sim::What what) const {
        const Duration last = std::min(book_.end.time_since_epoch(), scenario_.faults.until);
        return {sim::AtInstant{sim::at(draws.up_to(Label{"instant"}, last))}, what,
                std::move(target)};
    }

    /// At some step of some node of this role; whoever performs it is the target.
    std::optional<sim::Fault> at_step(const Draws& draws, Role wanted, sim::What what) const {
        const auto* const entry = pick(
            draws, [&](const AddressEntry& candidate) { return role(candidate.node) == wanted; });
        if (entry == nullptr) return {};
        const bool is_work = entry->server == sim::NodeId::none;
        static constexpr std::array requests = {Point::before_send, Point::before_apply,
                                                Point::after_apply, Point::after_reply};
        static constexpr std::array work = {Point::start, Point::middle, Point::end};
        const Point point =
            is_work ? draws.one_of(Label{"point"}, work) : draws.one_of(Label{"point"}, requests);
        return sim::Fault{step(*entry, point), what};
    }

    std::optional<sim::Fault> while_serving(const Draws& draws, sim::NodeId server,
                                            sim::What what) const {
        const auto* const entry =
            pick(draws, [&](const AddressEntry& candidate) { return candidate.server == server; });
        if (entry == nullptr) return {};
        static constexpr std::array points = {Point::before_apply, Point::after_apply};
        return sim::Fault{step(*entry, draws.one_of(Label{"point"}, points)), what,
                          std::string{name(server)}};
    }

    std::optional<sim::Fault> message_loss(const Draws& draws, Point point) const {
        const auto* const entry = pick(draws, [](const AddressEntry& candidate) {
            return candidate.server != sim::NodeId::none;
        });
        if (entry == nullptr) return {};
        return sim::Fault{step(*entry, point), sim::Drop{}};
    }

    sim::Fault partition(const Draws& draws) const {
        std::string one = worker(draws);
        std::string other = names_[draws.below(Label{"server"}, 2)];
        if (draws.below(Label{"direction"}, 2) == 1) std::swap(one, other);
        return at_instant(draws, one, sim::Partition{other, lasts(draws)});
    }

    /// Three of four times among what is about a run: polls are many and alike. Never where the
    /// faults are over: there it would lapse.
    template <class Wanted>
    const AddressEntry* pick(const Draws& draws, Wanted wanted) const {
        const bool about_runs = draws.below(Label{"about runs"}, 4) > 0;
        std::vector<const AddressEntry*> candidates;
        for (const bool strict : {about_runs, false}) {
            for (const AddressEntry& entry : book_.entries)
                if (entry.at <= sim::at(scenario_.faults.until) && wanted(entry) &&
                    (!strict || model::is_run(entry.address.subject)))
                    candidates.push_back(&entry);
            if (!candidates.empty()) break;
        }
        if (candidates.empty()) return nullptr;
        return candidates[draws.below(Label{"address"}, candidates.size())];
    }

    sim::AtStep step(const AddressEntry& entry, Point point) const {
        const sim::Subject subject = entry.address.subject;
        return {.operation = texts_[entry.address.operation],
                .subject = model::is_run(subject) ? *sim::subject_text(series_, subject)
                                                  : names_[sim::number_of(subject)],
                .occurrence = entry.address.occurrence,
                .point = point};
    }
    std::string_view name(sim::NodeId node) const { return names_[static_cast<std::size_t>(node)]; }
    Role role(sim::NodeId node) const { return roles_[static_cast<std::size_t>(node)]; }

    const Scenario& scenario_;
    const AddressBook& book_;
    Choices choices_;
    std::vector<std::string> names_;
    std::vector<Role> roles_;  // Of the nodes that are called so.
    std::vector<std::string> texts_;
    std::vector<sim::Series> series_;
};

void give_content(std::vector<Message>& messages, const Workload& workload,
                  const Choices& choices) {
    // One ranking for all three, so that no message is poison and killer at once.
    const auto chosen =
        choose(choices, Label{"content"}, static_cast<std::uint32_t>(messages.size()),
               workload.poison + workload.killers + workload.flaky);
    for (std::size_t index = 0; index < chosen.size(); ++index) {
        Message& message = messages[chosen[index] - 1];
        if (index < workload.poison) {
            message.content = model::Content::poison;
        } else if (index < workload.poison + workload.killers) {
            message.content = model::Content::killer;
        } else {
            message.content = model::Content::flaky;
            message.failures =
                1 + static_cast<std::uint32_t>(
                        Draws(choices, message.number)
                            .below(Label{"failures"}, std::max(workload.failures, 1u)));
        }
    }
}

}  // namespace

std::vector<Message> draw_messages(const Scenario& scenario, std::uint64_t seed) {
    const Workload& workload = scenario.workload;
    const Choices choices(seed);
    std::vector<Message> drawn;
    const std::uint32_t users = std::max(scenario.system.users.count, 1u);
    for (std::uint32_t number = 1; number <= workload.runs; ++number) {
        const Draws draws(choices, number);
        const auto session = static_cast<std::uint32_t>(
            1 + draws.below(Label{"session"}, std::max(workload.sessions, 1u)));
        drawn.push_back({.number = number,
                         .user = 1 + (session - 1) % users,  // A session belongs to one user.
                         .session = session,
                         .at = sim::at(draws.up_to(Label{"at"}, workload.span))});
    }
    give_content(drawn, workload, choices);
    for (const std::uint32_t number :
         choose(choices, Label{"duplicate"}, workload.runs, workload.duplicates))
        drawn[number - 1].submissions = 2;
    std::vector<Message> messages = workload.messages;
    std::vector<std::uint32_t> taken;
    for (const Message& fixed : workload.messages) taken.push_back(fixed.number);
    std::ranges::sort(taken);
    std::ranges::copy_if(drawn, std::back_inserter(messages), [&](const Message& message) {
        return !std::ranges::binary_search(taken, message.number);
    });
    return messages;
}

DrawnPlan draw_plan(const Scenario& scenario, const AddressBook& book, std::uint64_t seed) {
    FaultDraws::Drawn faults = FaultDraws(scenario, book, seed).draw();
    return {.plan = {.messages = draw_messages(scenario, seed),
                     .faults = std::move(faults.plan),
                     .schedule = scenario.schedule},
            .kinds = std::move(faults.kinds)};
}

Plan expand(const Scenario& scenario, const AddressBook& book, std::uint64_t seed) {
    return draw_plan(scenario, book, seed).plan;
}

std::set<std::pair<FaultKind, Phase>> drawable_phases(const Scenario& scenario,
                                                      const AddressBook& book) {
    const FaultDraws draws(scenario, book, 0);
    std::set<std::pair<FaultKind, Phase>> all;
    for (const auto& [kind, intensity] : scenario.faults.random)
        if (intensity.most > 0)
            for (const Phase place : draws.phases_of(kind)) all.insert({kind, place});
    return all;
}

}  // namespace redeliver::scenarios
