// What concerns the connection: PING, ECHO and transactions.

#include "model/redis/resp/command_table.h"

namespace redeliver::model::redis::resp {
namespace {

Command read_ping(Request& request) {
    if (request.size() > 2) request.refuse("ERR wrong number of arguments for 'ping' command");
    Ping ping;
    if (request.size() == 2) ping.message = request.word(1);
    return ping;
}

Command read_echo(Request& request) { return Echo{request.word(1)}; }

Command read_watch(Request& request) { return Watch{request.words_from(1)}; }

template <typename Alone>
Command read_alone(Request&) {
    return Alone{};
}

}  // namespace

std::span<const CommandEntry> connection_commands() {
    static constexpr CommandEntry commands[] = {
        {"discard", 1, Access::reads, read_alone<Discard>},
        {"echo", 2, Access::reads, read_echo},
        {"exec", 1, Access::reads, read_alone<Exec>},
        {"multi", 1, Access::reads, read_alone<Multi>},
        {"ping", -1, Access::reads, read_ping},
        {"unwatch", 1, Access::reads, read_alone<Unwatch>},
        {"watch", -2, Access::reads, read_watch},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
