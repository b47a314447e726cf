#include "reports/faults.h"

#include <gtest/gtest.h>

namespace redeliver::reports {
namespace {

using namespace std::chrono_literals;
using namespace sim;

TEST(FaultText, SaysWhenAtAStepAndWhoIsMeant) {
    EXPECT_EQ(fault_text({.when = AtStep{.operation = "XACK", .subject = "run-6"},
                          .what = Crash{.restart_after = 2s}}),
              "before XACK for run-6 is sent: crash whoever does it, restart after 2s");
    EXPECT_EQ(fault_text({.when = AtStep{.operation = "work",
                                         .subject = "run-6",
                                         .occurrence = 2,
                                         .point = Point::middle,
                                         .node = "worker-1"},
                          .what = Pause{.lasts = 4s}}),
              "in the middle of the 2nd work on run-6 by worker-1: pause whoever does it for 4s");
}

TEST(FaultText, TellsALostRequestFromALostAnswer) {
    EXPECT_EQ(fault_text({.when = AtStep{.operation = "COMMIT",
                                         .subject = "run-6",
                                         .point = Point::before_apply},
                          .what = Drop{}}),
              "before COMMIT for run-6 is applied: lose the request");
    EXPECT_EQ(
        fault_text(
            {.when = AtStep{.operation = "COMMIT", .subject = "run-6", .point = Point::after_apply},
             .what = Drop{}}),
        "after COMMIT for run-6 was applied: lose the answer");
}

TEST(FaultText, HasWordsForEveryKindAtAnInstant) {
    const auto text = [](What what) {
        return fault_text({.when = AtInstant{at(1500ms)}, .what = what, .target = "broker"});
    };
    EXPECT_EQ(text(Crash{.of = CrashOf::machine, .restart_after = 1s}),
              "at 1.5s: lose the machine of broker, restart after 1s");
    EXPECT_EQ(text(Reset{}), "at 1.5s: reset the connections of broker");
    EXPECT_EQ(text(Slow{.percent = 400, .lasts = 3s}),
              "at 1.5s: let the work of broker take 400% of its time for 3s");
    EXPECT_EQ(text(Partition{.to = "worker-2", .lasts = 3s}),
              "at 1.5s: let nothing from broker reach worker-2 for 3s");
    EXPECT_EQ(text(ClockStep{.by = -3s}), "at 1.5s: step the clock of broker by -3s");
    EXPECT_EQ(text(Failover{.lag = 300ms}),
              "at 1.5s: fail broker over to a replica without the last 300ms");
    EXPECT_EQ(text(HalfOpen{}),
              "at 1.5s: let broker lose its connections, unknown to the other ends");
    EXPECT_EQ(text(Partition{.to = "worker-2", .lasts = 3s, .ways = Ways::both}),
              "at 1.5s: let nothing get through between broker and worker-2 for 3s");
    EXPECT_EQ(text(Latency{.by = 50ms, .lasts = 3s}),
              "at 1.5s: let what broker sends and is sent take 50ms longer for 3s");
    EXPECT_EQ(text(ClockDrift{.gains = -9ms, .lasts = 3s}),
              "at 1.5s: let the clock of broker gain -9ms a second for 3s");
    EXPECT_EQ(text(Order{.words = "XTRIM koda:runs MAXLEN 0"}),
              "at 1.5s: tell broker \"XTRIM koda:runs MAXLEN 0\"");
    EXPECT_EQ(text(Order{.words = "take all connections", .lasts = 3s}),
              "at 1.5s: tell broker \"take all connections\" for 3s");
}

TEST(FaultText, HasWordsForEveryPoint) {
    for (const Point point : {Point::before_send, Point::before_apply, Point::after_apply,
                              Point::after_reply, Point::start, Point::middle, Point::end}) {
        const Fault fault{.when = AtStep{.operation = "XADD", .subject = "run-1", .point = point},
                          .what = Reset{}};
        EXPECT_NE(fault_text(fault).find("XADD for run-1"), std::string::npos);
    }
}

}  // namespace
}  // namespace redeliver::reports
