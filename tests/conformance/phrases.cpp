// Names, ids and options, and the commands that write and read streams.

#include "tests/conformance/phrases.h"

#include <fmt/format.h>

namespace redeliver::conformance {
namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

Words operator+(Words words, const std::string& word) {
    words.push_back(word);
    return words;
}

}  // namespace

std::string Phrases::key() {
    const auto die = draw_.below(40);
    if (die == 0) return "str";
    if (die == 1) return draw_.one_of({"none", "zs", "li", "se"});
    return draw_.below(topic_.streams) == 0 ? "s" : "t";
}

std::string Phrases::string_key() {
    const auto die = draw_.below(10);
    if (die == 0) return key();
    return draw_.one_of({"str", "str", "tmp"});
}

std::string Phrases::any_key() { return draw_.chance(50) ? key() : string_key(); }

std::string Phrases::group() {
    if (draw_.chance(3)) return "nog";
    return draw_.chance(70) ? "g" : "h";
}

std::string Phrases::consumer() { return draw_.one_of({"a", "b", "c"}); }

std::string Phrases::id() {
    const auto die = draw_.below(100);
    if (die < 70) return draw_.one_of(topic_.likely_ids);
    if (die < 95) return fmt::format("{}-{}", draw_.below(12), draw_.below(3));
    if (die < 98) return text(draw_.between(0, 12));
    return draw_.one_of({"08-01", "+3", " 2-1", "18446744073709551615", "0-18446744073709551615",
                         "18446744073709551615-18446744073709551615"});
}

std::string Phrases::start() { return draw_.chance(40) ? "0" : id(); }

std::string Phrases::bound(const char* whole) {
    if (draw_.chance(50)) return whole;
    return (draw_.chance(25) ? "(" : "") + id();
}

std::string Phrases::number() {
    return draw_.one_of({"0", "-1", "1", "1", "2", "2", "3", "5", "10"});
}

std::string Phrases::idle_ms() {
    return draw_.one_of({"0", "0", "0", "2", "10", "20", "40", "1000", "-5"});
}

std::string Phrases::time_ms() {
    const auto die = draw_.below(12);
    if (die == 0) return "0";
    if (die == 1) return "-1";
    if (die == 2) return "9223372036854775807";
    return text(topic_.now_ms() + draw_.between(-60, 20));
}

void Phrases::add_trim(Words& words) {
    const bool by_length = draw_.chance(60);
    words.push_back(by_length ? "MAXLEN" : "MINID");
    const bool approximate = draw_.chance(50);
    if (approximate)
        words.push_back("~");
    else if (draw_.chance(40))
        words.push_back("=");
    words.push_back(by_length ? text(draw_.between(draw_.chance(4) ? -1 : 0, 9)) : id());
    if (approximate ? draw_.chance(50) : draw_.chance(3)) {
        words.push_back("LIMIT");
        words.push_back(text(draw_.between(draw_.chance(5) ? -1 : 0, 6)));
    }
}

void Phrases::add_fields(Words& words) {
    for (auto pairs = 1 + draw_.below(3); pairs > 0; --pairs) {
        words.push_back("f" + std::to_string(draw_.below(3)));
        const auto die = draw_.below(20);
        if (die == 0)
            words.push_back(std::string(draw_.below(200), 'x'));
        else if (die == 1)
            words.push_back(draw_.one_of({std::string(), std::string("a\r\nb"),
                                          std::string("\0\xff", 2), std::string("12x")}));
        else
            words.push_back(text(draw_.between(-1, 1) *
                                 static_cast<std::int64_t>(draw_.below(1ull << draw_.below(63)))));
    }
}

void Phrases::add_count(Words& words) {
    words.push_back("COUNT");
    words.push_back(number());
}

/// A deadline that no other read of the script has.
void Phrases::add_block(Words& words) {
    words.push_back("BLOCK");
    if (draw_.chance(10)) {
        words.push_back(draw_.one_of({"0", "0", "0", "-1", "9223372036854775807"}));
        return;
    }
    auto block = draw_.between(1, 60);
    while (!topic_.deadlines.insert(topic_.now_ms() + block).second) ++block;
    words.push_back(text(block));
}

void Phrases::add_streams(Words& words, const char* newest) {
    words.push_back("STREAMS");
    const auto streams = 1 + (draw_.chance(15) ? 1 + draw_.below(2) : 0);
    for (std::uint64_t i = 0; i < streams; ++i) words.push_back(key());
    for (std::uint64_t i = 0; i < streams; ++i)
        words.push_back(draw_.chance(75) ? newest : start());
}

Words Phrases::add() {
    Words words = {"XADD", key()};
    if (draw_.chance(8)) words.push_back("NOMKSTREAM");
    if (draw_.chance(12)) add_trim(words);
    const bool from_clock = draw_.chance(topic_.ids == Topic::Ids::from_clock ? 85 : 5);
    const auto die = draw_.below(20);
    if (from_clock) {
        words.push_back("*");
        topic_.likely_ids.push_back(fmt::format("{}-0", topic_.now_ms()));
    } else if (die < 2) {
        words.push_back(fmt::format("{}-*", draw_.between(0, 12)));
    } else if (die < 4) {
        words.push_back(id());
    } else if (die == 4) {
        words.push_back(draw_.one_of({"0-0", "0", "0-*"}));
    } else {
        words.push_back(fmt::format("{}-{}", topic_.next_ms, draw_.below(2)));
        topic_.next_ms += draw_.below(2);
        topic_.likely_ids.push_back(words.back());
    }
    add_fields(words);
    return words;
}

Words Phrases::range() {
    const bool forward = draw_.chance(60);
    Words words = {forward ? "XRANGE" : "XREVRANGE", key(), bound(forward ? "-" : "+"),
                   bound(forward ? "+" : "-")};
    if (draw_.chance(50)) add_count(words);
    return words;
}

Words Phrases::trim() {
    Words words = {"XTRIM", key()};
    add_trim(words);
    return words;
}

Words Phrases::remove() {
    Words words = {"XDEL", key()};
    for (auto ids = 1 + draw_.below(2); ids > 0; --ids) words.push_back(id());
    return words;
}

Words Phrases::set_id() {
    Words words = {"XSETID", key(), id()};
    if (draw_.chance(40)) words = words + "ENTRIESADDED" + text(draw_.between(-1, 30));
    if (draw_.chance(40)) words = words + "MAXDELETEDID" + id();
    return words;
}

Words Phrases::read() {
    Words words = {"XREAD"};
    if (draw_.chance(30)) add_count(words);
    if (draw_.chance(50)) add_block(words);
    add_streams(words, "$");
    return words;
}

Words Phrases::create_group() {
    Words words = {"XGROUP", "CREATE", key(), group(), draw_.chance(30) ? "$" : start()};
    if (draw_.chance(50)) words.push_back("MKSTREAM");
    if (draw_.chance(20)) words = words + "ENTRIESREAD" + text(draw_.between(-2, 20));
    return words;
}

Words Phrases::read_group() {
    Words words = {"XREADGROUP", "GROUP", group(), consumer()};
    if (draw_.chance(40)) add_count(words);
    if (draw_.chance(30)) add_block(words);
    if (draw_.chance(10)) words.push_back("NOACK");
    add_streams(words, ">");
    return words;
}

Words Phrases::change_group() {
    switch (draw_.below(7)) {
    case 0: {
        Words words = {"XGROUP", "SETID", key(), group(), draw_.chance(30) ? "$" : start()};
        if (draw_.chance(40)) words = words + "ENTRIESREAD" + text(draw_.between(-2, 20));
        return words;
    }
    case 1:
        if (draw_.chance(70)) return {"XGROUP", "DESTROY", key(), group()};
        return create_group();
    case 2: return {"XGROUP", "CREATECONSUMER", key(), group(), consumer()};
    case 3: return {"XGROUP", "DELCONSUMER", key(), group(), consumer()};
    default: return create_group();
    }
}

}  // namespace redeliver::conformance
