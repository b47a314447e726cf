// CLIENT: connections about themselves and about each other.
// Source: clientCommand in redis/src/networking.c (7.0.15).

#include <algorithm>

#include <fmt/format.h>

#include "model/redis/resp/client_filter.h"
#include "model/redis/resp/hosted.h"

namespace redeliver::model::redis::resp {
namespace {

std::string flags_of(const Connection& connection) {
    std::string flags;
    if (connection.queued) flags += 'x';
    if (connection.state == Connection::State::waiting) flags += 'b';
    return flags.empty() ? "N" : flags;
}

std::int64_t seconds_since(sim::WallTime then, sim::WallTime now) {
    return std::chrono::floor<std::chrono::seconds>(now - then).count();
}

/// A line of CLIENT LIST. The model has no buffers to tell of: their sizes are 0, and `fd` is -1.
std::string client_line(const Connection& connection, sim::WallTime now) {
    const auto multi =
        connection.queued ? static_cast<std::ptrdiff_t>(connection.queued->size()) : -1;
    return fmt::format(
        "id={} addr={} laddr={} fd=-1 name={} age={} idle={} flags={} db=0 sub=0 psub=0 ssub=0 "
        "multi={} qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=0 "
        "tot-mem=0 events=r cmd={} user=default redir=-1 resp={}",
        static_cast<std::uint64_t>(connection.session), connection.ends.remote,
        connection.ends.local, connection.name, seconds_since(connection.since, now),
        seconds_since(connection.last_request, now), flags_of(connection), multi,
        connection.command.empty() ? "NULL" : connection.command,
        connection.protocol == Protocol::resp3 ? 3 : 2);
}

Reply show_id(HostedCall& call) { return static_cast<std::int64_t>(call.connection.session); }

Reply get_name(HostedCall& call) {
    if (call.connection.name.empty()) return Nil{};
    return Text{call.connection.name};
}

Reply set_name(HostedCall& call) {
    if (!is_client_name(call.words[2])) return refused(bad_client_name);
    call.connection.name = call.words[2];
    return Ok{};
}

Reply show_client(HostedCall& call) {
    return verbatim(client_line(call.connection, call.now) + "\n");
}

Reply list_clients(HostedCall& call) {
    const auto filter = read_list_filter(call.words);
    if (const auto* const refusal = std::get_if<Reply>(&filter)) return *refusal;
    std::string lines;
    for (const auto& [session, connection] : call.process.connections)
        if (std::get<ClientFilter>(filter).passes(connection))
            lines += client_line(connection, call.now) + "\n";
    return verbatim(std::move(lines));
}

Reply kill_clients(HostedCall& call) {
    auto filter = read_kill_filter(call.words);
    if (const auto* const refusal = std::get_if<Reply>(&filter)) return *refusal;
    auto& wanted = std::get<ClientFilter>(filter);
    if (wanted.self == ClientFilter::Self::spared) wanted.but = call.connection.session;
    std::int64_t killed = 0;
    for (const auto& [session, connection] : call.process.connections)
        if (wanted.passes(connection)) killed += call.process.killed.insert(session).second;
    if (wanted.form == ClientFilter::Form::options) return killed;
    if (killed == 0) return refused("ERR No such client");
    return Ok{};
}

Reply unblock_client(HostedCall& call) {
    auto ending = Server::Ending::timeout;
    if (call.words.size() > 4) return wrong_subcommand("CLIENT", call.words[1]);
    if (call.words.size() == 4) {
        if (is_same_word(call.words[3], "error"))
            ending = Server::Ending::error;
        else if (!is_same_word(call.words[3], "timeout"))
            return refused("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    const auto session = read_integer(call.words[2]);
    if (!session) return refused(not_an_integer);
    const bool ended = call.process.server.unblock(SessionId{static_cast<std::uint64_t>(*session)},
                                                   ending, call.out);
    return std::int64_t{ended};
}

/// Nothing is ever evicted, so that nobody need be spared.
Reply no_evict(HostedCall& call) {
    if (!is_same_word(call.words[2], "on") && !is_same_word(call.words[2], "off"))
        return refused(syntax_error);
    return Ok{};
}

Reply set_replies(HostedCall& call) {
    using Replies = Connection::Replies;
    if (is_same_word(call.words[2], "on"))
        call.connection.replies = Replies::on;
    else if (is_same_word(call.words[2], "off"))
        call.connection.replies = Replies::off;
    else if (!is_same_word(call.words[2], "skip"))
        return refused(syntax_error);
    else if (call.connection.replies != Replies::off)
        call.connection.replies = Replies::skip_next;
    return Ok{};
}

Reply get_redir(HostedCall&) { return std::int64_t{-1}; }

Reply client_help(HostedCall&) {
    return help("CLIENT",
                {"GETREDIR",
                 "    Return the client ID we are redirecting to when tracking is enabled.",
                 "GETNAME",
                 "    Return the name of the current connection.",
                 "ID",
                 "    Return the ID of the current connection.",
                 "INFO",
                 "    Return information about the current client connection.",
                 "KILL <ip:port>",
                 "    Kill connection made from <ip:port>.",
                 "KILL <option> <value> [<option> <value> [...]]",
                 "    Kill connections. Options are:",
                 "    * ADDR (<ip:port>|<unixsocket>:0)",
                 "      Kill connections made from the specified address",
                 "    * LADDR (<ip:port>|<unixsocket>:0)",
                 "      Kill connections made to specified local address",
                 "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
                 "      Kill connections by type.",
                 "    * USER <username>",
                 "      Kill connections authenticated by <username>.",
                 "    * SKIPME (YES|NO)",
                 "      Skip killing current connection (default: yes).",
                 "LIST [options ...]",
                 "    Return information about client connections. Options:",
                 "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
                 "      Return clients of specified type.",
                 "REPLY (ON|OFF|SKIP)",
                 "    Control the replies sent to the current connection.",
                 "SETNAME <name>",
                 "    Assign the name <name> to the current connection.",
                 "UNBLOCK <clientid> [TIMEOUT|ERROR]",
                 "    Unblock the specified blocked client.",
                 "NO-EVICT (ON|OFF)",
                 "    Protect current client connection from eviction."});
}

}  // namespace

std::span<const HostedEntry> client_answers() {
    static constexpr HostedEntry entries[] = {
        {"client", -2, nullptr},           {"client|getname", 2, get_name},
        {"client|getredir", 2, get_redir}, {"client|help", 2, client_help},
        {"client|id", 2, show_id},         {"client|info", 2, show_client},
        {"client|kill", -3, kill_clients}, {"client|list", -2, list_clients},
        {"client|no-evict", 3, no_evict},  {"client|reply", 3, set_replies},
        {"client|setname", 3, set_name},   {"client|unblock", -3, unblock_client},
    };
    return entries;
}

}  // namespace redeliver::model::redis::resp
