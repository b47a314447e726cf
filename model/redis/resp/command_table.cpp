#include "model/redis/resp/command_table.h"

#include <algorithm>
#include <map>

#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

using CommandTable = std::map<std::string_view, const CommandEntry*>;

CommandTable all_commands() {
    CommandTable table;
    for (const auto& family :
         {stream_commands(), group_commands(), key_commands(), sorted_set_commands(),
          connection_commands(), dump_commands(), hosted_commands()})
        for (const CommandEntry& entry : family)
            sim::ensure(table.emplace(entry.name, &entry).second, "a command has one entry");
    return table;
}

const CommandEntry* entry_of(std::string_view name) {
    static const CommandTable table = all_commands();
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

std::string lower_case(std::string_view word) {
    std::string name(word);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return name;
}

bool has_subcommands(const CommandEntry& entry) { return entry.read == nullptr; }

}  // namespace

const CommandEntry* find_command(const Words& words) {
    const std::string name = lower_case(words.front());
    // A subcommand is found only through its container.
    if (name.find('|') != std::string::npos) return nullptr;
    const CommandEntry* const entry = entry_of(name);
    if (!entry || !has_subcommands(*entry) || words.size() == 1) return entry;
    return entry_of(name + "|" + lower_case(words[1]));
}

std::vector<const CommandEntry*> every_command() {
    std::vector<const CommandEntry*> entries;
    for (const auto& [name, entry] : all_commands()) entries.push_back(entry);
    return entries;
}

bool is_container(std::string_view word) {
    const CommandEntry* const entry = entry_of(lower_case(word));
    return entry && has_subcommands(*entry);
}

}  // namespace redeliver::model::redis::resp
