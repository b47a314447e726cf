#include "sim/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "sim/ensure.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace redeliver::sim {

namespace {

/// The stack that is being left keeps its own fake stack in `*save`, or gives it up for good when
/// `save` is null.
void leave_for([[maybe_unused]] void** save, [[maybe_unused]] const void* bottom,
               [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(save, bottom, size);
#endif
}

void arrive_on([[maybe_unused]] void* saved, [[maybe_unused]] const void** bottom,
               [[maybe_unused]] std::size_t* size) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(saved, bottom, size);
#endif
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A stack that is never handed back to the library: the pool owns it.
struct Borrowed {
    void deallocate(boost::context::stack_context&) const {}
};

}  // namespace

std::size_t StackPool::usable_bytes() {
#if defined(__SANITIZE_ADDRESS__)
    return 512 * 1024;  // Instrumented frames are several times as large.
#else
    return 64 * 1024;  // Reserved, not used: a sleeping process touches two or three pages of it.
#endif
}

StackPool::~StackPool() {
    for (const auto& stack : free_) munmap(static_cast<char*>(stack.sp) - stack.size, stack.size);
}

boost::context::stack_context StackPool::take() {
    if (!free_.empty()) {
        const auto stack = free_.back();
        free_.pop_back();
        return stack;
    }
    boost::context::stack_context stack;
    stack.size = usable_bytes() + page_bytes();
    void* const memory =
        mmap(nullptr, stack.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc{};
    if (mprotect(memory, page_bytes(), PROT_NONE) != 0) {
        munmap(memory, stack.size);
        throw std::bad_alloc{};
    }
    stack.sp = static_cast<char*>(memory) + stack.size;
    return stack;
}

void StackPool::give_back(const boost::context::stack_context& stack) {
#if defined(__SANITIZE_ADDRESS__)
    // What an exception went past may still be marked as somebody's frames.
    __asan_unpoison_memory_region(static_cast<char*>(stack.sp) - usable_bytes(), usable_bytes());
#endif
    free_.push_back(stack);
}

Fiber::~Fiber() { release_stack(); }

void Fiber::start(StackPool& stacks, Body body, void* argument) {
    ensure(!self_, "a fiber is started once until its body returns");
    stacks_ = &stacks;
    stack_ = stacks.take();
    namespace context = boost::context;
    self_ =
        context::fiber{std::allocator_arg, context::preallocated{stack_.sp, stack_.size, stack_},
                       Borrowed{}, [this, body, argument](context::fiber&& caller) {
                           return run(std::move(caller), body, argument);
                       }};
}

boost::context::fiber Fiber::run(boost::context::fiber&& caller, Body body, void* argument) {
    arrive_on(nullptr, &caller_bottom_, &caller_size_);
    caller_ = std::move(caller);
    body(argument);
    leave_for(nullptr, caller_bottom_, caller_size_);
    return std::move(caller_);
}

void Fiber::resume() {
    ensure(static_cast<bool>(self_), "only a started fiber is resumed");
    const char* const bottom = static_cast<const char*>(stack_.sp) - stack_.size;
    leave_for(&caller_fake_stack_, bottom, stack_.size);
    self_ = std::move(self_).resume();
    arrive_on(caller_fake_stack_, nullptr, nullptr);
    if (!self_) release_stack();
}

void Fiber::suspend() {
    leave_for(&own_fake_stack_, caller_bottom_, caller_size_);
    caller_ = std::move(caller_).resume();
    arrive_on(own_fake_stack_, &caller_bottom_, &caller_size_);
}

void Fiber::release_stack() {
    if (stacks_ == nullptr) return;
    stacks_->give_back(stack_);
    stacks_ = nullptr;
}

}  // namespace redeliver::sim
