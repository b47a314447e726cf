// XGROUP, XREADGROUP, XACK, XPENDING, XCLAIM and XAUTOCLAIM.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "model/redis/resp/command_table.h"
#include "model/redis/resp/stream_positions.h"

namespace redeliver::model::redis::resp {
namespace {

using IfMissing = Flawed::Lookup::IfMissing;

// ---------------------------------------------------------------------------- XGROUP

/// The options of CREATE and SETID. Source: xgroupCommand in redis/src/t_stream.c.
struct GroupOptions {
    enum class Mkstream : std::uint8_t { allowed, unknown };
    XgroupCreate::IfMissing if_missing = XgroupCreate::IfMissing::refuse;
    std::optional<std::int64_t> entries_read = {};
};

GroupOptions read_group_options(const Request& request, GroupOptions::Mkstream mkstream) {
    GroupOptions options;
    for (std::size_t at = 5; at < request.size(); ++at) {
        if (mkstream == GroupOptions::Mkstream::allowed && request.is(at, "MKSTREAM")) {
            options.if_missing = XgroupCreate::IfMissing::create_stream;
        } else if (request.version() >= Configuration::Version::v7_0 &&
                   request.is(at, "ENTRIESREAD") && request.more(at) > 0) {
            options.entries_read = request.integer(++at);
            if (*options.entries_read < -1)
                request.refuse("ERR value for ENTRIESREAD must be positive or -1");
        } else {
            request.refuse_subcommand();
        }
    }
    return options;
}

Command read_create(Request& request) {
    constexpr std::size_t most_words = 8;
    const auto options = read_group_options(request, GroupOptions::Mkstream::allowed);
    const bool creates = options.if_missing == XgroupCreate::IfMissing::create_stream;
    request.looks_up(
        {.key = 2, .if_missing = creates ? IfMissing::go_on : IfMissing::stream_required});
    if (request.size() > most_words) request.refuse_subcommand();
    XgroupCreate create{.key = request.word(2),
                        .group = request.word(3),
                        .start = std::nullopt,
                        .if_missing = options.if_missing,
                        .entries_read = options.entries_read};
    if (!request.is_exactly(4, "$")) create.start = request.id(4);
    return create;
}

Command read_setid(Request& request) {
    const auto options = read_group_options(request, GroupOptions::Mkstream::unknown);
    request.looks_up({.key = 2, .if_missing = IfMissing::stream_required});
    request.looks_up({.key = 2, .if_missing = IfMissing::no_group_of_key, .group = 3});
    if (request.size() != 5 && request.size() != 7) request.refuse_subcommand();
    XgroupSetid setid{.key = request.word(2),
                      .group = request.word(3),
                      .last_delivered_id = std::nullopt,
                      .entries_read = options.entries_read};
    if (!request.is_exactly(4, "$")) setid.last_delivered_id = request.loose_id(4, 0);
    return setid;
}

Command read_destroy(Request& request) {
    return XgroupDestroy{.key = request.word(2), .group = request.word(3)};
}

/// An argument after the group is an option to the server, and CREATE and SETID alone have options;
/// the consumer is where their id is.
template <typename OnConsumer>
Command read_consumer(Request& request) {
    return OnConsumer{
        .key = request.word(2), .group = request.word(3), .consumer = request.word(4)};
}

Command read_group_help(Request&) { return Help{Help::About::xgroup}; }

// ---------------------------------------------------------------------------- reading

[[noreturn]] void refuse_meaningless(const Request& request, char id) {
    request.refuse(
        fmt::format("ERR The {0} ID is meaningless in the context of XREADGROUP: you want to read "
                    "the history of this consumer by specifying a proper ID, or use the > ID to "
                    "get new messages. The {0} ID would just return an empty result set.",
                    id));
}

/// Source: xreadCommand in redis/src/t_stream.c.
Command read_xreadgroup(Request& request) {
    const ReadOptions options = read_options(request, ReadOptions::Command::xreadgroup);
    Xreadgroup read{.group = request.word(*options.group),
                    .consumer = request.word(*options.group + 1),
                    .count = options.count,
                    .block = options.block,
                    .acknowledgement = options.acknowledgement};
    for (std::size_t i = 0; i < options.streams; ++i) {
        const std::size_t key = options.first_key + i;
        const std::size_t id = key + options.streams;
        request.looks_up(
            {.key = key, .if_missing = IfMissing::no_group_for_read, .group = options.group});
        if (request.is_exactly(id, "$")) refuse_meaningless(request, '$');
        if (request.version() >= Configuration::Version::v7_4 && request.is_exactly(id, "+"))
            refuse_meaningless(request, '+');
        read.streams.push_back(
            {.key = request.word(key),
             .after = request.is_exactly(id, ">") ? undelivered : request.id(id)});
    }
    return read;
}

Command read_xack(Request& request) {
    request.looks_up({.if_missing = IfMissing::zero, .group = 2});
    return Xack{.key = request.word(1), .group = request.word(2), .ids = request.ids_from(3)};
}

/// Up to two words too many are not noticed. Source: xpendingCommand in redis/src/t_stream.c.
Command read_xpending(Request& request) {
    if (request.size() == 3)
        return XpendingSummary{.key = request.word(1), .group = request.word(2)};
    if (request.size() < 6 || request.size() > 9) request.refuse(syntax_error);
    XpendingRange range{.key = request.word(1), .group = request.word(2)};
    std::size_t first = 3;
    if (request.is(first, "IDLE")) {
        range.min_idle_time = Milliseconds{request.integer(4)};
        if (request.size() < 8) request.refuse(syntax_error);
        first += 2;
    }
    range.count = request.integer(first + 2);
    range.start = request.start(first);
    range.end = request.end(first + 1);
    if (request.size() > first + 3) range.consumer = request.word(first + 3);
    return range;
}

// ---------------------------------------------------------------------------- claims

/// The options after the ids. Source: xclaimCommand in redis/src/t_stream.c.
void read_claim_option(const Request& request, std::size_t& at, Xclaim& claim) {
    const bool has_more = request.more(at) > 0;
    if (request.is(at, "FORCE"))
        claim.if_not_pending = Xclaim::IfNotPending::create;
    else if (request.is(at, "JUSTID"))
        claim.reply = ClaimReply::ids_only;
    else if (request.is(at, "IDLE") && has_more)
        claim.delivered =
            Milliseconds{request.integer(++at, "ERR Invalid IDLE option argument for XCLAIM")};
    else if (request.is(at, "TIME") && has_more)
        claim.delivered = WallMillis{
            Milliseconds{request.integer(++at, "ERR Invalid TIME option argument for XCLAIM")}};
    else if (request.is(at, "RETRYCOUNT") && has_more)
        claim.delivery_count =
            request.integer(++at, "ERR Invalid RETRYCOUNT option argument for XCLAIM");
    else if (request.is(at, "LASTID") && has_more)
        claim.last_delivered_id = request.id(++at);
    else
        request.refuse(
            fmt::format("ERR Unrecognized XCLAIM option '{}'", until_null(request.word(at))));
}

Command read_xclaim(Request& request) {
    request.looks_up({.if_missing = IfMissing::no_group_for_pending, .group = 2});
    Xclaim claim{.key = request.word(1), .group = request.word(2), .consumer = request.word(3)};
    claim.min_idle_time = Milliseconds{std::max<std::int64_t>(
        request.integer(4, "ERR Invalid min-idle-time argument for XCLAIM"), 0)};
    std::size_t at = 5;
    for (; at < request.size() && request.is_id(at); ++at) claim.ids.push_back(request.id(at));
    for (; at < request.size(); ++at) read_claim_option(request, at, claim);
    return claim;
}

/// Source: xautoclaimCommand in redis/src/t_stream.c.
Command read_xautoclaim(Request& request) {
    // From 7.0 on, more would overflow the server's buffer for deleted ids.
    constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t most =
        request.version() >= Configuration::Version::v7_0 ? greatest / 16 : greatest;
    Xautoclaim claim{.key = request.word(1), .group = request.word(2), .consumer = request.word(3)};
    claim.min_idle_time = Milliseconds{std::max<std::int64_t>(
        request.integer(4, "ERR Invalid min-idle-time argument for XAUTOCLAIM"), 0)};
    claim.start = request.start(5);
    for (std::size_t at = 6; at < request.size(); ++at) {
        if (request.is(at, "COUNT") && request.more(at) > 0)
            claim.count = request.integer_between(++at, 1, most, "ERR COUNT must be > 0");
        else if (request.is(at, "JUSTID"))
            claim.reply = ClaimReply::ids_only;
        else
            request.refuse(syntax_error);
    }
    return claim;
}

}  // namespace

std::span<const CommandEntry> group_commands() {
    static constexpr CommandEntry commands[] = {
        {"xack", -4, Access::writes, read_xack},
        {"xautoclaim", -6, Access::writes, read_xautoclaim},
        {"xclaim", -6, Access::writes, read_xclaim},
        {"xgroup", -2},
        {"xgroup|create", -5, Access::grows, read_create},
        {"xgroup|createconsumer", 5, Access::grows, read_consumer<XgroupCreateconsumer>},
        {"xgroup|delconsumer", 5, Access::writes, read_consumer<XgroupDelconsumer>},
        {"xgroup|destroy", 4, Access::writes, read_destroy},
        {"xgroup|help", 2, Access::reads, read_group_help},
        {"xgroup|setid", -5, Access::writes, read_setid},
        {"xpending", -3, Access::reads, read_xpending},
        {"xreadgroup", -7, Access::writes, read_xreadgroup},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
