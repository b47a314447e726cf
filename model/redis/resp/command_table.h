#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/redis/commands.h"
#include "model/redis/resp/request.h"

namespace redeliver::model::redis::resp {

/// What the server knows of a command before it reads its arguments.
/// Source: redis/src/commands/*.json (7.0.15).
struct CommandEntry {
    /// In lower case; a subcommand with its container before it: `xgroup|create`. A container has
    /// an entry of its own, without a reader.
    std::string_view name;
    /// How many words, the name included; at least so many when negative.
    int arity = 0;
    Access access = Access::reads;
    /// Reads a request that has as many words as it should. Throws Request::Flaw.
    Command (*read)(Request& request) = nullptr;
};

// One table per family of commands. To add a command is to add one line to one of these.
std::span<const CommandEntry> stream_commands();
std::span<const CommandEntry> group_commands();
std::span<const CommandEntry> key_commands();
std::span<const CommandEntry> sorted_set_commands();
std::span<const CommandEntry> connection_commands();
std::span<const CommandEntry> dump_commands();
std::span<const CommandEntry> hosted_commands();

/// The entry of the command, or of the subcommand when the first word is a container. Null when
/// the server knows neither. `words` is not empty.
const CommandEntry* find_command(const Words& words);

/// All entries, by name.
std::vector<const CommandEntry*> every_command();

/// Whether the word alone names a container of subcommands.
bool is_container(std::string_view word);

}  // namespace redeliver::model::redis::resp
