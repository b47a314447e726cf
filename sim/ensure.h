#pragma once

#include <source_location>
#include <stdexcept>

namespace redeliver::sim {

/// The harness itself is wrong: its results cannot be trusted, so the command ends with exit code
/// 70. Never thrown for a fault that a plan injects, nor for bad input.
class HarnessError : public std::logic_error {
    using std::logic_error::logic_error;
};

/// Throws HarnessError naming the place.
[[noreturn]] void fail_harness(const char* what_should_be_true, std::source_location where);

/// Stops the trial unless `claim` is true. Never compiled out: a harness that runs on after a
/// broken invariant reports lies.
inline void ensure(bool claim, const char* what_should_be_true,
                   std::source_location where = std::source_location::current()) {
    if (!claim) [[unlikely]]
        fail_harness(what_should_be_true, where);
}

}  // namespace redeliver::sim
