#pragma once

namespace redeliver::sim {

/// Several lambdas as one visitor of a variant.
template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;  // Clang deduces no aggregates before version 17.

}  // namespace redeliver::sim
