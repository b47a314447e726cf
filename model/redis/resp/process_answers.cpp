// What the process is asked: INFO, TIME, WAIT, DEBUG, FUNCTION, BGREWRITEAOF ...

#include <fmt/format.h>

#include "model/redis/resp/hosted.h"

namespace redeliver::model::redis::resp {
namespace {

Reply show_information(HostedCall& call) {
    return verbatim(information(call.process, std::span(call.words).subspan(1), call.now));
}

Reply show_time(HostedCall& call) {
    const auto us = std::chrono::floor<std::chrono::microseconds>(call.now.time_since_epoch());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(us);
    return array(
        {bulk(fmt::to_string(seconds.count())), bulk(fmt::to_string((us - seconds).count()))});
}

/// A primary without replicas: nobody confirms anything, and waiting would not change that.
Reply wait_for_replicas(HostedCall& call) {
    if (!read_integer(call.words[1])) return refused(not_an_integer);
    const auto timeout = read_integer(call.words[2]);
    if (!timeout) return refused("ERR timeout is not an integer or out of range");
    if (*timeout < 0) return refused("ERR timeout is negative");
    return std::int64_t{0};
}

Reply count_keys(HostedCall& call) {
    return static_cast<std::int64_t>(call.process.server.key_counts().keys);
}

Reply show_role(HostedCall&) { return array({bulk("master"), integer(0), array({})}); }

Reply rewrite_append_only_file(HostedCall& call) {
    rewrite_log(call.process, call.now);
    return simple("Background append only file rewriting started");
}

/// There are no functions, so that there is nothing to flush.
Reply function_flush(HostedCall& call) {
    if (call.words.size() > 3) return wrong_subcommand("FUNCTION", call.words[1]);
    const bool is_mode = call.words.size() == 2 || is_same_word(call.words[2], "sync") ||
                         is_same_word(call.words[2], "async");
    if (!is_mode) return refused("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
    return Ok{};
}

Reply function_list(HostedCall&) { return array({}); }

Reply load_append_only_file(HostedCall& call) {
    Process& process = call.process;
    // Without an append-only file there is nothing to load, and the data is thrown away all the
    // same.
    if (process.settings.appendonly == Settings::Appendonly::no)
        process.server.forget_log(call.now);
    process.server.reload_log(call.now);
    return Ok{};
}

/// DEBUG is no container: what it does not know it refuses when it is executed.
Reply debug_server(HostedCall& call) {
    const auto is = [&call](std::string_view subcommand, std::size_t words) {
        return is_same_word(call.words[1], subcommand) && call.words.size() == words;
    };
    if (is_same_word(call.words[1], "loadaof")) return load_append_only_file(call);
    // The message would go to the log of the server; this one keeps none.
    if (is("log", 3)) return Ok{};
    if (is("error", 3)) return refused(call.words[2]);
    if (is("help", 2))
        return help("DEBUG", {"ERROR <string>",
                              "    Return a Redis protocol error with <string> as message. Useful "
                              "for clients",
                              "    unit tests to simulate Redis errors.", "LOADAOF",
                              "    Flush the AOF buffers on disk and reload the AOF in memory.",
                              "LOG <message>", "    Write <message> to the server log."});
    return wrong_subcommand("DEBUG", call.words[1]);
}

}  // namespace

std::span<const HostedEntry> process_answers() {
    static constexpr HostedEntry entries[] = {
        {"bgrewriteaof", 1, rewrite_append_only_file},
        {"dbsize", 1, count_keys},
        {"debug", -2, debug_server},
        {"function", -2, nullptr},
        {"function|flush", -2, function_flush},
        {"function|list", -2, function_list},
        {"info", -1, show_information},
        {"role", 1, show_role},
        {"time", 1, show_time},
        {"wait", 3, wait_for_replicas},
    };
    return entries;
}

}  // namespace redeliver::model::redis::resp
