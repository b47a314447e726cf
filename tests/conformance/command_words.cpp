// How a command and its reply are named in the table of what was met.

#include <algorithm>
#include <map>

#include "tests/conformance/coverage.h"

namespace redeliver::conformance {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Names that a garbled command could not have made up.
bool is_known(std::string_view name) {
    return is_one_of(
        name,
        {"XADD",      "XLEN",       "XDEL",       "XTRIM",         "XSETID",  "XRANGE",
         "XREVRANGE", "XREAD",      "XREADGROUP", "XGROUP",        "XACK",    "XPENDING",
         "XCLAIM",    "XAUTOCLAIM", "XINFO",      "SET",           "GET",     "DEL",
         "UNLINK",    "EXISTS",     "TYPE",       "EXPIRE",        "PEXPIRE", "EXPIREAT",
         "PEXPIREAT", "TTL",        "PTTL",       "PERSIST",       "RENAME",  "RENAMENX",
         "FLUSHALL",  "FLUSHDB",    "PING",       "ECHO",          "WATCH",   "UNWATCH",
         "MULTI",     "EXEC",       "DISCARD",    "ZADD",          "ZREM",    "ZCARD",
         "ZSCORE",    "ZCOUNT",     "ZRANGE",     "ZRANGEBYSCORE", "ZPOPMIN", "ZREMRANGEBYSCORE",
         "LPUSH",     "SADD"});
}

bool is_subcommand(std::string_view name) {
    return is_one_of(name, {"CREATE", "SETID", "DESTROY", "CREATECONSUMER", "DELCONSUMER", "STREAM",
                            "GROUPS", "CONSUMERS", "HELP"});
}

using Options = std::vector<std::string_view>;

/// Words that are options of the command wherever they stand behind its first argument.
const Options& options_known_to(std::string_view name) {
    static const std::map<std::string_view, Options> known = {
        {"XADD", {"NOMKSTREAM", "LIMIT", "*", "0-0"}},
        {"XTRIM", {"LIMIT"}},
        {"XSETID", {"ENTRIESADDED", "MAXDELETEDID"}},
        {"XRANGE", {"COUNT"}},
        {"XREVRANGE", {"COUNT"}},
        {"XREAD", {"COUNT", "BLOCK"}},
        {"XREADGROUP", {"COUNT", "BLOCK", "NOACK"}},
        {"XGROUP CREATE", {"MKSTREAM", "ENTRIESREAD", "$"}},
        {"XGROUP SETID", {"ENTRIESREAD", "$"}},
        {"XPENDING", {"IDLE"}},
        {"XCLAIM", {"IDLE", "TIME", "RETRYCOUNT", "FORCE", "JUSTID", "LASTID"}},
        {"XAUTOCLAIM", {"COUNT", "JUSTID"}},
        {"XINFO STREAM", {"FULL", "COUNT"}},
        {"SET", {"NX", "XX", "GET", "PX", "EX", "PXAT", "EXAT", "KEEPTTL"}},
        {"EXPIRE", {"NX", "XX", "GT", "LT"}},
        {"PEXPIRE", {"NX", "XX", "GT", "LT"}},
        {"EXPIREAT", {"NX", "XX", "GT", "LT"}},
        {"PEXPIREAT", {"NX", "XX", "GT", "LT"}},
        {"ZADD", {"NX", "XX", "GT", "LT", "CH", "INCR"}},
        {"ZRANGE", {"BYSCORE", "REV", "LIMIT", "WITHSCORES"}},
        {"ZRANGEBYSCORE", {"LIMIT", "WITHSCORES"}},
    };
    static const Options none;
    const auto found = known.find(name);
    return found == known.end() ? none : found->second;
}

bool has_intervals(std::string_view name) {
    return is_one_of(name, {"XRANGE", "XREVRANGE", "XPENDING", "XAUTOCLAIM"});
}

bool reads_positions(std::string_view name) { return name == "XREAD" || name == "XREADGROUP"; }

/// The ids at the end of a read: `>` and `$`, or others.
std::string position_option(std::string_view word) {
    return word == ">" || word == "$" ? std::string(word) : "id";
}

std::string trim_option(const std::string& word, const std::string& next) {
    return next == "~" ? word + "~" : word;
}

}  // namespace

std::string name_of(const Words& words) {
    std::string name = upper_case(words.front());
    if (!is_known(name)) return "unknown command";
    if (name != "XGROUP" && name != "XINFO") return name;
    const std::string subcommand = words.size() > 1 ? upper_case(words[1]) : "";
    return name + (is_subcommand(subcommand) ? " " + subcommand : " ?");
}

std::vector<std::string> options_of(const Words& words) {
    const std::string name = name_of(words);
    const Options& known = options_known_to(name);
    const bool trims = is_one_of(name, {"XADD", "XTRIM"});
    std::set<std::string> found;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const std::string word = upper_case(words[i]);
        if (std::find(known.begin(), known.end(), word) != known.end())
            found.insert(word);
        else if (trims && is_one_of(word, {"MAXLEN", "MINID"}) && i + 1 < words.size())
            found.insert(trim_option(word, words[i + 1]));
        else if (name == "XADD" && word.ends_with("-*"))
            found.insert("ms-*");
        else if (has_intervals(name) && word.starts_with("(") && word.size() > 1)
            found.insert("(");
    }
    if (reads_positions(name)) found.insert(position_option(words.back()));
    if (name == "XPENDING" && words.size() > 4) found.insert("range");
    if (found.empty()) found.insert("-");
    return {found.begin(), found.end()};
}

std::string outcome_of(std::string_view reply, bool waited) {
    std::string outcome = "value";
    if (reply.starts_with('-'))
        outcome = reply.substr(1, reply.find_first_of(" \r") - 1);
    else if (reply.starts_with("+QUEUED"))
        outcome = "queued";
    else if (reply.starts_with('+'))
        outcome = "ok";
    else if (reply.starts_with(':'))
        outcome = reply == ":0\r\n" ? "0" : "n";
    else if (reply == "$-1\r\n" || reply == "*-1\r\n" || reply == "_\r\n")
        outcome = "nil";
    else if (reply == "*0\r\n" || reply == "%0\r\n")
        outcome = "empty";
    return waited ? "waited:" + outcome : outcome;
}

std::string error_text(std::string_view reply) {
    if (!reply.starts_with('-')) return {};
    std::string text;
    bool inside_quotes = false;
    for (const char c : reply.substr(1, reply.find("\r\n") - 1)) {
        // An apostrophe inside a word quotes nothing.
        const bool is_quote = c == '\'' && (inside_quotes || text.empty() || text.back() == ' ');
        if (is_quote) inside_quotes = !inside_quotes;
        if (is_quote && inside_quotes) text += "'...";
        if (!inside_quotes || (is_quote && !inside_quotes)) text += c;
        // Behind these nothing but words of the command follows.
        if (text.ends_with("with args beginning with:") || text.ends_with("Unsupported option"))
            break;
    }
    return text;
}

}  // namespace redeliver::conformance
