// HELLO, AUTH, SELECT: what a client says about itself. QUIT, RESET and SHUTDOWN, which are never
// queued, are the endpoint's own.

#include <algorithm>

#include <fmt/format.h>

#include "model/redis/resp/hosted.h"
#include "model/redis/resp/version.h"
#include "sim/ensure.h"

namespace redeliver::model::redis::resp {
namespace {

constexpr std::string_view wrong_password =
    "WRONGPASS invalid username-password pair or user is disabled.";

/// What HELLO asks for.
struct Hello {
    std::optional<std::string> user;
    std::optional<std::string> name;
};

/// Reads the options behind the version; a refusal ends the reading.
std::optional<Reply> read_hello_options(const Words& words, Hello& hello) {
    for (std::size_t at = 2; at < words.size(); ++at) {
        const std::size_t more = words.size() - 1 - at;
        if (is_same_word(words[at], "auth") && more >= 2) {
            hello.user = words[at + 1];
            at += 2;
        } else if (is_same_word(words[at], "setname") && more >= 1) {
            hello.name = words[++at];
            if (!is_client_name(*hello.name)) return refused(bad_client_name);
        } else {
            return refused(
                fmt::format("ERR Syntax error in HELLO option '{}'", until_null(words[at])));
        }
    }
    return std::nullopt;
}

Tree greeting(const HostedCall& call) {
    return map({bulk("server"), bulk("redis"), bulk("version"),
                bulk(std::string(release(call.process.settings.server.version))), bulk("proto"),
                integer(call.connection.protocol == Protocol::resp3 ? 3 : 2), bulk("id"),
                integer(static_cast<std::int64_t>(call.connection.session)), bulk("mode"),
                bulk("standalone"), bulk("role"), bulk("master"), bulk("modules"), array({})});
}

/// Source: helloCommand in redis/src/networking.c.
Reply say_hello(HostedCall& call) {
    std::optional<std::int64_t> version;
    if (call.words.size() > 1) {
        version = read_integer(call.words[1]);
        if (!version) return refused("ERR Protocol version is not an integer or out of range");
        if (*version < 2 || *version > 3) return refused("NOPROTO unsupported protocol version");
    }
    Hello asked;
    if (auto refusal = read_hello_options(call.words, asked)) return *refusal;
    // The default user needs no password; there is no other.
    if (asked.user && *asked.user != "default") return refused(wrong_password);
    if (asked.name) call.connection.name = *asked.name;
    if (version) call.connection.protocol = *version == 3 ? Protocol::resp3 : Protocol::resp2;
    return greeting(call);
}

Reply authenticate(HostedCall& call) {
    if (call.words.size() > 3) return refused(syntax_error);
    if (call.words.size() == 2)
        return refused(
            "ERR AUTH <password> called without any password configured for the default user. Are "
            "you sure your configuration is correct?");
    if (call.words[1] != "default") return refused(wrong_password);
    return Ok{};
}

/// There is one database, as with `databases 1`.
Reply select_database(HostedCall& call) {
    const auto index = read_integer(call.words[1]);
    if (!index) return refused(not_an_integer);
    if (*index != 0) return refused("ERR DB index is out of range");
    return Ok{};
}

Reply never_hosted(HostedCall&) {
    sim::fail_harness("the endpoint answers this itself", std::source_location::current());
}

}  // namespace

std::string_view release(Configuration::Version version) {
    switch (version) {
    case Configuration::Version::v6_2: return "6.2.16";
    case Configuration::Version::v7_0: return "7.0.15";
    case Configuration::Version::v7_2: return "7.2.5";
    case Configuration::Version::v7_4: return "7.4.1";
    }
    sim::fail_harness("every version is known", std::source_location::current());
}

bool is_client_name(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}

std::span<const HostedEntry> session_answers() {
    static constexpr HostedEntry entries[] = {
        {"auth", -2, authenticate}, {"hello", -1, say_hello},       {"quit", -1, never_hosted},
        {"reset", 1, never_hosted}, {"select", 2, select_database}, {"shutdown", -1, never_hosted},
    };
    return entries;
}

}  // namespace redeliver::model::redis::resp
