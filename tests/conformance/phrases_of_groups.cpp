// The commands about pending entries, the other types, and the choice among all.

#include <fmt/format.h>

#include "tests/conformance/phrases.h"

namespace redeliver::conformance {
namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

Words operator+(Words words, const std::string& word) {
    words.push_back(word);
    return words;
}

}  // namespace

Words Phrases::acknowledge() {
    Words words = {"XACK", key(), group()};
    for (auto ids = 1 + draw_.below(3); ids > 0; --ids) words.push_back(id());
    if (draw_.chance(10)) words.push_back(words.back());
    return words;
}

Words Phrases::pending() {
    Words words = {"XPENDING", key(), group()};
    if (draw_.chance(30)) return words;
    if (draw_.chance(30)) words = words + "IDLE" + idle_ms();
    words = words + bound("-") + bound("+") + number();
    if (draw_.chance(30)) words.push_back(draw_.chance(90) ? consumer() : "nobody");
    return words;
}

Words Phrases::claim() {
    Words words = {"XCLAIM", key(), group(), consumer(), idle_ms()};
    for (auto ids = 1 + draw_.below(3); ids > 0; --ids) words.push_back(id());
    if (draw_.chance(25)) words = words + "IDLE" + idle_ms();
    if (draw_.chance(20)) words = words + "TIME" + time_ms();
    if (draw_.chance(20)) words = words + "RETRYCOUNT" + number();
    if (draw_.chance(30)) words.push_back("FORCE");
    if (draw_.chance(25)) words.push_back("JUSTID");
    if (draw_.chance(15)) words = words + "LASTID" + id();
    return words;
}

Words Phrases::autoclaim() {
    Words words = {"XAUTOCLAIM", key(), group(), consumer(), idle_ms()};
    words.push_back(draw_.chance(70) ? "0" : bound("-"));
    if (draw_.chance(60)) add_count(words);
    if (draw_.chance(25)) words.push_back("JUSTID");
    return words;
}

Words Phrases::info() {
    switch (draw_.below(5)) {
    case 0: return {"XINFO", "STREAM", key()};
    case 1: return {"XINFO", "STREAM", key(), "FULL"};
    case 2: return {"XINFO", "STREAM", key(), "FULL", "COUNT", number()};
    case 3: return {"XINFO", "GROUPS", key()};
    default: return {"XINFO", "CONSUMERS", key(), group()};
    }
}

Words Phrases::string_command() {
    if (draw_.chance(30)) return {"GET", string_key()};
    Words words = {"SET", string_key(), text(draw_.between(0, 9))};
    if (draw_.chance(25)) words.push_back(draw_.one_of({"NX", "XX"}));
    if (draw_.chance(20)) words.push_back("GET");
    switch (draw_.below(8)) {
    case 0: words = words + "PX" + text(10 * draw_.between(0, 30)); break;
    case 1: words = words + "EX" + text(draw_.between(0, 1)); break;
    case 2: words = words + "PXAT" + time_ms(); break;
    case 3: words = words + "EXAT" + text(topic_.now_ms() / 1000 + draw_.between(-1, 1)); break;
    case 4: words.push_back("KEEPTTL"); break;
    default: break;
    }
    return words;
}

Words Phrases::expiry_command() {
    const std::string on = draw_.chance(93) ? draw_.one_of({"tmp", "tmp", "str"}) : key();
    switch (draw_.below(7)) {
    case 0: return {draw_.one_of({"TTL", "PTTL"}), on};
    case 1: return {"PERSIST", on};
    default: break;
    }
    Words words;
    switch (draw_.below(4)) {
    case 0: words = {"EXPIRE", on, text(draw_.between(-1, 40))}; break;
    case 1: words = {"PEXPIRE", on, text(500 * draw_.between(-1, 80))}; break;
    case 2: words = {"EXPIREAT", on, text(topic_.now_ms() / 1000 + draw_.between(-1, 40))}; break;
    default:
        words = {
            "PEXPIREAT", on,
            draw_.chance(30) ? time_ms() : text(topic_.now_ms() + 500 * draw_.between(-1, 80))};
    }
    if (draw_.chance(60)) words.push_back(draw_.one_of({"NX", "XX", "GT", "LT"}));
    return words;
}

Words Phrases::sorted_set_command() {
    const std::string on = draw_.chance(94) ? "zs" : any_key();
    const std::string score = draw_.one_of({"0", "1", "1.5", "2", "-3", "1e3", "inf", "0.1"});
    const std::string least = draw_.one_of({"-inf", "0", "(1", "1", "-3"});
    const std::string most = draw_.one_of({"+inf", "2", "(2", "1", "1000"});
    const std::string member = draw_.one_of({"m", "n", "o"});
    switch (draw_.below(13)) {
    case 0: return {"ZREM", on, member};
    case 1: return {"ZCARD", on};
    case 2: return {"ZSCORE", on, member};
    case 3: return {"ZCOUNT", on, least, most};
    case 4: {
        Words words = {"ZRANGEBYSCORE", on, least, most};
        if (draw_.chance(40)) words.push_back("WITHSCORES");
        if (draw_.chance(40)) words = words + "LIMIT" + number() + number();
        return words;
    }
    case 5: {
        Words words = {"ZRANGE", on, "0", "-1"};
        if (draw_.chance(40)) words = {"ZRANGE", on, least, most, "BYSCORE"};
        if (draw_.chance(30)) words.push_back("REV");
        if (draw_.chance(50)) words.push_back("WITHSCORES");
        return words;
    }
    case 6: return draw_.chance(50) ? Words{"ZPOPMIN", on} : Words{"ZPOPMIN", on, number()};
    case 7: return {"ZREMRANGEBYSCORE", on, least, most};
    default: {
        Words words = {"ZADD", on};
        if (draw_.chance(30)) words.push_back(draw_.one_of({"NX", "XX", "GT", "LT"}));
        if (draw_.chance(20)) words.push_back(draw_.one_of({"CH", "INCR"}));
        return words + score + member;
    }
    }
}

Words Phrases::put_other_type() {
    return draw_.one_of<Words>(
        {{"SET", "str", "1"}, {"ZADD", "zs", "1", "m"}, {"LPUSH", "li", "x"}, {"SADD", "se", "x"}});
}

Words Phrases::key_command() {
    switch (draw_.below(12)) {
    case 0: return {draw_.one_of({"DEL", "UNLINK"}), draw_.chance(30) ? key() : string_key()};
    case 1: return {"EXISTS", any_key(), any_key()};
    case 2: return {"TYPE", any_key()};
    case 3:
        if (draw_.chance(40)) return {draw_.one_of({"RENAME", "RENAMENX"}), any_key(), any_key()};
        return {"TYPE", key()};
    case 4:
        if (draw_.chance(12)) return {draw_.one_of({"FLUSHALL", "FLUSHDB"})};
        return {"PING"};
    case 5: return {"PING", "hello"};
    case 6: return {"ECHO", "hello"};
    case 7: return put_other_type();
    default: return {"XLEN", key()};
    }
}

Words Phrases::transaction_word() {
    switch (draw_.below(8)) {
    case 0: return {"WATCH", key()};
    case 1: return {"WATCH", any_key(), any_key()};
    case 2: return {"UNWATCH"};
    case 3: return {"EXEC"};
    case 4: return {"DISCARD"};
    default: return {"MULTI"};
    }
}

Words Phrases::any() {
    const auto die = draw_.below(100);
    if (die < 16) return add();
    if (die < 32) return read_group();
    if (die < 39) return acknowledge();
    if (die < 49) return claim();
    if (die < 57) return autoclaim();
    if (die < 64) return pending();
    if (die < 68) return read();
    if (die < 72) return range();
    if (die < 75) return remove();
    if (die < 77) return trim();
    if (die < 79) return set_id();
    if (die < 84) return change_group();
    if (die < 89) return info();
    if (die < 91) return string_command();
    if (die < 93) return expiry_command();
    if (die < 96) return sorted_set_command();
    return key_command();
}

}  // namespace redeliver::conformance
