// INFO. Source: genRedisInfoString in redis/src/server.c (7.0.15). What the model has no notion of
// (memory of an allocator, forks, CPU time) is left out rather than made up.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/redis/resp/hosted.h"
#include "model/redis/resp/version.h"

namespace redeliver::model::redis::resp {
namespace {

/// The lines of one section.
class Lines {
public:
    template <typename Value>
    Lines& operator()(std::string_view name, const Value& value) {
        fmt::format_to(std::back_inserter(text_), "{}:{}\r\n", name, value);
        return *this;
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

std::int64_t whole_seconds(sim::Duration duration) {
    return std::chrono::floor<std::chrono::seconds>(duration).count();
}

std::string about_server(const Process& process, sim::WallTime now) {
    const std::int64_t uptime = whole_seconds(now - process.started.value_or(now));
    constexpr std::int64_t seconds_per_day = 86'400;
    return Lines()("redis_version", release(process.settings.server.version))(
               "redis_mode", "standalone")("os", "redeliver")("arch_bits", 64)(
               "tcp_port", process.settings.port)(
               "server_time_usec",
               std::chrono::floor<std::chrono::microseconds>(now.time_since_epoch()).count())(
               "uptime_in_seconds", uptime)("uptime_in_days", uptime / seconds_per_day)("hz", 10)(
               "configured_hz", 10)("config_file", "")
        .take();
}

std::string about_clients(const Process& process, sim::WallTime) {
    return Lines()("connected_clients", process.connections.size())("cluster_connections", 0)(
               "maxclients", process.settings.max_clients)(
               "blocked_clients", process.server.blocked_sessions())("tracking_clients", 0)
        .take();
}

std::string about_memory(const Process& process, sim::WallTime) {
    return Lines()("maxmemory", process.settings.server.memory_limit.value_or(0))(
               "maxmemory_policy", "noeviction")
        .take();
}

/// A rewrite is done before it is answered, so that none is ever seen at work.
std::string about_persistence(const Process& process, sim::WallTime) {
    return Lines()("loading", 0)("async_loading", 0)("rdb_bgsave_in_progress", 0)(
               "aof_enabled", process.settings.appendonly == Settings::Appendonly::yes ? 1 : 0)(
               "aof_rewrite_in_progress", 0)("aof_rewrite_scheduled", 0)(
               "aof_last_bgrewrite_status", "ok")("aof_last_write_status", "ok")
        .take();
}

std::string about_counts(const Process& process, sim::WallTime) {
    const Statistics& statistics = process.statistics;
    return Lines()("total_connections_received", statistics.connections())(
               "total_commands_processed", statistics.total_calls())(
               "total_net_input_bytes", statistics.bytes_in())("total_net_output_bytes",
                                                               statistics.bytes_out())(
               "rejected_connections", statistics.connections_turned_away())("evicted_keys", 0)(
               "evicted_clients", 0)("pubsub_channels", 0)("pubsub_patterns", 0)(
               "total_error_replies", statistics.total_errors())
        .take();
}

std::string about_replication(const Process&, sim::WallTime) {
    return Lines()("role", "master")("connected_slaves", 0)("master_failover_state", "no-failover")
        .take();
}

std::string about_modules(const Process&, sim::WallTime) { return {}; }

/// The endpoint has no clock that runs while a command does, so that all of them take no time.
std::string about_commands(const Process& process, sim::WallTime) {
    Lines lines;
    for (const auto& [name, calls] : process.statistics.calls())
        lines(fmt::format("cmdstat_{}", name),
              fmt::format("calls={},usec=0,usec_per_call=0.00,rejected_calls={},failed_calls={}",
                          calls.calls, calls.rejected, calls.failed));
    return lines.take();
}

std::string about_errors(const Process& process, sim::WallTime) {
    Lines lines;
    for (const auto& [code, count] : process.statistics.errors())
        lines(fmt::format("errorstat_{}", code), fmt::format("count={}", count));
    return lines.take();
}

std::string about_cluster(const Process&, sim::WallTime) {
    return Lines()("cluster_enabled", 0).take();
}

std::string about_keys(const Process& process, sim::WallTime) {
    const Server::KeyCounts counts = process.server.key_counts();
    if (counts.keys == 0) return {};
    return Lines()("db0", fmt::format("keys={},expires={},avg_ttl=0", counts.keys, counts.expiring))
        .take();
}

struct Section {
    enum class Shown : std::uint8_t { always, when_all };
    std::string_view name;
    std::string (*text)(const Process& process, sim::WallTime now);
    Shown shown = Shown::always;
};

/// In the server's order.
constexpr std::array sections = std::to_array<Section>({
    {"Server", about_server},
    {"Clients", about_clients},
    {"Memory", about_memory},
    {"Persistence", about_persistence},
    {"Stats", about_counts},
    {"Replication", about_replication},
    {"Modules", about_modules},
    {"Commandstats", about_commands, Section::Shown::when_all},
    {"Errorstats", about_errors},
    {"Cluster", about_cluster},
    {"Keyspace", about_keys},
});

bool is_asked_for(const Section& section, std::span<const std::string> words) {
    const bool is_default = section.shown == Section::Shown::always;
    if (words.empty()) return is_default;
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return is_same_word(word, section.name) || is_same_word(word, "everything") ||
               (is_same_word(word, "all") && section.name != "Modules") ||
               (is_same_word(word, "default") && is_default);
    });
}

}  // namespace

std::string information(const Process& process, std::span<const std::string> words,
                        sim::WallTime now) {
    std::string text;
    for (const Section& section : sections) {
        if (!is_asked_for(section, words)) continue;
        if (!text.empty()) text += "\r\n";
        text += fmt::format("# {}\r\n{}", section.name, section.text(process, now));
    }
    return text;
}

}  // namespace redeliver::model::redis::resp
