#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/time.h"
#include "tests/conformance/draw.h"
#include "tests/conformance/words.h"

namespace redeliver::conformance {

/// What the commands of one script have in common, so that they meet: names, ids, the time.
struct Topic {
    std::uint64_t streams = 1;
    /// How ids of new entries are chosen, mostly.
    enum class Ids : std::uint8_t { from_clock, small } ids = Ids::small;
    sim::WallTime now{};
    std::uint64_t next_ms = 1;
    /// Ids that entries may have.
    std::vector<std::string> likely_ids = {"1-0", "2-0"};
    /// Until when reads wait, in milliseconds: each only once.
    std::set<std::int64_t> deadlines{};

    std::int64_t now_ms() const {
        return std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count();
    }
};

/// Draws commands word by word. Well-formed; `garble` sees to the others.
class Phrases {
public:
    Phrases(Draw& draw, Topic& topic) : draw_(draw), topic_(topic) {}

    /// Any command but those of transactions.
    Words any();
    Words add();
    Words create_group();
    Words read_group();
    /// A string, a sorted set, a list or a set where streams are expected.
    Words put_other_type();
    Words transaction_word();
    /// Wrong in a way that chance would rarely find.
    Words blunder();

private:
    std::string key();
    std::string string_key();
    std::string any_key();
    std::string group();
    std::string consumer();
    std::string id();
    std::string start();
    std::string bound(const char* whole);
    std::string number();
    std::string idle_ms();
    std::string time_ms();

    void add_trim(Words& words);
    void add_fields(Words& words);
    void add_count(Words& words);
    void add_block(Words& words);
    void add_streams(Words& words, const char* newest);

    Words range();
    Words trim();
    Words remove();
    Words set_id();
    Words read();
    Words change_group();
    Words acknowledge();
    Words pending();
    Words claim();
    Words autoclaim();
    Words info();
    Words string_command();
    Words expiry_command();
    Words sorted_set_command();
    Words key_command();

    Draw& draw_;
    Topic& topic_;
};

/// The command with one thing wrong: a word lost, doubled, swapped, or replaced by nonsense.
Words garble(Draw& draw, Words words);

}  // namespace redeliver::conformance
