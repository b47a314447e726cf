#include "reports/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/crash_story.h"

namespace redeliver::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Timeline, ShowsABiographyWithTheCrashTheClaimAndTheBreach) {
    const std::string text =
        timeline(crash_story(), {broken_at_second_work()}, Detail::biography, {});
    EXPECT_EQ(text, R"(step     time  who          what          about  how
   1   0.980s  user-1       submit        run-6  attempt 1, session 2
   2   0.985s  gateway-1    INSERT run    run-6  row stored: accepted, session 2
   3   0.990s  gateway-1    XADD          run-6  990-0
   5   0.992s  worker-1     XREADGROUP    run-6  990-0, delivery 1
   6   0.993s  worker-1     work starts   run-6  execution 1
   7   0.996s  worker-1     work ends     run-6  execution 1 succeeded
   8   0.998s  worker-1   ● INSERT reply  run-6  stored, seq 1
  10   1.000s  worker-1   ✂ crash         run-6  before its XACK was sent, fault 1
            …  1 idle poll in 30.002s
  14  31.002s  worker-2   ⇉ XAUTOCLAIM    run-6  990-0 from worker-1, idle 30.01s, delivery 2
  15  31.003s  worker-2   ⚑ work starts   run-6  execution 2; breaks work_is_executed_once
  16  31.004s  worker-2     work ends     run-6  execution 2 succeeded
  17  31.005s  worker-2   ○ INSERT reply  run-6  absorbed: seq 1 is there already
  18  31.006s  worker-2     XACK          run-6  990-0, delivery 2
  19  31.006s  worker-2     UPDATE run    run-6  pending → done
  20  31.007s  -            end                  settled: nothing is left to do
)");
}

TEST(Timeline, FallsBackToAsciiMarks) {
    const std::string text = timeline(crash_story(), {broken_at_second_work()}, Detail::biography,
                                      {.charset = Charset::ascii});
    EXPECT_THAT(text, HasSubstr("! crash"));
    EXPECT_THAT(text, HasSubstr("% XAUTOCLAIM"));
    EXPECT_THAT(text, HasSubstr("pending -> done"));
    for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(Timeline, ShowsEveryStepWhenAsked) {
    const std::string text = timeline(crash_story(), {}, Detail::every_step, {});
    EXPECT_EQ(std::ranges::count(text, '\n'), 21);
    EXPECT_THAT(text, HasSubstr("sent to broker, its 5th"));
    EXPECT_THAT(text, HasSubstr("31.002000s"));
    EXPECT_THAT(text, Not(HasSubstr("idle poll")));
}

TEST(Timeline, CountsThePollsOfALongWait) {
    const std::string text = timeline(crash_story(), {}, Detail::biography, {});
    // Of the two claims sent while nothing happened, the second brought the entry.
    EXPECT_THAT(text, HasSubstr("1 idle poll in 30.002s"));
}

TEST(Timeline, KeepsToTheWidthOfTheTerminal) {
    const std::string text =
        timeline(crash_story(), {}, Detail::biography, {.charset = Charset::ascii, .width = 50});
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    EXPECT_LE(longest, 50u);
}

TEST(Timeline, MakesNamesFromAFileHarmless) {
    scenarios::Recording recording = crash_story();
    recording.names[3] = "worker\x1b[2J";
    recording.nodes[4] = "w\r1";
    const std::string text = timeline(recording, {}, Detail::every_step, {});
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, HasSubstr("w\\r1"));
}

}  // namespace
}  // namespace redeliver::reports
