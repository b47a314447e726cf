#include "tests/conformance/generate.h"

#include <algorithm>
#include <array>
#include <map>

#include "tests/conformance/phrases.h"

namespace redeliver::conformance {
namespace {

using model::redis::resp::Protocol;

/// Writes one script from its beginning to its end.
class Author {
public:
    explicit Author(const rc::Random& random) : draw_(random) {
        topic_.now = script_start;
        topic_.streams = draw_.chance(65) ? 1 : 2;
        topic_.ids = draw_.chance(60) ? Topic::Ids::small : Topic::Ids::from_clock;
    }

    Script write() {
        script_.stream_node_max_entries = draw_.one_of({100u, 100u, 1u, 2u, 3u, 10u, 0u});
        script_.stream_node_max_bytes = draw_.one_of({4096u, 4096u, 4096u, 64u, 150u, 0u});
        const auto connections = 2 + draw_.below(3);
        for (std::uint64_t i = 0; i <= connections; ++i)
            script_.protocols.push_back(draw_.chance(60) ? Protocol::resp2 : Protocol::resp3);
        open_with_something_pending();
        const auto commands = 10 + draw_.below(51);
        while (written_ < commands) next_step();
        // Every read that does not wait for ever ends here.
        move_clock(std::chrono::seconds{2});
        script_.steps.push_back(Send{observer_of(script_), questions()});
        return std::move(script_);
    }

private:
    void say(std::size_t connection, std::vector<Words> burst) {
        written_ += burst.size();
        script_.steps.push_back(Send{connection, std::move(burst)});
    }

    void move_clock(sim::Duration by) {
        topic_.now += by;
        script_.steps.push_back(MoveClock{by});
    }

    void open_with_something_pending() {
        if (draw_.chance(5)) return;
        std::vector<Words> burst;
        // Now and then more than XAUTOCLAIM visits for COUNT 1 or 2.
        const auto entries = draw_.chance(10) ? 12 + draw_.below(14) : 1 + draw_.below(5);
        for (std::uint64_t i = 0; i < entries; ++i) burst.push_back(phrases_.add());
        burst.push_back(phrases_.create_group());
        burst.push_back({"XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"});
        burst.push_back({"XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", ">"});
        say(0, std::move(burst));
        if (draw_.chance(25)) say(0, {phrases_.put_other_type()});
        if (draw_.chance(15)) say(0, {{"ZADD", "zs", "1", "m", "2", "n"}});
        if (draw_.chance(30)) say(0, {{"SET", "tmp", "0", "PX", "20000"}});
        if (draw_.chance(30)) say(0, {{"SET", draw_.one_of({"tmp", "str"}), "0"}});
    }

    void next_step() {
        using namespace std::chrono_literals;
        const auto die = draw_.below(100);
        const auto connection = draw_.below(observer_of(script_));
        if (die < 14)
            return move_clock(draw_.one_of<sim::Duration>(
                {1ms, 2ms, 5ms, 10ms, 10ms, 20ms, 40ms, 100ms, 1s, 1500us, -1ms, -20ms, -500ms}));
        if (die < 16) {
            in_transaction_[connection] = false;
            script_.steps.push_back(Disconnect{connection});
            return;
        }
        std::vector<Words> burst;
        for (auto size = draw_.chance(65) ? 1 : 1 + draw_.below(4); size > 0; --size)
            burst.push_back(next_command(connection));
        say(connection, std::move(burst));
    }

    Words next_command(std::size_t connection) {
        bool& in_transaction = in_transaction_[connection];
        if (draw_.chance(in_transaction ? 25 : 4)) {
            Words words =
                in_transaction && draw_.chance(80) ? Words{"EXEC"} : phrases_.transaction_word();
            if (words.front() == "MULTI") in_transaction = true;
            if (words.front() == "EXEC" || words.front() == "DISCARD") in_transaction = false;
            return words;
        }
        if (draw_.chance(2)) return phrases_.blunder();
        Words words = phrases_.any();
        if (draw_.chance(5)) words.front() = in_other_case(words.front());
        return draw_.chance(6) ? garble(draw_, std::move(words)) : words;
    }

    std::string in_other_case(std::string word) {
        for (char& c : word)
            if (draw_.chance(50) && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return word;
    }

    Draw draw_;
    Topic topic_;
    Phrases phrases_{draw_, topic_};
    Script script_;
    std::size_t written_ = 0;
    std::map<std::size_t, bool> in_transaction_;
};

struct ScriptGenerator {
    rc::Shrinkable<Script> operator()(const rc::Random& random, int) const {
        return rc::shrinkable::just(Author(random).write());
    }
};

const std::array<std::string, 7> keys = {"s", "t", "str", "tmp", "zs", "li", "se"};

}  // namespace

rc::Gen<Script> scripts() { return ScriptGenerator{}; }

std::vector<Words> questions() {
    std::vector<Words> all;
    for (const char* const key : {"s", "t"}) {
        all.push_back({"XINFO", "STREAM", key, "FULL", "COUNT", "0"});
        all.push_back({"XINFO", "STREAM", key});
        all.push_back({"XINFO", "GROUPS", key});
        for (const char* const group : {"g", "h"}) {
            all.push_back({"XPENDING", key, group});
            all.push_back({"XPENDING", key, group, "-", "+", "1000"});
            all.push_back({"XINFO", "CONSUMERS", key, group});
        }
        all.push_back({"PTTL", key});
    }
    for (const char* const key : {"str", "tmp"}) {
        all.push_back({"GET", key});
        all.push_back({"PTTL", key});
    }
    all.push_back({"ZRANGE", "zs", "0", "-1", "WITHSCORES"});
    all.push_back({"EXISTS", "s", "t", "str", "tmp", "zs", "li", "se", "none"});
    return all;
}

const Words& expirable_keys_exist() {
    static const Words words = {"EXISTS", "str", "tmp", "s", "t", "zs", "li", "se", "none"};
    return words;
}

const std::string& key_of(const Words& words) {
    static const std::string none;
    if (words.size() < 2) return none;
    if (equals_ignoring_case(words.front(), "XGROUP") ||
        equals_ignoring_case(words.front(), "XINFO"))
        return words.size() > 2 ? words[2] : none;
    const auto streams = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return equals_ignoring_case(word, "STREAMS");
    });
    if (upper_case(words.front()).starts_with("XREAD"))
        return streams != words.end() && streams + 1 != words.end() ? *(streams + 1) : none;
    return words[1];
}

}  // namespace redeliver::conformance
