// COMMAND: which commands there are.

#include <array>

#include <fmt/format.h>

#include "model/redis/resp/hosted.h"

namespace redeliver::model::redis::resp {
namespace {

bool is_subcommand(const CommandEntry& entry) {
    return entry.name.find('|') != std::string_view::npos;
}

/// As COMMAND INFO shows a command, except that the model does not know where keys stand, nor what
/// access control would need.
Tree description(const CommandEntry& entry) {
    Tree flags{.kind = Tree::Kind::set};
    flags.children.push_back(simple(entry.access == Access::reads ? "readonly" : "write"));
    if (entry.access == Access::grows) flags.children.push_back(simple("denyoom"));
    const Tree none = array({});
    const Tree empty_set{.kind = Tree::Kind::set};
    return array({bulk(std::string(entry.name)), integer(entry.arity), flags, integer(0),
                  integer(0), integer(0), empty_set, none, none, none});
}

std::vector<const CommandEntry*> main_commands() {
    std::vector<const CommandEntry*> entries;
    for (const CommandEntry* const entry : every_command())
        if (!is_subcommand(*entry)) entries.push_back(entry);
    return entries;
}

Reply every_description(HostedCall&) {
    Tree tree = array({});
    for (const CommandEntry* const entry : main_commands())
        tree.children.push_back(description(*entry));
    return tree;
}

Reply command_count(HostedCall&) { return static_cast<std::int64_t>(main_commands().size()); }

/// Nothing is written up here: a client that shows hints has none to show.
Reply command_docs(HostedCall&) { return map({}); }

Reply command_info(HostedCall& call) {
    if (call.words.size() == 2) return every_description(call);
    Tree tree = array({});
    for (auto word = call.words.begin() + 2; word != call.words.end(); ++word) {
        const CommandEntry* const entry = find_command({*word});
        tree.children.push_back(entry ? description(*entry) : Tree{.kind = Tree::Kind::null_array});
    }
    return tree;
}

Reply command_list(HostedCall&) {
    Tree tree{.kind = Tree::Kind::set};
    for (const CommandEntry* const entry : main_commands())
        tree.children.push_back(bulk(std::string(entry->name)));
    return tree;
}

struct Subcommand {
    std::string_view name;
    /// See CommandEntry.
    int arity;
    Reply (*answer)(HostedCall& call);
};

constexpr std::array subcommands = std::to_array<Subcommand>({
    {"count", 2, command_count},
    {"docs", -2, command_docs},
    {"info", -2, command_info},
    {"list", 2, command_list},
});

/// Both a command and a container of others.
Reply answer_command(HostedCall& call) {
    if (call.words.size() == 1) return every_description(call);
    for (const Subcommand& each : subcommands)
        if (is_same_word(call.words[1], each.name)) {
            if (each.arity > 0 && call.words.size() != 2)
                return refused(fmt::format("ERR wrong number of arguments for 'command|{}' command",
                                           each.name));
            return each.answer(call);
        }
    return refused(
        fmt::format("ERR unknown subcommand '{}'. Try COMMAND HELP.", until_null(call.words[1])));
}

}  // namespace

std::span<const HostedEntry> command_answers() {
    static constexpr HostedEntry entries[] = {{"command", -1, answer_command}};
    return entries;
}

}  // namespace redeliver::model::redis::resp
