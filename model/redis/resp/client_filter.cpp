#include "model/redis/resp/client_filter.h"

#include <algorithm>

#include <fmt/format.h>

namespace redeliver::model::redis::resp {
namespace {

using Read = std::variant<ClientFilter, Reply>;

/// Whether it is the type that every client here has; nothing when there is no such type.
std::optional<bool> is_normal(std::string_view type) {
    if (is_same_word(type, "normal")) return true;
    for (const std::string_view other : {"slave", "replica", "pubsub", "master"})
        if (is_same_word(type, other)) return false;
    return std::nullopt;
}

Reply unknown_type(std::string_view type) {
    return refused(fmt::format("ERR Unknown client type '{}'", until_null(type)));
}

/// One option of CLIENT KILL; a refusal ends the reading.
std::optional<Reply> read_option(const std::string& option, const std::string& value,
                                 ClientFilter& filter) {
    if (is_same_word(option, "id")) {
        const auto id = read_integer(value);
        if (!id || *id < 1) return refused("ERR client-id should be greater than 0");
        filter.ids.insert(*id);
    } else if (is_same_word(option, "type")) {
        const auto normal = is_normal(value);
        if (!normal) return unknown_type(value);
        filter.passes_nobody |= !*normal;
    } else if (is_same_word(option, "addr")) {
        filter.remote = value;
    } else if (is_same_word(option, "laddr")) {
        filter.local = value;
    } else if (is_same_word(option, "user")) {
        if (value != "default") return refused(fmt::format("ERR No such user '{}'", value));
    } else if (is_same_word(option, "skipme") && is_same_word(value, "yes")) {
        filter.self = ClientFilter::Self::spared;
    } else if (is_same_word(option, "skipme") && is_same_word(value, "no")) {
        filter.self = ClientFilter::Self::meant;
    } else {
        return refused(syntax_error);
    }
    return std::nullopt;
}

}  // namespace

bool ClientFilter::passes(const Connection& connection) const {
    if (passes_nobody || connection.session == but) return false;
    if (!ids.empty() && !ids.contains(static_cast<std::int64_t>(connection.session))) return false;
    if (remote && *remote != connection.ends.remote) return false;
    return !local || *local == connection.ends.local;
}

Read read_list_filter(const Words& words) {
    ClientFilter filter;
    if (words.size() == 2) return filter;
    if (words.size() == 4 && is_same_word(words[2], "type")) {
        const auto normal = is_normal(words[3]);
        if (!normal) return unknown_type(words[3]);
        filter.passes_nobody = !*normal;
        return filter;
    }
    if (words.size() < 4 || !is_same_word(words[2], "id")) return refused(syntax_error);
    for (auto word = words.begin() + 3; word != words.end(); ++word) {
        const auto id = read_integer(*word);
        if (!id || *id < 0) return refused("ERR Invalid client ID");
        filter.ids.insert(*id);
    }
    return filter;
}

Read read_kill_filter(const Words& words) {
    ClientFilter filter;
    if (words.size() == 3) {
        filter.form = ClientFilter::Form::address;
        filter.self = ClientFilter::Self::meant;
        filter.remote = words[2];
        return filter;
    }
    if (words.size() % 2 != 0) return refused(syntax_error);
    for (std::size_t at = 2; at < words.size(); at += 2)
        if (auto refusal = read_option(words[at], words[at + 1], filter)) return *refusal;
    return filter;
}

}  // namespace redeliver::model::redis::resp
