#include "cli/terminal.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace redeliver::cli {
namespace {

using reports::Charset;
using reports::Colour;
using Variables = std::map<std::string, std::string>;

Surroundings surroundings(const Variables& variables, bool is_terminal, std::size_t columns) {
    return {.variable = [variables](const char* name) -> std::string_view {
                static thread_local std::string kept;
                const auto found = variables.find(name);
                kept = found == variables.end() ? "" : found->second;
                return kept;
            },
            .is_terminal = is_terminal,
            .columns = columns};
}

TEST(Look, HasColourOnlyOnATerminal) {
    EXPECT_EQ(look_in(surroundings({}, true, 80)).colour, Colour::on);
    EXPECT_EQ(look_in(surroundings({}, false, 0)).colour, Colour::off);
}

TEST(Look, HasNoColourWhereNobodyWantsOrCanShowIt) {
    EXPECT_EQ(look_in(surroundings({{"NO_COLOR", "1"}}, true, 80)).colour, Colour::off);
    EXPECT_EQ(look_in(surroundings({{"NO_COLOR", ""}}, true, 80)).colour, Colour::on);
    EXPECT_EQ(look_in(surroundings({{"TERM", "dumb"}}, true, 80)).colour, Colour::off);
}

TEST(Look, TakesTheCharsetFromTheFirstLocaleThatIsSet) {
    EXPECT_EQ(look_in(surroundings({}, true, 80)).charset, Charset::ascii);
    EXPECT_EQ(look_in(surroundings({{"LANG", "de_DE.UTF-8"}}, true, 80)).charset, Charset::utf8);
    EXPECT_EQ(look_in(surroundings({{"LANG", "C.utf8"}, {"LC_ALL", "C"}}, true, 80)).charset,
              Charset::ascii);
    EXPECT_EQ(look_in(surroundings({{"LC_CTYPE", "C.utf8"}, {"LC_ALL", ""}}, true, 80)).charset,
              Charset::utf8);
}

TEST(Look, PrefersColumnsToWhatTheTerminalSays) {
    EXPECT_EQ(look_in(surroundings({{"COLUMNS", "120"}}, true, 80)).width, 120u);
    EXPECT_EQ(look_in(surroundings({}, true, 80)).width, 80u);
    EXPECT_EQ(look_in(surroundings({}, false, 0)).width, reports::unlimited_width);
}

TEST(Look, IgnoresColumnsThatAreNoNumberAndNeverGetsTooNarrow) {
    EXPECT_EQ(look_in(surroundings({{"COLUMNS", "wide"}}, true, 80)).width, 80u);
    EXPECT_EQ(look_in(surroundings({{"COLUMNS", "80x"}}, true, 90)).width, 90u);
    EXPECT_EQ(look_in(surroundings({{"COLUMNS", "0"}}, true, 90)).width, 90u);
    EXPECT_EQ(look_in(surroundings({{"COLUMNS", "3"}}, true, 80)).width, 40u);
}

}  // namespace
}  // namespace redeliver::cli
