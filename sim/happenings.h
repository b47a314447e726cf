#pragma once

#include <cstdint>

#include "sim/operation.h"
#include "sim/step.h"

/// The kinds of step that the engine itself reports. The actor of a step is the node it happened
/// on; durations are microseconds. `Timeless` marks payloads that hold no time.
namespace redeliver::sim {

enum class CrashOf : std::uint8_t {
    process,  ///< memory is lost; the kernel closes the connections and keeps written files
    machine   ///< as well as that, nothing says farewell and unflushed writes are lost
};

/// A fault of the plan struck. The number is its position in the plan, from 0.
struct FaultFired {
    using Timeless = void;
    static constexpr StepKind kind = 1;
    std::uint32_t fault;
};

/// The actor lost its memory. One Cut follows for each operation that it had under way.
struct Crashed {
    using Timeless = void;
    static constexpr StepKind kind = 2;
    CrashOf of;
};

/// How far an operation had come when its process died, as far as the world can tell.
enum class CutAt : std::uint8_t { unsent, in_flight, working };

/// An operation whose process died in it.
struct Cut {
    using Timeless = void;
    static constexpr StepKind kind = 3;
    OperationKind operation;
    CutAt phase;
    std::uint16_t spare = 0;
    std::uint32_t occurrence;
};

/// The actor runs again, without memory. The incarnation is in the step's header.
struct Restarted {
    static constexpr StepKind kind = 4;
};

struct Paused {
    static constexpr StepKind kind = 5;
    std::int64_t lasts;
};

struct Resumed {
    static constexpr StepKind kind = 6;
};

/// The actor put a request on the wire.
struct Sent {
    using Timeless = void;
    static constexpr StepKind kind = 7;
    OperationKind operation;
    std::uint8_t spare = 0;
    NodeId server;
    std::uint32_t occurrence;
};

/// The actor, a server, put the answer on the wire. `content` is a hash of every byte of it.
struct Replied {
    static constexpr StepKind kind = 8;
    OperationKind operation;
    std::uint8_t spare = 0;
    NodeId client;
    std::uint32_t occurrence;
    std::uint64_t content;
};

/// The answer reached the actor that asked.
struct Arrived {
    using Timeless = void;
    static constexpr StepKind kind = 9;
    OperationKind operation;
    std::uint8_t spare = 0;
    NodeId server;
    std::uint32_t occurrence;
};

enum class LossReason : std::uint8_t { deadline, reset };

/// The actor stopped expecting an answer: whether the server applied the request it cannot know.
struct Lost {
    using Timeless = void;
    static constexpr StepKind kind = 10;
    OperationKind operation;
    LossReason reason;
    NodeId server;
    std::uint32_t occurrence;
};

/// The actor could not connect: nothing reached the server.
struct Refused {
    using Timeless = void;
    static constexpr StepKind kind = 11;
    OperationKind operation;
    std::uint8_t spare = 0;
    NodeId server;
    std::uint32_t occurrence;
};

/// What the wire swallowed: it never arrives, and nothing later on that connection does.
enum class Swallowed : std::uint8_t { request, reply };

/// A message was dropped. The actor is its sender.
struct Dropped {
    using Timeless = void;
    static constexpr StepKind kind = 12;
    OperationKind operation;
    Swallowed what;
    NodeId receiver;
    std::uint32_t occurrence;
};

/// Both ends of the actor's connection to `server` learn that it is gone.
struct ConnectionReset {
    using Timeless = void;
    static constexpr StepKind kind = 13;
    NodeId server;
};

/// From now on nothing sent by the actor reaches `to`.
struct Partitioned {
    using Timeless = void;
    static constexpr StepKind kind = 14;
    NodeId to;
};

struct PartitionHealed {
    using Timeless = void;
    static constexpr StepKind kind = 15;
    NodeId to;
};

struct ClockStepped {
    static constexpr StepKind kind = 16;
    std::int64_t by;
};

/// The actor, a server, was replaced by its standby, which had not yet seen the last `lag`.
struct FailedOver {
    static constexpr StepKind kind = 17;
    std::int64_t lag;
};

/// The actor works `percent` / 100 times as long as it should; 100 ends it.
struct Slowed {
    using Timeless = void;
    static constexpr StepKind kind = 18;
    std::uint32_t percent;
};

/// The faults are over: what had not fired lapses, what was broken is repaired.
struct Healed {
    static constexpr StepKind kind = 19;
    std::uint32_t lapsed;
};

/// Why a trial ended.
enum class Ending : std::uint8_t {
    settled,       ///< nothing is left to do
    quiet,         ///< nothing has made progress for long enough to judge what is still owed
    drained,       ///< no event is left
    out_of_steps,  ///< inconclusive
    out_of_time    ///< inconclusive
};

/// The last step of every trial. `state` is a digest of everything the servers still hold.
struct Concluded {
    static constexpr StepKind kind = 20;
    std::uint32_t ending;
    std::uint32_t spare = 0;
    std::uint64_t state;
};

/// The actor, a server, answered a client that is gone or no longer listens.
struct AnsweredNobody {
    using Timeless = void;
    static constexpr StepKind kind = 21;
    OperationKind operation;
    std::uint8_t spare = 0;
    NodeId client;
    std::uint32_t occurrence;
};

/// The actor was in this operation when it was paused, or does it slowly. Its cause says which.
struct Stalled {
    using Timeless = void;
    static constexpr StepKind kind = 22;
    OperationKind operation;
    std::uint8_t spare[3] = {};
    std::uint32_t occurrence;
};

/// What else can befall the actor. One kind of step for all of these, for kinds are scarce.
struct Disturbed {
    enum class What : std::uint32_t {
        half_open,    ///< its end of the connection to node `detail` is gone, unknown to that node
        delayed,      ///< what it sends and is sent takes `amount` longer
        delay_over,   ///< and no more
        clock_drift,  ///< its wall clock gains `amount` microseconds a second
        drift_over,   ///< and goes as it went before
        ordered,      ///< it was told the words of Name `detail`, for `amount` microseconds
        order_over    ///< and that is over
    };
    static constexpr StepKind kind = 23;
    What what;
    std::uint32_t detail = 0;
    std::int64_t amount = 0;
};
static_assert(Disturbed::kind < first_free_kind);

}  // namespace redeliver::sim
