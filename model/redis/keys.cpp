// Strings, and the commands that act on keys of any type.

#include <algorithm>

#include "model/redis/call.h"

namespace redeliver::model::redis {
namespace {

/// When the key will expire; none for never.
std::optional<WallMillis> expiry_of(const Call& call, const Set& command, const Value* before) {
    if (const auto* const in = std::get_if<ExpireIn>(&command.expiry)) return call.now + in->after;
    if (const auto* const at = std::get_if<ExpireAt>(&command.expiry)) return at->when;
    const bool keeps = std::holds_alternative<KeepTtl>(command.expiry);
    return keeps && before ? before->expires_at : std::nullopt;
}

bool is_prevented(const Set& command, const Value* before) {
    switch (command.condition) {
    case Set::Condition::always: return false;
    case Set::Condition::if_absent: return before != nullptr;
    case Set::Condition::if_present: return before == nullptr;
    }
    return false;
}

/// Whether the time would be beyond what the server can count to.
bool overflows(WallMillis now, Milliseconds after) { return after > WallMillis::max() - now; }

bool has_invalid_expiry(const Call& call, const Set& command) {
    if (const auto* const in = std::get_if<ExpireIn>(&command.expiry))
        return in->after <= Milliseconds{0} || overflows(call.now, in->after);
    if (const auto* const at = std::get_if<ExpireAt>(&command.expiry))
        return at->when <= WallMillis{};
    return false;
}

bool is_met(IfExpiry condition, std::optional<WallMillis> present, WallMillis wanted) {
    switch (condition) {
    case IfExpiry::whatever: return true;
    case IfExpiry::is_absent: return !present;
    case IfExpiry::is_present: return present.has_value();
    case IfExpiry::is_sooner: return present && *present < wanted;
    case IfExpiry::is_later: return !present || *present > wanted;
    case IfExpiry::is_present_and_later: return present && *present > wanted;
    }
    return false;
}

/// SET as the log has it: without its condition, and with an absolute expiry.
void propagate_set(Call& call, const Set& command, std::optional<WallMillis> expiry) {
    if (!call.is_logged()) return;
    Set set{.key = command.key, .value = command.value};
    if (expiry) set.expiry = ExpireAt{*expiry};
    call.propagate(std::move(set));
}

void store(Call& call, const Set& command, const Value* before) {
    const auto expiry = expiry_of(call, command, before);
    if (before && before->stream())
        remove_key(call, command.key, KeyRemoved::Cause::overwritten);
    else if (before)
        call.keys.take(command.key);
    call.keys.add(command.key, {.held = command.value, .expires_at = expiry});
    call.written(command.key);
    propagate_set(call, command, expiry);
    if (!expiry || *expiry >= call.now || call.origin == Call::Origin::log) return;
    // Its time had passed before it was set: nobody will ever see it.
    remove_key(call, command.key, KeyRemoved::Cause::expired);
    if (call.is_logged()) call.propagate(Del{{command.key}});
}

}  // namespace

Reply execute(Call& call, const Set& command) {
    if (has_invalid_expiry(call, command)) return Refused{Refusal::invalid_expire};
    const Value* const before = call.keys.find(command.key);
    Reply old_value = Nil{};
    if (command.answer == Set::Answer::old_value && before) {
        if (!before->string()) return Refused{Refusal::wrong_type};
        old_value = Text{*before->string()};
    }
    if (is_prevented(command, before))
        return command.answer == Set::Answer::old_value ? old_value : Reply(Nil{});
    store(call, command, before);
    return command.answer == Set::Answer::old_value ? old_value : Reply(Ok{});
}

Reply execute(Call& call, const Get& command) {
    const Value* const value = call.keys.find(command.key);
    if (!value) return Nil{};
    if (!value->string()) return Refused{Refusal::wrong_type};
    return Text{*value->string()};
}

Reply execute(Call& call, const Del& command) {
    std::int64_t removed = 0;
    for (const std::string& key : command.keys) {
        if (!call.keys.find(key)) continue;
        remove_key(call, key, KeyRemoved::Cause::deleted);
        call.written(key);
        ++removed;
    }
    if (removed > 0 && call.is_logged()) call.propagate(command);
    return removed;
}

Reply execute(Call& call, const Exists& command) {
    return std::count_if(command.keys.begin(), command.keys.end(),
                         [&call](const std::string& key) { return call.keys.find(key); });
}

Reply execute(Call& call, const Pexpireat& command) {
    const Value* const value = call.keys.find(command.key);
    if (!value || !is_met(command.condition, value->expires_at, command.when))
        return std::int64_t{0};
    // A log may hold an expiry that has passed meanwhile; there the key expires like any other.
    if (command.when <= call.now && call.origin == Call::Origin::client) {
        remove_key(call, command.key, KeyRemoved::Cause::deleted);
        if (call.is_logged()) call.propagate(Del{{command.key}});
    } else {
        call.keys.expire_at(command.key, command.when);
        if (call.is_logged()) call.propagate(Pexpireat{.key = command.key, .when = command.when});
    }
    call.written(command.key);
    return std::int64_t{1};
}

Reply execute(Call& call, const Pexpire& command) {
    if (overflows(call.now, command.after))
        return Refused{Refusal::invalid_expire,
                       command.unit == Unit::seconds
                           ? "ERR invalid expire time in 'expire' command"
                           : "ERR invalid expire time in 'pexpire' command"};
    return execute(call, Pexpireat{.key = command.key,
                                   .when = call.now + command.after,
                                   .condition = command.condition});
}

Reply execute(Call& call, const Pttl& command) {
    const Value* const value = call.keys.find(command.key);
    if (!value) return std::int64_t{-2};
    if (!value->expires_at) return std::int64_t{-1};
    constexpr std::int64_t second = 1000;
    const auto left = std::max<std::int64_t>((*value->expires_at - call.now).count(), 0);
    return command.unit == Unit::milliseconds ? left : (left + second / 2) / second;
}

Reply execute(Call& call, const Persist& command) {
    const Value* const value = call.keys.find(command.key);
    if (!value || !value->expires_at) return std::int64_t{0};
    call.keys.expire_at(command.key, std::nullopt);
    call.written(command.key);
    if (call.is_logged()) call.propagate(command);
    return std::int64_t{1};
}

Reply execute(Call& call, const Rename& command) {
    if (!call.keys.find(command.from)) return Refused{Refusal::no_such_key};
    const bool is_nx = command.if_taken == Rename::IfTaken::refuse;
    if (command.from == command.to) return is_nx ? Reply(std::int64_t{0}) : Reply(Ok{});
    if (is_nx && call.keys.find(command.to)) return std::int64_t{0};
    Value value = call.keys.take(command.from);
    if (call.keys.find(command.to)) remove_key(call, command.to, KeyRemoved::Cause::overwritten);
    const Name from = call.names.intern(command.from);
    const Name to = call.names.intern(command.to);
    const bool is_stream = value.stream() != nullptr;
    if (is_stream) value.stream()->key = to;
    call.keys.add(command.to, std::move(value));
    call.tell(KeyRenamed{from, to});
    if (is_stream) {
        call.signal(command.to);
        call.signal(command.from);
    }
    call.written(command.from);
    call.written(command.to);
    if (call.is_logged()) call.propagate(command);
    return is_nx ? Reply(std::int64_t{1}) : Reply(Ok{});
}

Reply execute(Call& call, const Flushall& command) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : call.keys.keys()) keys.push_back(key);
    for (const std::string& key : keys) {
        remove_key(call, key, KeyRemoved::Cause::deleted);
        call.written(key);
    }
    if (call.is_logged()) call.propagate(command);
    return Ok{};
}

Reply execute(Call&, const Ping& command) {
    return command.message ? Reply(Text{*command.message}) : Reply(Pong{});
}

Reply execute(Call&, const Echo& command) { return Text{command.message}; }

}  // namespace redeliver::model::redis
