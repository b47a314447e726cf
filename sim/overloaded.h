#pragma once

namespace redeliver::sim {

/// Several lambdas as one visitor of a variant.
template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};

}  // namespace redeliver::sim
