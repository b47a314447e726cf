#pragma once

#include "model/redis/commands.h"

namespace redeliver::model::redis {

/// Refused by a replica. Source: the command table of 7.0.15 (CMD_WRITE).
bool is_write(const Command& command);

/// Refused when the memory limit is reached (CMD_DENYOOM).
bool may_grow_memory(const Command& command);

}  // namespace redeliver::model::redis
