#include <fmt/format.h>

#include <array>

#include "model/operations.h"
#include "scenarios/json/nearest.h"
#include "scenarios/json/printable.h"
#include "scenarios/json/scenario_fields.h"
#include "scenarios/orders.h"

namespace redeliver::scenarios::json {

namespace {

constexpr NumberRange intensities = {0, max_intensity};

const Vocabulary& operation_names() {
    static const Vocabulary names = [] {
        std::vector<std::string> texts = model::operation_texts();
        texts.erase(texts.begin());  // `none` cannot be performed.
        return Vocabulary{"operation", std::move(texts)};
    }();
    return names;
}

// ------------------------------------------------------------------ what

constexpr std::array<std::string_view, 12> what_keys = {
    "crash",      "pause",    "drop",      "reset",   "slow",        "partition",
    "clock_step", "failover", "half_open", "latency", "clock_drift", "order"};
static_assert(std::variant_size_v<sim::What> == what_keys.size());

void fields_of(Fields& in, sim::Crash& crash, const CastNames&) {
    in.word("of", crash.of);
    in.duration("restart_after", crash.restart_after);
}
void fields_of(Fields& in, sim::Pause& pause, const CastNames&) {
    in.duration("lasts", pause.lasts);
    in.require({"lasts"});
}
void fields_of(Fields&, sim::Drop&, const CastNames&) {}
void fields_of(Fields&, sim::Reset&, const CastNames&) {}
void fields_of(Fields& in, sim::Slow& slow, const CastNames&) {
    in.number("percent", slow.percent, {1, 100'000});
    in.duration("lasts", slow.lasts);
    in.require({"lasts"});
}
void fields_of(Fields& in, sim::Partition& partition, const CastNames& names) {
    in.one_of("to", partition.to, names.nodes());
    in.duration("lasts", partition.lasts);
    in.word("ways", partition.ways);
    in.require({"to", "lasts"});
}
void fields_of(Fields& in, sim::ClockStep& step, const CastNames&) {
    in.duration("by", step.by, {.least = -max_duration});
    in.require({"by"});
}
void fields_of(Fields& in, sim::Failover& failover, const CastNames&) {
    in.duration("lag", failover.lag);
    in.require({"lag"});
}

void fields_of(Fields&, sim::HalfOpen&, const CastNames&) {}
void fields_of(Fields& in, sim::Latency& latency, const CastNames&) {
    in.duration("by", latency.by);
    in.duration("lasts", latency.lasts);
    in.require({"by", "lasts"});
}
void fields_of(Fields& in, sim::ClockDrift& drift, const CastNames&) {
    in.duration("gains", drift.gains, {.least = -sim::max_drift, .most = sim::max_drift});
    in.duration("lasts", drift.lasts);
    in.require({"gains", "lasts"});
}
void fields_of(Fields& in, sim::Order& order, const CastNames&) {
    in.prose("words", order.words, max_order);
    in.duration("lasts", order.lasts);
    in.require({"words"});
}

/// Gives the variant the alternative of this number, unless it has it.
template <std::size_t... number>
void make_alternative(sim::What& what, std::size_t which, std::index_sequence<number...>) {
    const auto make = [&]<std::size_t each>(std::integral_constant<std::size_t, each>) {
        if (each == which && what.index() != each) what.emplace<each>();
    };
    (make(std::integral_constant<std::size_t, number>{}), ...);
}

void what_fields(Fields& in, sim::What& what, const CastNames& names) {
    const std::size_t which = in.alternative(what_keys, what.index());
    make_alternative(what, which, std::make_index_sequence<what_keys.size()>{});
    std::visit(
        [&](auto& one) {
            in.object(what_keys[which], [&](Fields& inner) { fields_of(inner, one, names); });
        },
        what);
}

// ------------------------------------------------------------------ when

constexpr std::array<std::string_view, 2> when_keys = {"at", "operation"};

void instant_fields(Fields& in, sim::AtInstant& instant) {
    sim::Duration at = instant.at.time_since_epoch();
    in.duration("at", at);
    instant.at = sim::at(at);
    in.require({"target"});
}

void reject_unknown_subject(Fields& in, const std::string& subject, const CastNames& names) {
    if (names.is_subject(subject)) return;
    std::vector<std::string_view> words{names.nodes().words().begin(), names.nodes().words().end()};
    in.reject("subject",
              fmt::format("found \"{}\", which is neither a run from run-1 to run-{} nor a node{}",
                          printable(subject, 60), names.last_message(), advice(subject, words)));
}

bool is_work_point(sim::Point point) { return point >= sim::Point::start; }

void step_fields(Fields& in, sim::AtStep& step, const CastNames& names) {
    in.one_of("operation", step.operation, operation_names());
    const bool is_work = step.operation == model::text(model::Operation::work);
    in.prose("subject", step.subject, max_name);
    if (!step.subject.empty()) reject_unknown_subject(in, step.subject, names);
    in.number("occurrence", step.occurrence, {1, max_messages});
    if (is_work && !is_work_point(step.point)) step.point = sim::Point::start;
    in.word("point", step.point);
    if (is_work != is_work_point(step.point))
        in.reject("point", fmt::format("found \"{}\"; work has the points start, middle and end, "
                                       "other operations before_send, before_apply, after_apply "
                                       "and after_reply",
                                       words_of(step.point)[static_cast<std::size_t>(step.point)]));
    if (in.has("node", step.node.empty() ? Fields::Presence::absent : Fields::Presence::present) ==
        Fields::Presence::present)
        in.one_of("node", step.node, names.nodes());
    in.require({"subject"});
}

void when_fields(Fields& in, sim::When& when, const CastNames& names) {
    const std::size_t which = in.alternative(when_keys, when.index());
    if (which == 0) {
        if (when.index() != 0) when = sim::AtInstant{};
        instant_fields(in, std::get<sim::AtInstant>(when));
    } else {
        if (when.index() != 1) when = sim::AtStep{};
        step_fields(in, std::get<sim::AtStep>(when), names);
    }
}

// ------------------------------------------------------------------ both

void reject_misunderstood(Fields& in, const std::string& target, const sim::Order& order,
                          const System& system) {
    if (target.empty()) in.reject("order", "an order names the \"target\" that is told");
    const std::string allowed = orders::vocabulary_of(system, target);
    if (allowed.empty())
        in.reject("order", fmt::format("\"{}\" takes no orders: redis, postgres, users and "
                                       "workers do",
                                       printable(target, 60)));
    if (!orders::understood_by(system, target, order.words))
        in.reject("order", fmt::format("found \"{}\", which {} does not understand; allowed: {}",
                                       printable(order.words, 60), target, allowed));
    if (orders::take_time(order.words) != (order.lasts > sim::Duration::zero()))
        in.reject("order",
                  orders::take_time(order.words)
                      ? fmt::format("\"{}\" needs \"lasts\", how long", order.words)
                      : fmt::format("\"{}\" is done at once: without \"lasts\"", order.words));
}

void reject_impossible(Fields& in, const sim::Fault& fault, const CastNames& names) {
    const auto* const step = std::get_if<sim::AtStep>(&fault.when);
    if (std::holds_alternative<sim::Drop>(fault.what) &&
        (step == nullptr || step->operation == model::text(model::Operation::work)))
        in.reject("drop",
                  "a message is dropped at a step of a request, not at an instant or in "
                  "the middle of work");
    if (const auto* const partition = std::get_if<sim::Partition>(&fault.what))
        if (partition->to == fault.target)
            in.reject("partition", "a partition lies between two different nodes");
    if (const auto* const order = std::get_if<sim::Order>(&fault.what))
        reject_misunderstood(in, fault.target, *order, names.system());
    if (std::holds_alternative<sim::Failover>(fault.what) &&
        !names.servers().contains(fault.target))
        in.reject("failover", fmt::format("only a server fails over: \"target\" is \"{}\"",
                                          fmt::join(names.servers().words(), "\" or \"")));
}

void fault_fields(Fields& in, sim::Fault& fault, const CastNames& names) {
    when_fields(in, fault.when, names);
    if (in.has("target",
               fault.target.empty() ? Fields::Presence::absent : Fields::Presence::present) ==
        Fields::Presence::present)
        in.one_of("target", fault.target, names.nodes());
    what_fields(in, fault.what, names);
    reject_impossible(in, fault, names);
}

void random_fields(Fields& in, std::map<FaultKind, Intensity>& random) {
    const Words words = words_of(FaultKind{});
    for (std::size_t number = 0; number < words.size(); ++number) {
        const auto kind = static_cast<FaultKind>(number);
        const auto current =
            random.contains(kind) ? Fields::Presence::present : Fields::Presence::absent;
        if (in.has(words[number], current) == Fields::Presence::absent) continue;
        Intensity& intensity = random[kind];
        in.span(words[number], intensity.least, intensity.most, intensities);
    }
}

}  // namespace

void fault_plan_fields(Fields& in, std::string_view key, sim::FaultPlan& plan,
                       const CastNames& names) {
    in.objects(key, plan, max_faults,
               [&](Fields& inner, sim::Fault& fault) { fault_fields(inner, fault, names); });
}

void faults_fields(Fields& in, Faults& faults, const CastNames& names) {
    in.duration("until", faults.until);
    in.object("random", [&](Fields& inner) { random_fields(inner, faults.random); });
    fault_plan_fields(in, "pinned", faults.pinned, names);
    in.duration("longest", faults.longest, {.least = std::chrono::milliseconds{1}});
    in.duration("replica_lag", faults.replica_lag);
}

}  // namespace redeliver::scenarios::json
