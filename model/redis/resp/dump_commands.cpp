// RESTORE.

#include "model/redis/resp/command_table.h"

namespace redeliver::model::redis::resp {
namespace {

/// IDLETIME and FREQ are read and forgotten: nothing is ever evicted. Either, not both.
enum class Eviction : std::uint8_t { unsaid, idle_time, frequency };

Command read_restore(Request& request) {
    Restore restore{.key = request.word(1), .ttl_ms = request.word(2), .payload = request.word(3)};
    auto eviction = Eviction::unsaid;
    for (std::size_t at = 4; at < request.size(); ++at) {
        const bool has_value = request.more(at) >= 1;
        if (request.is(at, "REPLACE")) {
            restore.if_taken = Restore::IfTaken::replace;
        } else if (request.is(at, "ABSTTL")) {
            restore.from = Restore::From::epoch;
        } else if (request.is(at, "IDLETIME") && has_value && eviction != Eviction::frequency) {
            if (request.integer(++at) < 0)
                request.refuse("ERR Invalid IDLETIME value, must be >= 0");
            eviction = Eviction::idle_time;
        } else if (request.is(at, "FREQ") && has_value && eviction != Eviction::idle_time) {
            const std::int64_t frequency = request.integer(++at);
            if (frequency < 0 || frequency > 255)
                request.refuse("ERR Invalid FREQ value, must be >= 0 and <= 255");
            eviction = Eviction::frequency;
        } else {
            request.refuse(syntax_error);
        }
    }
    return restore;
}

}  // namespace

std::span<const CommandEntry> dump_commands() {
    static constexpr CommandEntry commands[] = {
        {"restore", -4, Access::grows, read_restore},
    };
    return commands;
}

}  // namespace redeliver::model::redis::resp
