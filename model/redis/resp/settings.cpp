#include "model/redis/resp/settings.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "model/redis/resp/request.h"

namespace redeliver::model::redis::resp {
namespace {

using Wrong = std::optional<std::string>;

/// A parameter that can be read and set.
struct Parameter {
    std::string_view name;
    std::string (*get)(const Settings& settings);
    Wrong (*set)(Settings& settings, std::string_view value);
};

/// A parameter that is what it is.
struct Fact {
    std::string_view name;
    std::string_view value;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string out_of_bounds(std::int64_t least, std::int64_t most) {
    return fmt::format("argument must be between {} and {} inclusive", least, most);
}

/// `into` is set when the value is between the bounds.
Wrong set_number(std::string_view value, std::int64_t least, std::int64_t most,
                 std::uint64_t& into) {
    const auto number = whole_number(value);
    if (!number) return "argument couldn't be parsed into an integer";
    if (*number < least || *number > most) return out_of_bounds(least, most);
    into = static_cast<std::uint64_t>(*number);
    return std::nullopt;
}

struct Unit {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr Unit memory_units[] = {{"", 1},
                                 {"b", 1},
                                 {"k", 1000},
                                 {"kb", 1024},
                                 {"m", 1000'000},
                                 {"mb", 1024 * 1024},
                                 {"g", 1000'000'000},
                                 {"gb", 1024ull * 1024 * 1024}};

/// Source: memtoull in redis/src/util.c.
std::optional<std::uint64_t> memory_size(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (error != std::errc() || digits == 0) return std::nullopt;
    for (const Unit& unit : memory_units)
        if (is_same_word(unit.name, text.substr(digits))) {
            if (number > std::numeric_limits<std::uint64_t>::max() / unit.bytes)
                return std::nullopt;
            return number * unit.bytes;
        }
    return std::nullopt;
}

Wrong set_memory(std::string_view value, std::int64_t most, std::uint64_t& into) {
    const auto bytes = memory_size(value);
    if (!bytes) return "argument must be a memory value";
    if (*bytes > static_cast<std::uint64_t>(most)) return out_of_bounds(0, most);
    into = *bytes;
    return std::nullopt;
}

template <typename Choice>
Wrong set_yes_or_no(std::string_view value, Choice yes, Choice no, Choice& into) {
    if (!is_same_word(value, "yes") && !is_same_word(value, "no"))
        return "argument must be 'yes' or 'no'";
    into = is_same_word(value, "yes") ? yes : no;
    return std::nullopt;
}

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

Wrong set_appendfsync(Settings& settings, std::string_view value) {
    using Policy = Configuration::Appendfsync;
    if (is_same_word(value, "everysec"))
        settings.server.appendfsync = Policy::everysec;
    else if (is_same_word(value, "always"))
        settings.server.appendfsync = Policy::always;
    else if (is_same_word(value, "no"))
        settings.server.appendfsync = Policy::no;
    else
        return "argument(s) must be one of the following: everysec, always, no";
    return std::nullopt;
}

std::string fsync_policy(const Settings& settings) {
    switch (settings.server.appendfsync) {
    case Configuration::Appendfsync::always: return "always";
    case Configuration::Appendfsync::everysec: return "everysec";
    case Configuration::Appendfsync::no: break;
    }
    return "no";
}

Wrong set_maxmemory(Settings& settings, std::string_view value) {
    std::uint64_t bytes = 0;
    if (Wrong wrong = set_memory(value, std::numeric_limits<std::int64_t>::max(), bytes))
        return wrong;
    settings.server.memory_limit = bytes == 0 ? std::nullopt : std::optional(bytes);
    return std::nullopt;
}

constexpr std::int64_t greatest_number = std::numeric_limits<std::int64_t>::max();

constexpr Parameter parameters[] = {
    {"aof-use-rdb-preamble",
     [](const Settings& now) { return yes_or_no(now.rewrite_as == Settings::RewriteAs::data); },
     [](Settings& now, std::string_view value) {
         return set_yes_or_no(value, Settings::RewriteAs::data, Settings::RewriteAs::commands,
                              now.rewrite_as);
     }},
    {"appendfsync", fsync_policy, set_appendfsync},
    {"appendonly",
     [](const Settings& now) { return yes_or_no(now.appendonly == Settings::Appendonly::yes); },
     [](Settings& now, std::string_view value) {
         return set_yes_or_no(value, Settings::Appendonly::yes, Settings::Appendonly::no,
                              now.appendonly);
     }},
    {"maxclients", [](const Settings& now) { return fmt::to_string(now.max_clients); },
     [](Settings& now, std::string_view value) {
         return set_number(value, 1, std::numeric_limits<std::uint32_t>::max(), now.max_clients);
     }},
    {"maxmemory",
     [](const Settings& now) { return fmt::to_string(now.server.memory_limit.value_or(0)); },
     set_maxmemory},
    {"stream-node-max-bytes",
     [](const Settings& now) { return fmt::to_string(now.server.stream_node_max_bytes); },
     [](Settings& now, std::string_view value) {
         return set_memory(value, greatest_number, now.server.stream_node_max_bytes);
     }},
    {"stream-node-max-entries",
     [](const Settings& now) { return fmt::to_string(now.server.stream_node_max_entries); },
     [](Settings& now, std::string_view value) {
         return set_number(value, 0, greatest_number, now.server.stream_node_max_entries);
     }},
};

/// What no server changes while it runs.
constexpr std::string_view immutable[] = {"appendfilename", "cluster-enabled", "databases",
                                          "enable-debug-command"};

/// What is as it is here: clients ask for it.
constexpr Fact facts[] = {{"appendfilename", "appendonly.aof"},
                          {"cluster-enabled", "no"},
                          {"databases", "1"},
                          {"hz", "10"},
                          {"maxmemory-policy", "noeviction"},
                          {"notify-keyspace-events", ""},
                          {"save", ""},
                          {"timeout", "0"}};

/// What was decided when the server was started.
std::map<std::string, std::string> decided(const Settings& settings) {
    return {{"client-query-buffer-limit", fmt::to_string(settings.limits.buffered_bytes)},
            {"enable-debug-command",
             yes_or_no(settings.debug_command == Settings::DebugCommand::allowed)},
            {"port", fmt::to_string(settings.port)},
            {"proto-max-bulk-len", fmt::to_string(settings.limits.word_bytes)}};
}

std::map<std::string, std::string> unchangeable(const Settings& settings) {
    auto all = decided(settings);
    for (const Fact& fact : facts) all.emplace(fact.name, fact.value);
    return all;
}

const Parameter* find_parameter(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(parameters), std::end(parameters),
                     [name](const Parameter& each) { return is_same_word(each.name, name); });
    return found == std::end(parameters) ? nullptr : found;
}

}  // namespace

std::map<std::string, std::string> matching(const Settings& settings, std::string_view pattern) {
    auto all = unchangeable(settings);
    for (const Parameter& parameter : parameters)
        all.emplace(parameter.name, parameter.get(settings));
    std::erase_if(all, [pattern](const auto& row) { return !matches_glob(pattern, row.first); });
    return all;
}

bool is_parameter(std::string_view name) {
    if (find_parameter(name)) return true;
    const auto others = unchangeable({});
    return std::any_of(others.begin(), others.end(),
                       [name](const auto& row) { return is_same_word(row.first, name); });
}

Wrong set_parameter(Settings& settings, std::string_view name, std::string_view value) {
    if (const Parameter* const parameter = find_parameter(name))
        return parameter->set(settings, value);
    const bool is_immutable =
        std::any_of(std::begin(immutable), std::end(immutable),
                    [name](std::string_view each) { return is_same_word(each, name); });
    for (const auto& [other, fixed] : unchangeable(settings))
        if (!is_immutable && is_same_word(other, name) && value == fixed) return std::nullopt;
    return "can't set immutable config";
}

}  // namespace redeliver::model::redis::resp
