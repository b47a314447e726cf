#include "model/redis/resp/stream_positions.h"

#include <algorithm>

#include <fmt/format.h>

namespace redeliver::model::redis::resp {
namespace {

Milliseconds read_timeout(const Request& request, std::size_t at) {
    const std::int64_t timeout =
        request.integer(at, "ERR timeout is not an integer or out of range");
    if (timeout < 0) request.refuse("ERR timeout is negative");
    return Milliseconds{timeout};
}

/// 7.2 began to name the command.
[[noreturn]] void refuse_unbalanced(const Request& request, ReadOptions::Command command) {
    const bool groups = command == ReadOptions::Command::xreadgroup;
    if (request.version() < Configuration::Version::v7_2)
        request.refuse(
            "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be "
            "specified.");
    request.refuse(fmt::format(
        "ERR Unbalanced '{}' list of streams: for each stream key an ID or '{}' must be specified.",
        groups ? "xreadgroup" : "xread", groups ? '>' : '$'));
}

void take_streams(const Request& request, std::size_t at, ReadOptions::Command command,
                  ReadOptions& options) {
    options.first_key = at + 1;
    const std::size_t words = request.size() - options.first_key;
    if (words % 2 != 0) refuse_unbalanced(request, command);
    options.streams = words / 2;
}

/// GROUP and NOACK, for XREADGROUP alone; false when the word is neither.
bool take_group_option(const Request& request, std::size_t& at, ReadOptions::Command command,
                       ReadOptions& options) {
    const bool is_group = request.is(at, "GROUP") && request.more(at) >= 2;
    if (!is_group && !request.is(at, "NOACK")) return false;
    if (command == ReadOptions::Command::xread)
        request.refuse(is_group ? "ERR The GROUP option is only supported by XREADGROUP. You "
                                  "called XREAD instead."
                                : "ERR The NOACK option is only supported by XREADGROUP. You "
                                  "called XREAD instead.");
    if (is_group) {
        options.group = at + 1;
        at += 2;
    } else {
        options.acknowledgement = Xreadgroup::Acknowledgement::none;
    }
    return true;
}

}  // namespace

ReadOptions read_options(const Request& request, ReadOptions::Command command) {
    ReadOptions options;
    for (std::size_t at = 1; at < request.size() && options.streams == 0; ++at) {
        const bool has_more = request.more(at) > 0;
        if (request.is(at, "BLOCK") && has_more)
            options.block = read_timeout(request, ++at);
        else if (request.is(at, "COUNT") && has_more)
            options.count = std::max<std::int64_t>(request.integer(++at), 0);
        else if (request.is(at, "STREAMS") && has_more)
            take_streams(request, at, command, options);
        else if (!take_group_option(request, at, command, options))
            request.refuse(syntax_error);
    }
    if (options.streams == 0) request.refuse(syntax_error);
    if (command == ReadOptions::Command::xreadgroup && !options.group)
        request.refuse("ERR Missing GROUP option for XREADGROUP");
    return options;
}

}  // namespace redeliver::model::redis::resp
