// CONFIG. Source: configCommand in redis/src/config.c (7.0.15).

#include <set>

#include <fmt/format.h>

#include "model/redis/resp/hosted.h"

namespace redeliver::model::redis::resp {
namespace {

Reply get_parameters(HostedCall& call) {
    std::map<std::string, std::string> found;
    for (auto word = call.words.begin() + 2; word != call.words.end(); ++word)
        for (auto& [name, value] : matching(call.process.settings, *word)) {
            // A name in full is shown as it was typed.
            const bool is_name = is_same_word(name, *word);
            found.emplace(is_name ? *word : name, std::move(value));
        }
    Tree tree = map({});
    for (const auto& [name, value] : found) {
        tree.children.push_back(bulk(name));
        tree.children.push_back(bulk(value));
    }
    return tree;
}

Reply setting_failed(std::string_view name, std::string_view why) {
    return refused(fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') - {}",
                               until_null(name), why));
}

/// All of them, or none.
std::optional<Reply> set_every_one(const Words& words, Settings& settings) {
    std::set<std::string> named;
    for (std::size_t at = 2; at < words.size(); at += 2) {
        if (!is_parameter(words[at]))
            return refused(
                fmt::format("ERR Unknown option or number of arguments for CONFIG SET - '{}'",
                            until_null(words[at])));
        if (!named.insert(to_lower_case(words[at])).second)
            return setting_failed(words[at], "duplicate parameter");
    }
    for (std::size_t at = 2; at < words.size(); at += 2)
        if (const auto wrong = set_parameter(settings, words[at], words[at + 1]))
            return setting_failed(words[at], *wrong);
    return std::nullopt;
}

Reply set_parameters(HostedCall& call) {
    if (call.words.size() % 2 != 0) return refused(syntax_error);
    Process& process = call.process;
    Settings wanted = process.settings;
    if (auto refusal = set_every_one(call.words, wanted)) return *refusal;
    const bool starts_log = process.settings.appendonly == Settings::Appendonly::no &&
                            wanted.appendonly == Settings::Appendonly::yes;
    process.settings = wanted;
    process.server.reconfigure(wanted.server);
    // A log that begins now begins with the data there is.
    if (starts_log) rewrite_log(process, call.now);
    return Ok{};
}

Reply reset_statistics(HostedCall& call) {
    call.process.statistics = {};
    return Ok{};
}

Reply rewrite_file(HostedCall&) {
    return refused("ERR The server is running without a config file");
}

Reply config_help(HostedCall&) {
    return help("CONFIG",
                {"GET <pattern>",
                 "    Return parameters matching the glob-like <pattern> and their values.",
                 "SET <directive> <value>", "    Set the configuration <directive> to <value>.",
                 "RESETSTAT", "    Reset statistics reported by the INFO command.", "REWRITE",
                 "    Rewrite the configuration file."});
}

}  // namespace

std::span<const HostedEntry> config_answers() {
    static constexpr HostedEntry entries[] = {
        {"config", -2, nullptr},
        {"config|get", -3, get_parameters},
        {"config|help", 2, config_help},
        {"config|resetstat", 2, reset_statistics},
        {"config|rewrite", 2, rewrite_file},
        {"config|set", -4, set_parameters},
    };
    return entries;
}

}  // namespace redeliver::model::redis::resp
