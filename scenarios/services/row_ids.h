#pragma once

#include <cstdint>

#include "sim/names.h"

namespace redeliver::scenarios {

/// A run's id as the tables of the database hold it.
constexpr std::int64_t id_of(sim::Subject run) {
    return static_cast<std::int64_t>(static_cast<std::uint32_t>(run));
}

}  // namespace redeliver::scenarios
