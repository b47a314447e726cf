#include "cli/numbers.h"

#include <gtest/gtest.h>

#include "cli/errors.h"

namespace redeliver::cli {
namespace {

TEST(ParseNumber, TakesAllOfSixtyFourBits) {
    EXPECT_EQ(parse_number("--from", "0", {}), 0u);
    EXPECT_EQ(parse_number("--from", "18446744073709551615", {}), 18446744073709551615u);
}

TEST(ParseNumber, RefusesWhatIsNoWholeNumberWithinTheBounds) {
    for (const char* const text :
         {"", " 1", "1 ", "+1", "-1", "0x10", "1e3", "1,000", "18446744073709551616", "0", "11"})
        EXPECT_THROW(parse_number("--seeds", text, {.least = 1, .most = 10}), UsageError) << text;
}

TEST(ParseNumber, SaysWhatWasFoundAndWhatIsAllowed) {
    try {
        parse_number("--seeds",
                     "a\x1b"
                     "b",
                     {.least = 1, .most = 10});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "--seeds: found 'a\\x1bb', allowed is a whole number from 1 to 10");
    }
}

}  // namespace
}  // namespace redeliver::cli
