#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "tests/conformance/postgresql/script.h"

namespace redeliver::conformance::postgresql {

/// How much may be spent on making a script smaller; the best so far is kept.
struct ShrinkBudget {
    std::size_t plays = 2'000;
    std::chrono::seconds time{30};
};

/// The smallest script found that `fails` like the given one: without steps, sessions, rows,
/// tables, keys, conditions and timeouts that do not matter.
Script shrink(Script script, const std::function<bool(const Script&)>& fails,
              ShrinkBudget budget = {});

}  // namespace redeliver::conformance::postgresql
