// XGROUP HELP and XINFO HELP.

#include <span>

#include "model/redis/call.h"

namespace redeliver::model::redis {
namespace {

constexpr std::string_view xgroup_lines[] = {
    "XGROUP <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
    "CREATE <key> <groupname> <id|$> [option]",
    "    Create a new consumer group. Options are:",
    "    * MKSTREAM",
    "      Create the empty stream if it does not exist.",
    "    * ENTRIESREAD entries_read",
    "      Set the group's entries_read counter (internal use).",
    "CREATECONSUMER <key> <groupname> <consumer>",
    "    Create a new consumer in the specified group.",
    "DELCONSUMER <key> <groupname> <consumer>",
    "    Remove the specified consumer.",
    "DESTROY <key> <groupname>",
    "    Remove the specified group.",
    "SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
    "    Set the current group ID and entries_read counter.",
    "HELP",
    "    Prints this help.",
};

constexpr std::string_view xinfo_lines[] = {
    "XINFO <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
    "CONSUMERS <key> <groupname>",
    "    Show consumers of <groupname>.",
    "GROUPS <key>",
    "    Show the stream consumer groups.",
    "STREAM <key> [FULL [COUNT <count>]",
    "    Show information about the stream.",
    "HELP",
    "    Prints this help.",
};

}  // namespace

Reply execute(Call&, const Help& command) {
    const std::span<const std::string_view> text =
        command.about == Help::About::xgroup ? std::span<const std::string_view>(xgroup_lines)
                                             : std::span<const std::string_view>(xinfo_lines);
    std::vector<Tree> lines;
    for (const std::string_view line : text) lines.push_back(simple(std::string(line)));
    return array(std::move(lines));
}

}  // namespace redeliver::model::redis
