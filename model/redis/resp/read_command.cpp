#include "model/redis/resp/read_command.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "model/redis/resp/command_table.h"
#include "model/redis/resp/request.h"

namespace redeliver::model::redis::resp {
namespace {

constexpr std::size_t longest_shown = 128;

std::string_view shown(std::string_view word, std::size_t longest = longest_shown) {
    return until_null(word).substr(0, longest);
}

std::string upper_case(std::string_view word) {
    std::string upper(word);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return upper;
}

/// Source: commandCheckExistence in redis/src/server.c.
std::string unknown_command(const Words& words, Configuration::Version version) {
    const bool is_6_2 = version < Configuration::Version::v7_0;
    if (is_container(words.front()))
        return fmt::format("ERR unknown subcommand '{}'. Try {} HELP.", shown(words[1]),
                           upper_case(words.front()));
    std::string arguments;
    for (std::size_t i = 1; i < words.size() && arguments.size() < longest_shown; ++i)
        arguments +=
            fmt::format("{0}{1}{0}{2} ", is_6_2 ? '`' : '\'',
                        shown(words[i], longest_shown - arguments.size()), is_6_2 ? "," : "");
    if (is_6_2)
        return fmt::format("ERR unknown command `{}`, with args beginning with: {}",
                           until_null(words.front()), arguments);
    return fmt::format("ERR unknown command '{}', with args beginning with: {}",
                       shown(words.front()), arguments);
}

bool has_wrong_size(const Words& words, int arity) {
    const auto size = static_cast<std::ptrdiff_t>(words.size());
    return arity > 0 ? size != arity : size < -arity;
}

Flawed noticed_at_once(std::string error, const Words& words) {
    return {.error = std::move(error), .noticed = Flawed::Noticed::at_once, .words = words};
}

Flawed of_wrong_size(const CommandEntry& entry, const Words& words) {
    const std::string why = fmt::format("wrong number of arguments for '{}' command", entry.name);
    if (entry.name != "exec") return noticed_at_once("ERR " + why, words);
    Flawed flawed = noticed_at_once("EXECABORT Transaction discarded because of: " + why, words);
    flawed.noticed = Flawed::Noticed::at_once_by_exec;
    return flawed;
}

Flawed when_executed(const Request& request, const Request::Flaw& flaw, Access access,
                     const Words& words) {
    return {.error = flaw.error, .access = access, .lookups = request.lookups(), .words = words};
}

/// Before 7.0 a container was one command, which found fault with its subcommand when executed,
/// after it had looked up what most of them need.
/// Source: xgroupCommand and xinfoCommand in redis/src/t_stream.c (6.2.16).
Flawed flawed_subcommand(const Words& words, Configuration::Version version) {
    using If = Flawed::Lookup::IfMissing;
    Request request(words, version);
    const bool changes_groups = is_same_word(words.front(), "xgroup");
    if (changes_groups && words.size() >= 4)
        request.looks_up({.key = 2, .if_missing = If::stream_required});
    if (is_same_word(words.front(), "xinfo") && words.size() >= 3)
        request.looks_up({.key = 2, .if_missing = If::no_such_key});
    try {
        request.refuse_subcommand();
    } catch (const Request::Flaw& flaw) {
        return when_executed(request, flaw, changes_groups ? Access::writes : Access::reads, words);
    }
}

}  // namespace

Command read_command(const Words& words, Configuration::Version version) {
    const CommandEntry* const entry = find_command(words);
    const bool has_wrong_words = !entry || has_wrong_size(words, entry->arity);
    if (has_wrong_words && version < Configuration::Version::v7_0 && words.size() > 1 &&
        is_container(words.front()))
        return flawed_subcommand(words, version);
    if (!entry) return noticed_at_once(unknown_command(words, version), words);
    if (has_wrong_words) return of_wrong_size(*entry, words);
    Request request(words, version);
    try {
        return entry->read(request);
    } catch (const Request::Flaw& flaw) {
        return when_executed(request, flaw, entry->access, words);
    }
}

bool is_http(const Words& words) {
    return is_same_word(words.front(), "post") || is_same_word(words.front(), "host:");
}

}  // namespace redeliver::model::redis::resp
