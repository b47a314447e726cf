#pragma once

#include <cstdint>
#include <vector>

#include "sim/names.h"

/// How runs are numbered and written.
///
/// The n-th message of a workload becomes `run-n`. A gateway that is handed the same message again
/// makes up a new id, as it would in life: `run-nb`, then `run-nc`. Where the idempotency key
/// works, that second id never becomes a row.
namespace redeliver::model {

/// How many ids one message may give rise to.
inline constexpr std::uint32_t ids_per_intention = 16;

/// The id that the `handling`-th handling (from 1) of the `message`-th message (from 1) makes up.
constexpr sim::Subject run_of(std::uint32_t message, std::uint32_t handling = 1) {
    return sim::subject_of(sim::first_free_series + handling - 1, message);
}

/// The message that a run came from, as its first id: equal for `run-6` and `run-6b`.
constexpr sim::Subject intention_of(sim::Subject run) {
    return sim::subject_of(sim::first_free_series, sim::number_of(run));
}

constexpr bool is_run(sim::Subject subject) {
    const std::uint32_t series = sim::series_of(subject);
    return series >= sim::first_free_series && series < sim::first_free_series + ids_per_intention;
}

/// The series as a world wants them.
std::vector<sim::Series> run_series();

}  // namespace redeliver::model
