#include "scenarios/json/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace redeliver::scenarios {
namespace {

using namespace std::string_view_literals;

TEST(Printable, LeavesVisibleTextAlone) {
    EXPECT_EQ(printable("run-6 \"done\" \\ grüße 你好 🙂"),
              "run-6 \"done\" \\ grüße 你好 🙂");
}

TEST(Printable, EscapesWhatWouldMoveTheCursorOrColourTheScreen) {
    EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
    EXPECT_EQ(printable("a\nb\rc\td\x07\x7f"), "a\\nb\\rc\\td\\x07\\x7f");
    EXPECT_EQ(printable("\0after"sv), "\\x00after");
}

TEST(Printable, EscapesTheEightBitControlsOfTerminals) {
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\u{009b}31m");
}

TEST(Printable, EscapesWhatIsNotSeenOrTurnsTheText) {
    EXPECT_EQ(printable("a\u202eb"), "a\\u{202e}b");
    EXPECT_EQ(printable("work\u200ber"), "work\\u{200b}er");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
    EXPECT_EQ(printable("\xff"), "\\xff");
    EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");           // An overlong NUL.
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // A surrogate.
    EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
    EXPECT_EQ(printable("\xe4\xbd"), "\\xe4\\xbd");  // Cut off.
}

TEST(Printable, CutsLongTextsBetweenCharacters) {
    EXPECT_EQ(printable("abcdef", 4), "abcd…");
    EXPECT_EQ(printable("abcd", 4), "abcd");
    EXPECT_EQ(printable("abc\xff", 4), "abc…");
    EXPECT_EQ(printable("ab你", 4), "ab…");
}

RC_GTEST_PROP(Printable, NeverLetsAControlByteThrough, (const std::string& bytes)) {
    for (const char each : printable(bytes)) RC_ASSERT(static_cast<unsigned char>(each) >= 0x20);
}

RC_GTEST_PROP(Printable, OfWhatIsPrintableIsTheSameAgain, (const std::string& bytes)) {
    RC_ASSERT(printable(printable(bytes)) == printable(bytes));
}

}  // namespace
}  // namespace redeliver::scenarios
