#pragma once

#include <string>
#include <vector>

#include "model/redis/commands.h"

namespace redeliver::model::redis {

/// The command as a client would send it, word by word. A label does not show: it is no part of
/// the protocol.
std::vector<std::string> arguments(const Command& command);

}  // namespace redeliver::model::redis
