#include "scenarios/explore/round_times.h"

#include <algorithm>
#include <array>

#include "sim/ensure.h"

namespace redeliver::scenarios {

namespace {

using sim::Duration;

// ------------------------------------------------------------------ the times of a plan

/// Shows an instant as a duration since the beginning, and takes it back.
template <class Visit>
void visit_instant(sim::Instant& instant, Visit& visit) {
    Duration time = instant.time_since_epoch();
    visit(time);
    instant = sim::at(time);
}

template <class Visit>
struct VisitFault {
    Visit& visit;

    void operator()(sim::AtInstant& when) const { visit_instant(when.at, visit); }
    void operator()(sim::AtStep&) const {}
    void operator()(sim::Crash& crash) const { visit(crash.restart_after); }
    void operator()(sim::Pause& pause) const { visit(pause.lasts); }
    void operator()(sim::Drop&) const {}
    void operator()(sim::Reset&) const {}
    void operator()(sim::Slow& slow) const { visit(slow.lasts); }
    void operator()(sim::Partition& partition) const { visit(partition.lasts); }
    void operator()(sim::ClockStep& step) const { visit(step.by); }
    void operator()(sim::Failover& failover) const { visit(failover.lag); }
    void operator()(sim::HalfOpen&) const {}
    void operator()(sim::Latency& latency) const {
        visit(latency.by);
        visit(latency.lasts);
    }
    void operator()(sim::ClockDrift& drift) const {
        visit(drift.gains);
        visit(drift.lasts);
    }
    void operator()(sim::Order& order) const {
        if (order.lasts > Duration::zero()) visit(order.lasts);
    }
};

template <class Visit>
void visit_times(Plan& plan, Visit visit) {
    for (sim::Fault& fault : plan.faults) {
        std::visit(VisitFault<Visit>{visit}, fault.when);
        std::visit(VisitFault<Visit>{visit}, fault.what);
    }
    for (Message& message : plan.messages) {
        visit_instant(message.at, visit);
        if (message.work_time) visit(*message.work_time);
    }
}

// ------------------------------------------------------------------ round numbers

/// The largest power of ten that leaves `digits` digits of a number; 1 when it has no more.
std::int64_t power_that_leaves(std::int64_t number, std::uint32_t digits) {
    std::int64_t limit = 1;
    for (std::uint32_t each = 0; each < digits; ++each) limit *= 10;
    std::int64_t power = 1;
    while (number / power >= limit) power *= 10;
    return power;
}

}  // namespace

std::uint32_t digits_of(Duration time) {
    std::int64_t rest = time.count() < 0 ? -time.count() : time.count();
    while (rest != 0 && rest % 10 == 0) rest /= 10;
    std::uint32_t digits = 0;
    for (; rest != 0; rest /= 10) ++digits;
    return digits;
}

std::vector<Duration> earlier_times(Duration time) {
    constexpr std::int64_t millisecond = 1'000;
    std::vector<Duration> earlier;
    if (time > Duration::zero()) earlier.push_back(Duration::zero());
    for (std::int64_t power = millisecond; power < time.count(); power *= 10)
        for (const std::int64_t leading : {1, 2, 5})
            if (leading * power < time.count()) earlier.push_back(Duration{leading * power});
    return earlier;
}

std::vector<Duration> rounder_times(Duration time) {
    const std::int64_t sign = time.count() < 0 ? -1 : 1;
    const std::int64_t size = sign * time.count();
    std::vector<Duration> rounder;
    for (const std::uint32_t digits : {1u, 2u}) {
        const std::int64_t power = power_that_leaves(size, digits);
        const std::int64_t down = size / power * power;
        for (const std::int64_t candidate : {down, down + power})
            if (digits_of(Duration{candidate}) < digits_of(time))
                rounder.push_back(Duration{sign * candidate});
    }
    return rounder;
}

std::vector<Duration> times_of(const Plan& plan) {
    std::vector<Duration> times;
    Plan copy = plan;
    visit_times(copy, [&](Duration& time) { times.push_back(time); });
    return times;
}

void set_time(Plan& plan, std::size_t index, Duration time) {
    std::size_t next = 0;
    visit_times(plan, [&](Duration& each) {
        if (next++ == index) each = time;
    });
    sim::ensure(index < next, "only a time of the plan is changed");
}

}  // namespace redeliver::scenarios
