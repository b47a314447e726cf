#include "scenarios/orders.h"

#include <fmt/format.h>

#include <charconv>
#include <variant>

#include "model/redis/resp/inline_words.h"
#include "model/redis/resp/read_command.h"
#include "scenarios/node_names.h"

namespace redeliver::scenarios::orders {

namespace redis = model::redis;

namespace {

constexpr std::string_view memory_words = "CONFIG SET maxmemory ";
constexpr std::string_view again_words = "submit again ";
constexpr std::string_view times_words = " times";

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return number;
}

template <class... Types>
bool is_any_of(const redis::Command& command) {
    return (std::holds_alternative<Types>(command) || ...);
}

/// Whether nobody has to wait for what it answers, and nothing is added that no run stands for.
bool is_for_operators(const redis::Command& command) {
    return is_any_of<redis::Xtrim, redis::Xdel, redis::Xsetid, redis::Xack, redis::XgroupCreate,
                     redis::XgroupSetid, redis::XgroupDestroy, redis::XgroupCreateconsumer,
                     redis::XgroupDelconsumer, redis::Del, redis::Flushall>(command);
}

}  // namespace

std::string limit_memory(std::uint64_t bytes) { return fmt::format("{}{}", memory_words, bytes); }

std::string submit_again(std::uint32_t times) {
    return fmt::format("{}{}{}", again_words, times, times_words);
}

std::optional<std::uint64_t> memory_limit_in(std::string_view words) {
    if (!words.starts_with(memory_words)) return {};
    return number_in(words.substr(memory_words.size()));
}

std::optional<std::uint32_t> resubmissions_in(std::string_view words) {
    if (!words.starts_with(again_words) || !words.ends_with(times_words)) return {};
    words.remove_prefix(again_words.size());
    if (words.size() <= times_words.size()) return {};
    words.remove_suffix(times_words.size());
    const auto number = number_in(words);
    if (!number || *number == 0 || *number > most_resubmissions) return {};
    return static_cast<std::uint32_t>(*number);
}

std::optional<redis::Command> command_in(std::string_view words) {
    const auto split = redis::resp::split_inline(words);
    if (!split || split->empty()) return {};
    redis::Command command = redis::resp::read_command(*split, redis::Configuration::Version::v7_0);
    if (!is_for_operators(command)) return {};
    return command;
}

bool take_time(std::string_view words) {
    return words == hold_locks || words == take_connections || words == restart_renamed ||
           memory_limit_in(words);
}

bool understood_by(const System& system, std::string_view node, std::string_view words) {
    switch (role_of(system, node)) {
    case Role::broker: return memory_limit_in(words) || command_in(words);
    case Role::database: return words == hold_locks || words == take_connections;
    case Role::user: return resubmissions_in(words).has_value();
    case Role::worker: return words == restart_renamed;
    default: return false;
    }
}

std::string vocabulary_of(const System& system, std::string_view node) {
    switch (role_of(system, node)) {
    case Role::broker:
        return fmt::format(
            "\"CONFIG SET maxmemory 1\", or a command such as \"XTRIM koda:runs MAXLEN 0\" or "
            "\"XGROUP DELCONSUMER koda:runs workers {}\" (XTRIM, XDEL, XSETID, XACK, XGROUP, DEL "
            "and FLUSHALL)",
            numbered(system.worker.name, 1));
    case Role::database: return "\"SELECT * FROM runs FOR UPDATE\" and \"take all connections\"";
    case Role::user: return "\"submit again 1 times\" to \"submit again 8 times\"";
    case Role::worker: return "\"restart under a new name\"";
    default: return {};
    }
}

}  // namespace redeliver::scenarios::orders
