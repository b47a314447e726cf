#include <fmt/format.h>

#include <algorithm>

#include "scenarios/json/scenario_fields.h"

namespace redeliver::scenarios::json {

namespace {

constexpr NumberRange any_number = {1, 0xffff'ffff};

void pick_fields(Fields& in, sim::Pick& pick) {
    in.number("branching", pick.branching, any_number);
    in.number("take", pick.take, any_number);
    in.require({"branching"});
}

/// The codec's lists are of objects.
struct Change {
    std::uint32_t step = 1;
};

void change_fields(Fields& in, sim::Schedule& schedule) {
    std::vector<Change> changes;
    for (const std::uint32_t step : schedule.changes) changes.push_back({step});
    in.objects("changes", changes, max_changes, [](Fields& inner, Change& change) {
        inner.number("step", change.step, any_number);
        inner.require({"step"});
    });
    schedule.changes.clear();
    for (const Change& change : changes) schedule.changes.push_back(change.step);
}

void reject_contradictions(Fields& in, const sim::Schedule& schedule) {
    const bool has_priorities = !schedule.order.empty() || !schedule.changes.empty();
    if (!schedule.picks.empty() && has_priorities)
        in.reject("picks",
                  "found beside an order or changes; either these say what comes first, "
                  "or picks do");
    const auto not_ascending =
        std::ranges::adjacent_find(schedule.picks, [](const sim::Pick& one, const sim::Pick& next) {
            return one.branching >= next.branching;
        });
    if (not_ascending != schedule.picks.end())
        in.reject("picks",
                  fmt::format("found branching {} before {}; they ascend, each at most once",
                              not_ascending->branching, (not_ascending + 1)->branching));
}

}  // namespace

void schedule_fields(Fields& in, sim::Schedule& schedule, const CastNames& names) {
    const auto current = schedule.is_none() ? Fields::Presence::absent : Fields::Presence::present;
    if (in.has("schedule", current) == Fields::Presence::absent) return;
    in.object("schedule", [&](Fields& inner) {
        inner.duration("slack", schedule.slack,
                       {.least = std::chrono::microseconds{1}, .most = max_slack});
        inner.objects("picks", schedule.picks, max_picks,
                      [](Fields& each, sim::Pick& pick) { pick_fields(each, pick); });
        inner.several_of("order", schedule.order, names.nodes());
        change_fields(inner, schedule);
        inner.require({"slack"});
        reject_contradictions(inner, schedule);
    });
}

}  // namespace redeliver::scenarios::json
