#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/redis/configuration.h"
#include "model/redis/resp/request_reader.h"

namespace redeliver::model::redis::resp {

/// What CONFIG shows and sets. Every parameter offered here has its effect; one that the model
/// gives no effect can be read, and set to nothing but what it is.
struct Settings {
    Configuration server = {};
    RequestLimits limits = {};
    std::uint64_t max_clients = 10'000;
    /// Bytes that a client may be owed before it is cut off.
    std::size_t max_output = 64 * 1024 * 1024;
    /// Where clients reach it, as CONFIG and INFO tell.
    std::uint16_t port = 6379;
    /// Whether DEBUG LOADAOF has a log to load. (What the server propagates is always kept.)
    enum class Appendonly : std::uint8_t { no, yes };
    Appendonly appendonly = Appendonly::no;
    /// What a rewritten log begins with: the data as it is, or commands that come to it.
    enum class RewriteAs : std::uint8_t { commands, data };
    RewriteAs rewrite_as = RewriteAs::data;
    enum class DebugCommand : std::uint8_t { refused, allowed };
    DebugCommand debug_command = DebugCommand::refused;
};

/// Every parameter that matches the glob-like pattern, by name, as CONFIG GET shows it.
std::map<std::string, std::string> matching(const Settings& settings, std::string_view pattern);

/// Sets one parameter as CONFIG SET does. Returns what is wrong, in the server's words, without
/// their beginning; nothing when it is set.
std::optional<std::string> set_parameter(Settings& settings, std::string_view name,
                                         std::string_view value);

bool is_parameter(std::string_view name);

/// redis-server's own wildcards: * ? [a-z] [^x] and backslash; case does not matter.
/// Source: stringmatchlen in redis/src/util.c.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace redeliver::model::redis::resp
