#include "tests/conformance/script.h"

#include <fmt/format.h>

namespace redeliver::conformance {
namespace {

using model::redis::resp::Protocol;

std::string line_of(const Words& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

/// A line in single quotes, as bash wants it.
std::string for_bash(const std::string& line) {
    std::string text = "'";
    for (const char c : line) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

struct InShell {
    const Script& script;

    std::string operator()(const Send& send) const {
        std::string text = fmt::format("say {}", send.connection);
        for (const Words& words : send.burst) text += " " + for_bash(line_of(words));
        return text + "\n";
    }
    std::string operator()(const Disconnect& disconnect) const {
        return fmt::format("hang_up {0}; call {0}{1}\n", disconnect.connection,
                           option_of(disconnect.connection));
    }
    std::string operator()(const MoveClock& move) const {
        return fmt::format("# the server's clock is stepped by {} us\n", move.by.count());
    }
    std::string option_of(std::size_t connection) const {
        return script.protocols[connection] == Protocol::resp3 ? " -3" : "";
    }
};

constexpr const char* prologue =
    R"text(# Paste into bash; every line of output begins with the number of its connection.
call() { local pipe; pipe=$(mktemp -u); mkfifo "$pipe"
  (redis-cli ${2-} <"$pipe" 2>&1 | sed "s/^/[$1] /") & eval "exec $((10 + $1))>\"$pipe\""; rm "$pipe"; }
say() { printf '%s\n' "${@:2}" >&"$((10 + $1))"; sleep 0.1; }
hang_up() { eval "exec $((10 + $1))>&-"; }
)text";

}  // namespace

std::size_t count_commands(const Script& script) {
    std::size_t count = 0;
    for (const Step& step : script.steps)
        if (const auto* const send = std::get_if<Send>(&step)) count += send->burst.size();
    return count;
}

std::string as_shell(const Script& script) {
    const InShell in_shell{script};
    std::string text = prologue;
    text += fmt::format(
        "redis-cli FLUSHALL\nredis-cli CONFIG SET stream-node-max-entries {} "
        "stream-node-max-bytes {}\n# the server's clock shows {} ms\n",
        script.stream_node_max_entries, script.stream_node_max_bytes,
        script_start.time_since_epoch().count() / 1'000);
    for (std::size_t i = 0; i < script.protocols.size(); ++i)
        text += fmt::format("call {}{}\n", i, in_shell.option_of(i));
    for (const Step& step : script.steps) text += std::visit(in_shell, step);
    return text;
}

}  // namespace redeliver::conformance
