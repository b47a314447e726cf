#pragma once

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/resp/request_reader.h"

namespace redeliver::model::redis::resp {

/// What a request asks for, checked in the order in which redis-server checks it. A request that
/// the server would refuse as it stands becomes a Flawed command, which says so when it is its
/// turn. `words` is not empty.
Command read_command(const Words& words, Configuration::Version version);

}  // namespace redeliver::model::redis::resp
