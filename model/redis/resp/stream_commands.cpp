// XADD, XLEN, XDEL, XTRIM, XSETID, XRANGE, XREVRANGE, XREAD and XINFO.

#include <algorithm>

#include "model/redis/resp/command_table.h"
#include "model/redis/resp/stream_positions.h"

namespace redeliver::model::redis::resp {
namespace {

using IfMissing = Flawed::Lookup::IfMissing;

constexpr std::string_view limit_without_tilde =
    "ERR syntax error, LIMIT cannot be used without the special ~ option";

/// What XADD and XTRIM say about trimming, in whatever order.
/// Source: streamParseAddOrTrimArgsOrReply in redis/src/t_stream.c.
class TrimOptions {
public:
    /// Takes the option at `at` and moves `at` to its last word; false when it is none of these.
    bool take(const Request& request, std::size_t& at) {
        if (request.more(at) == 0) return false;
        if (request.is(at, "MAXLEN")) {
            take_sign(request, at);
            take_max_len(request, at);
        } else if (request.is(at, "MINID")) {
            take_sign(request, at);
            trim_->keep = MinId{request.id(++at)};
        } else if (request.is(at, "LIMIT")) {
            limit_ = request.integer(++at);
            if (*limit_ < 0) request.refuse("ERR The LIMIT argument must be >= 0.");
        } else {
            return false;
        }
        return true;
    }

    /// A LIMIT without `~` is left to the command, which obeys it when it comes from a log.
    std::optional<Trim> result(const Request& request) const {
        if (limit_ && *limit_ != 0 && !trim_)
            request.refuse(
                "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
        std::optional<Trim> trim = trim_;
        if (trim) trim->limit = limit_;
        return trim;
    }

    bool has_limit_without_tilde() const {
        return limit_ && (!trim_ || trim_->precision == Trim::Precision::exact);
    }
    bool has_limit_alone() const { return limit_ && !trim_; }

private:
    void take_sign(const Request& request, std::size_t& at) {
        if (trim_)
            request.refuse(
                "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
        trim_.emplace();
        if (request.more(at) < 2) return;
        const bool is_approximate = request.is_exactly(at + 1, "~");
        if (is_approximate) trim_->precision = Trim::Precision::approximate;
        if (is_approximate || request.is_exactly(at + 1, "=")) ++at;
    }

    void take_max_len(const Request& request, std::size_t& at) {
        const std::int64_t entries = request.integer(++at);
        if (entries < 0) request.refuse("ERR The MAXLEN argument must be >= 0.");
        trim_->keep = MaxLen{entries};
    }

    std::optional<Trim> trim_;
    std::optional<std::int64_t> limit_;
};

/// `ms-*`, or an id.
std::variant<AutoId, AutoSeq, EntryId> new_id(const Request& request, std::size_t at) {
    const std::string_view word = until_null(request.word(at));
    const auto dash = word.find('-');
    const bool knows_auto_seq = request.version() >= Configuration::Version::v7_0;
    if (!knows_auto_seq || dash == std::string_view::npos || word.substr(dash) != "-*")
        return request.id(at);
    constexpr std::size_t longest = 127;
    const auto ms = parse_entry_id(word.substr(0, dash), 0);
    if (!ms || request.word(at).size() > longest) request.refuse(invalid_id);
    return AutoSeq{ms->ms};
}

Body read_body(const Request& request, std::size_t first, const TrimOptions& options) {
    const std::size_t words = request.size() > first ? request.size() - first : 0;
    if (words == 0 || words % 2 != 0)
        request.refuse(options.has_limit_without_tilde() ? limit_without_tilde
                       : request.version() < Configuration::Version::v7_0
                           ? "ERR wrong number of arguments for XADD"
                           : "ERR wrong number of arguments for 'xadd' command");
    std::vector<FieldView> fields;
    fields.reserve(words / 2);
    for (std::size_t at = first; at < request.size(); at += 2)
        fields.emplace_back(request.word(at), request.word(at + 1));
    return Body(fields);
}

Command read_xadd(Request& request) {
    Xadd xadd{.key = request.word(1)};
    TrimOptions options;
    std::size_t at = 2;
    for (; at < request.size(); ++at) {
        if (request.is_exactly(at, "*")) break;
        if (options.take(request, at)) continue;
        if (!request.is(at, "NOMKSTREAM")) {
            xadd.id = new_id(request, at);
            break;
        }
        xadd.if_missing = Xadd::IfMissing::skip;
    }
    xadd.trim = options.result(request);
    if (options.has_limit_alone()) request.refuse(limit_without_tilde);
    xadd.body = read_body(request, at + 1, options);
    return xadd;
}

Command read_xlen(Request& request) { return Xlen{request.word(1)}; }

Command read_xdel(Request& request) {
    request.looks_up({.if_missing = IfMissing::zero});
    return Xdel{.key = request.word(1), .ids = request.ids_from(2)};
}

Command read_xtrim(Request& request) {
    TrimOptions options;
    for (std::size_t at = 2; at < request.size(); ++at)
        if (!options.take(request, at)) request.refuse(syntax_error);
    const auto trim = options.result(request);
    if (!trim) request.refuse("ERR syntax error, XTRIM must be called with a trimming strategy");
    return Xtrim{.key = request.word(1), .trim = *trim};
}

Command read_xsetid(Request& request) {
    const bool has_options = request.version() >= Configuration::Version::v7_0;
    if (!has_options) {
        if (request.size() != 3)
            request.refuse("ERR wrong number of arguments for 'xsetid' command");
        request.looks_up({.if_missing = IfMissing::no_such_key});
    }
    Xsetid xsetid{.key = request.word(1), .last_id = request.id(2)};
    for (std::size_t at = 3; at < request.size(); at += 2) {
        if (request.is(at, "ENTRIESADDED") && request.more(at) > 0) {
            xsetid.entries_added = request.integer(at + 1);
            if (*xsetid.entries_added < 0) request.refuse("ERR entries_added must be positive");
        } else if (request.is(at, "MAXDELETEDID") && request.more(at) > 0) {
            xsetid.max_deleted_id = request.id(at + 1);
            if (xsetid.last_id < *xsetid.max_deleted_id)
                request.refuse(
                    "ERR The ID specified in XSETID is smaller than the provided "
                    "max_deleted_entry_id");
        } else {
            request.refuse(syntax_error);
        }
    }
    return xsetid;
}

template <Xrange::Order order>
Command read_xrange(Request& request) {
    constexpr bool forward = order == Xrange::Order::oldest_first;
    Xrange xrange{.key = request.word(1), .order = order};
    xrange.start = request.start(forward ? 2 : 3);
    xrange.end = request.end(forward ? 3 : 2);
    for (std::size_t at = 4; at < request.size(); at += 2) {
        if (!request.is(at, "COUNT") || request.more(at) == 0) request.refuse(syntax_error);
        xrange.count = request.integer(at + 1);
    }
    return xrange;
}

/// Source: xreadCommand in redis/src/t_stream.c.
Command read_xread(Request& request) {
    const ReadOptions options = read_options(request, ReadOptions::Command::xread);
    Xread xread{.count = options.count, .block = options.block};
    for (std::size_t i = 0; i < options.streams; ++i) {
        const std::size_t key = options.first_key + i;
        const std::size_t id = key + options.streams;
        request.looks_up({.key = key});
        if (request.is_exactly(id, ">"))
            request.refuse(
                "ERR The > ID can be specified only when calling XREADGROUP using the GROUP "
                "<group> <consumer> option.");
        Xread::Position position{.key = request.word(key)};
        if (request.version() >= Configuration::Version::v7_4 && request.is_exactly(id, "+"))
            position.from = Xread::Position::From::last_entry;
        else if (!request.is_exactly(id, "$"))
            position.after = request.id(id);
        xread.streams.push_back(std::move(position));
    }
    return xread;
}

/// Source: xinfoReplyWithStreamInfo in redis/src/t_stream.c.
Command read_xinfo_stream(Request& request) {
    request.looks_up({.key = 2, .if_missing = IfMissing::no_such_key});
    if (request.size() == 3) return XinfoStream{request.word(2)};
    if ((request.size() != 4 && request.size() != 6) || !request.is(3, "FULL"))
        request.refuse_subcommand();
    XinfoStreamFull full{.key = request.word(2)};
    if (request.size() == 4) return full;
    if (!request.is(4, "COUNT")) request.refuse_subcommand();
    full.count = request.integer(5);
    return full;
}

Command read_xinfo_groups(Request& request) { return XinfoGroups{request.word(2)}; }
Command read_xinfo_consumers(Request& request) {
    return XinfoConsumers{.key = request.word(2), .group = request.word(3)};
}
Command read_xinfo_help(Request&) { return Help{Help::About::xinfo}; }

}  // namespace

std::span<const CommandEntry> stream_commands() {
    static constexpr CommandEntry commands[] = {
        {"xadd", -5, Access::grows, read_xadd},
        {"xdel", -3, Access::writes, read_xdel},
        {"xinfo", -2},
        {"xinfo|consumers", 4, Access::reads, read_xinfo_consumers},
        {"xinfo|groups", 3, Access::reads, read_xinfo_groups},
        {"xinfo|help", 2, Access::reads, read_xinfo_help},
        {"xinfo|stream", -3, Access::reads, read_xinfo_stream},
        {"xlen", 2, Access::reads, read_xlen},
        {"xrange", -4, Access::reads, read_xrange<Xrange::Order::oldest_first>},
        {"xread", -4, Access::reads, read_xread},
        {"xrevrange", -4, Access::reads, read_xrange<Xrange::Order::newest_first>},
        {"xsetid", -3, Access::grows, read_xsetid},
        {"xtrim", -4, Access::writes, read_xtrim},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
