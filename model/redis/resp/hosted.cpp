#include "model/redis/resp/hosted.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

using Answers = std::map<std::string_view, const HostedEntry*>;

Answers every_answer() {
    Answers answers;
    for (const auto family : {session_answers(), client_answers(), config_answers(),
                              process_answers(), command_answers()})
        for (const HostedEntry& entry : family)
            sim::ensure(answers.emplace(entry.name, &entry).second, "a command has one answer");
    return answers;
}

const Answers& answer_table() {
    static const Answers table = every_answer();
    return table;
}

Command as_hosted(Request& request) { return Hosted{request.words_from(0)}; }

}  // namespace

std::span<const CommandEntry> hosted_commands() {
    static const std::vector<CommandEntry> table = [] {
        std::vector<CommandEntry> entries;
        for (const auto& [name, entry] : answer_table())
            entries.push_back({.name = name,
                               .arity = entry->arity,
                               .access = Access::reads,
                               .read = entry->answer ? as_hosted : nullptr});
        return entries;
    }();
    return table;
}

Reply answer(HostedCall& call) {
    const CommandEntry* const entry = find_command(call.words);
    sim::ensure(entry != nullptr, "a hosted command is in the table");
    return answer_table().at(entry->name)->answer(call);
}

void rewrite_log(Process& process, sim::WallTime now) {
    const bool as_data = process.settings.rewrite_as == Settings::RewriteAs::data;
    process.server.rewrite_log(as_data ? LogForm::snapshot : LogForm::commands, now);
}

Reply refused(std::string_view text) { return Refused{Refusal::as_worded, std::string(text)}; }

Reply wrong_subcommand(std::string_view command, std::string_view subcommand) {
    return refused(
        fmt::format("ERR unknown subcommand or wrong number of arguments for '{}'. Try {} HELP.",
                    until_null(subcommand), command));
}

Tree verbatim(std::string text) { return {.kind = Tree::Kind::verbatim, .text = std::move(text)}; }

Reply help(std::string_view command, std::initializer_list<std::string_view> lines) {
    Tree tree{.kind = Tree::Kind::array};
    tree.children.push_back(simple(
        fmt::format("{} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", command)));
    for (const std::string_view line : lines) tree.children.push_back(simple(std::string(line)));
    tree.children.push_back(simple("HELP"));
    tree.children.push_back(simple("    Prints this help."));
    return tree;
}

std::string to_lower_case(std::string_view word) {
    std::string name(word);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return name;
}

}  // namespace redeliver::model::redis::resp
