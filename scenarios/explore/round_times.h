#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/plan.h"
#include "sim/time.h"

/// Times that are easier to read, for the shrinker. A time is as simple as it has few digits, as a
/// number of microseconds without the zeros at its end: 2 s has one, 1.25 s three, nothing none.
namespace redeliver::scenarios {

std::uint32_t digits_of(sim::Duration time);

/// Times of at most one digit that are earlier than this one, the earliest first.
std::vector<sim::Duration> earlier_times(sim::Duration time);

/// The nearest times with fewer digits: to one digit, to two, each down and up.
std::vector<sim::Duration> rounder_times(sim::Duration time);

/// Every instant and duration in a plan, in a fixed order.
std::vector<sim::Duration> times_of(const Plan& plan);
/// Changes the one of this number.
void set_time(Plan& plan, std::size_t index, sim::Duration time);

}  // namespace redeliver::scenarios
