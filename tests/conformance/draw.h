#pragma once

#include <cstdint>
#include <initializer_list>

#include <rapidcheck.h>

#include "sim/ensure.h"

namespace redeliver::conformance {

/// Random choices of one generated script. Integers only.
class Draw {
public:
    explicit Draw(const rc::Random& random) : random_(random) {}

    std::uint64_t below(std::uint64_t bound) {
        sim::ensure(bound > 0, "there is something to draw from");
        return random_.next() % bound;
    }
    std::int64_t between(std::int64_t least, std::int64_t greatest) {
        return least +
               static_cast<std::int64_t>(below(static_cast<std::uint64_t>(greatest - least) + 1));
    }
    /// True in so many of a hundred cases.
    bool chance(std::uint64_t percent) { return below(100) < percent; }

    template <typename Value>
    Value one_of(std::initializer_list<Value> values) {
        return *(values.begin() + below(values.size()));
    }
    template <typename Values>
    const auto& one_of(const Values& values) {
        return values[below(values.size())];
    }

private:
    rc::Random random_;
};

}  // namespace redeliver::conformance
