#include "reports/faults.h"

#include <fmt/format.h>

#include "reports/words.h"

namespace redeliver::reports {

namespace {

using namespace sim;

std::string operation_text(const AtStep& step) {
    std::string text = step.operation;
    if (step.occurrence != 1) text = fmt::format("the {} {}", ordinal(step.occurrence), text);
    text += (step.operation == "work" ? " on " : " for ") + step.subject;
    if (!step.node.empty()) text += " by " + step.node;
    return text;
}

std::string when_text(const AtStep& step) {
    const std::string operation = operation_text(step);
    switch (step.point) {
    case Point::before_send: return fmt::format("before {} is sent", operation);
    case Point::before_apply: return fmt::format("before {} is applied", operation);
    case Point::after_apply: return fmt::format("after {} was applied", operation);
    case Point::after_reply: return fmt::format("after {} was answered", operation);
    case Point::start: return fmt::format("at the start of {}", operation);
    case Point::middle: return fmt::format("in the middle of {}", operation);
    case Point::end: return fmt::format("at the end of {}", operation);
    }
    return operation;
}

std::string when_text(const AtInstant& instant) { return "at " + length(instant.at - Instant{}); }

/// Whether the message that is lost at a step is the request or its answer.
std::string_view lost_message(const Fault& fault) {
    const auto* const step = std::get_if<AtStep>(&fault.when);
    const bool is_request =
        step == nullptr || step->point == Point::before_send || step->point == Point::before_apply;
    return is_request ? "lose the request" : "lose the answer";
}

/// One overload per kind of fault; `whom` is the target.
struct WhatText {
    const Fault& fault;
    std::string whom;

    std::string operator()(const Crash& crash) const {
        return fmt::format("{} {}, restart after {}",
                           crash.of == CrashOf::process ? "crash" : "lose the machine of", whom,
                           length(crash.restart_after));
    }
    std::string operator()(const Pause& pause) const {
        return fmt::format("pause {} for {}", whom, length(pause.lasts));
    }
    std::string operator()(const Drop&) const { return std::string(lost_message(fault)); }
    std::string operator()(const Reset&) const {
        return fmt::format("reset the connections of {}", whom);
    }
    std::string operator()(const Slow& slow) const {
        return fmt::format("let the work of {} take {}% of its time for {}", whom, slow.percent,
                           length(slow.lasts));
    }
    std::string operator()(const Partition& partition) const {
        if (partition.ways == Ways::both)
            return fmt::format("let nothing get through between {} and {} for {}", whom,
                               partition.to, length(partition.lasts));
        return fmt::format("let nothing from {} reach {} for {}", whom, partition.to,
                           length(partition.lasts));
    }
    std::string operator()(const ClockStep& step) const {
        return fmt::format("step the clock of {} by {}", whom, length(step.by));
    }
    std::string operator()(const Failover& failover) const {
        return fmt::format("fail {} over to a replica without the last {}", whom,
                           length(failover.lag));
    }
    std::string operator()(const HalfOpen&) const {
        return fmt::format("let {} lose its connections, unknown to the other ends", whom);
    }
    std::string operator()(const Latency& latency) const {
        return fmt::format("let what {} sends and is sent take {} longer for {}", whom,
                           length(latency.by), length(latency.lasts));
    }
    std::string operator()(const ClockDrift& drift) const {
        return fmt::format("let the clock of {} gain {} a second for {}", whom, length(drift.gains),
                           length(drift.lasts));
    }
    std::string operator()(const Order& order) const {
        const std::string told = fmt::format("tell {} \"{}\"", whom, order.words);
        if (order.lasts == Duration{}) return told;
        return fmt::format("{} for {}", told, length(order.lasts));
    }
};

}  // namespace

std::string fault_text(const Fault& fault) {
    const std::string when =
        std::visit([](const auto& each) { return when_text(each); }, fault.when);
    const std::string whom = fault.target.empty() ? "whoever does it" : fault.target;
    return when + ": " + std::visit(WhatText{fault, whom}, fault.what);
}

}  // namespace redeliver::reports
