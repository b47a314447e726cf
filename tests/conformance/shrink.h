#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "tests/conformance/script.h"

namespace redeliver::conformance {

/// How much may be spent on making a script smaller; the best so far is kept.
struct ShrinkBudget {
    std::size_t plays = 3'000;
    std::chrono::seconds time{30};
};

/// The smallest script found that `fails` like the given one: without connections, steps, commands
/// and words that do not matter.
Script shrink(Script script, const std::function<bool(const Script&)>& fails,
              ShrinkBudget budget = {});

}  // namespace redeliver::conformance
