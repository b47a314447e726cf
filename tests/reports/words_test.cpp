#include "reports/words.h"

#include <gtest/gtest.h>

namespace redeliver::reports {
namespace {

using namespace std::chrono_literals;

TEST(Moment, RoundsDownToWhatIsShown) {
    EXPECT_EQ(moment(sim::at(31002999us)), "31.002s");
    EXPECT_EQ(moment(sim::at(0us)), "0.000s");
    EXPECT_EQ(moment(sim::at(31002007us), Precision::microseconds), "31.002007s");
}

TEST(Length, IsExactInTheLargestUnitThatKeepsItShort) {
    EXPECT_EQ(length(0s), "0s");
    EXPECT_EQ(length(2s), "2s");
    EXPECT_EQ(length(250ms), "250ms");
    EXPECT_EQ(length(1250ms), "1.25s");
    EXPECT_EQ(length(350us), "350us");
    EXPECT_EQ(length(1500us), "1.5ms");
    EXPECT_EQ(length(3600s), "3600s");
    EXPECT_EQ(length(-3s), "-3s");
    EXPECT_EQ(length(sim::Duration::min()), "-9223372036854.775808s");
}

TEST(Grouped, SeparatesThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Counted, UsesThePluralForAllButOne) {
    EXPECT_EQ(counted(1, "seed"), "1 seed");
    EXPECT_EQ(counted(0, "seed"), "0 seeds");
    EXPECT_EQ(counted(8600, "story", "stories"), "8,600 stories");
}

TEST(Ordinal, KnowsTheTeens) {
    EXPECT_EQ(ordinal(1), "1st");
    EXPECT_EQ(ordinal(2), "2nd");
    EXPECT_EQ(ordinal(3), "3rd");
    EXPECT_EQ(ordinal(11), "11th");
    EXPECT_EQ(ordinal(113), "113th");
    EXPECT_EQ(ordinal(21), "21st");
}

TEST(FingerprintText, HasSixteenDigits) {
    EXPECT_EQ(fingerprint_text(0xabc), "0000000000000abc");
    EXPECT_EQ(fingerprint_text(~0ull), "ffffffffffffffff");
}

TEST(ShellWord, QuotesWhatAShellWouldChange) {
    EXPECT_EQ(shell_word("worker.idle_threshold=5s"), "worker.idle_threshold=5s");
    EXPECT_EQ(shell_word("faults.random.reset=[0,2]"), "'faults.random.reset=[0,2]'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace redeliver::reports
