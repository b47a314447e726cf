#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <vector>

namespace redeliver::sim {

/// Stacks for fibers, kept between trials: the first use of a stack costs microseconds of page
/// faults, its reuse almost nothing. Not shared between threads.
///
/// Below every stack lies a page that may not be touched, in every build: an overflow ends the
/// program instead of faking a verdict.
class StackPool {
public:
    StackPool() = default;
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;
    ~StackPool();

    /// Throws std::bad_alloc when the machine has no more memory or mappings.
    boost::context::stack_context take();
    void give_back(const boost::context::stack_context& stack);

    /// Bytes that one stack may grow to, without its guard page.
    static std::size_t usable_bytes();

private:
    std::vector<boost::context::stack_context> free_;
};

/// A stackful coroutine. Only this class switches stacks, so that one place tells the sanitizers.
///
/// Must have finished before it is destroyed: the owner ends it by making its body return.
class Fiber {
public:
    using Body = void (*)(void* argument);

    Fiber() = default;
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;
    ~Fiber();

    /// Prepares to run `body(argument)`, which must not let an exception out. Runs nothing yet.
    void start(StackPool& stacks, Body body, void* argument);

    /// From the main stack: runs the body until it suspends or returns.
    void resume();

    /// From within the body: goes back to whoever resumed it.
    void suspend();

    bool is_started() const { return static_cast<bool>(self_); }

private:
    boost::context::fiber run(boost::context::fiber&& caller, Body body, void* argument);
    void release_stack();

    boost::context::fiber self_;
    boost::context::fiber caller_;
    StackPool* stacks_ = nullptr;
    boost::context::stack_context stack_;
    // What AddressSanitizer and ThreadSanitizer need to follow a switch; unused otherwise.
    void* own_fake_stack_ = nullptr;
    void* caller_fake_stack_ = nullptr;
    const void* caller_bottom_ = nullptr;
    std::size_t caller_size_ = 0;
};

}  // namespace redeliver::sim
