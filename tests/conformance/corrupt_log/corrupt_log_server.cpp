// `redeliver serve --enable-debug-command`, except that its log lies: of every command that trims,
// the log has another version (see corrupt). Redis's tests of what is propagated must fail against
// it: if they passed, DEBUG LOADAOF would be answered without having any effect.

#include <cstdio>
#include <variant>

#include "bridge/redis_server.h"
#include "tests/conformance/corrupt_log/corrupt_log.h"

namespace redeliver::model::redis {

void corrupt(std::vector<Command>& commands) {
    for (Command& command : commands) {
        if (auto* const xadd = std::get_if<Xadd>(&command)) xadd->trim.reset();
        auto* const xtrim = std::get_if<Xtrim>(&command);
        auto* const keep = xtrim ? std::get_if<MaxLen>(&xtrim->trim.keep) : nullptr;
        if (keep) ++keep->entries;
    }
}

}  // namespace redeliver::model::redis

int main() {
    using redeliver::bridge::RedisServer;
    using redeliver::model::redis::resp::Settings;
    RedisServer::Options options{.port = 0};
    options.settings.debug_command = Settings::DebugCommand::allowed;
    RedisServer server(options);
    server.stop_on_signals();
    std::printf("redeliver serve: with a log that lies, on 127.0.0.1:%d\n", server.port());
    std::fflush(stdout);
    server.run();
}
