// Strings, and the commands that act on keys of any type.

#include <limits>

#include <fmt/format.h>

#include "model/redis/resp/command_table.h"

namespace redeliver::model::redis::resp {
namespace {

constexpr std::int64_t milliseconds_per_second = 1000;
constexpr std::int64_t most_seconds =
    std::numeric_limits<std::int64_t>::max() / milliseconds_per_second;
constexpr std::string_view invalid_set_expiry = "ERR invalid expire time in 'set' command";

/// EX, PX, EXAT and PXAT: the word that said so, and where its number is.
struct ExpiryOption {
    std::string_view name{};
    std::size_t number = 0;
    bool is_given() const { return !name.empty(); }
};

std::variant<std::monostate, ExpireIn, ExpireAt, KeepTtl> as_expiry(const Request& request,
                                                                    ExpiryOption option) {
    std::int64_t number = request.integer(option.number);
    const bool in_seconds = option.name.front() == 'E';
    if (number <= 0 || (in_seconds && number > most_seconds)) request.refuse(invalid_set_expiry);
    if (in_seconds) number *= milliseconds_per_second;
    if (option.name.ends_with("AT")) return ExpireAt{WallMillis{Milliseconds{number}}};
    return ExpireIn{Milliseconds{number}};
}

/// One of the four; the same one may be repeated, the last wins.
bool take_expiry(const Request& request, std::size_t& at, ExpiryOption& option, const Set& set) {
    if (std::holds_alternative<KeepTtl>(set.expiry) || request.more(at) == 0) return false;
    for (const std::string_view name : {"EX", "PX", "EXAT", "PXAT"}) {
        if (!request.is(at, name)) continue;
        if (option.is_given() && option.name != name) return false;
        option = {name, ++at};
        return true;
    }
    return false;
}

bool take_condition(const Request& request, std::size_t at, Set& set) {
    using Condition = Set::Condition;
    if (request.is(at, "NX") && set.condition != Condition::if_present)
        set.condition = Condition::if_absent;
    else if (request.is(at, "XX") && set.condition != Condition::if_absent)
        set.condition = Condition::if_present;
    else
        return false;
    return true;
}

/// Source: parseExtendedStringArgumentsOrReply in redis/src/t_string.c.
Command read_set(Request& request) {
    Set set{.key = request.word(1), .value = request.word(2)};
    ExpiryOption expiry;
    for (std::size_t at = 3; at < request.size(); ++at) {
        if (take_condition(request, at, set)) continue;
        if (request.is(at, "GET"))
            set.answer = Set::Answer::old_value;
        else if (request.is(at, "KEEPTTL") && !expiry.is_given())
            set.expiry = KeepTtl{};
        else if (!take_expiry(request, at, expiry, set))
            request.refuse(syntax_error);
    }
    if (expiry.is_given()) set.expiry = as_expiry(request, expiry);
    return set;
}

Command read_get(Request& request) { return Get{request.word(1)}; }
Command read_del(Request& request) { return Del{request.words_from(1)}; }
Command read_exists(Request& request) { return Exists{request.words_from(1)}; }
Command read_persist(Request& request) { return Persist{request.word(1)}; }
Command read_type(Request& request) { return Type{request.word(1)}; }

template <Unit unit>
Command read_ttl(Request& request) {
    return Pttl{.key = request.word(1), .unit = unit};
}

template <Rename::IfTaken if_taken>
Command read_rename(Request& request) {
    return Rename{.from = request.word(1), .to = request.word(2), .if_taken = if_taken};
}

/// Source: parseExtendedExpireArgumentsOrReply in redis/src/expire.c.
IfExpiry read_expiry_condition(const Request& request) {
    bool nx = false;
    bool xx = false;
    bool gt = false;
    bool lt = false;
    for (std::size_t at = 3; at < request.size(); ++at) {
        if (request.is(at, "NX"))
            nx = true;
        else if (request.is(at, "XX"))
            xx = true;
        else if (request.is(at, "GT"))
            gt = true;
        else if (request.is(at, "LT"))
            lt = true;
        else
            request.refuse(fmt::format("ERR Unsupported option {}", until_null(request.word(at))));
    }
    if (nx && (xx || gt || lt))
        request.refuse("ERR NX and XX, GT or LT options at the same time are not compatible");
    if (gt && lt) request.refuse("ERR GT and LT options at the same time are not compatible");
    if (nx) return IfExpiry::is_absent;
    if (gt) return IfExpiry::is_sooner;  // Which implies XX.
    if (lt) return xx ? IfExpiry::is_present_and_later : IfExpiry::is_later;
    return xx ? IfExpiry::is_present : IfExpiry::whatever;
}

Milliseconds read_time(const Request& request, Unit unit, std::string_view command) {
    const std::int64_t number = request.integer(2);
    if (unit == Unit::milliseconds) return Milliseconds{number};
    if (number > most_seconds || number < -most_seconds)
        request.refuse(fmt::format("ERR invalid expire time in '{}' command", command));
    return Milliseconds{number * milliseconds_per_second};
}

template <Unit unit>
Command read_expire(Request& request) {
    const IfExpiry condition = read_expiry_condition(request);
    return Pexpire{.key = request.word(1),
                   .after = read_time(request, unit, "expire"),
                   .condition = condition,
                   .unit = unit};
}

template <Unit unit>
Command read_expireat(Request& request) {
    const IfExpiry condition = read_expiry_condition(request);
    return Pexpireat{.key = request.word(1),
                     .when = WallMillis{read_time(request, unit, "expireat")},
                     .condition = condition};
}

/// Source: getFlushCommandFlags in redis/src/db.c.
Command read_flush(Request& request) {
    const bool names_how = request.size() == 2 && (request.is(1, "SYNC") || request.is(1, "ASYNC"));
    if (request.size() > 1 && !names_how) request.refuse(syntax_error);
    return Flushall{};
}

}  // namespace

std::span<const CommandEntry> key_commands() {
    static constexpr CommandEntry commands[] = {
        {"del", -2, Access::writes, read_del},
        {"exists", -2, Access::reads, read_exists},
        {"expire", -3, Access::writes, read_expire<Unit::seconds>},
        {"expireat", -3, Access::writes, read_expireat<Unit::seconds>},
        {"flushall", -1, Access::writes, read_flush},
        {"flushdb", -1, Access::writes, read_flush},
        {"get", 2, Access::reads, read_get},
        {"persist", 2, Access::writes, read_persist},
        {"pexpire", -3, Access::writes, read_expire<Unit::milliseconds>},
        {"pexpireat", -3, Access::writes, read_expireat<Unit::milliseconds>},
        {"pttl", 2, Access::reads, read_ttl<Unit::milliseconds>},
        {"rename", 3, Access::writes, read_rename<Rename::IfTaken::overwrite>},
        {"renamenx", 3, Access::writes, read_rename<Rename::IfTaken::refuse>},
        {"set", -3, Access::grows, read_set},
        {"ttl", 2, Access::reads, read_ttl<Unit::seconds>},
        {"type", 2, Access::reads, read_type},
        {"unlink", -2, Access::writes, read_del},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
