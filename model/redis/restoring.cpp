// RESTORE. Source: restoreCommand in redis/src/cluster.c (7.0.15).

#include <charconv>

#include "model/redis/call.h"
#include "model/redis/dump/load_value.h"

namespace redeliver::model::redis {
namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // The server reads an integer only in the one way that it writes it.
    if (error != std::errc() || std::to_string(number) != text) return std::nullopt;
    return number;
}

/// When the key will expire; none for never.
std::optional<WallMillis> restored_expiry(const Call& call, const Restore& command,
                                          std::int64_t ttl) {
    if (ttl == 0) return std::nullopt;
    if (command.from == Restore::From::epoch) return WallMillis{Milliseconds{ttl}};
    return call.now + Milliseconds{ttl};
}

void propagate_restored(Call& call, const Restore& command, std::optional<WallMillis> expiry) {
    if (!call.is_logged()) return;
    Restore restore = command;
    if (expiry) {
        restore.ttl_ms = std::to_string(expiry->time_since_epoch().count());
        restore.from = Restore::From::epoch;
    }
    call.propagate(std::move(restore));
}

}  // namespace

Reply execute(Call& call, const Restore& command) {
    const bool is_taken = call.keys.find(command.key) != nullptr;
    if (is_taken && command.if_taken == Restore::IfTaken::refuse)
        return Refused{Refusal::key_taken};
    const auto ttl = whole_number(command.ttl_ms);
    if (!ttl) return Refused{Refusal::not_an_integer};
    if (*ttl < 0) return Refused{Refusal::ttl_negative};
    if (!dump::is_intact(command.payload)) return Refused{Refusal::payload_not_intact};
    auto value = dump::load_value(command.payload, command.key, call.names);
    if (!value) return Refused{Refusal::payload_unreadable};

    if (is_taken) remove_key(call, command.key, KeyRemoved::Cause::overwritten);
    const auto expiry = restored_expiry(call, command, *ttl);
    // A log may hold an expiry that has passed meanwhile; there the key expires like any other.
    if (expiry && *expiry < call.now && call.origin == Call::Origin::client) {
        if (is_taken && call.is_logged()) call.propagate(Del{{command.key}});
        if (is_taken) call.written(command.key);
        return Ok{};
    }
    value->expires_at = expiry;
    const bool is_stream = value->stream() != nullptr;
    call.keys.add(command.key, std::move(*value));
    if (is_stream) call.signal(command.key);
    call.written(command.key);
    propagate_restored(call, command, expiry);
    return Ok{};
}

}  // namespace redeliver::model::redis
