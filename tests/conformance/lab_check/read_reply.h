#pragma once

#include "model/redis/commands.h"
#include "model/redis/replies.h"

struct redisReply;

namespace redeliver::conformance {

/// What a real server answered to `command`, as the model's typed reply. `queued` are the commands
/// between MULTI and the EXEC that this is. Knows the commands of the cast and no others; throws
/// std::runtime_error for a reply of another shape. An error keeps its words, and gets the
/// reason of `modelled` if the model said the same.
model::redis::Reply read_reply(const redisReply& reply, const model::redis::Command& command,
                               const std::vector<model::redis::Command>& queued,
                               const model::redis::Reply& modelled);

}  // namespace redeliver::conformance
