#include "scenarios/services/redis_service.h"

#include <map>
#include <utility>

#include "scenarios/orders.h"
#include "sim/overloaded.h"

namespace redeliver::scenarios {

namespace redis = model::redis;

namespace {

sim::Subject run_in(std::uint64_t label) { return sim::Subject{static_cast<std::uint32_t>(label)}; }

bool is_dead_letter(std::uint64_t label) { return (label >> 32) != 0; }

std::uint32_t count(std::uint64_t deliveries) { return static_cast<std::uint32_t>(deliveries); }

constexpr std::uint64_t nobody = ~std::uint64_t{0};

/// The session of whoever operates the broker: the network counts from 1.
constexpr std::uint64_t operator_session = 0;

}  // namespace

RedisService::Session& RedisService::session(std::uint64_t number) {
    if (number >= sessions_.size()) sessions_.resize(number + 1);
    return sessions_[number];
}

void RedisService::on_request(sim::ExchangeId exchange) {
    const sim::SessionNumber number = world_.network().session_of(exchange);
    auto& commands = exchanges_[exchange].request.commands;
    sim::ensure(!commands.empty(), "a request holds a command");
    Session& client = session(number);
    client.exchange = exchange;
    client.client = world_.network().client_of(exchange);
    client.asked = requests_++;
    client.replies_to_come = static_cast<std::uint32_t>(commands.size());
    const sim::WallTime now = world_.wall_now(node_);
    for (const redis::Command& command : commands) {
        if (counterpart_) counterpart_->send(redis::SessionId{number}, command, now);
        server_.submit(redis::SessionId{number}, command, now, out_);
    }
    commands.clear();
    deliver();
}

std::vector<sim::NodeId> RedisService::waiting() const {
    std::map<std::uint64_t, sim::NodeId> by_asked;
    for (const Session& each : sessions_)
        if (each.replies_to_come > 0 && world_.network().is_owed(each.exchange))
            by_asked.emplace(each.asked, each.client);
    std::vector<sim::NodeId> clients;
    for (const auto& [asked, client] : by_asked) clients.push_back(client);
    return clients;
}

void RedisService::on_disconnect(sim::SessionNumber number) {
    if (counterpart_) counterpart_->disconnect(redis::SessionId{number});
    server_.disconnect(redis::SessionId{number}, world_.wall_now(node_), out_);
    deliver();
}

void RedisService::on_timer() {
    server_.advance(world_.wall_now(node_), out_);
    deliver();
}

void RedisService::on_crash(sim::CrashOf of) {
    // What survives is decided by what had reached the disk when the lights went out.
    const sim::WallTime now = world_.wall_now(node_);
    lift_memory_limit();  // CONFIG SET changes no file.
    if (of == sim::CrashOf::process) {
        server_.restart_after_process_loss(now, out_);
    } else {
        server_.restart_after_machine_loss(now, out_);
    }
    deliver();
}

void RedisService::on_failover(sim::Duration lag) {
    lift_memory_limit();
    server_.fail_over(lag, world_.wall_now(node_), out_);
    deliver();
}

bool RedisService::understands(std::string_view words) const {
    return orders::memory_limit_in(words) || orders::command_in(words);
}

bool RedisService::obey(std::string_view words, sim::Duration) {
    if (const auto limit = orders::memory_limit_in(words)) return limit_memory(*limit);
    const auto command = orders::command_in(words);
    sim::ensure(command.has_value(), "only orders that are understood are given");
    submit_for_operator(redis::Ping{});  // So that the session itself is no difference.
    const std::uint64_t before = server_.digest();
    submit_for_operator(*command);
    return server_.digest() != before;
}

void RedisService::relent(std::string_view words) {
    if (!orders::memory_limit_in(words)) return;
    if (memory_limits_ == 1) return lift_memory_limit();
    --memory_limits_;
}

bool RedisService::limit_memory(std::uint64_t bytes) {
    ++memory_limits_;
    redis::Configuration limited = server_.configuration();
    const bool is_new = limited.memory_limit != bytes;
    limited.memory_limit = bytes;
    server_.reconfigure(limited);
    return is_new;
}

void RedisService::lift_memory_limit() {
    if (std::exchange(memory_limits_, 0) == 0) return;
    redis::Configuration unlimited = server_.configuration();
    unlimited.memory_limit.reset();
    server_.reconfigure(unlimited);
}

void RedisService::submit_for_operator(const redis::Command& command) {
    constexpr redis::SessionId id{operator_session};
    session(operator_session).client = node_;
    const sim::WallTime now = world_.wall_now(node_);
    if (counterpart_) counterpart_->send(id, command, now);
    server_.submit(id, command, now, out_);
    deliver();
}

void RedisService::deliver() {
    ++changes_;
    const sim::StepNumber cause = world_.cause();
    for (const redis::Event& event : out_.events) report(event);
    for (redis::Sent& sent : out_.replies) {
        const auto number = static_cast<std::uint64_t>(sent.to);
        const sim::StepNumber told = std::exchange(session(number).told, sim::no_step);
        world_.set_cause(told != sim::no_step ? told : cause);
        if (counterpart_)
            sent.reply = counterpart_->receive(sent.to, world_.wall_now(node_), sent.reply);
        answer(number, sent.reply);
    }
    out_.clear();
    arm_timer();
}

void RedisService::answer(std::uint64_t number, redis::Reply& reply) {
    Session& client = session(number);
    if (client.replies_to_come == 0 || --client.replies_to_come > 0) return;
    if (!world_.network().is_owed(client.exchange)) return;
    const std::uint64_t content = redis::hash(reply);
    exchanges_[client.exchange].reply = std::move(reply);
    world_.network().reply(client.exchange, content);
}

void RedisService::arm_timer() {
    const auto deadline = server_.next_deadline();
    if (!world_.node(node_).is_alive || !deadline) return world_.set_timer(node_, {});
    world_.set_timer(node_, world_.instant_of(node_, *deadline));
}

sim::Name RedisService::name(redis::Name name) {
    const auto index = static_cast<std::size_t>(name);
    if (index >= names_.size()) names_.resize(index + 1, sim::Name::none);
    if (names_[index] == sim::Name::none) names_[index] = world_.intern(server_.text(name));
    return names_[index];
}

model::EntryKey RedisService::key(const redis::EntryRef& entry) {
    return {entry.id.ms, static_cast<std::uint32_t>(entry.id.seq), name(entry.key)};
}

template <sim::Payload P>
void RedisService::record(std::uint64_t by, std::uint64_t label, const P& what) {
    const sim::NodeId actor = by == nobody ? node_ : session(by).client;
    const sim::StepNumber step = world_.record(actor, run_in(label), what);
    if (by != nobody) session(by).told = step;
}

void RedisService::report(const redis::Event& event) {
    const auto number = [](redis::SessionId id) { return static_cast<std::uint64_t>(id); };
    std::visit(
        sim::overloaded{
            [&](const redis::EntryAdded& added) {
                const std::uint64_t label = added.entry.label;
                if (!is_dead_letter(label))
                    return record(number(added.by), label, model::Added{key(added.entry)});
                record(number(added.by), label, model::DeadLettered{.entry = key(added.entry)});
            },
            [&](const redis::EntryDelivered& delivered) {
                record(number(delivered.to), delivered.entry.label,
                       model::Delivered{.entry = key(delivered.entry),
                                        .group = name(delivered.group),
                                        .consumer = name(delivered.consumer),
                                        .delivery_count = count(delivered.delivery_count)});
            },
            [&](const redis::HistoryRead& read) {
                record(number(read.to), read.entry.label,
                       model::Reread{.entry = key(read.entry),
                                     .group = name(read.group),
                                     .consumer = name(read.consumer),
                                     .delivery_count = count(read.delivery_count)});
            },
            [&](const redis::EntryClaimed& claimed) {
                record(number(claimed.by), claimed.entry.label,
                       model::Claimed{
                           .entry = key(claimed.entry),
                           .from = name(claimed.from),
                           .to = name(claimed.to),
                           .delivery_count = count(claimed.delivery_count),
                           .idle_time_ms = static_cast<std::uint32_t>(claimed.idle_time.count())});
            },
            [&](const redis::EntryAcknowledged& acknowledged) {
                record(number(acknowledged.by), acknowledged.entry.label,
                       model::Acknowledged{.entry = key(acknowledged.entry),
                                           .group = name(acknowledged.group),
                                           .owner = name(acknowledged.owner),
                                           .delivery_count = count(acknowledged.delivery_count)});
            },
            [&](const redis::EntryRemoved& removed) {
                record(nobody, removed.entry.label,
                       model::EntryRemoved{.entry = key(removed.entry),
                                           .unread_by = removed.undelivered_groups,
                                           .pending_in = removed.pending_groups});
            },
            [&](const redis::PendingDropped& dropped) {
                record(nobody, dropped.entry.label,
                       model::PendingDropped{
                           .entry = key(dropped.entry),
                           .owner = name(dropped.owner),
                           .cause = static_cast<model::PendingDropped::Cause>(dropped.cause),
                           .delivery_count = count(dropped.delivery_count)});
            },
            [&](const redis::ConsumerDeleted& deleted) {
                world_.record(node_, sim::subject_of(node_),
                              model::ConsumerDeleted{.consumer = name(deleted.consumer)});
            },
            [&](const redis::Forgotten& forgotten) { report_forgotten(forgotten); },
            [](const auto&) {},  // Streams, groups and consumers that come and go by themselves.
        },
        event);
}

void RedisService::report_forgotten(const redis::Forgotten& event) {
    using What = redis::Forgotten::What;
    using Undone = model::BrokerForgot::What;
    const bool is_dead = is_dead_letter(event.entry.label);
    const auto what = [&] {
        switch (event.what) {
        case What::entry: return is_dead ? Undone::dead_letter : Undone::entry;
        case What::acknowledgement: return Undone::acknowledgement;
        case What::delivery: return Undone::delivery;
        case What::claim: return Undone::claim;
        case What::removal: return Undone::removal;
        default: return Undone::other;
        }
    }();
    record(nobody, event.entry.label,
           model::BrokerForgot{
               .entry = key(event.entry), .what = what, .consumer = name(event.consumer)});
}

}  // namespace redeliver::scenarios
