// Durations, nearest words, and how values are laid out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenarios/json/nearest.h"
#include "scenarios/json/parse.h"
#include "scenarios/json/units.h"
#include "scenarios/json/value.h"

namespace redeliver::scenarios::json {
namespace {

using namespace std::chrono_literals;

TEST(Durations, AreAWholeNumberAndAUnit) {
    EXPECT_EQ(parse_duration("40us"), 40us);
    EXPECT_EQ(parse_duration("250ms"), 250ms);
    EXPECT_EQ(parse_duration("30s"), 30s);
    EXPECT_EQ(parse_duration("2m"), 2min);
    EXPECT_EQ(parse_duration("1h"), 1h);
    EXPECT_EQ(parse_duration("-3s"), -3s);
    EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(Durations, AreNothingElse) {
    for (const char* const text : {"", "s", "30", "1.5s", "30 s", "30S", "30sec", "+3s", "3ms ",
                                   "9223372036854775807h", "99999999999999999999s"})
        EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Durations, AreWrittenInTheLargestUnitThatFits) {
    EXPECT_EQ(duration_text(0s), "0s");
    EXPECT_EQ(duration_text(90s), "90s");
    EXPECT_EQ(duration_text(120s), "2m");
    EXPECT_EQ(duration_text(1500us), "1500us");
    EXPECT_EQ(duration_text(-3s), "-3s");
}

RC_GTEST_PROP(Durations, ComeBackAsTheyWere, (std::int64_t microseconds)) {
    RC_ASSERT(parse_duration(duration_text(sim::Duration{microseconds})) ==
              sim::Duration{microseconds});
}

TEST(EditDistance, CountsLettersAndSwapsOfNeighbours) {
    EXPECT_EQ(edit_distance("claim", "claim"), 0u);
    EXPECT_EQ(edit_distance("clam", "claim"), 1u);
    EXPECT_EQ(edit_distance("calim", "claim"), 1u);
    EXPECT_EQ(edit_distance("", "claim"), 5u);
}

RC_GTEST_PROP(EditDistance, IsTheSameBothWays, (const std::string& one, const std::string& other)) {
    RC_ASSERT(edit_distance(one, other) == edit_distance(other, one));
}

TEST(Nearest, FindsTheWordThatWasMeant) {
    const std::vector<std::string_view> valid = {"count", "claim", "idle_threshold", "block"};

    EXPECT_EQ(nearest("calim", valid), "claim");
    EXPECT_EQ(nearest("idle_treshold", valid), "idle_threshold");
    EXPECT_EQ(nearest("idel", valid), "idle_threshold") << "begun, and misspelt";
    EXPECT_EQ(nearest("zzzzzz", valid), "");
    EXPECT_EQ(nearest(std::string(5'000, 'c'), valid), "");
}

TEST(Advice, NamesTheNearestAndTheAllowedWords) {
    const std::vector<std::string_view> valid = {"holds", "breaks"};

    EXPECT_EQ(advice("hold", valid), "; nearest is 'holds'; allowed are 'holds', 'breaks'");
    EXPECT_EQ(advice("hold", {}), "; none is allowed here");
}

TEST(Values, AreLaidOutForReaders) {
    const char* const text = R"({
  "name": "mine",
  "pairs": [[0, 1], [2, 3]],
  "nothing": [],
  "small": {"from": "20ms", "to": "200ms"},
  "quotes": "say \"hi\" \\ \n"
}
)";
    EXPECT_EQ(print(parse(text, "a.json")), text);
}

TEST(Values, FillLinesWithLongLists) {
    Value list = list_value();
    list.key = "hashes";
    for (std::uint32_t each = 0; each < 100; ++each)
        list.children.push_back(text_value("0123456789"));
    Value document = object_value();
    document.children.push_back(std::move(list));

    const std::string text = print(document);

    std::size_t longest = 0;
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        longest = std::max(longest, end - begin);
    }
    EXPECT_LE(longest, 100u);
    EXPECT_GT(longest, 80u);
    EXPECT_EQ(print(parse(text, "a.json")), text);
}

}  // namespace
}  // namespace redeliver::scenarios::json
