#pragma once

#include <string>
#include <vector>

#include "reports/trace.h"

namespace redeliver::reports {

/// A trace that a test writes by hand: a user, a gateway, a broker, two workers and a database.
class WrittenTrace {
public:
    WrittenTrace() {
        trace.story = "written";
        trace.sentence = "A trace that a test writes.";
        trace.outcome = "as_expected";
        trace.ending = "settled";
        trace.nodes = {{"redis", "broker"},    {"postgres", "database"}, {"gateway-1", "gateway"},
                       {"worker-1", "worker"}, {"worker-2", "worker"},   {"user-1", "user"}};
    }

    /// Adds a step one millisecond after the one before it, and says its number.
    sim::StepNumber add(TraceStep step) {
        step.number = static_cast<sim::StepNumber>(trace.steps.size() + 1);
        if (step.at_us == 0) step.at_us = 1'000 * step.number;
        trace.end_us = step.at_us;
        trace.steps.push_back(std::move(step));
        return trace.steps.back().number;
    }

    sim::StepNumber send(std::string from, std::string to, std::string what,
                         std::string about = "") {
        return add(on_the_wire("Sent", std::move(from), std::move(to), std::move(what),
                               std::move(about), sim::no_step));
    }

    sim::StepNumber reply(std::string from, std::string to, std::string what,
                          sim::StepNumber cause = sim::no_step, std::string about = "") {
        return add(on_the_wire("Replied", std::move(from), std::move(to), std::move(what),
                               std::move(about), cause));
    }

    sim::StepNumber arrive(std::string at, std::string from, std::string what,
                           sim::StepNumber cause, std::string about = "") {
        return add(on_the_wire("Arrived", std::move(at), std::move(from), std::move(what),
                               std::move(about), cause));
    }

    /// A request, its answer and their arrival; says the number of the request.
    sim::StepNumber exchange(const std::string& client, const std::string& server,
                             const std::string& what, const std::string& about) {
        const sim::StepNumber sent = send(client, server, what, about);
        arrive(client, server, what, reply(server, client, what, sent, about), about);
        return sent;
    }

    static TraceStep on_the_wire(std::string kind, std::string actor, std::string peer,
                                 std::string what, std::string about, sim::StepNumber cause) {
        TraceStep step;
        step.kind = std::move(kind);
        step.actor = std::move(actor);
        step.peer = std::move(peer);
        step.what = std::move(what);
        step.subject = about.empty() ? step.actor : about;
        if (step.kind == "Replied" && about.empty()) step.subject = step.peer;
        step.about = std::move(about);
        step.cause = cause;
        return step;
    }

    static TraceStep event(std::string kind, std::string actor, std::string what = "",
                           sim::StepNumber cause = sim::no_step) {
        TraceStep step;
        step.kind = std::move(kind);
        step.actor = std::move(actor);
        step.subject = step.actor;
        step.what = std::move(what);
        step.cause = cause;
        step.is_shown = true;
        return step;
    }

    Trace trace;
};

}  // namespace redeliver::reports
