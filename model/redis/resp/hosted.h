#pragma once

#include <span>
#include <string_view>

#include "model/redis/output.h"
#include "model/redis/resp/command_table.h"
#include "model/redis/resp/integer.h"
#include "model/redis/resp/process.h"

namespace redeliver::model::redis::resp {

/// One command about a connection or the process at work.
struct HostedCall {
    Process& process;
    Connection& connection;
    const Words& words;
    sim::WallTime now;
    Output& out;
};

/// Such a command: how many words it has (see CommandEntry), and its answer. A container of
/// subcommands has none.
struct HostedEntry {
    std::string_view name;
    int arity = 0;
    Reply (*answer)(HostedCall& call) = nullptr;
};

// One table per family of commands.
std::span<const HostedEntry> session_answers();
std::span<const HostedEntry> client_answers();
std::span<const HostedEntry> config_answers();
std::span<const HostedEntry> process_answers();
std::span<const HostedEntry> command_answers();

/// All of them, for the table of commands.
std::span<const CommandEntry> hosted_commands();

/// The answer to a command of that table.
Reply answer(HostedCall& call);

/// INFO: these sections, or those it shows without any.
std::string information(const Process& process, std::span<const std::string> sections,
                        sim::WallTime now);

/// Begins the append-only file anew with the data there is, in the form that aof-use-rdb-preamble
/// asks for.
void rewrite_log(Process& process, sim::WallTime now);

/// An error reply.
Reply refused(std::string_view text);
/// What a subcommand with too many words is answered when it is executed.
Reply wrong_subcommand(std::string_view command, std::string_view subcommand);
/// A text that RESP3 marks as such.
Tree verbatim(std::string text);
/// The lines of a HELP subcommand.
Reply help(std::string_view command, std::initializer_list<std::string_view> lines);

/// A name that CLIENT SETNAME takes: printable, without blanks. The empty one takes a name away.
bool is_client_name(std::string_view name);
inline constexpr std::string_view bad_client_name =
    "ERR Client names cannot contain spaces, newlines or special characters.";

std::string to_lower_case(std::string_view word);

}  // namespace redeliver::model::redis::resp
