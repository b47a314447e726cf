#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/trace.h"

/// The requests and answers of a trace as arrows between nodes.
namespace redeliver::reports {

/// One message on the wire.
struct TraceMessage {
    enum class Way : std::uint8_t { request, answer } way = Way::request;
    enum class Fate : std::uint8_t {
        arrived,  ///< a step at the other end shows it
        lost,     ///< it was swallowed or came too late, or one of the two ends died before it came
        unknown   ///< the trace ends, or its sender died, before anything shows
    } fate = Fate::unknown;

    sim::StepNumber sent = sim::no_step;      ///< `Sent`; of an answer `Replied`, `AnsweredNobody`.
    sim::StepNumber received = sim::no_step;  ///< The first step that shows it at the other end.
    sim::StepNumber dropped = sim::no_step;   ///< `Dropped`, where the wire swallowed it.
    /// Of a request: `Arrived`, `Lost` or `Crashed`, with which its sender ceased to wait.
    sim::StepNumber ended = sim::no_step;
    /// Of a request `Replied`, of an answer `Sent`: the other half of the exchange, where known.
    sim::StepNumber other = sim::no_step;
    std::string from;
    std::string to;
    std::string what;   ///< `XADD`
    std::string about;  ///< The run; empty for what is about none.
};

/// All of them, in the order of the steps that put them on the wire. What a node could not even
/// connect for (`Refused`) is no message.
std::vector<TraceMessage> messages_of(const Trace& trace);

/// `arrived`, `lost` or `unknown`.
std::string_view text(TraceMessage::Fate fate);

/// The node on which a step happened. What a server does on behalf of a client has the client as
/// its actor, and happens at the server. Empty for the world.
std::string_view place_of(const Trace& trace, const TraceStep& step);

/// The step of that number, or none.
const TraceStep* find_step(const Trace& trace, sim::StepNumber number);

/// Every node that a step names, from the users through gateways, broker and workers to the
/// database.
std::vector<std::string> lanes_of(const Trace& trace);

}  // namespace redeliver::reports
