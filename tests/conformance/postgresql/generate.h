#pragma once

#include <cstdint>

#include "tests/conformance/postgresql/script.h"

namespace redeliver::conformance::postgresql {

/// The interleaving of that seed. So many neighbouring seeds share their tables, since making
/// tables is the dearest thing a server does here.
Script script_of(std::uint64_t seed);
inline constexpr std::uint64_t seeds_per_schema = 20;

}  // namespace redeliver::conformance::postgresql
