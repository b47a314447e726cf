#pragma once

#include <cstdint>

#include "sim/names.h"

namespace redeliver::sim {

/// A kind of operation that actors perform: a protocol command, a piece of work. A plain number
/// here; the texts are given to the world when it is built.
using OperationKind = std::uint8_t;

/// One operation, as a plan addresses it: the `occurrence`-th (from 1) of its kind for its subject.
/// Polls that are about no subject count per node.
struct Address {
    OperationKind operation = 0;
    Subject subject = Subject::none;
    std::uint32_t occurrence = 0;
};

/// The places within an operation at which a fault can strike. The first four belong to requests,
/// the last three to work that a process does by itself.
enum class Point : std::uint8_t {
    before_send,
    before_apply,
    after_apply,
    after_reply,
    start,
    middle,
    end
};

}  // namespace redeliver::sim
