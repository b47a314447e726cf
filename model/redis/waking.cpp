// Blocking reads, and everything that happens because time passes.

#include <algorithm>
#include <utility>

#include "model/redis/server_state.h"
#include "sim/ensure.h"

namespace redeliver::model::redis {
namespace {

/// A time that a server which only looks every so often notices.
sim::WallTime noticed(sim::WallTime deadline, sim::Duration granularity) {
    if (granularity <= sim::Duration{0}) return deadline;
    const sim::Duration past = deadline.time_since_epoch() % granularity;
    return past == sim::Duration{0} ? deadline : deadline + (granularity - past);
}

/// A read waits through the millisecond until which it may: the server compares whole milliseconds,
/// and the deadline with `<`. Source: handleBlockedClientsTimeout() in redis/src/timeout.c.
///
/// None when `block` is 0, or further away than the clock can count.
std::optional<sim::WallTime> deadline_of(Milliseconds block, sim::WallTime now,
                                         sim::Duration granularity) {
    constexpr Milliseconds a_century = std::chrono::hours{24} * 36'525;
    if (block == Milliseconds{0} || block > a_century) return std::nullopt;
    return noticed(to_millis(now) + block + Milliseconds{1}, granularity);
}

}  // namespace

void Server::State::block(SessionId session, std::variant<Xread, Xreadgroup> command,
                          sim::WallTime now) {
    if (auto* const read = std::get_if<Xread>(&command)) {
        // `$` is resolved once: what the key becomes later does not move it.
        for (Xread::Position& position : read->streams) {
            if (position.after || position.from == Xread::Position::From::last_entry) continue;
            const Value* const value = keys.find(position.key);
            position.after = value ? value->stream()->last_id : min_entry_id;
        }
    }
    const Milliseconds block =
        std::visit([](const auto& read) { return read.block.value(); }, command);
    blocked.add({.session = session,
                 .command = std::move(command),
                 .deadline = deadline_of(block, now, configuration.timer_granularity)});
}

void Server::State::unblock(SessionId session, Reply reply, Output& out) {
    blocked.remove(session);
    answer_unblocked(session, std::move(reply), out);
}

void Server::State::answer_unblocked(SessionId session, Reply reply, Output& out) {
    out.replies.push_back({session, std::move(reply)});
    if (sessions.contains(session)) resumed.push_back(session);
}

/// From 7.2 on whoever waits for a signalled key executes its command again, over all its keys,
/// and if it is still in vain goes to the tail of their queues, with the deadline it had.
/// Source: handleClientsBlockedOnKey, unblockClientOnKey in redis/src/blocked.c (7.2.5, 7.4.1).
void Server::State::retry_waiting_for(const std::string& key, sim::WallTime now, Output& out) {
    for (const SessionId session : blocked.waiting_for(key)) {
        const Value* const value = keys.find(key);
        const auto& waiting = blocked.find(session)->command;
        // XREAD goes on waiting for the key to come back as a stream.
        if ((!value || !value->stream()) && std::holds_alternative<Xread>(waiting)) continue;
        BlockedRead read = blocked.remove(session);
        Call call = call_by(session, now, out);
        auto reply = std::visit(
            [&call](const auto& command) { return redis::execute(call, command); }, read.command);
        record(now);
        if (reply)
            answer_unblocked(session, std::move(*reply), out);
        else
            blocked.add(std::move(read));
    }
}

/// Walks the queue of one key from its head: each takes what those before it left.
void Server::State::serve_key(const std::string& key, sim::WallTime now, Output& out) {
    if (configuration.is_at_least(Configuration::Version::v7_2))
        return retry_waiting_for(key, now, out);
    for (const SessionId session : blocked.waiting_for(key)) {
        const auto command = blocked.find(session)->command;
        Value* const value = keys.find(key);
        if (!value || !value->stream()) {
            // Readers of a group are told (7.0); XREAD goes on waiting for the key to come back.
            if (configuration.is_at_least(Configuration::Version::v7_0) &&
                std::holds_alternative<Xreadgroup>(command))
                unblock(session, Refused{Refusal::stream_deleted}, out);
            continue;
        }
        Call call = call_by(session, now, out);
        auto reply = std::visit(
            [&](const auto& read) { return serve(call, read, key, *value->stream()); }, command);
        record(now);
        if (reply) unblock(session, std::move(*reply), out);
    }
}

void Server::State::settle(sim::WallTime now, Output& out) {
    while (true) {
        while (const auto key = blocked.take_signalled()) serve_key(*key, now, out);
        if (resumed.empty()) return;
        const SessionId session = resumed.front();
        const auto known = sessions.find(session);
        if (known == sessions.end() || known->second.waiting.empty() || blocked.find(session)) {
            resumed.pop_front();
            forget_if_idle(session);
            continue;
        }
        const Command command = std::move(known->second.waiting.front());
        known->second.waiting.pop_front();
        perform(session, command, now, out);
    }
}

std::optional<sim::WallTime> Server::State::next_expiry() const {
    const auto* const expiry = keys.next_expiry();
    if (!expiry) return std::nullopt;
    constexpr WallMillis end_of_time = std::chrono::floor<Milliseconds>(sim::WallTime::max());
    if (expiry->first >= end_of_time) return std::nullopt;
    // A key lives through the millisecond of its expiry. Source: keyIsExpired() in redis/src/db.c.
    return sim::WallTime{expiry->first + Milliseconds{1}};
}

std::optional<sim::WallTime> Server::State::next_deadline() const {
    const auto timeout = blocked.next_deadline();
    const auto expiry = next_expiry();
    if (!timeout || !expiry) return timeout ? timeout : expiry;
    return std::min(*timeout, *expiry);
}

bool Server::State::is_due(sim::WallTime now) const {
    if (blocked.empty() && !keys.next_expiry()) return false;  // By far the most frequent case.
    const auto deadline = next_deadline();
    return deadline && *deadline <= now;
}

/// As one turn of the real event loop: all timeouts, then all expiries, then what those set free.
void Server::State::advance(sim::WallTime now, Output& out) {
    while (is_due(now)) {
        while (blocked.next_deadline().value_or(sim::WallTime::max()) <= now)
            unblock(blocked.next_to_time_out(), NilArray{}, out);
        while (next_expiry().value_or(sim::WallTime::max()) <= now)
            expire(keys.next_expiry()->second, now, out);
        settle(now, out);
    }
}

void Server::State::expire(std::string key, sim::WallTime now, Output& out) {
    Call call = call_by(SessionId{}, now, out);
    remove_key(call, key, KeyRemoved::Cause::expired);
    call.written(key);
    if (call.is_logged()) call.propagate(Del{{std::move(key)}});
    record(now);
}

}  // namespace redeliver::model::redis
