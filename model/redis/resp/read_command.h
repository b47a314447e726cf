#pragma once

#include "model/redis/commands.h"
#include "model/redis/configuration.h"
#include "model/redis/resp/request_reader.h"

namespace redeliver::model::redis::resp {

/// What a request asks for, checked in the order in which redis-server checks it. A request that
/// the server would refuse as it stands becomes a Flawed command, which says so when it is its
/// turn. `words` is not empty.
Command read_command(const Words& words, Configuration::Version version);

/// Whether the request is the first line of an HTTP request, sent by a browser that was tricked
/// into it. The server closes such a connection without a word; earlier replies that have not left
/// yet are lost.
/// Source: processCommand in redis/src/server.c.
bool is_http(const Words& words);

}  // namespace redeliver::model::redis::resp
