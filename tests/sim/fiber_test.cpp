#include "sim/fiber.h"

#include <gmock/gmock.h>

#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/ensure.h"

namespace redeliver::sim {
namespace {

using testing::ElementsAre;

/// A fiber with a lambda for its body.
struct Task {
    Fiber fiber;
    std::function<void(Fiber&)> body;

    void start(StackPool& stacks) {
        fiber.start(
            stacks,
            [](void* self) {
                auto& task = *static_cast<Task*>(self);
                task.body(task.fiber);
            },
            this);
    }
};

TEST(Fiber, RunsNothingBeforeItIsResumedAndGoesOnWhereItSuspended) {
    StackPool stacks;
    std::vector<std::string> said;
    Task task{.fiber = {}, .body = [&](Fiber& self) {
                  said.push_back("one");
                  self.suspend();
                  said.push_back("two");
              }};
    task.start(stacks);
    said.push_back("started");
    task.fiber.resume();
    said.push_back("suspended");
    task.fiber.resume();
    EXPECT_THAT(said, ElementsAre("started", "one", "suspended", "two"));
    EXPECT_FALSE(task.fiber.is_started());
}

TEST(Fiber, ResumesAnotherFromWithinItself) {
    StackPool stacks;
    std::vector<int> order;
    Task inner{.fiber = {}, .body = [&](Fiber& self) {
                   order.push_back(2);
                   self.suspend();
                   order.push_back(4);
               }};
    Task outer{.fiber = {}, .body = [&](Fiber& self) {
                   order.push_back(1);
                   inner.fiber.resume();
                   order.push_back(3);
                   self.suspend();
                   inner.fiber.resume();
               }};
    inner.start(stacks);
    outer.start(stacks);
    outer.fiber.resume();
    outer.fiber.resume();
    EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST(Fiber, CatchesItsOwnExceptionAfterOthersHaveRun) {
    StackPool stacks;
    std::vector<std::string> caught;
    const auto body = [&](Fiber& self) {
        try {
            self.suspend();
            throw std::runtime_error("thrown on a fiber");
        } catch (const std::runtime_error& error) {
            caught.push_back(error.what());
        }
    };
    Task one{.fiber = {}, .body = body}, two{.fiber = {}, .body = body};
    for (Task* const task : {&one, &two}) task->start(stacks);
    for (Task* const task : {&one, &two, &two, &one}) task->fiber.resume();
    EXPECT_THAT(caught, ElementsAre("thrown on a fiber", "thrown on a fiber"));
}

TEST(Fiber, IsStartedOnceAndResumedOnlyWhenStarted) {
    StackPool stacks;
    Task task{.fiber = {}, .body = [](Fiber&) {}};
    EXPECT_THROW(task.fiber.resume(), HarnessError);
    task.start(stacks);
    EXPECT_THROW(task.start(stacks), HarnessError);
    task.fiber.resume();
    EXPECT_THROW(task.fiber.resume(), HarnessError);
}

TEST(StackPool, GivesTheStackOfAFinishedFiberToTheNext) {
    StackPool stacks;
    const auto first = stacks.take();
    stacks.give_back(first);
    const auto second = stacks.take();
    EXPECT_EQ(second.sp, first.sp);
    const auto third = stacks.take();
    EXPECT_NE(third.sp, first.sp);
    stacks.give_back(second);
    stacks.give_back(third);
}

TEST(StackPool, StackCanBeUsedDownToItsGuardPage) {
    StackPool stacks;
    const auto stack = stacks.take();
    volatile char* const lowest = static_cast<char*>(stack.sp) - StackPool::usable_bytes();
    *lowest = 1;
    EXPECT_EQ(*lowest, 1);
    stacks.give_back(stack);
}

/// Needs a hundred bytes of stack for each level and must not become a loop.
int descend(int levels) {
    volatile char frame[100] = {};
    frame[0] = static_cast<char>(levels);
    return levels == 0 ? frame[0] : descend(levels - 1) + frame[0];
}

void overflow_a_stack() {
    StackPool stacks;
    Task task{.fiber = {}, .body = [](Fiber&) { descend(1'000'000); }};
    task.start(stacks);
    task.fiber.resume();
}

TEST(StackPoolDeathTest, OverflowOfAStackEndsTheProgram) {
#if defined(__SANITIZE_ADDRESS__)
    EXPECT_DEATH(overflow_a_stack(), "stack-overflow|SEGV|BUS");
#else
    EXPECT_EXIT(overflow_a_stack(), testing::KilledBySignal(SIGSEGV), "");
#endif
}

}  // namespace
}  // namespace redeliver::sim
